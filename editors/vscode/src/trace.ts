// The *Trace* view: which functions and lines the traces of the function at the cursor consist of.

import * as vscode from "vscode";
import { type Place, reveal } from "./positions";
import type { Server } from "./server";

/** The cursor rests so long before its function is asked for. */
const REST = 400;

interface Row {
  kind: "trace" | "function" | "line" | "inner";
  label: string;
  detail: string;
  place: Place | null;
  rows: Row[];
}
interface Answer {
  function: string;
  text: string;
  rows: Row[];
}

const ICONS = { trace: "play-circle", function: "symbol-method", line: "list-selection", inner: "symbol-module" } as const;

export class TraceView implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Row>;
  private readonly subscriptions: vscode.Disposable[];
  private rows: Row[] = [];
  private timer: NodeJS.Timeout | undefined;
  private asked = 0;

  constructor(private readonly server: Server) {
    this.view = vscode.window.createTreeView("jitlens.trace", { treeDataProvider: this, showCollapseAll: true });
    const later = (): void => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.refresh(), REST);
    };
    this.subscriptions = [
      this.view, this.changed,
      vscode.window.onDidChangeTextEditorSelection((event) => {
        // A click into the view moves the cursor; the view stays what it is.
        if (event.kind !== undefined) later();
      }),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === vscode.window.activeTextEditor?.document) later();
      }),
      this.view.onDidChangeVisibility(later),
      vscode.commands.registerCommand("jitlens.revealTraceRow", (place: Place) => reveal(place)),
    ];
  }

  /** Shows the view, and in it the function at the cursor. */
  async open(): Promise<void> {
    await vscode.commands.executeCommand("jitlens.trace.focus", { preserveFocus: true });
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const client = this.server.running();
    if (!this.view.visible || !client || editor?.document.languageId !== "python") return;
    const number = ++this.asked;
    const { line, character } = editor.selection.active;
    const params = { textDocument: { uri: client.code2ProtocolConverter.asUri(editor.document.uri) }, position: { line, character } };
    const answer = (await client.sendRequest<Answer | null>("jitlens/traceTree", params)) ?? undefined;
    // Outside of functions, and while a line is half typed, the last answer stays.
    if (number !== this.asked || !answer) return;
    this.view.description = answer.function;
    if (answer.rows.length === 0 && this.rows.length > 0 && this.view.message === undefined && answer.function === this.rows[0].label.split("(")[0]) return;
    this.view.message = answer.rows.length === 0 ? answer.text : undefined;
    this.rows = answer.rows;
    this.changed.fire();
  }

  getChildren(row?: Row): Row[] {
    return row ? row.rows : this.rows;
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const { None, Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    // What a trace was made for is long, and is cut off before what is said of it.
    const at = row.kind === "trace" ? row.label.indexOf("(") : -1;
    const item = new vscode.TreeItem(at < 0 ? row.label : row.label.slice(0, at), row.rows.length === 0 ? None : row.kind === "trace" && this.rows.length === 1 ? Expanded : Collapsed);
    item.description = at < 0 ? row.detail : `${row.detail} · ${row.label.slice(at + 1, -1)}`;
    item.tooltip = `${row.label}\n${row.detail}`;
    item.iconPath = new vscode.ThemeIcon(ICONS[row.kind]);
    item.contextValue = row.kind;
    if (row.place) item.command = { command: "jitlens.revealTraceRow", title: "Go to the Line", arguments: [row.place] };
    return item;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }
}
