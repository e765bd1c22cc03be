// The environment that is chosen in the Python extension, where that is installed.

import * as vscode from "vscode";

interface PythonExtension {
  environments?: {
    getActiveEnvironmentPath(): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ environment?: { folderUri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The folder of the chosen environment; nothing for a Python of the system's, which has no environment around it. */
export async function chosen(): Promise<string | undefined> {
  try {
    const environments = (await extension())?.environments;
    const resolved = await environments?.resolveEnvironment(environments.getActiveEnvironmentPath());
    return resolved?.environment?.folderUri?.fsPath;
  } catch {
    return undefined;
  }
}

/** Calls back when another one is chosen. */
export async function onChange(callback: () => void): Promise<vscode.Disposable> {
  const environments = (await extension().catch(() => undefined))?.environments;
  return environments?.onDidChangeActiveEnvironmentPath(callback) ?? new vscode.Disposable(() => undefined);
}

async function extension(): Promise<PythonExtension | undefined> {
  const found = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  return found && (found.isActive ? found.exports : found.activate());
}
