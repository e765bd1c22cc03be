// Tests of the *Graph* view's model, without an editor: `npm test`.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "jitlens-model-"));
after(() => rmSync(folder, { recursive: true }));
const bundle = join(folder, "model.mjs");
buildSync({ entryPoints: [join(import.meta.dirname, "../src/webview/model.ts")], bundle: true, format: "esm", outfile: bundle });
const { draw, dtype, size } = await import(pathToFileURL(bundle).href);

/** A chain of equations; `where` says the function and the line of each. */
function chain(length, where) {
  const atom = (i) => ({ name: `v${i}`, aval: "f32[2]" });
  const equations = Array.from({ length }, (_, i) => ({
    primitive: "sin", params: {}, inputs: [atom(i), { name: "2.0", aval: "f32[]" }], outputs: [atom(i + 1)], bytes: 20, jaxprs: [],
    within: where(i)[0], source: { file: "file:///p.py", range: [where(i)[1], 0, where(i)[1], 3] },
  }));
  return { constants: [], inputs: [atom(0)], outputs: [atom(length)], equations };
}
const titles = (drawing, kind) => drawing.boxes.filter((box) => box.kind === kind).map((box) => box.title);

test("each equation is a box, in a group for as long as the function stays the same", () => {
  const drawing = draw(chain(5, (i) => [["f", "f", "g", "f", null][i], i + 1]), ["x"]);
  assert.deepEqual(titles(drawing, "input"), ["x"]);
  assert.equal(titles(drawing, "equation").length, 5);
  assert.deepEqual([...drawing.groups.values()], ["f", "g", "f"]);
  const [, first, second, third, fourth, fifth] = drawing.boxes.map((box) => box.group);
  assert.ok(first === second && first !== third && fourth !== first && fifth === undefined);
  // A chain: no literal is drawn.
  assert.deepEqual(drawing.lines.map((line) => line.tip), Array.from({ length: 6 }, (_, i) => `v${i}: f32[2]`));
});

test("a large graph is summed up by function, then by line, then by number", () => {
  const large = draw(chain(400, (i) => [i < 150 ? "f" : "g", 1 + (i >> 1)]), []);
  assert.deepEqual(titles(large, "group"), ["f · 150", "g · 250"]);
  assert.deepEqual(large.boxes.filter((box) => box.kind === "group").map((box) => box.bytes), [3000, 5000]);
  assert.equal(large.lines.length, 3);
  const inside = large.boxes.find((box) => box.title === "g · 250").inner[0].graph;
  assert.deepEqual([inside.inputs.map((atom) => atom.name), inside.outputs.map((atom) => atom.name)], [["v150"], ["v400"]]);
  const lines = draw(inside, []);
  assert.equal(titles(lines, "group").length, 125);
  const oneLine = draw(chain(1000, () => ["f", 1]), []);
  assert.ok(titles(oneLine, "group").length <= 160 && titles(oneLine, "group").length > 100);
});

test("what is returned as it came, and what is not used", () => {
  const x = { name: "a", aval: "f32[3]" };
  const unused = { name: "b", aval: "i32[]" };
  const drawing = draw({ constants: [], inputs: [x, unused], outputs: [x, { name: "1.0", aval: "f32[]" }], equations: [] }, ["x", "y"]);
  assert.deepEqual(titles(drawing, "input"), ["x"]);
  assert.deepEqual(titles(drawing, "output"), ["result 0", "result 1 = 1.0"]);
  assert.deepEqual(drawing.lines.map(({ from, to }) => [from, to]), [["argument-0", "result-0"]]);
});

test("what is inside can be gone into, and several results are told", () => {
  const inner = chain(2, () => ["f", 1]);
  const equation = { ...chain(1, () => ["f", 1]).equations[0], primitive: "jit", params: { name: "step" }, jaxprs: [inner] };
  const box = draw({ constants: [], inputs: [], outputs: [], equations: [equation] }, []).boxes[0];
  assert.deepEqual([box.title, box.inner.length, box.inner[0].graph], ["jit step", 1, inner]);
});

test("sizes and dtypes as people say them", () => {
  assert.deepEqual([0, 999, 1000, 123456, 5e9].map(size), ["0 B", "999 B", "1.0 kB", "123 kB", "5.0 GB"]);
  assert.deepEqual(["f32[2]", "f32~[]", "key<fry>[]"].map(dtype), ["f32", "f32", "key<fry>"]);
});
