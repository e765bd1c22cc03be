// The extension as a user meets it: installed from its .vsix into VS Code, on a program of tests/projects.
// Run by tests/editors/run.sh, which says where things are.
import assert from "node:assert/strict";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { graphView, traceView } from "./graph.mjs";
import { notebookCells } from "./notebook.mjs";
import { log, until, withWorkbench } from "./workbench.mjs";

const vsix = process.env.JITLENS_VSIX;
const projects = join(import.meta.dirname, "../../projects");
const work = realpathSync(mkdtempSync(join(tmpdir(), "jitlens-projects-")));

/** Whether the workbench has shown a file. */
let appeared = false;

/** A copy of a program, with a text replaced: the place and the path. */
function program(folder, old, text) {
  const project = join(work, folder);
  cpSync(join(projects, "mlp_scratch"), project, { recursive: true });
  const path = join(project, "main.py");
  const before = readFileSync(path, "utf8");
  assert.ok(before.includes(old));
  writeFileSync(path, before.replace(old, text));
  return { project, path, line: before.slice(0, before.indexOf(old)).split("\n").length };
}

const PREDICTED = "    predicted = jnp.argmax(batched_predict(params, inputs), axis=1)\n";
const PRINT = '    print("accuracy of", predicted)\n';

async function whatAUserSees(bench) {
  const { project, path, line } = program("seen", PREDICTED, PREDICTED + PRINT);
  const said = line + 1;
  await bench.open(project, path);
  log("the workbench shows the program");

  // The squiggle, and the row in Problems.
  await until("the server is ready", async () => /ready/.test(await bench.status()));
  await bench.goto(said, 5);
  await bench.editor().locator(".squiggly-warning").first().waitFor();
  await bench.command("Problems: Focus on Problems View");
  const row = bench.problems("runs once per trace");
  await row.waitFor();
  const problem = (await row.innerText()).replace(/\s+/g, " ");
  assert.match(problem, /`?print`? runs once per trace, not at every call.*jitlens.*python-side-effect/);
  assert.match(problem, new RegExp(`Ln ${said}, Col 5`));
  log(`problem: ${problem}`);
  // As the user's settings want it.
  await bench.problems("is traced a second time").and(bench.page.locator('[aria-label^="Error"]')).first().waitFor();

  // Hints behind names, and how often the function was traced.
  await bench.editor().locator(".view-line", { hasText: "predicted" }).first().click();
  await bench.goto(said, 5);
  const hints = await until("hints", async () => (await bench.text()).split("\n").find((text) => /predicted: ?i32\[\d+\]/.test(text)));
  assert.match(hints, /predicted: ?i32\[480\]/);
  const lens = bench.page.locator(".codelens-decoration", { hasText: "2 traces" }).first();
  await lens.waitFor();
  log(`hints: ${hints.trim()}; lens: ${await lens.innerText()}`);

  // The hover over `logp`, in a function that `value_and_grad` calls.
  const nll = readFileSync(path, "utf8").split("\n").findIndex((text) => text.includes("nll = -jnp.mean")) + 1;
  await bench.goto(nll, 32);
  await bench.command("Show or Focus Hover");
  const hover = bench.page.locator(".monaco-hover:visible .hover-contents", { hasText: "f32[" }).first();
  await hover.waitFor();
  const shown = (await hover.innerText()).trim();
  assert.match(shown, /f32\[32,3\]/);
  log(`hover: ${JSON.stringify(shown)}`);
  await bench.picture("hover", { forWalkthrough: true });
  await bench.page.keyboard.press("Escape");

  // The fix, on the screen and on the disk.
  await bench.goto(said, 6);
  await bench.command("Quick Fix...");
  const fix = bench.page.locator(".action-widget .monaco-list-row", { hasText: "jax.debug.print" }).first();
  await fix.waitFor();
  await bench.picture("fix", { forWalkthrough: true });
  await fix.click();
  await bench.editor().locator(".view-line", { hasText: "jax.debug.print" }).waitFor();
  await bench.problems("runs once per trace").waitFor({ state: "detached" });
  await bench.command("File: Save");
  await until("the file is saved", () => readFileSync(path, "utf8").includes("    jax.debug.print("), 15_000);
  const saved = readFileSync(path, "utf8").split("\n");
  assert.match(saved[said - 1], /^    jax\.debug\.print\("accuracy of/);
  log(`fixed: ${saved[said - 1].trim()}`);

  // What the cache of the function holds, and its graph, beside the program.
  await bench.command("View: Hide Panel");
  await bench.goto(said, 6);
  await bench.command("jitlens: Show the Trace Cache of the Function at the Cursor");
  const cache = await until("the trace cache", async () => (await bench.page.locator(".editor-group-container").count()) > 1
    && /trace 2/.test(await bench.text(1)) && bench.text(1));
  assert.match(cache, /accuracy: 2 traces/);
  assert.match(cache, /because of .*120/);
  await bench.picture("cache", { forWalkthrough: true });
  // A click on the lens does the same.
  await bench.editor(0).locator(".codelens-decoration a", { hasText: "1 trace ·" }).first().click();
  await until("the trace cache of the other function", async () => /update: 1 trace/.test(await bench.text(1)));
  await bench.command("jitlens: Show the Graph (jaxpr) of the Function at the Cursor");
  const graph = await until("the graph", async () => { const text = await bench.text(1); return /lambda/.test(text) && text; });
  assert.match(graph, /f32\[480,64\] = dot_general\[/);
  assert.match(graph, /f32\[480,2\]/);
  // Coloured by its grammar.
  await until("colours", () => bench.editor(1).locator(".view-line span span").evaluateAll((all) =>
    new Set(all.map((span) => getComputedStyle(span).color)).size >= 4));
  await bench.picture("graph");
  log("trace cache and graph are shown");
  await bench.command("jitlens: Evaluate the Function at the Cursor: Its Numbers, and the First NaN");
  const numbers = await until("the numbers", async () => { const text = await bench.text(1); return /result +f32\[\]/.test(text) && text; });
  assert.match(numbers, /inputs +f32\[480,2\]/);
  await bench.picture("numbers");
  log("numbers are shown");
  await bench.command("jitlens: Show the Graph (jaxpr) of the Function at the Cursor");
  await until("the graph again", async () => /lambda/.test(await bench.text(1)));
  // It follows an edit.
  await bench.editor(0).locator(".view-line", { hasText: "return jnp.mean(predicted" }).click();
  await bench.goto(line, 1);
  await bench.type("    waves = jnp.sin(inputs)\n", 5);
  await until("the graph follows", async () => /f32\[480,2\] = sin/.test(await bench.text(1)));
  // A line that is no Python: the last graph stays, and says so.
  await bench.type("    (", 5);
  await until("the last graph stays", async () => { const text = await bench.text(1); return /^# of the program before/.test(text) && /= sin/.test(text); });
  await until("the edits are undone", async () => {
    await bench.page.keyboard.press("Control+z");
    return !/waves/.test(await bench.text());
  });
  await bench.page.keyboard.press("Escape");
}

/** The process of the server that the item in the status bar names. */
function serverOf(status) {
  const path = /(\/\S+\/server\/jitlens)$/.exec(status)?.[1];
  const running = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number);
  return path && running.find((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/exe`) === path;
    } catch {
      return false;
    }
  });
}

async function typingFast(bench) {
  const { project, path, line } = program("typed", "    return jnp.mean(predicted == labels)\n", "    return jnp.mean(predicted == labels)\n");
  await bench.open(project, path);
  await until("the server is ready", async () => /ready/.test(await bench.status()));
  await bench.command("Problems: Focus on Problems View");
  await bench.editor().locator(".view-line").first().click();
  await bench.goto(line, 1);
  await until("hints", async () => /i32\[480\]/.test(await bench.text()));
  const began = Date.now();
  // Eight lines, some two hundred keys, with nothing between them; the last line is wrong.
  for (let i = 0; i < 7; i++) await bench.type(`    first${i} = jnp.sin(inputs) * ${i}.0\n`, 0);
  await bench.page.keyboard.press("Enter");
  await bench.page.keyboard.press("ArrowUp");
  await bench.type("    wrong = inputs @ jnp.ones((3, 4))", 0);
  const typed = Date.now();
  await bench.problems("dot_general").first().waitFor();
  const told = Date.now();
  const text = await until("hints behind what was typed", async () => { const all = await bench.text(); return /first6: ?f32\[480,2\]/.test(all) && all; });
  assert.match(text, /first0: ?f32\[480,2\]/);
  await bench.editor().locator(".squiggly-error").first().waitFor();
  const problem = (await bench.problems("dot_general").first().innerText()).replace(/\s+/g, " ");
  assert.match(problem, new RegExp(`Ln ${line + 7}, Col`));
  log(`typed in ${typed - began} ms, told after ${told - typed} ms more: ${problem}`);
  await bench.picture("typed-error");

  // A reproducer of the error, and the way back from it.
  await bench.command("File: Save");
  await bench.goto(line + 7, 20);
  await bench.command("jitlens: Generate a Reproducer of the Program's Error");
  const tab = bench.page.locator(".tabs-container .tab", { hasText: /error.*\.py/ }).first();
  await tab.waitFor();
  const reproduced = await until("its text", async () => { const all = await bench.text(); return /@/.test(all) && /def accuracy/.test(all) && all; });
  assert.ok(existsSync(join(project, ".jitlens/reproducers")));
  await bench.picture("reproducer", { forWalkthrough: true });
  const written = readFileSync(join(project, ".jitlens/reproducers", await tab.getAttribute("data-resource-name")), "utf8");
  const at = written.split("\n").findIndex((row) => / @ /.test(row)) + 1;
  assert.ok(at > 0, reproduced);
  await bench.goto(at, 5);
  await bench.command("jitlens: Go Between Reproducer and Source");
  await bench.page.locator(".tabs-container .tab.active", { hasText: "main.py" }).waitFor();
  await bench.page.getByRole("button", { name: new RegExp(`^Ln ${line + 7}, Col`) }).first().waitFor();
  log(`the reproducer leads back to line ${line + 7}`);

  // Mended.
  await bench.command("Delete Line");
  await bench.problems(`[Ln ${line + 7}, Col`).first().waitFor({ state: "detached" });
  await until("the server is idle", async () => /ready/.test(await bench.status()));

  // The server is started again on demand, and its log can be seen.
  await bench.command("jitlens: Stop Server");
  await until("the server is stopped", async () => /stopped/.test(await bench.status()));
  await bench.command("jitlens: Restart Server");
  await until("the server is back", async () => /ready/.test(await bench.status()));
  await until("hints again", async () => /first6: ?f32\[480,2\]/.test(await bench.text()));
  // One that is killed comes back by itself, and knows what is in the editor.
  const killed = serverOf(await bench.status());
  process.kill(killed, "SIGKILL");
  const next = await until("another server", async () => { const pid = serverOf(await bench.status()); return pid !== killed && pid; });
  await bench.goto(line, 1);
  await bench.type("    after = jnp.cos(inputs)\n", 0);
  await until("hints of the new server", async () => /after: ?f32\[480,2\]/.test(await bench.text()));
  log(`the server ${killed} was killed, ${next} has taken its place`);
  await bench.command("jitlens: Show Log");
  await until("the log", async () => /starting [^]*from the extension/.test((await bench.page.locator(".panel .view-lines").allInnerTexts()).join("\n").replaceAll("\u00a0", " ")));
  await bench.command("jitlens: Show What a Report of a Bug Needs");
  const report = await until("the report", async () => { const all = await bench.text(); return /\* server: ready/.test(all) && all; });
  assert.match(report, /\* extension: \d+\.\d+\.\d+[^]*\* workspace: 1 folders, trusted[^]*"retrace": "error"/);
  await bench.command("View: Revert and Close Editor");
  await bench.page.locator(".statusbar-item[id*=jitlens]").first().click();
  await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: "Restart server" }).waitFor();
  await bench.picture("menu");
  await bench.page.keyboard.press("Escape");
  await bench.command("View: Hide Panel");
  await bench.command("View: Toggle Primary Side Bar Visibility");
  await bench.command("Welcome: Open Walkthrough...");
  await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: "See what your JAX code becomes" }).click();
  const image = bench.page.locator(".gettingStartedContainer img").first();
  await image.waitFor();
  assert.ok(await until("the picture is loaded", () => image.evaluate((shown) => shown.complete && shown.naturalWidth > 100)));
  await bench.picture("walkthrough");
}

/** In Restricted Mode the program is looked at, and the workspace's choice of a server is not followed. */
async function untrusted(bench) {
  const { project, path, line } = program("untrusted", PREDICTED, PREDICTED);
  const [trap, sprung] = [join(work, "trap.sh"), join(work, "sprung")];
  writeFileSync(trap, `#!/bin/sh\ntouch ${sprung}\n`);
  chmodSync(trap, 0o755);
  mkdirSync(join(project, ".vscode"));
  writeFileSync(join(project, ".vscode/settings.json"), JSON.stringify({ "jitlens.path": trap }));
  await bench.open(project, path);
  await bench.page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();
  await bench.goto(line, 5);
  await until("hints", async () => /predicted: ?i32\[480\]/.test(await bench.text()));
  assert.ok(!existsSync(sprung), "the workspace has started a program of its own");
  await bench.picture("restricted");
  log("Restricted Mode: shapes are shown, the workspace's server was not started");
}

async function views(bench) {
  const shown = program("views", PREDICTED, PREDICTED);
  await graphView(bench, shown);
  await traceView(bench, shown);
}

async function notebooks(bench) {
  await notebookCells(bench, work);
}

/** For whoever works on one of them: `JITLENS_ONLY=views`. */
const only = process.env.JITLENS_ONLY;
const chosen = [whatAUserSees, views, notebooks, typingFast].filter((part) => !only || part.name === only);

try {
  await withWorkbench({ name: "vscode", vsix, settings: { "jitlens.rules": { retrace: "error" } } }, async (bench) => {
    bench.opened = () => (appeared = true);
    for (const part of chosen) await part(bench);
  });
  if (!only) await withWorkbench({
    name: "vscode-untrusted", vsix, trusts: false,
    settings: { "security.workspace.trust.startupPrompt": "never", "security.workspace.trust.banner": "never" },
  }, untrusted);
  console.log("VS Code: all is well");
} catch (error) {
  console.error(error);
  // Where the workbench has never shown a file it is the machine that cannot have it.
  process.exitCode = appeared ? 1 : 3;
} finally {
  rmSync(work, { recursive: true, force: true });
}
