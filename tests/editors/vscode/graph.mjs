// The *Graph* view and the *Trace* view: drawn, clicked, following the program.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { log, until } from "./workbench.mjs";

/** The line, counted from 1, that has a text. */
const lineOf = (path, text) => readFileSync(path, "utf8").split("\n").findIndex((line) => line.includes(text)) + 1;

export async function graphView(bench, { project, path }) {
  await bench.open(project, path);
  await until("the server is ready", async () => /ready/.test(await bench.status()));
  await bench.command("View: Close Primary Side Bar").catch(() => undefined);
  // Traced names have a colour of their own.
  await bench.goto(lineOf(path, "nll = -jnp.mean"), 1);
  await until("the colour of traced names", async () => {
    const colours = await bench.editor(0).locator(".view-line", { hasText: "-jnp.mean" }).first().locator("span span").evaluateAll((all) =>
      Object.fromEntries(all.map((span) => [span.textContent.replaceAll("\u00a0", " ").trim(), getComputedStyle(span).color])));
    const others = Object.entries(colours).filter(([text]) => /jnp|mean/.test(text)).map(([, colour]) => colour);
    return colours.targets !== undefined && colours.targets === colours.logp && others.length > 0 && !others.includes(colours.targets);
  }, 30_000);
  const [inLoss, softmax, product] = [lineOf(path, "nll = -jnp.mean"), lineOf(path, "return log_softmax"), lineOf(path, "final_w) + final_b")];
  await bench.goto(inLoss, 8);
  await bench.command("jitlens: Show the Graph of the Function at the Cursor as a Picture");
  const frame = bench.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  const boxes = frame.locator(".box");
  await boxes.first().waitFor();
  const count = (name) => frame.locator(`.box[data-name="${name}"]`).count();

  // Every equation of the graph, its arguments by their names, its result; groups by function; nothing lies on another.
  assert.equal(await frame.locator(".box.equation").count(), 28);
  assert.deepEqual([await count("dot_general"), await count("tanh"), await count("params[0][0]"), await count("result")], [3, 2, 1, 1]);
  const groups = await frame.locator(".group").evaluateAll((all) => all.map((group) => group.dataset.function));
  assert.deepEqual(groups, ["predict", "loss", "l2_norm_squared", "loss"]);
  const overlaps = await boxes.evaluateAll((all) => {
    const areas = all.map((box) => box.querySelector("rect").getBoundingClientRect());
    return areas.flatMap((a, i) => areas.slice(i + 1).filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
  });
  assert.equal(overlaps, 0);
  assert.ok((await frame.locator(".line").count()) >= 28);
  assert.match(await frame.locator("#legend").innerText(), /f32/);
  // The line of the cursor is marked.
  await until("the mark", async () => (await frame.locator(".box.here").count()) === 5);
  const seen = await frame.locator(".box.here").first().evaluate((box) => {
    const [at, all] = [box.getBoundingClientRect(), document.querySelector("body > svg").getBoundingClientRect()];
    return at.left >= all.left && at.right <= all.right && at.top >= all.top && at.bottom <= all.bottom;
  });
  assert.ok(seen, "what the cursor's line has written is on the screen");
  await bench.picture("graph-picture", { forWalkthrough: true });

  // By what they read and write the products differ from sums of scalars.
  await frame.locator("#by-bytes").check();
  const colours = (name) => frame.locator(`.box[data-name="${name}"]`).evaluateAll((all) => all.map((box) => box.dataset.colour));
  const [largest, least] = [(await colours("dot_general"))[1], (await colours("neg"))[0]];
  assert.notEqual(largest, least);
  assert.match(await frame.locator("#legend").innerText(), /most \(\d+\.?\d* kB/);
  await bench.picture("graph-bytes");
  await frame.locator("#by-dtype").check();

  // A click leads to the line.
  await frame.locator('.box[data-name="dot_general"]').nth(2).locator("> .shape").dispatchEvent("click");
  await bench.at(product, 43); // The end of the expression, which is selected.
  // Into a compiled function, and back.
  await frame.locator('.box[data-name="jit log_softmax"] .into').dispatchEvent("click");
  await frame.locator('.box[data-name="reduce_max"]').waitFor();
  assert.equal(await count("dot_general"), 0);
  await bench.picture("graph-inside");
  await frame.locator('.box[data-name="exp"] > .shape').click();
  await bench.at(softmax, 31);
  await frame.locator("#crumbs button", { hasText: "loss" }).click();
  await frame.locator('.box[data-name="dot_general"]').first().waitFor();

  // It follows an edit; a line that is no Python leaves it there, and says so.
  await bench.editor(0).locator(".view-line", { hasText: "return log_softmax" }).click();
  await bench.goto(softmax, 1);
  await bench.type("    logits = jnp.sin(logits)\n", 5);
  await frame.locator('.box[data-name="sin"]').waitFor();
  await bench.type("    (", 5);
  await until("the remark", async () => /of the program before/.test(await frame.locator("#remark").innerText()));
  assert.equal(await count("sin"), 1);
  await until("the edits are undone", async () => {
    await bench.page.keyboard.press("Control+z");
    return /final_b\n +return log_softmax/.test(await bench.text());
  });
  await until("the graph as before", async () => (await count("sin")) === 0 && (await frame.locator("#remark").innerText()) === "");

  // Nothing is loaded from elsewhere, and no other script runs.
  const policy = await frame.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  assert.match(policy, /^default-src 'none'; script-src 'nonce-[^';]+'; style-src [^;]*$/);
  log("the graph is drawn, clicked, and follows the program");
}

export async function traceView(bench, { path }) {
  const [inUpdate, product, lambda] = [lineOf(path, "value, grads = "), lineOf(path, "final_w) + final_b"), lineOf(path, "velocity = jax.tree.map")];
  await bench.goto(inUpdate, 8);
  await bench.command("jitlens: Show the Trace of the Function at the Cursor");
  const row = (text) => bench.page.locator(".panel .monaco-list-row", { hasText: text });
  // A tree of calls: `update` calls `loss`, that calls `predict`.
  await row("update").first().waitFor();
  const under = (level) => bench.page.locator(`.panel .monaco-list-row[aria-level="${level}"] .label-name`).allInnerTexts();
  await row("loss").first().waitFor();
  assert.deepEqual((await under(2)).slice(0, 3), ["loss", "update.<locals>.<lambda>", "update.<locals>.<lambda>"]);
  assert.match(await row("loss").first().innerText(), new RegExp(`90 equations, called in line ${inUpdate}`));
  await row("loss").first().locator(".monaco-tl-twistie").click();
  await row("l2_norm_squared").first().waitFor();
  const called = (await under(3)).filter((label) => /^\w+$/.test(label));
  assert.deepEqual(called, ["predict", "l2_norm_squared", "l2_norm_squared", "predict"]);
  await row("predict").first().locator(".monaco-tl-twistie").click();
  await row(`${product}: logits =`).first().waitFor();
  assert.match(await row(`${product}: logits =`).first().innerText(), /dot_general, broadcast_in_dim, add/);
  await bench.picture("trace", { forWalkthrough: true, withPanel: true });
  await row(`${product}: logits =`).first().click();
  await bench.at(product, 43);
  await until("the trace of the other function", async () => /^predict/.test(await row(/./).first().innerText()));
  log(`the trace is shown, and a click leads to line ${product}`);
  await bench.goto(lambda, 20);
}
