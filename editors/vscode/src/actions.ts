// Commands that stand for code actions of the server's: an action of a kind at the cursor is asked for and done.

import * as vscode from "vscode";
import type { Server } from "./server";

/** How often it is asked: an analysis may be under way, and other extensions that start make VS Code call requests off. */
const ATTEMPTS = 6;
const PAUSE = 250;

/** Does the actions of a kind at the cursor: the only one, or the one that the user chooses. */
export async function act(server: Server, editor: vscode.TextEditor, kind: string, wanted: RegExp, none: string): Promise<void> {
  if (!server.running()) return;
  const { document, selection } = editor;
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const range = kind.startsWith("source.") || kind === "quickfix" ? whole : selection;
  let found: vscode.CodeAction[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && found.length === 0; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    found = (await ask(document.uri, range, kind)).filter((action) => wanted.test(action.title));
  }
  const action = found.length <= 1 ? found[0] : await choose(found);
  if (found.length === 0) void vscode.window.showInformationMessage(`jitlens: ${none}`);
  if (!action) return;
  if (action.edit) await vscode.workspace.applyEdit(action.edit);
  if (action.command) await vscode.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []));
}

async function ask(uri: vscode.Uri, range: vscode.Range, kind: string): Promise<vscode.CodeAction[]> {
  try {
    return (await vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", uri, range, kind)) ?? [];
  } catch (error) {
    if (/cancell?ed/i.test(String(error))) return [];
    throw error;
  }
}

async function choose(actions: vscode.CodeAction[]): Promise<vscode.CodeAction | undefined> {
  const items = actions.map((action) => ({ label: action.title, action }));
  return (await vscode.window.showQuickPick(items, { title: "jitlens" }))?.action;
}
