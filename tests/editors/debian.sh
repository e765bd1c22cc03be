# Editors from Debian's packages of newer releases, unpacked beside their own libc: the system's packages stay as they are. To be sourced, with the name
# of the editor in `editor`; it leaves with 3, and the reason as the last line, where this machine cannot have them.
step() { printf '   %4ss %s\n' "$SECONDS" "$*"; }
cannot() { echo "$*"; exit 3; }

[ "$(uname -sm)" = "Linux x86_64" ] || cannot "$editor is installed on Linux x86-64 only, and this is $(uname -sm)"
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
  cannot "$editor is taken from Debian's packages, and this system has no apt-get"
fi
sources=(/etc/apt/sources.list /etc/apt/sources.list.d/*)
mirror=$(sed -n -E 's/^URIs: +([^ ]+).*/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]+).*/\2/p' "${sources[@]}" 2>/dev/null | grep -v security | head -1) || true
[ -n "$mirror" ] || cannot "no Debian mirror is configured"
if ! command -v patchelf >/dev/null; then
  [ "$(id -u)" = 0 ] || cannot "patchelf is missing, and cannot be installed without root"
  apt-get update -qq >/dev/null 2>&1 || true
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends patchelf >/dev/null 2>&1 || cannot "patchelf does not install"
fi

# unpack SUITE PACKAGE BINARY FOLDER
unpack() {
  local suite=$1 package=$2 binary=$3 to=$4 lib loader
  rm -rf "$to"
  mkdir -p "$to/apt"/{lists/partial,cache/archives/partial,etc}
  : > "$to/apt/status"
  echo "deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$to/apt/etc/sources.list"
  local apt=(timeout 150 apt-get -qq -o APT::Sandbox::User=root -o Dir::State::lists="$to/apt/lists" -o Dir::State::status="$to/apt/status"
    -o Dir::Cache="$to/apt/cache" -o Dir::Etc::sourcelist="$to/apt/etc/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::Etc::preferencesparts=/dev/null -o Acquire::Check-Valid-Until=false -o Acquire::Languages=none -o Acquire::Retries=2
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false)
  "${apt[@]}" update || return 1
  "${apt[@]}" -y --no-install-recommends --download-only install "$package" >/dev/null || return 1
  local archive
  for archive in "$to"/apt/cache/archives/*.deb; do dpkg-deb -x "$archive" "$to/sys" || return 1; done
  rm -rf "$to/apt"
  lib=$to/sys/usr/lib/x86_64-linux-gnu
  [ -e "$lib/libc.so.6" ] || lib=$to/sys/lib/x86_64-linux-gnu:$lib
  loader=$(find "$to/sys" -name 'ld-linux-x86-64.so.2' | head -1)
  # Nothing is set in the environment: servers that an editor starts run with the system's own libraries.
  patchelf --set-interpreter "$loader" --force-rpath --set-rpath "$lib" "$to/sys/usr/bin/$binary" || return 1
  ln -sfn "sys/usr/bin/$binary" "$to/$binary"
  "$to/$binary" --version >/dev/null
}
