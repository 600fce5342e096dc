#!/bin/sh
# Boots the Debian in a folder: systemd as the first process of namespaces of its own, with the network of this machine. Run in a control
# group of its own by `unshare --fork --pid --mount --uts --ipc --cgroup`.
set -eu
root=$1

mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for name in null zero full random urandom tty; do
  : >"$root/dev/$name"
  mount --bind "/dev/$name" "$root/dev/$name"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs tmpfs "$root/dev/shm"

# The root of the namespace, not only of the process: in a chroot, systemd could make no namespaces of users for its services.
cd "$root"
mkdir -p .before
pivot_root . .before
umount -l /.before
# As systemd expects of who boots it in a container: services see the mounts that it makes for them later, such as their credentials.
mount --make-rshared /
exec env -i container=handstamp-test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=journal
