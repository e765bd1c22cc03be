// Positions in a text that is being edited.

import * as vscode from "vscode";

/** Where a position is after an edit. */
export function moved(position: vscode.Position, changes: readonly vscode.TextDocumentContentChangeEvent[]): vscode.Position {
  let now = position;
  for (const change of changes) {
    if (change.range.end.isAfter(now)) continue;
    const lines = change.text.split("\n");
    const added = lines.length - 1 - (change.range.end.line - change.range.start.line);
    const inLine = change.range.end.line === now.line;
    const base = lines.length === 1 ? change.range.start.character : 0;
    const character = inLine ? base + lines[lines.length - 1].length + now.character - change.range.end.character : now.character;
    now = new vscode.Position(Math.max(0, now.line + added), Math.max(0, character));
  }
  return now;
}

/** A place as the server's plain data has it: lines from 1, columns in UTF-8 bytes from 0. */
export interface Place {
  file: string;
  range: [number, number, number, number];
}

/** Shows a place of a program. */
export async function reveal(place: Place, beside?: vscode.ViewColumn, preserveFocus = false): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.file, true));
  const at = (line: number, column: number): vscode.Position => {
    const text = Buffer.from(document.lineAt(Math.min(Math.max(0, line - 1), document.lineCount - 1)).text);
    return new vscode.Position(Math.max(0, line - 1), text.subarray(0, column).toString().length);
  };
  const [line, column, endLine, endColumn] = place.range;
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const selection = new vscode.Range(at(line, column), at(endLine, endColumn));
  await vscode.window.showTextDocument(document, { viewColumn: shown?.viewColumn ?? beside, selection, preserveFocus });
}
