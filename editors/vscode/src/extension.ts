// jitlens in VS Code: starts the server with the first Python file, and offers its views and actions as commands.

import * as vscode from "vscode";
import { act } from "./actions";
import { Documents } from "./documents";
import { GraphView } from "./graph";
import { report } from "./report";
import { Server } from "./server";
import { Status } from "./status";
import { TraceView } from "./trace";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const status = new Status();
  const running = (server = new Server(context, status));
  const documents = new Documents(running);
  const graph = new GraphView(context.extensionUri, running);
  const trace = new TraceView(running);
  context.subscriptions.push(documents, graph, trace, running, status);

  const commands: Record<string, () => unknown> = {
    showGraph: inEditor((editor) => graph.open(editor)),
    showJaxpr: inEditor((editor) => documents.open("graph", editor)),
    showTrace: inEditor(() => trace.open()),
    showNumbers: inEditor((editor) => documents.open("numbers", editor)),
    showTraceCache: inEditor((editor) => documents.open("cache", editor)),
    fixAll: inEditor((editor) => act(running, editor, "source.fixAll.jitlens", /./, "there is nothing that can be fixed in this file.")),
    reproduceFunction: inEditor((editor) =>
      act(running, editor, "refactor.extract.jitlens", /./, "the cursor is in no traced function.")),
    reproduceError: inEditor((editor) =>
      act(running, editor, "quickfix", /reproducer of this error/, "the program ends in no error of this file.")),
    reproduceMinimal: inEditor((editor) =>
      act(running, editor, "quickfix", /minimal reproducer/, "the program ends in no error of this file.")),
    goToCounterpart: inEditor((editor) =>
      act(running, editor, "jitlens.goto", /./, "this line has no counterpart in a reproducer, or in a source.")),
    toggleInlayHints: () => {
      const configuration = vscode.workspace.getConfiguration("jitlens");
      return configuration.update("inlayHints", !configuration.get("inlayHints", true), vscode.ConfigurationTarget.Global);
    },
    restart: () => running.restart(),
    stop: () => running.stop(),
    showLog: () => running.showLog(),
    showReport: () => report(context.extension, running, status),
    showMenu: () => showMenu(status),
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(`jitlens.${name}`, run));
  }
  running.onLens((uri, position) => void documents.openAt("cache", uri, position));
  await running.start();
}

export function deactivate(): Thenable<void> | undefined {
  return server?.stop();
}

/** A command about the program in the active editor. */
function inEditor(run: (editor: vscode.TextEditor) => Promise<void>): () => Promise<void> | undefined {
  return () => {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId === "python") return run(editor);
    void vscode.window.showInformationMessage("jitlens: this is about a Python file; open one first.");
    return undefined;
  };
}

async function showMenu(status: Status): Promise<void> {
  const item = (icon: string, label: string, command: string): vscode.QuickPickItem & { command: string } => ({ label: `$(${icon}) ${label}`, command });
  const items = [
    item("type-hierarchy", "Graph of the function at the cursor, as a picture", "jitlens.showGraph"),
    item("code", "Graph (jaxpr) of the function at the cursor", "jitlens.showJaxpr"),
    item("list-tree", "Trace of the function at the cursor", "jitlens.showTrace"),
    item("symbol-number", "Numbers of the function at the cursor", "jitlens.showNumbers"),
    item("history", "Trace cache of the function at the cursor", "jitlens.showTraceCache"),
    item("wand", "Fix all problems that can be fixed", "jitlens.fixAll"),
    item("beaker", "Reproducer of the function at the cursor", "jitlens.reproduceFunction"),
    item("beaker", "Reproducer of the program's error", "jitlens.reproduceError"),
    item("beaker", "Minimal reproducer of the program's error", "jitlens.reproduceMinimal"),
    item("arrow-swap", "Go between reproducer and source", "jitlens.goToCounterpart"),
    item("eye", "Toggle the shapes behind names", "jitlens.toggleInlayHints"),
    item("debug-restart", "Restart server", "jitlens.restart"),
    item("debug-stop", "Stop server", "jitlens.stop"),
    item("output", "Show log", "jitlens.showLog"),
    item("report", "Show what a report of a bug needs", "jitlens.showReport"),
    item("settings-gear", "Settings", "workbench.action.openSettings"),
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: "jitlens", placeHolder: status.summary() });
  if (chosen) await vscode.commands.executeCommand(chosen.command, ...(chosen.command.endsWith("openSettings") ? ["@ext:jitlens.jitlens"] : []));
}
