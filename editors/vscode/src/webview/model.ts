// A graph as the server's plain data has it, and as it is drawn: boxes, lines between them, groups around them.

export interface Atom {
  name: string;
  aval: string;
}
export interface Place {
  file: string;
  range: [number, number, number, number];
}
export interface Equation {
  primitive: string;
  params: Record<string, string>;
  inputs: Atom[];
  outputs: Atom[];
  source: Place | null;
  /** The function whose text is around the source. */
  within: string | null;
  /** What it reads and writes; null where a size is not known. */
  bytes: number | null;
  jaxprs: Graph[];
}
export interface Graph {
  constants: Atom[];
  inputs: Atom[];
  outputs: Atom[];
  equations: Equation[];
}
export interface Trace extends Graph {
  function: string;
  arguments: string[];
  file: string;
  line: number;
}

/** One box. */
export interface Box {
  id: string;
  kind: "input" | "output" | "equation" | "group";
  title: string;
  /** What it gives. */
  aval: string;
  tip: string;
  source: Place | null;
  bytes: number | null;
  /** The graphs inside. */
  inner: Inner[];
  /** The function whose lines wrote it. */
  within: string | null;
  /** The group that is drawn around it. */
  group: string | undefined;
}
export interface Inner {
  title: string;
  graph: Graph;
}
export interface Line {
  from: string;
  to: string;
  tip: string;
}
export interface Drawing {
  boxes: Box[];
  lines: Line[];
  groups: Map<string, string>;
}

/** More boxes than this are not read by anybody: equations are summed up by function, then by line. */
const MOST = 160;

const isVariable = (name: string): boolean => /^[a-z_]\w*$/i.test(name) && !["True", "False", "None", "inf", "nan"].includes(name);
export const dtype = (aval: string): string => aval.replace(/~?\[.*$/, "");

/** A graph as boxes. `names` are those of the inputs. */
export function draw(graph: Graph, names: string[]): Drawing {
  const drawing: Drawing = { boxes: [], lines: [], groups: new Map() };
  const made = new Map<string, string>();
  const add = (box: Partial<Box> & Pick<Box, "id" | "kind" | "title" | "aval" | "tip">): void => {
    drawing.boxes.push({ source: null, bytes: null, inner: [], within: null, group: undefined, ...box });
  };
  const seen = new Set<string>();
  const connect = (atom: Atom, to: string): void => {
    const from = made.get(atom.name);
    if (from === undefined || from === to || seen.has(`${from}>${to}`)) return;
    seen.add(`${from}>${to}`);
    drawing.lines.push({ from, to, tip: `${atom.name}: ${atom.aval}` });
  };

  const used = new Set([...graph.equations.flatMap((equation) => equation.inputs), ...graph.outputs].map((atom) => atom.name));
  for (const [kind, atoms] of [["captured", graph.constants], ["argument", graph.inputs]] as const) {
    atoms.forEach((atom, i) => {
      if (!used.has(atom.name)) return;
      const title = (kind === "argument" && names[i]) || atom.name;
      const id = `${kind}-${i}`;
      made.set(atom.name, id);
      add({ id, kind: "input", title, aval: atom.aval, tip: `${kind} ${title}\n${atom.name}: ${atom.aval}` });
    });
  }
  for (const [i, part] of parts(graph.equations).entries()) {
    const id = `equation-${i}`;
    add({ id, ...part.box });
    for (const equation of part.equations) for (const atom of equation.inputs) if (isVariable(atom.name)) connect(atom, id);
    for (const equation of part.equations) for (const atom of equation.outputs) made.set(atom.name, id);
  }
  group(drawing);
  graph.outputs.forEach((atom, i) => {
    const id = `result-${i}`;
    const title = graph.outputs.length === 1 ? "result" : `result ${i}`;
    add({ id, kind: "output", title: made.has(atom.name) ? title : `${title} = ${atom.name}`, aval: atom.aval, tip: `${title}\n${atom.name}: ${atom.aval}` });
    connect(atom, id);
  });
  return drawing;
}

interface Part {
  box: Omit<Box, "id" | "group">;
  equations: Equation[];
}

/** Equations as boxes of their own, or summed up where there are too many. */
function parts(equations: Equation[]): Part[] {
  if (equations.length <= MOST) return equations.map(single);
  for (const key of [(equation: Equation) => equation.within ?? "", (equation: Equation) => `${equation.within}:${equation.source?.range[0]}`]) {
    const runs = chunks(equations, key);
    // What all belongs together is not made smaller by being called so.
    if (runs.length > 1 && runs.length <= MOST) return runs.map(summed);
  }
  const size = Math.ceil(equations.length / MOST);
  return Array.from({ length: Math.ceil(equations.length / size) }, (_, i) => summed(equations.slice(i * size, (i + 1) * size)));
}

function chunks(equations: Equation[], key: (equation: Equation) => string): Equation[][] {
  const all: Equation[][] = [];
  let last: string | undefined;
  for (const equation of equations) {
    const now = key(equation);
    if (now === last) all[all.length - 1].push(equation);
    else all.push([equation]);
    last = now;
  }
  return all;
}

function single(equation: Equation): Part {
  const name = equation.params.name;
  const title = name && equation.jaxprs.length > 0 ? `${equation.primitive} ${name}` : equation.primitive;
  const params = Object.entries(equation.params).map(([key, value]) => `  ${key} = ${value}`);
  const outputs = equation.outputs.map((atom) => `${atom.name}: ${atom.aval}`).join(", ");
  const inputs = equation.inputs.map((atom) => `${atom.name}: ${atom.aval}`).join(", ");
  const place = equation.source ? [`${equation.within ?? ""} line ${equation.source.range[0]}`.trim()] : [];
  const tip = [`${outputs} = ${equation.primitive}`, `  of ${inputs}`, ...params, ...(equation.bytes === null ? [] : [`${size(equation.bytes)} read and written`]), ...place].join("\n");
  const inner = equation.jaxprs.map((graph, i) => ({ title: equation.jaxprs.length > 1 ? `${title} ${i}` : title, graph }));
  const aval = equation.outputs.map((atom) => atom.aval).join(", ");
  return { box: { kind: "equation", title, aval, tip, source: equation.source, bytes: equation.bytes, inner, within: equation.within }, equations: [equation] };
}

/** Many equations as one box, with a graph of their own inside. */
function summed(equations: Equation[]): Part {
  if (equations.length === 1) return single(equations[0]);
  const made = new Set(equations.flatMap((equation) => equation.outputs.map((atom) => atom.name)));
  const inputs = new Map<string, Atom>();
  for (const atom of equations.flatMap((equation) => equation.inputs)) if (isVariable(atom.name) && !made.has(atom.name)) inputs.set(atom.name, atom);
  const read = new Set(equations.flatMap((equation) => equation.inputs.map((atom) => atom.name)));
  // What nothing in here reads is wanted outside.
  const outputs = equations.flatMap((equation) => equation.outputs).filter((atom) => isVariable(atom.name) && atom.name !== "_" && !read.has(atom.name));
  const graph = { constants: [], inputs: [...inputs.values()], outputs, equations };
  const first = equations[0];
  const title = first.within ?? "equations";
  const sizes = equations.map((equation) => equation.bytes);
  const bytes = sizes.includes(null) ? null : sizes.reduce((sum: number, one) => sum + (one ?? 0), 0);
  const aval = outputs.length === 1 ? outputs[0].aval : outputs.length === 0 ? "" : `${outputs[0].aval} …`;
  const tip = `${title}: ${equations.length} equations${bytes === null ? "" : `, ${size(bytes)} read and written`}`;
  return {
    box: { kind: "group", title: `${title} · ${equations.length}`, aval, tip, source: first.source, bytes, inner: [{ title, graph }], within: first.within },
    equations,
  };
}

/** Groups around boxes that follow each other and are of one function. */
function group(drawing: Drawing): void {
  let last: string | undefined;
  let id = "";
  for (const box of drawing.boxes) {
    if (box.kind !== "equation") {
      if (box.kind === "group") last = undefined;
      continue;
    }
    const name = box.within ?? undefined;
    if (name !== undefined && name !== last) {
      id = `group-${drawing.groups.size}`;
      drawing.groups.set(id, name);
    }
    if (name !== undefined) box.group = id;
    last = name;
  }
}

/** Bytes as people say them. */
export function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let value = bytes;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
