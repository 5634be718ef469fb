# For faults.sh: disks of their own that are too small, or that fail. All need the right to mount.

# small_disk FOLDER SIZE: one of that size, in memory.
small_disk() {
  mkdir -p "$1"
  mount -t tmpfs -o "size=$2" tmpfs "$1" 2>/dev/null || return 1
  mounted+=("$1")
}

# failing_disk FOLDER: one that can fail, in a file.
failing_disk() {
  mkdir -p "$1"
  truncate -s 32m "$1.disk"
  mkfs.ext4 -qF "$1.disk" 2>/dev/null && mount -o loop,errors=remount-ro "$1.disk" "$1" 2>/dev/null || return 1
  mounted+=("$1")
  rmdir "$1/lost+found"
}

# What ext4 does when it cannot write: nothing more goes to the disk, whoever has a file open.
let_disk_fail() { mount -o remount,abort "$1"; }

# mend_disk FOLDER: as after a reboot, its journal is played back.
mend_disk() {
  umount "$1"
  e2fsck -p "$1.disk" >mended 2>&1 || (($? < 4)) || die "e2fsck: $(cat mended)"
  mount -o loop "$1.disk" "$1"
  [[ ! -e $1/lost+found ]] || rmdir "$1/lost+found"
}

release_disk() {
  umount "$1"
  rm -rf "$1" "$1.disk"
}
