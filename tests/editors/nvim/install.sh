#!/usr/bin/env bash
# Installs what the test of the Neovim plugin needs: `install.sh FOLDER`, which gets a folder with `nvim` for each version. What is there
# already is kept. Debian's packages of newer releases are unpacked beside their own libc; the system's packages stay as they are.
# Exit code 3, with the reason as the last line, where this machine cannot have them.
set -euo pipefail
root=$1
# The newest that there is, and the oldest that the plugin is for.
suites=(forky trixie)
step() { printf '   %4ss %s\n' "$SECONDS" "$*"; }
cannot() { echo "$*"; exit 3; }

[ "$(uname -sm)" = "Linux x86_64" ] || cannot "Neovim is installed on Linux x86-64 only, and this is $(uname -sm)"
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
  cannot "Neovim is taken from Debian's packages, and this system has no apt-get"
fi
sources=(/etc/apt/sources.list /etc/apt/sources.list.d/*)
mirror=$(sed -n -E 's/^URIs: +([^ ]+).*/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]+).*/\2/p' "${sources[@]}" 2>/dev/null | grep -v security | head -1) || true
[ -n "$mirror" ] || cannot "no Debian mirror is configured"
if ! command -v patchelf >/dev/null; then
  [ "$(id -u)" = 0 ] || cannot "patchelf is missing, and cannot be installed without root"
  apt-get update -qq >/dev/null 2>&1 || true
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends patchelf >/dev/null 2>&1 || cannot "patchelf does not install"
fi

unpack() {
  local suite=$1 to=$root/$1 lib loader
  rm -rf "$to"
  mkdir -p "$to/apt"/{lists/partial,cache/archives/partial,etc}
  : > "$to/apt/status"
  echo "deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$to/apt/etc/sources.list"
  local apt=(timeout 150 apt-get -qq -o APT::Sandbox::User=root -o Dir::State::lists="$to/apt/lists" -o Dir::State::status="$to/apt/status"
    -o Dir::Cache="$to/apt/cache" -o Dir::Etc::sourcelist="$to/apt/etc/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::Etc::preferencesparts=/dev/null -o Acquire::Check-Valid-Until=false -o Acquire::Languages=none -o Acquire::Retries=2
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false)
  "${apt[@]}" update || return 1
  "${apt[@]}" -y --no-install-recommends --download-only install neovim >/dev/null || return 1
  local package
  for package in "$to"/apt/cache/archives/*.deb; do dpkg-deb -x "$package" "$to/sys" || return 1; done
  rm -rf "$to/apt"
  lib=$to/sys/usr/lib/x86_64-linux-gnu
  [ -e "$lib/libc.so.6" ] || lib=$to/sys/lib/x86_64-linux-gnu:$lib
  loader=$(find "$to/sys" -name 'ld-linux-x86-64.so.2' | head -1)
  # Nothing is set in the environment: servers that Neovim starts run with the system's own libraries.
  patchelf --set-interpreter "$loader" --force-rpath --set-rpath "$lib" "$to/sys/usr/bin/nvim" || return 1
  ln -sfn sys/usr/bin/nvim "$to/nvim"
  "$to/nvim" --version >/dev/null
}

have=()
for suite in "${suites[@]}"; do
  if ! "$root/$suite/nvim" --version >/dev/null 2>&1; then
    step "Neovim of $suite"
    # A folder without an editor would be tested.
    unpack "$suite" || { rm -rf "${root:?}/$suite"; step "Neovim of $suite does not install"; continue; }
  fi
  have+=("$("$root/$suite/nvim" --version | sed -n '1s/^NVIM //p')")
done
[ ${#have[@]} -gt 0 ] || cannot "Debian's packages of Neovim cannot be fetched or unpacked"
step "installed: Neovim ${have[*]}"
