#!/usr/bin/env bash
# in_chroot.sh [PACKAGES [FOLDER]]: what packaging/Dockerfile does, without a container engine; as root, with debootstrap.
#
# Stage 1 makes the packages in a Debian 12 with nothing but bash and apt (left out where PACKAGES, a folder of .deb files, is
# given); stage 2 installs them in another one, uses them (packaging/check.sh) and removes them. ALADDIN_CCACHE, a folder of
# ccache's, spares stage 1 what was compiled before.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
packages=${1:-}
work=${2:-/var/tmp/aladdin_chroot}
# The mirror and the proxy of this machine's apt.
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -1)}
(( EUID == 0 )) || { echo "error: debootstrap needs root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "error: there is no debootstrap; install it" >&2; exit 1; }

# fresh FOLDER: a minimal Debian 12, bootstrapped once.
fresh() {
  rm -rf --one-file-system "$1"
  if [[ ! -e $work/base/done ]]; then
    rm -rf --one-file-system "$work/base"
    debootstrap --variant=minbase bookworm "$work/base" "$mirror" >"$work/base.log" 2>&1 ||
      { tail -5 "$work/base.log" >&2; exit 1; }
    touch "$work/base/done"
  fi
  cp -a "$work/base" "$1"
  rm "$1/done"
  cp -r /etc/apt/apt.conf.d /etc/apt/sources.list* "$1/etc/apt/"
  cp /etc/resolv.conf "$1/etc/"
  # It is thrown away: nothing need reach the disk; and there is no terminal to open.
  echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/chroot"
  echo 'Dpkg::Use-Pty "false";' >"$1/etc/apt/apt.conf.d/99chroot"
  [[ ! -d /usr/local/share/ca-certificates ]] || cp -r /usr/local/share/ca-certificates "$1/usr/local/share/"
}
inside() { # inside FOLDER COMMAND…
  local root=$1
  local code=0 cache=()
  mount --bind /proc "$root/proc" && mount --bind /dev "$root/dev"
  if [[ -n ${ALADDIN_CCACHE:-} ]]; then
    mkdir -p "$root/ccache" && mount --bind "$ALADDIN_CCACHE" "$root/ccache"
    cache=(CCACHE_DIR=/ccache)
  fi
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "${cache[@]}" "${@:2}" || code=$?
  umount "$root/proc" "$root/dev"
  (( ${#cache[@]} == 0 )) || umount "$root/ccache"
  return "$code"
}

mkdir -p "$work"
if [[ -z $packages ]]; then
  fresh "$work/build"
  mkdir "$work/build/src"
  git archive HEAD | tar -x -C "$work/build/src"
  inside "$work/build" bash -c 'cd /src && ./run package'
  packages=$work/build/src/build/package/deb
fi
fresh "$work/final"
mkdir "$work/final/packages"
cp "$packages"/*.deb packaging/check.sh packaging/check_bids.sh "$work/final/packages/"
du -h "$packages"/*.deb
inside "$work/final" bash /packages/check.sh
