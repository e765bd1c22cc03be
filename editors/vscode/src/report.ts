// What whoever mends a bug asks for first: versions, the server, the settings. It names no file of the program.

import { arch, platform, release } from "node:os";
import * as vscode from "vscode";
import * as environment from "./environment";
import type { Server } from "./server";
import { forServer } from "./settings";
import type { Status } from "./status";

/** Opens it as a document, to be read before it is sent. */
export async function report(extension: vscode.Extension<unknown>, server: Server, status: Status): Promise<void> {
  const info = server.running()?.initializeResult;
  const settings = JSON.stringify(forServer(), undefined, 2);
  const lines = [
    "# jitlens",
    "",
    `* extension: ${(extension.packageJSON as { version: string }).version}`,
    `* server: ${status.summary()}`,
    `* positions: ${info?.capabilities.positionEncoding ?? "unknown"}`,
    `* editor: ${vscode.env.appName} ${vscode.version}, ${vscode.env.uiKind === vscode.UIKind.Web ? "in a browser" : "on the desktop"}${vscode.env.remoteName ? `, remote: ${vscode.env.remoteName}` : ""}`,
    `* system: ${platform()} ${release()} ${arch()}, Node ${process.versions.node}`,
    `* workspace: ${vscode.workspace.workspaceFolders?.length ?? 0} folders, ${vscode.workspace.isTrusted ? "trusted" : "not trusted"}`,
    `* Python environment of the Python extension: ${(await environment.chosen()) ?? "none"}`,
    "",
    "Settings that are set here (the project's `pyproject.toml` may have others):",
    "",
    "```json",
    settings,
    "```",
    "",
    "What has happened (the end of *jitlens: Show Log*):",
    "",
    "```text",
    ...server.lastMessages(),
    "```",
    "",
  ];
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: lines.join("\n") });
  await vscode.window.showTextDocument(document);
}
