#!/usr/bin/env bash
# Installs what the tests of the configurations for Emacs need, Debian's Emacs with eglot, and lsp-mode if it is to be had; the system's own serves if it has them.
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
if ! emacs --batch --eval "(progn (package-initialize) (require 'lsp-mode))" >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  DEBIAN_FRONTEND=noninteractive timeout 200 apt-get install -y -qq --no-install-recommends elpa-lsp-mode >/dev/null 2>&1 || true
fi
emacs --version | sed -n '1s/^/   installed: /p'
