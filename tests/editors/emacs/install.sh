#!/usr/bin/env bash
# Installs what the test of the configuration for Emacs needs, Debian's Emacs with eglot; the system's own serves if it has both.
# Exit code 3, with the reason as the last line, where this machine cannot have them.
set -euo pipefail
cannot() { echo "$*"; exit 3; }
has() { command -v emacs >/dev/null && emacs --batch --eval "(progn (package-initialize) (require 'eglot))" >/dev/null 2>&1; }

if ! has; then
  command -v apt-get >/dev/null || cannot "Emacs with eglot is missing, and there is no apt-get to install it"
  [ "$(id -u)" = 0 ] || cannot "Emacs with eglot is missing, and cannot be installed without root"
  apt-get update -qq >/dev/null 2>&1 || true
  DEBIAN_FRONTEND=noninteractive timeout 200 apt-get install -y -qq --no-install-recommends emacs-nox elpa-eglot >/dev/null 2>&1 || cannot "Debian's packages of Emacs do not install"
  has || cannot "Debian's Emacs has no eglot"
fi
emacs --version | sed -n '1s/^/   installed: /p'
