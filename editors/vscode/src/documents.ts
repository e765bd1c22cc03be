// Documents that the server writes: what a function's trace cache holds, its graphs, and what it gives. They follow the program.

import * as vscode from "vscode";
import { moved } from "./positions";
import type { Server } from "./server";

const SCHEME = "jitlens";
/** Answers are asked for again so long after the last edit. */
const AFTER_EDIT = 600;
/** Where there is none, an analysis may be under way: it is asked again so often, later each time. */
const ATTEMPTS = 5;

/** What kinds of documents there are: what is asked of the server, and how it is shown. */
const KINDS = {
  cache: { request: "jitlens/traceCache", ending: "jitlens-cache", none: "No call of a traced function, and no traced function, is here any more." },
  graph: { request: "jitlens/graphs", ending: "jaxpr", none: "No function is here any more." },
  numbers: { request: "jitlens/evaluate", ending: "jitlens-numbers", none: "No function is here any more." },
} as const;
export type Kind = keyof typeof KINDS;

interface Answer {
  function: string;
  text: string;
  /** Of graphs: none where the text says why there is none. */
  traces?: unknown[];
}

interface Shown {
  kind: Kind;
  source: vscode.Uri;
  /** In the source as it is now: edits move it. */
  position: vscode.Position;
  function: string;
  /** What was shown last of a program that could be traced. */
  last?: string;
  /** How often there was no answer, one time after the other. */
  vain: number;
}

/** The documents that were opened in this window. */
export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly shown = new Map<string, Shown>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    this.subscriptions = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)),
      vscode.workspace.onDidCloseTextDocument((document) => this.shown.delete(document.uri.toString())),
    ];
  }

  /** Opens the document of a function beside its program. */
  open(kind: Kind, editor: vscode.TextEditor): Promise<void> {
    return this.openAt(kind, editor.document.uri, editor.selection.active);
  }

  /** Opens the document of the function at a place. */
  async openAt(kind: Kind, source: vscode.Uri, position: vscode.Position): Promise<void> {
    const answer = await this.ask(kind, source, position);
    if (!answer) {
      const where = kind === "cache" ? "a traced function, or at a call of one," : "a function";
      void vscode.window.showInformationMessage(`jitlens: put the cursor into ${where} and try again.`);
      return;
    }
    const name = `${answer.function.replaceAll("/", "∕")}.${KINDS[kind].ending}`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${kind}/${name}`, query: source.toString() });
    this.shown.set(uri.toString(), { kind, source, position, function: answer.function, vain: 0 });
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const shown = this.shown.get(uri.toString());
    // After a restart of the window nobody knows any more where the cursor was.
    if (!shown) return "Ask for it again from the program.\n";
    const answer = await this.ask(shown.kind, shown.source, shown.position);
    if (!answer) {
      if (++shown.vain < ATTEMPTS) setTimeout(() => this.changed.fire(uri), AFTER_EDIT * shown.vain);
      return remark(KINDS[shown.kind].none, shown.last);
    }
    shown.vain = 0;
    // While a line is half typed, what was there before is better than nothing.
    if (answer.traces?.length === 0) return remark(answer.text, shown.last);
    if (answer.function !== shown.function) return `# ${shown.function} is not here any more; this is ${answer.function}.\n${answer.text.trimEnd()}\n`;
    shown.last = answer.text;
    return `${answer.text.trimEnd()}\n`;
  }

  private async ask(kind: Kind, source: vscode.Uri, position: vscode.Position): Promise<Answer | undefined> {
    const client = this.server.running();
    if (!client) return undefined;
    const params = { textDocument: { uri: client.code2ProtocolConverter.asUri(source) }, position: { line: position.line, character: position.character } };
    return (await client.sendRequest<Answer | null>(KINDS[kind].request, params)) ?? undefined;
  }

  /** Moves positions along with an edit, and asks again when edits have ended. */
  private follow(event: vscode.TextDocumentChangeEvent): void {
    const source = event.document.uri.toString();
    const concerned = [...this.shown].filter(([, shown]) => shown.source.toString() === source);
    if (concerned.length === 0 || event.contentChanges.length === 0) return;
    for (const [, shown] of concerned) [shown.position, shown.vain] = [moved(shown.position, event.contentChanges), 0];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), AFTER_EDIT);
  }

  /** Asks for all that is shown again. */
  refresh(): void {
    for (const uri of this.shown.keys()) this.changed.fire(vscode.Uri.parse(uri, true));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }
}

/** A text under a remark; of an earlier program. */
function remark(said: string, text: string | undefined): string {
  const lines = said.trimEnd().split("\n").map((line) => `# ${line}`);
  return text === undefined ? `${lines.join("\n")}\n` : `# of the program before, for now:\n${lines.join("\n")}\n${text.trimEnd()}\n`;
}
