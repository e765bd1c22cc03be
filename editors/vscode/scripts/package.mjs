// Makes the .vsix of one platform: `npm run package -- --server ../../target/release/jitlens [--target linux-x64] [--out FILE]`.
// Without `--server` it carries no server, and runs on every platform that has one on its PATH.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { server: { type: "string" }, target: { type: "string" }, out: { type: "string" } },
});
const server = values.server && resolve(values.server);
const out = resolve(values.out ?? `jitlens${values.target ? `-${values.target}` : ""}.vsix`);
process.chdir(join(import.meta.dirname, ".."));
const run = (tool, ...args) => execFileSync(join("node_modules/.bin", tool), args, { stdio: "inherit", shell: process.platform === "win32" });

rmSync("server", { recursive: true, force: true });
if (server) {
  mkdirSync("server");
  const binary = join("server", basename(server).endsWith(".exe") ? "jitlens.exe" : "jitlens");
  copyFileSync(server, binary);
  chmodSync(binary, 0o755);
  try {
    // A server with debug information is five times as large as one without.
    if (process.platform === "linux") execFileSync("strip", ["--strip-debug", binary], { stdio: "ignore" });
  } catch {
    // It is only larger.
  }
}
copyFileSync("../../LICENSE-MIT", "LICENSE.txt");
execFileSync("npm", ["run", "--silent", "bundle"], { stdio: "inherit", shell: process.platform === "win32" });
run("vsce", "package", "--no-dependencies", "--out", out, ...(values.target ? ["--target", values.target] : []));
