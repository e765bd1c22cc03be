// Keeps the settings of package.json what the server reads: `node scripts/settings.mjs` writes the rules, `--check` looks only.
// The names come from the server's own table (server/src/config/mod.rs), the rules and their severities from docs/rules.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const extension = join(import.meta.dirname, "..");
const repository = join(extension, "../..");
const manifest = join(extension, "package.json");
// Settings of the editor's own.
const OWN = ["path", "semanticTokens", "logLevel", "trace.server"];

const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const fail = (text) => {
  console.error(text);
  process.exit(1);
};

function serverSettings() {
  const source = readFileSync(join(repository, "server/src/config/mod.rs"), "utf8");
  const table = /const NAMES: \[&str; \d+\] =\s*\[([^\]]*)\]/.exec(source);
  if (!table) fail("server/src/config/mod.rs has no table NAMES any more");
  return [...table[1].matchAll(/"([^"]+)"/g)].map((match) => match[1]).map(camel);
}

function rules() {
  const folder = join(repository, "docs/rules");
  const pages = readdirSync(folder).filter((file) => file.endsWith(".md") && file !== "README.md").sort();
  return Object.fromEntries(pages.map((file) => {
    const page = readFileSync(join(folder, file), "utf8");
    const said = /^# \S+\n\n(Error|Warning|Information|Hint|Off)\. ([^\n]+(?:\n[^\n]+)*)/.exec(page);
    if (!said) fail(`docs/rules/${file} does not begin with its severity`);
    return [file.replace(/\.md$/, ""), {
      type: "string", enum: ["off", "hint", "information", "warning", "error"], default: said[1].toLowerCase(),
      description: said[2].replaceAll("\n", " "),
    }];
  }));
}

const before = readFileSync(manifest, "utf8");
const data = JSON.parse(before);
const properties = data.contributes.configuration.properties;
const declared = Object.keys(properties).map((name) => name.replace(/^jitlens\./, "")).filter((name) => !OWN.includes(name));
const read = serverSettings();
const missing = read.filter((name) => !declared.includes(name));
const surplus = declared.filter((name) => !read.includes(name));
if (missing.length) fail(`package.json lacks settings that the server reads: ${missing.join(", ")}`);
if (surplus.length) fail(`package.json has settings that the server does not read: ${surplus.join(", ")}`);

const wanted = rules();
if (process.argv.includes("--check")) {
  if (JSON.stringify(properties["jitlens.rules"].properties) !== JSON.stringify(wanted)) {
    fail("the rules in package.json are not those of docs/rules: run `node editors/vscode/scripts/settings.mjs`");
  }
  const version = /^version = "([^"]+)"/m.exec(readFileSync(join(repository, "Cargo.toml"), "utf8"))[1];
  if (data.version !== version) fail(`package.json has version ${data.version}, Cargo.toml ${version}`);
} else {
  properties["jitlens.rules"].properties = wanted;
  writeFileSync(manifest, JSON.stringify(data, null, 2) + "\n");
}
