#!/usr/bin/env bash
# Runs every test: builds the workspace, its unit tests, and the oracle against real JAX.
set -euo pipefail
cd "$(dirname "$0")/.."

# The libraries that programs import are those of the Python that the oracle runs.
environment="$PWD/.oracle/venv"
if [ -n "${JITLENS_ORACLE_PYTHON:-}" ]; then
  environment="$(dirname "$(dirname "$JITLENS_ORACLE_PYTHON")")"
fi

echo "== format and lints"
cargo fmt --all -- --check
cargo clippy --workspace --all-targets -- -D warnings

echo "== documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

echo "== the site, and versions"
python3 tests/site/run.py

echo "== build"
cargo build --workspace --all-targets

echo "== unit tests"
if ! cargo nextest --version >/dev/null 2>&1; then
  cargo install cargo-nextest --locked
fi
cargo nextest run --workspace --no-fail-fast --retries 2

echo "== generated tables"
python3 tests/tables/standard_names.py --check
python3 tests/tables/standard_signatures.py --check

echo "== real JAX"
python3 tests/oracle/run.py setup
"$environment/bin/python" tests/tables/framework_names.py --check

echo "== the language server, driven by a client of others"
VIRTUAL_ENV="$environment" python3 tests/lsp/run.py --server target/debug/jitlens

echo "== Neovim, Helix, Emacs and VS Code, the true editors; Zed's extension"
bash tests/editors/run.sh

echo "== the release workflow"
bash tests/release/run.sh

echo "== the wheel"
python3 tests/wheel/run.py

echo "== the oracle's own tests, and those of the programs of others"
python3 -m unittest discover -s tests/oracle/tests -t tests
python3 -m unittest discover -s tests/strangers/tests -t tests

echo "== the oracle: jitlens against real JAX"
VIRTUAL_ENV="$environment" python3 tests/oracle/run.py check errors cache projects suite --jitlens target/debug/jitlens --quiet

echo "== what is compiled, against real JAX"
python3 tests/compiled/run.py --python "$environment/bin/python"

echo "== the sweep of public names"
python3 tests/sweep/run.py check --jitlens target/debug/jitlens
python3 tests/sweep/texts.py check --jitlens target/debug/jitlens

echo "== the pairs of the rules' pages, proved under real JAX"
VIRTUAL_ENV="$environment" "$environment/bin/python" tests/hazards/run.py
VIRTUAL_ENV="$environment" "$environment/bin/python" tests/hazards/run.py --pairs --quick caches concrete frozen programs side_effects traps

echo "== reproducers under real JAX"
VIRTUAL_ENV="$environment" JITLENS_ORACLE_PYTHON="$environment/bin/python" python3 tests/repro/run.py errors --sample 18 --floor 90 --list
VIRTUAL_ENV="$environment" JITLENS_ORACLE_PYTHON="$environment/bin/python" python3 tests/repro/run.py errors --sample 36 --floor 90 --list --level primitive
VIRTUAL_ENV="$environment" JITLENS_ORACLE_PYTHON="$environment/bin/python" python3 tests/repro/translate.py

echo "== compiled functions on numbers"
JITLENS_ORACLE_PYTHON="$environment/bin/python" python3 tests/eval/run.py --list mlp_scratch cnn linalg_stats
JITLENS_ORACLE_PYTHON="$environment/bin/python" python3 tests/eval/printed.py --list array_notes cnn custom_derivatives linalg_stats mlp_scratch options streams vae

echo "== random functions and second derivatives on numbers"
JITLENS_ORACLE_PYTHON="$environment/bin/python" python3 tests/eval/random_graphs.py --count 50
JITLENS_ORACLE_PYTHON="$environment/bin/python" python3 tests/eval/second_order.py
JITLENS_ORACLE_PYTHON="$environment/bin/python" python3 tests/eval/every_derivative.py

echo "== what is recorded while a program runs"
JITLENS_ORACLE_PYTHON="$environment/bin/python" python3 tests/record/run.py

echo "== memory that evaluations take"
python3 tests/eval/memory.py

echo "== bad input"
python3 tests/robustness/run.py --quick
