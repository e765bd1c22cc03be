// The settings, as the server is told of them.

import * as vscode from "vscode";
import { expand } from "./binary";

/** The folder from which relative paths in settings count. */
export function workspaceFolder(): string | undefined {
  return vscode.workspace.workspaceFolders?.find((folder) => folder.uri.scheme === "file")?.uri.fsPath;
}

/** What the server reads, as far as the user has set it: defaults would stand over the project's `pyproject.toml`. */
export function forServer(): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration("jitlens");
  const set = (name: string): unknown => {
    const all = configuration.inspect<unknown>(name);
    const value = all?.workspaceFolderValue ?? all?.workspaceValue ?? all?.globalValue;
    // Objects of several places are merged by the editor.
    return value === undefined || value === null ? undefined : configuration.get(name);
  };
  const path = (value: unknown): unknown => {
    if (typeof value !== "string" || value === "") return undefined;
    const folder = workspaceFolder();
    return expand(value.includes("/") || folder === undefined ? value : `./${value}`, folder);
  };
  const roots = set("sourceRoots");
  return {
    inlayHints: set("inlayHints"),
    environment: path(set("environment")),
    sourceRoots: Array.isArray(roots) ? roots.map(path).filter((root) => root !== undefined) : undefined,
    reproducers: path(set("reproducers")),
    literals: set("literals"),
    rules: set("rules"),
    perFileIgnores: set("perFileIgnores"),
  };
}

/** Settings that a running server does not follow. */
export function wantsRestart(event: vscode.ConfigurationChangeEvent): boolean {
  return ["jitlens.path", "jitlens.logLevel"].some((name) => event.affectsConfiguration(name));
}
