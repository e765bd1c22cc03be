// A notebook in the workbench: hints, a squiggle and a hover in its cells, and an edit of one cell seen in another.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { log, until } from "./workbench.mjs";

const CELLS = [
  "%matplotlib inline\nimport jax\nimport jax.numpy as jnp\ntable = jnp.ones((6, 7))",
  "rows = table @ table.T",
  "@jax.jit\ndef half(values):\n    print(values)\n    return values / 2\n\nhalved = half(rows)",
];

export async function notebookCells(bench, work) {
  const project = join(work, "notebook");
  mkdirSync(project);
  const path = join(project, "a.ipynb");
  const cells = CELLS.map((source) => ({ cell_type: "code", metadata: {}, execution_count: null, outputs: [], source: source.split(/(?<=\n)/) }));
  writeFileSync(path, JSON.stringify({ cells, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 }, null, 1));
  // What a link to the workbench names is opened as text: a notebook is opened as users open it.
  const beside = join(project, "beside.py");
  writeFileSync(beside, "import jax\n");
  await bench.open(project, beside);
  // Before its extensions are there the workbench takes a notebook for text.
  await until("the server is ready", async () => /ready/.test(await bench.status()));
  // All cells have to be on the screen: others have no editor.
  if (await bench.page.locator(".part.panel").isVisible()) await bench.command("View: Hide Panel");
  await bench.page.locator(".explorer-folders-view .monaco-list-row", { hasText: "a.ipynb" }).dblclick();
  const cell = (number) => bench.page.locator(".notebook-editor .cell-list-container .monaco-list-row .monaco-editor").nth(number);
  const text = async (number) => (await cell(number).locator(".view-line").allInnerTexts()).join("\n").replaceAll("\u00a0", " ");
  await cell(2).waitFor();
  log("the workbench shows the notebook");
  await until("hints in the second cell", async () => /rows: ?f32\[6,6\]/.test(await text(1)));
  assert.match(await text(0), /table: ?f32\[6,7\]/);
  assert.match(await text(2), /halved: ?f32\[6,6\]/);
  await cell(2).locator(".squiggly-warning").first().waitFor();
  assert.equal(await cell(0).locator(".squiggly-error, .squiggly-warning").count(), 0, "a magic is no error");
  await bench.command("Problems: Focus on Problems View");
  const row = bench.problems("runs once per trace");
  await row.waitFor();
  log(`problem: ${(await row.innerText()).replace(/\s+/g, " ")}`);
  await cell(2).locator(".view-line", { hasText: "return values" }).locator("span", { hasText: /^values$/ }).first().hover();
  const hover = bench.page.locator(".monaco-hover:visible .hover-contents", { hasText: "f32[6,6]" }).first();
  await hover.waitFor();
  await bench.picture("notebook");
  await bench.command("View: Hide Panel");
  // An edit of the first cell is seen in the last one.
  await cell(0).locator(".view-line", { hasText: "table" }).click();
  await bench.page.keyboard.press("End");
  await bench.type("\ntable = table[:4]", 5);
  await until("hints follow", async () => /rows: ?f32\[4,4\]/.test(await text(1)) && /values: ?f32\[4,4\]/.test(await text(2)));
  log("an edit of one cell is seen in another");
}
