// The item in the status bar: what the server does, and the way to its commands.

import * as vscode from "vscode";

/** What the server does. */
export type State =
  | { is: "starting" }
  | { is: "ready"; version: string; path: string }
  | { is: "stopped" }
  | { is: "failed"; why: string };

/** What the item is shown beside. */
const LANGUAGES = ["python", "jaxpr", "jitlens-cache", "jitlens-numbers"];

/** The item. */
export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("jitlens.status", vscode.StatusBarAlignment.Left, -10);
  private readonly shows: vscode.Disposable;
  /** Work under way, by its token. */
  private readonly work = new Map<string | number, string>();
  private state: State = { is: "stopped" };

  constructor() {
    this.item.name = "jitlens";
    this.item.command = "jitlens.showMenu";
    this.shows = vscode.window.onDidChangeVisibleTextEditors(() => this.draw());
    this.draw();
  }

  set(state: State): void {
    this.state = state;
    if (state.is !== "ready") this.work.clear();
    void vscode.commands.executeCommand("setContext", "jitlens.running", state.is === "ready");
    this.draw();
  }

  /** Work goes on, is about something, or is over (without a text). */
  progress(token: string | number, text: string | undefined): void {
    if (text === undefined) this.work.delete(token);
    else this.work.set(token, text);
    this.draw();
  }

  /** One line on the state. */
  summary(): string {
    switch (this.state.is) {
      case "starting": return "starting";
      case "ready": return `${this.busyWith() ?? "ready"} · ${this.state.version} · ${this.state.path}`;
      case "stopped": return "stopped";
      case "failed": return this.state.why;
    }
  }

  private busyWith(): string | undefined {
    return [...this.work.values()].at(-1);
  }

  private draw(): void {
    const busy = this.state.is === "ready" ? this.busyWith() : undefined;
    const icon = { starting: "loading~spin", ready: busy ? "loading~spin" : "check", stopped: "circle-slash", failed: "error" }[this.state.is];
    this.item.text = `$(${icon}) jitlens`;
    this.item.tooltip = `jitlens: ${this.summary()}`;
    this.item.accessibilityInformation = { label: `jitlens: ${this.summary()}` };
    this.item.backgroundColor = this.state.is === "failed" ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
    // A view of the program may have the focus, which is no text.
    const isSeen = vscode.window.visibleTextEditors.some((editor) => LANGUAGES.includes(editor.document.languageId));
    if (this.state.is === "failed" || isSeen) this.item.show();
    else this.item.hide();
  }

  dispose(): void {
    this.shows.dispose();
    this.item.dispose();
  }
}
