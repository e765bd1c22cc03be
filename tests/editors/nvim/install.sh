#!/usr/bin/env bash
# Installs what the test of the Neovim plugin needs: `install.sh FOLDER`, which gets a folder with `nvim` for each version. What is there
# already is kept. Exit code 3, with the reason as the last line, where this machine cannot have them.
set -euo pipefail
root=$1 editor=Neovim
source "$(dirname "$0")/../debian.sh"
# The newest that there is, and the oldest that the plugin is for.
suites=(forky trixie)

have=()
for suite in "${suites[@]}"; do
  if ! "$root/$suite/nvim" --version >/dev/null 2>&1; then
    step "Neovim of $suite"
    # A folder without an editor would be tested.
    unpack "$suite" neovim nvim "$root/$suite" || { rm -rf "${root:?}/$suite"; step "Neovim of $suite does not install"; continue; }
  fi
  have+=("$("$root/$suite/nvim" --version | sed -n '1s/^NVIM //p')")
done
[ ${#have[@]} -gt 0 ] || cannot "Debian's packages of Neovim cannot be fetched or unpacked"
step "installed: Neovim ${have[*]}"
