// The *Graph* view: the graph of a function as a picture beside its program. It follows edits, and a click leads to the line.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { type Place, moved, reveal } from "./positions";
import type { Server } from "./server";

const AFTER_EDIT = 600;

interface Answer {
  function: string;
  text: string;
  traces: unknown[];
}

/** The one panel of a window: another function takes the place of the one before. */
export class GraphView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private of: { source: vscode.Uri; position: vscode.Position; line: number } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly extension: vscode.Uri, private readonly server: Server) {
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (!this.of || event.document.uri.toString() !== this.of.source.toString() || event.contentChanges.length === 0) return;
        this.of.position = moved(this.of.position, event.contentChanges);
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.refresh(), AFTER_EDIT);
      }),
      vscode.window.onDidChangeTextEditorSelection((event) => {
        if (event.textEditor.document.languageId === "python") this.tellCursor(event.textEditor);
      }),
    ];
  }

  /** Shows the graph of the function at the cursor. */
  async open(editor: vscode.TextEditor): Promise<void> {
    const [source, position] = [editor.document.uri, editor.selection.active];
    const answer = await this.ask(source, position);
    if (!answer) {
      void vscode.window.showInformationMessage("jitlens: put the cursor into a function and try again.");
      return;
    }
    this.of = { source, position, line: position.line };
    if (this.panel) {
      this.panel.reveal(undefined, true);
      this.tell(answer);
      return;
    }
    const media = vscode.Uri.joinPath(this.extension, "media");
    const dist = vscode.Uri.joinPath(this.extension, "dist");
    this.panel = vscode.window.createWebviewPanel("jitlens.graph", "Graph", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [media, dist] });
    this.panel.onDidDispose(() => {
      this.panel = undefined;
      this.of = undefined;
    });
    this.panel.webview.onDidReceiveMessage((message: { is: string; place?: Place }) => {
      if (message.is === "ready") void this.refresh();
      if (message.is === "reveal" && message.place) void reveal(message.place, vscode.ViewColumn.One);
    });
    this.panel.webview.html = page(this.panel.webview, vscode.Uri.joinPath(dist, "graph.js"), vscode.Uri.joinPath(media, "graph.css"));
  }

  private async refresh(): Promise<void> {
    if (!this.of || !this.panel) return;
    const answer = await this.ask(this.of.source, this.of.position);
    if (answer) this.tell(answer);
  }

  private tell(answer: Answer): void {
    if (!this.panel) return;
    this.panel.title = `Graph of ${answer.function}`;
    void this.panel.webview.postMessage({ is: "graph", ...answer });
    const editor = vscode.window.visibleTextEditors.find((one) => one.document.uri.toString() === this.of?.source.toString());
    if (editor) this.tellCursor(editor);
  }

  private tellCursor(editor: vscode.TextEditor): void {
    const client = this.server.running();
    if (!client) return;
    const file = client.code2ProtocolConverter.asUri(editor.document.uri);
    void this.panel?.webview.postMessage({ is: "cursor", file, line: editor.selection.active.line + 1 });
  }

  private async ask(source: vscode.Uri, position: vscode.Position): Promise<Answer | undefined> {
    const client = this.server.running();
    if (!client) return undefined;
    const params = { textDocument: { uri: client.code2ProtocolConverter.asUri(source) }, position: { line: position.line, character: position.character } };
    return (await client.sendRequest<Answer | null>("jitlens/graphs", params)) ?? undefined;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.panel?.dispose();
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }
}

/** The page. Nothing in it is loaded from elsewhere, and no script runs but the one of the extension. */
function page(webview: vscode.Webview, script: vscode.Uri, style: vscode.Uri): string {
  const nonce = randomBytes(16).toString("base64");
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}">
  <link rel="stylesheet" href="${webview.asWebviewUri(style).toString()}">
  <title>Graph</title>
</head>
<body>
  <header>
    <div id="crumbs" role="navigation" aria-label="Graphs around this one"></div>
    <select id="trace" aria-label="Trace" hidden></select>
    <div class="tools" role="radiogroup" aria-label="Colour">
      colour:
      <label><input type="radio" name="colour" id="by-dtype">dtype</label>
      <label title="How much each equation reads and writes"><input type="radio" name="colour" id="by-bytes">bytes</label>
    </div>
    <div class="tools">
      <button id="in" aria-label="Larger">+</button><button id="out" aria-label="Smaller">−</button><button id="fit">fit</button>
    </div>
  </header>
  <div id="remark" role="status"></div>
  <svg role="group" aria-label="Graph"></svg>
  <footer id="legend"></footer>
  <script nonce="${nonce}" src="${webview.asWebviewUri(script).toString()}"></script>
</body>
</html>`;
}
