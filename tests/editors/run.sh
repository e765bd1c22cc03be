#!/usr/bin/env bash
# Runs the tests of the editors' plugins, each in the true editor: `run.sh [--server PATH] [nvim] [helix] [emacs] [zed] [vscode]`, all without a name.
# What they need is installed into a cache folder (JITLENS_EDITORS, else ~/.cache/jitlens/editors), once. Where a machine cannot have
# it, that part is left out, and said; JITLENS_EDITORS_STRICT=1 makes that a failure.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
server=$repository/target/debug/jitlens
cache=${JITLENS_EDITORS:-${XDG_CACHE_HOME:-$HOME/.cache}/jitlens/editors}
parts=()
while [ $# -gt 0 ]; do
  case $1 in
    --server) server=$(realpath "$2"); shift 2 ;;
    vscode | nvim | helix | emacs | zed) parts+=("$1"); shift ;;
    *) sed -n '2,4s/^# //p' "$0"; exit 2 ;;
  esac
done
[ ${#parts[@]} -gt 0 ] || parts=(nvim helix emacs zed vscode)
[ -x "$server" ] || { echo "there is no server at $server: build it, or name one with --server"; exit 2; }
mkdir -p "$cache"

failed=0
left_out() {
  echo "LEFT OUT: $1: $2"
  [ -z "${JITLENS_EDITORS_STRICT:-}" ] || failed=1
}
# Installs what a part needs; 3 is what an installation ends with that a machine cannot have.
install() {
  timeout -k 10 "$2" bash "$here/$1/install.sh" "$cache/$1" > "$cache/$1-install.log" 2>&1
  local code=$?
  case $code in
    0) tail -1 "$cache/$1-install.log"; return 0 ;;
    3) left_out "$1" "$(tail -1 "$cache/$1-install.log")" ;;
    *) left_out "$1" "the installation ended with code $code (124 is a timeout), see $cache/$1-install.log: $(tail -1 "$cache/$1-install.log")" ;;
  esac
  return 1
}

# Runs a test: on a machine that does other work an editor may be late, so three times at most, as nextest does with unit tests.
tried() {
  local again code
  for again in 1 2 3; do
    "$@" && return 0
    code=$?
    [ $code -ne 3 ] || return 3
    [ $again -eq 3 ] || echo "   once more"
  done
  return 1
}

nvim_part() {
  install nvim 180 || return 0
  local binary
  for binary in "$cache"/nvim/*/nvim; do
    tried timeout -k 10 120 env JITLENS="$server" "$binary" --clean -l "$here/nvim/run.lua" || { echo "FAILED: nvim ($binary)"; failed=1; }
  done
}

helix_part() {
  install helix 180 || return 0
  JITLENS="$server" tried timeout -k 10 200 python3 "$here/helix/run.py" "$cache/helix/hx" || { echo "FAILED: helix"; failed=1; }
}

emacs_part() {
  install emacs 300 || return 0
  JITLENS="$server" tried timeout -k 10 120 emacs --batch -l "$here/emacs/run.el" || { echo "FAILED: emacs, eglot"; failed=1; }
  if emacs --batch --eval "(progn (package-initialize) (require 'lsp-mode))" >/dev/null 2>&1; then
    JITLENS="$server" tried timeout -k 10 120 emacs --batch -l "$here/emacs/lsp-mode.el" || { echo "FAILED: emacs, lsp-mode"; failed=1; }
  else
    left_out "emacs with lsp-mode" "lsp-mode is missing (Debian's package elpa-lsp-mode has it)"
  fi
}

# Zed does not run here: its extension is compiled, as Zed does it, and its manifest is read.
zed_part() {
  python3 "$here/zed/run.py" "$cache/zed"
  case $? in
    0) ;;
    3) left_out zed "the extension's one dependency, or the target wasm32-wasip2, cannot be had" ;;
    *) echo "FAILED: zed"; failed=1 ;;
  esac
}

vscode_part() {
  local extension=$repository/editors/vscode
  install vscode 420 || return 0
  local lock wanted
  lock=$extension/node_modules/.installed
  wanted=$(sha256sum < "$extension/package-lock.json")
  if [ "$(cat "$lock" 2>/dev/null)" != "$wanted" ] && ! (cd "$extension" && { timeout 200 npm ci --ignore-scripts --loglevel=error || { sleep 5; timeout 200 npm ci --ignore-scripts --loglevel=error; }; }) > "$cache/npm-ci.log" 2>&1; then
    left_out vscode "npm does not install what the extension is built with: $(tail -1 "$cache/npm-ci.log")"
    return 0
  fi
  echo "$wanted" > "$lock"
  if ! (cd "$extension" && npm run --silent check && npm run --silent package -- --server "$server" --out "$cache/jitlens.vsix") > "$cache/package.log" 2>&1; then
    cat "$cache/package.log"
    echo "FAILED: vscode: the extension cannot be packaged"; failed=1
    return 0
  fi
  local chromium="${CHROMIUM:-}" name
  for name in chromium chromium-browser google-chrome; do
    chromium=${chromium:-$(command -v "$name")}
  done
  local pictures=${JITLENS_PICTURES:-$cache/pictures}
  rm -rf "$pictures"
  JITLENS_WORKBENCH="$cache/vscode" JITLENS_PICTURES="$pictures" JITLENS_VSIX="$cache/jitlens.vsix" CHROMIUM="$chromium" \
    tried timeout -k 10 300 node "$here/vscode/run.mjs"
  case $? in
    0) echo "   pictures: $pictures" ;;
    3) left_out vscode "the workbench does not come up here; see $pictures" ;;
    *) echo "FAILED: vscode; pictures and logs: $pictures"; failed=1 ;;
  esac
}

for part in "${parts[@]}"; do
  echo "-- $part"
  "${part}_part"
done
exit "$failed"
