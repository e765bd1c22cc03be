#!/usr/bin/env bash
# Installs Helix: `install.sh FOLDER`, which gets `hx`. What is there already is kept.
# Exit code 3, with the reason as the last line, where this machine cannot have it.
set -euo pipefail
root=$1 editor=Helix
source "$(dirname "$0")/../debian.sh"

if ! "$root/hx" --version >/dev/null 2>&1; then
  unpack trixie hx hx "$root" || { rm -rf "$root"; cannot "Debian's package of Helix cannot be fetched or unpacked"; }
fi
step "installed: $("$root/hx" --version)"
