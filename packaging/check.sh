#!/usr/bin/env bash
# check.sh: installs the packages beside it in this machine, uses them as a user would, removes them and looks for what they
# leave behind. For a machine to be thrown away: packaging/in_chroot.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
say() { printf '\n== %s\n' "$*"; }

apt-get update -q
apt-get install -yq --no-install-recommends man-db bash-completion >/dev/null
find / -xdev -path /proc -prune -o -path /dev -prune -o -path /packages -prune -o -type f -print | sort >/tmp/before
dpkg-query -W -f '${Package}\n' | sort >/tmp/packages_before

say 'without Torch: the program registers, but does not build'
apt-get install -yq --no-install-recommends ./libaladdin0_*.deb ./aladdin_*.deb >/dev/null
! dpkg-query -W 'libtorch*' 2>/dev/null | grep -q libtorch || { echo 'error: Torch came along'; exit 1; }
aladdin synth -o /tmp/knees --subjects 9 --val 1 --test 0 --size 24,40,40 --spacing 4,3,3 --seed 1 -q
if aladdin build /tmp/knees/cohort.csv -o /tmp/run --preset fast -q 2>/tmp/said; then exit 1; fi
cat /tmp/said

say 'with it: an atlas of eight knees'
apt-get install -yq --no-install-recommends ./libaladdin-learning0_*.deb >/dev/null
aladdin build /tmp/knees/cohort.csv -o /tmp/run --preset fast -q
aladdin evaluate /tmp/run --split all | tail -20
image=$(ls /tmp/knees/images/*.nii.gz | tail -1)
aladdin register /tmp/run "$image" -o /tmp/registered

say 'as a BIDS App'
bash check_bids.sh /tmp/bids

say '3D Slicer'
libexec=$(dpkg -L aladdin | grep slicer-module)
"$libexec" /tmp/modules
/tmp/modules/aladdin_register --xml | head -5
rm -rf /tmp/slicer
/tmp/modules/aladdin_register -o /tmp/slicer /tmp/run "$image" 2>/dev/null | head -3
[[ -e /tmp/slicer/transforms ]]

say 'manual page and completion'
man aladdin-build | head -12
bash -c 'source /usr/share/bash-completion/bash_completion; source /usr/share/bash-completion/completions/aladdin
         COMP_WORDS=(aladdin reg) COMP_CWORD=1; _aladdin; printf "%s\n" "${COMPREPLY[@]}"'

say 'removed'
apt-get purge -yq aladdin libaladdin0 libaladdin-learning0 >/dev/null
apt-get autoremove -yq --purge >/dev/null
rm -rf /tmp/knees /tmp/run /tmp/registered /tmp/said /tmp/bids /tmp/modules /tmp/slicer
find / -xdev -path /proc -prune -o -path /dev -prune -o -path /packages -prune -o -type f -print | sort >/tmp/after
dpkg-query -W -f '${Package}\n' | sort >/tmp/packages_after
# Not counted: caches and logs of the system, and what adduser keeps of the users that D-Bus and others make.
left=$(comm -13 /tmp/before /tmp/after |
  grep -vE '^/(tmp|run|var/(log|cache|lib/(apt|dpkg|systemd)))/|^/etc/(ld.so.cache|(passwd|group|shadow|gshadow)-)$' || true)
[[ -z $left ]] || { echo "left behind:"; echo "$left" | head -20; }
left_packages=$(comm -13 /tmp/packages_before /tmp/packages_after)
[[ -z $left_packages ]] || { echo "packages left behind:" $left_packages; }
[[ -z $left && -z $left_packages ]] || exit 1
echo 'nothing is left'
