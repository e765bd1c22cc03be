// Where the server is.

import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { homedir } from "node:os";

/** A server, and whose choice it is. */
export interface Binary {
  path: string;
  from: "the setting jitlens.path" | "the extension" | "PATH";
}

/** What a search needs to know. */
export interface Places {
  /** The setting `jitlens.path`, if it may be followed. */
  setting: string;
  /** The folder of the extension. */
  extension: string;
  /** The first folder of the workspace: relative settings count from it. */
  workspace: string | undefined;
  /** The variable `PATH`. */
  path: string | undefined;
}

const NAME = process.platform === "win32" ? "jitlens.exe" : "jitlens";

/** The server that is to be started; what is wrong otherwise. A setting that leads nowhere is not passed over. */
export function find(places: Places): Binary | { missing: string } {
  if (places.setting) {
    const path = expand(places.setting, places.workspace);
    if (isAbsolute(path) || path.includes("/")) {
      return runs(path)
        ? { path, from: "the setting jitlens.path" }
        : { missing: `The setting jitlens.path leads to ${path}, which is no program.` };
    }
    const found = onPath(path, places.path);
    return found
      ? { path: found, from: "the setting jitlens.path" }
      : { missing: `The setting jitlens.path names ${path}, which is not on the PATH.` };
  }
  const bundled = join(places.extension, "server", NAME);
  if (runs(bundled)) return { path: bundled, from: "the extension" };
  const found = onPath(NAME, places.path);
  if (found) return { path: found, from: "PATH" };
  return { missing: "This extension came without a server for this platform, and there is no jitlens on the PATH." };
}

/** A path as a setting has it: `~`, `${workspaceFolder}`, or relative to the workspace. A bare name stays one. */
export function expand(setting: string, workspace: string | undefined): string {
  let path = setting.replace(/^~(?=[/\\]|$)/, homedir());
  if (workspace !== undefined) {
    path = path.replaceAll("${workspaceFolder}", workspace);
    if (!isAbsolute(path) && /[/\\]/.test(path)) path = join(workspace, path);
  }
  return path;
}

function onPath(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(runs);
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}
