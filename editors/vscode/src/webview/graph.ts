// The *Graph* view inside of its webview: lays the boxes out, draws them, and tells the extension which place was clicked.

import dagre from "@dagrejs/dagre";
import { type Box, type Drawing, type Graph, type Place, type Trace, draw, dtype, size } from "./model";

declare function acquireVsCodeApi(): { postMessage(message: unknown): void; getState(): State | undefined; setState(state: State): void };

interface State {
  colour: "dtype" | "bytes";
}
type Message =
  | { is: "graph"; function: string; text: string; traces: Trace[] }
  | { is: "cursor"; file: string; line: number };

const vscode = acquireVsCodeApi();
const SVG = "http://www.w3.org/2000/svg";
const svg = document.querySelector("svg") as SVGSVGElement;
const element = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const [crumbs, choice, legend, remark] = ["crumbs", "trace", "legend", "remark"].map(element);

let traces: Trace[] = [];
let chosen = 0;
/** The graphs inside of graphs that are gone into. */
let path: { title: string; graph: Graph; names: string[] }[] = [];
let colour: State["colour"] = vscode.getState()?.colour ?? "dtype";
let view = { x: 0, y: 0, width: 100, height: 100 };
let cursor: { file: string; line: number } | undefined;
let title = "";

/** One hue for each kind of number, one shade for each width. */
const COLOURS: [RegExp, string][] = [
  [/^bf16|^f8/, "#c586c0"], [/^f16/, "#9cdcfe"], [/^f32/, "#569cd6"], [/^f64/, "#3b6fb5"], [/^c/, "#b180d7"],
  [/^[iu](2|4|8|16)$/, "#d7ba7d"], [/^i/, "#e2a15b"], [/^u/, "#d18616"], [/^bool/, "#6a9955"], [/^key/, "#d16969"],
];
const UNKNOWN = "#808080";
const ofType = (aval: string): string => COLOURS.find(([type]) => type.test(dtype(aval)))?.[1] ?? UNKNOWN;
const HEAT = ["#4d6f8c", "#5a8f7b", "#a39a4c", "#c9823f", "#c94f4f"];
const heat = (bytes: number | null, most: number): string =>
  bytes === null ? UNKNOWN : HEAT[most <= 0 ? 0 : Math.min(HEAT.length - 1, Math.floor((Math.log1p(bytes) / Math.log1p(most)) ** 3 * HEAT.length))];

function make<K extends keyof SVGElementTagNameMap>(name: K, attributes: Record<string, string | number>, parent: Element): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  parent.append(made);
  return made;
}

const CHARACTER = 7.3;
/** Room for the name of a group, above its boxes. */
const TITLE = 10;
const shorten = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function show(): void {
  const last = path[path.length - 1];
  crumbs.replaceChildren();
  remark.textContent = "";
  svg.replaceChildren();
  legend.replaceChildren();
  if (!last) return;
  path.forEach((step, i) => {
    if (i > 0) crumbs.append(" › ");
    const button = document.createElement("button");
    button.textContent = step.title;
    button.disabled = i === path.length - 1;
    button.onclick = () => {
      path = path.slice(0, i + 1);
      show();
    };
    crumbs.append(button);
  });
  picture(draw(last.graph, last.names));
}

function picture(drawing: Drawing): void {
  const layout = new dagre.graphlib.Graph({ compound: true });
  layout.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 30, marginx: 16, marginy: 16 });
  layout.setDefaultEdgeLabel(() => ({}));
  for (const [id, name] of drawing.groups) layout.setNode(id, { label: name });
  const texts = new Map<string, [string, string]>();
  for (const box of drawing.boxes) {
    const lines: [string, string] = [shorten(box.title, 34), shorten(box.aval, 34)];
    texts.set(box.id, lines);
    layout.setNode(box.id, { width: Math.max(...lines.map((line) => line.length)) * CHARACTER + (box.inner.length > 0 ? 40 : 20), height: 40 });
    if (box.group) layout.setParent(box.id, box.group);
  }
  for (const line of drawing.lines) layout.setEdge(line.from, line.to, { tip: line.tip });
  dagre.layout(layout);

  const defs = make("defs", {}, svg);
  const marker = make("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, defs);
  make("path", { d: "M0,0 L8,4 L0,8 z", class: "arrow" }, marker);

  for (const [id, name] of drawing.groups) {
    const at = layout.node(id) as { x: number; y: number; width: number; height: number };
    const group = make("g", { class: "group", "data-function": name }, svg);
    const [x, y] = [at.x - at.width / 2, at.y - at.height / 2 - TITLE];
    make("rect", { x, y, width: at.width, height: at.height + TITLE, rx: 6 }, group);
    make("text", { x: x + 8, y: y + 13 }, group).textContent = shorten(name, Math.max(6, Math.floor(at.width / 6.6)));
  }
  for (const edge of layout.edges()) {
    const { points, tip } = layout.edge(edge) as { points: { x: number; y: number }[]; tip: string };
    const line = make("path", { d: curve(points), class: "line", "marker-end": "url(#arrow)" }, svg);
    make("title", {}, line).textContent = tip;
  }
  const most = Math.max(0, ...drawing.boxes.map((box) => box.bytes ?? 0));
  for (const box of drawing.boxes) boxElement(box, texts.get(box.id) as [string, string], layout.node(box.id) as { x: number; y: number; width: number; height: number }, most);
  showLegend(drawing, most);
  const { width = 100, height = 100 } = layout.graph() as { width?: number; height?: number };
  extent = { width, height };
  fit(READABLE);
  mark();
  lookAtMark();
}

/** Where not all of it can be seen, what the cursor's line has written comes first. */
function lookAtMark(): void {
  const marked = svg.querySelector<SVGGElement>(".box.here")?.getBBox();
  if (!marked) return;
  const middle = (start: number, length: number, seen: number, whole: number): number =>
    whole <= seen ? (whole - seen) / 2 : Math.min(Math.max(0, start + length / 2 - seen / 2), whole - seen);
  view.x = middle(marked.x, marked.width, view.width, extent.width);
  view.y = middle(marked.y, marked.height, view.height, extent.height);
  look();
}

let extent = { width: 100, height: 100 };

function boxElement(box: Box, [name, aval]: [string, string], at: { x: number; y: number; width: number; height: number }, most: number): void {
  const fill = box.kind === "equation" || box.kind === "group" ? (colour === "dtype" ? ofType(box.aval) : heat(box.bytes, most)) : ofType(box.aval);
  const node = make("g", {
    class: `box ${box.kind}`, tabindex: 0, role: "button", "aria-label": `${box.title}: ${box.aval}`, "data-name": box.title, "data-colour": fill,
    ...(box.source ? { "data-file": box.source.file, "data-from": box.source.range[0], "data-to": box.source.range[2] } : {}),
  }, svg);
  make("title", {}, node).textContent = box.tip;
  const [x, y] = [at.x - at.width / 2, at.y - at.height / 2];
  const shape = { x, y, width: at.width, height: at.height, rx: box.kind === "equation" ? 4 : box.kind === "group" ? 2 : 20 };
  // Lines that pass behind it are not seen through it.
  make("rect", { ...shape, class: "under" }, node);
  make("rect", { ...shape, class: "shape", stroke: fill, fill, "fill-opacity": 0.22 }, node);
  const middle = box.inner.length > 0 ? at.x - 10 : at.x;
  make("text", { x: middle, y: y + 17, class: "name" }, node).textContent = name;
  make("text", { x: middle, y: y + 32, class: "aval" }, node).textContent = aval;
  const go = (): void => {
    if (box.source) vscode.postMessage({ is: "reveal", place: box.source });
  };
  node.onclick = go;
  node.onkeydown = (event) => {
    if (event.key === "Enter") go();
    if (event.key === " " && box.inner.length > 0) into(box);
  };
  if (box.inner.length > 0) {
    const more = make("g", { class: "into", role: "button", "aria-label": `what is inside of ${box.title}` }, node);
    make("title", {}, more).textContent = "Show what is inside (Space)";
    make("rect", { x: x + at.width - 22, y: y + 1, width: 21, height: at.height - 2, rx: 3 }, more);
    make("text", { x: x + at.width - 11.5, y: y + 24 }, more).textContent = "▸";
    more.onclick = (event) => {
      event.stopPropagation();
      into(box);
    };
  }
}

/** Goes into what is inside: of several graphs (the branches of a `cond`) all are drawn beside each other. */
function into(box: Box): void {
  const graphs = box.inner.map((inner) => inner.graph);
  if (graphs.length === 1) path.push({ title: box.title, graph: graphs[0], names: [] });
  else path.push({ title: box.title, graph: beside(graphs), names: [] });
  show();
}

function beside(graphs: Graph[]): Graph {
  const all: Graph = { constants: [], inputs: [], outputs: [], equations: [] };
  for (const graph of graphs) {
    all.constants.push(...graph.constants);
    all.inputs.push(...graph.inputs);
    all.outputs.push(...graph.outputs);
    all.equations.push(...graph.equations);
  }
  return all;
}

function curve(points: { x: number; y: number }[]): string {
  let d = `M${points[0].x},${points[0].y}`;
  for (let i = 1; i < points.length - 1; i++) {
    const [here, next] = [points[i], points[i + 1]];
    const end = i === points.length - 2 ? next : { x: (here.x + next.x) / 2, y: (here.y + next.y) / 2 };
    d += ` Q${here.x},${here.y} ${end.x},${end.y}`;
  }
  return points.length === 2 ? `${d} L${points[1].x},${points[1].y}` : d;
}

function showLegend(drawing: Drawing, most: number): void {
  const entries: [string, string][] = colour === "dtype"
    ? [...new Map(drawing.boxes.filter((box) => box.aval).map((box) => [dtype(box.aval), ofType(box.aval)]))]
    : most > 0 ? [["least", HEAT[0]], [`most (${size(most)} read and written)`, HEAT[HEAT.length - 1]]] : [];
  for (const [text, fill] of entries) {
    const entry = document.createElement("span");
    const sample = document.createElementNS(SVG, "svg");
    sample.setAttribute("viewBox", "0 0 10 10");
    make("rect", { width: 10, height: 10, rx: 2, fill }, sample);
    entry.append(sample, text);
    legend.append(entry);
  }
}

/** Marks what the line of the cursor has written. */
function mark(): void {
  for (const box of svg.querySelectorAll<SVGGElement>(".box")) {
    const { file, from, to } = box.dataset;
    const here = cursor !== undefined && file === cursor.file && Number(from) <= cursor.line && cursor.line <= Number(to);
    box.classList.toggle("here", here);
  }
}

function look(): void {
  svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
}

/** The width of the window when it was looked at last. */
let shownIn = 0;

/** No letter is smaller at first. */
const READABLE = 0.75;

/** All of it, or as much as there is room for at a scale: from the top, in the middle. */
function fit(least: number): void {
  const { clientWidth, clientHeight } = svg;
  const scale = Math.max(least, Math.min(1, (clientWidth || 1) / extent.width, (clientHeight || 1) / extent.height));
  const [width, height] = [(clientWidth || 1) / scale, (clientHeight || 1) / scale];
  shownIn = clientWidth;
  view = { x: extent.width / 2 - width / 2, y: extent.height < height ? extent.height / 2 - height / 2 : 0, width, height };
  look();
}

function zoom(factor: number, x = view.x + view.width / 2, y = view.y + view.height / 2): void {
  view = { x: x - (x - view.x) * factor, y: y - (y - view.y) * factor, width: view.width * factor, height: view.height * factor };
  look();
}

svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const unit = view.width / svg.clientWidth;
  if (event.ctrlKey || event.metaKey) zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, view.x + event.offsetX * unit, view.y + event.offsetY * unit);
  else {
    view.x += event.deltaX * unit;
    view.y += event.deltaY * unit;
    look();
  }
}, { passive: false });

svg.addEventListener("pointerdown", (down) => {
  const start = { ...view };
  const move = (event: PointerEvent): void => {
    const unit = view.width / svg.clientWidth;
    view = { ...start, x: start.x - (event.clientX - down.clientX) * unit, y: start.y - (event.clientY - down.clientY) * unit };
    look();
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", () => window.removeEventListener("pointermove", move), { once: true });
});
window.addEventListener("resize", () => {
  const { clientWidth: width, clientHeight: height } = svg;
  if (width === 0 || height === 0) return;
  if (shownIn === 0) return fit(READABLE);
  // What is in the middle stays there, as large as it is.
  const unit = view.width / shownIn;
  const middle = { x: view.x + view.width / 2, y: view.y + view.height / 2 };
  view = { x: middle.x - (width * unit) / 2, y: middle.y - (height * unit) / 2, width: width * unit, height: height * unit };
  shownIn = width;
  look();
});
element("fit").onclick = () => fit(0.05);
element("in").onclick = () => zoom(1 / 1.3);
element("out").onclick = () => zoom(1.3);
for (const name of ["dtype", "bytes"] as const) {
  const button = element(`by-${name}`) as HTMLInputElement;
  button.checked = colour === name;
  button.onchange = () => {
    colour = name;
    vscode.setState({ colour });
    show();
  };
}
(choice as HTMLSelectElement).onchange = () => {
  chosen = (choice as HTMLSelectElement).selectedIndex;
  begin([]);
};

/** Shows the chosen trace, and goes as far into it as before, where it still has that. */
function begin(titles: string[]): void {
  const trace = traces[chosen];
  path = [{ title: trace.function, graph: trace, names: trace.arguments }];
  for (const wanted of titles) {
    const last = path[path.length - 1];
    const box = draw(last.graph, last.names).boxes.find((one) => one.title === wanted && one.inner.length > 0);
    if (!box) break;
    path.push({ title: box.title, graph: box.inner.length === 1 ? box.inner[0].graph : beside(box.inner.map((one) => one.graph)), names: [] });
  }
  show();
}

window.addEventListener("message", ({ data }: MessageEvent<Message>) => {
  if (data.is === "cursor") {
    const first = cursor === undefined;
    cursor = data;
    mark();
    if (first) lookAtMark();
    return;
  }
  if (data.traces.length === 0) {
    // While a line is half typed, what was there before is better than nothing.
    remark.textContent = traces.length > 0 && data.function === title ? `of the program before, for now: ${data.text}` : data.text;
    if (data.function !== title) {
      svg.replaceChildren();
      traces = [];
    }
    return;
  }
  const before = data.function === title ? path.slice(1).map((step) => step.title) : [];
  title = data.function;
  traces = data.traces;
  chosen = Math.min(data.function === title ? chosen : 0, traces.length - 1);
  const select = choice as HTMLSelectElement;
  select.replaceChildren(...traces.map((trace, i) => {
    const option = document.createElement("option");
    option.textContent = shorten(`trace ${i + 1}: ${trace.inputs.map((input) => input.aval).join(", ")}`, 60);
    return option;
  }));
  select.hidden = traces.length < 2;
  select.selectedIndex = chosen;
  begin(before);
});
vscode.postMessage({ is: "ready" });
export type { Place };
