#!/usr/bin/env python3
"""A real systemd, booted for a test: PID 1 of its own namespaces, on a throw-away overlay of this machine's root.

    Tests/rig/systemd_rig.py [--layer DIR] [COMMAND ...]     boots, runs COMMAND (a shell by default), throws all away

What is written inside goes to the overlay and is gone afterwards; DIR is laid over the root first (`make install
DESTDIR=DIR`). The rig has its own process numbers, mounts, host name and network (loopback only), so that it neither
sees nor disturbs what runs outside. The Swift toolchain and the build tree are hidden: what works inside works on a
machine that never had them. Needs root with CAP_SYS_ADMIN, util-linux, iproute2 and systemd; about a second.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

TARGET = """\
[Unit]
Description=What a rig boots
Requires=basic.target
After=basic.target
AllowIsolate=yes
"""

# Runs in the new namespaces and becomes PID 1.
BOOT = r"""
set -e
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=/,upperdir=$LAB/upper,workdir=$LAB/work" "$LAB/root"
cd "$LAB/root"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
# A tree of control groups of its own, in the modern layout: two rigs, or a rig and the machine, would otherwise empty
# each other's groups of the same names.
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
# Where the checkout lies below /tmp, or on a file system of its own, the overlay does not show it.
if [ ! -d ".$REPOSITORY" ]; then
    mkdir -p ".$REPOSITORY"
    mount --bind -o ro "$REPOSITORY" ".$REPOSITORY"
fi
while read -r hidden; do
    [ -d ".$hidden" ] && mount -t tmpfs -o ro,size=4k tmpfs ".$hidden"
done < "$LAB/hidden"
ip link set lo up
hostname rig
# Not chroot: nobody inside one may make a user namespace (PrivateUsers=).
mkdir -p .outside
pivot_root . .outside
umount -l .outside
# systemd hands credentials over by a mount that spreads; in a container it leaves it to others to allow that.
mount --make-rshared /
export container=rig
exec /lib/systemd/systemd --system --unit=rig.target
"""


def why_not():
    """Why no rig can be booted here; None when it can."""
    if os.geteuid() != 0:
        return "needs root"
    for tool in ("unshare", "nsenter", "ip", "systemctl"):
        if shutil.which(tool) is None:
            return f"needs {tool}"
    if cgroup2() is None:
        return "needs the unified hierarchy of control groups"
    probe = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--net", "true"], capture_output=True)
    return None if probe.returncode == 0 else "needs the right to make namespaces (CAP_SYS_ADMIN)"


def cgroup2():
    """Where the unified hierarchy of control groups is mounted; None when it is not."""
    for line in pathlib.Path("/proc/mounts").read_text().splitlines():
        _, place, kind, *_ = line.split()
        if kind == "cgroup2":
            return pathlib.Path(place)
    return None


def toolchain():
    """The folder of the Swift toolchain; None when there is none, or when it lies in /usr among everything else."""
    swift = shutil.which("swift")
    if swift is None:
        return None
    folder = pathlib.Path(swift).resolve().parents[2]
    return None if folder == pathlib.Path("/") else folder


class Rig:
    """One booted systemd. Use it in a `with`."""

    def __init__(self, layer=None, hide=()):
        self.layer = layer
        self.hidden = [*map(pathlib.Path, hide), REPOSITORY / ".build"]
        if toolchain():
            self.hidden.append(toolchain())
        self.lab = None
        self.outer = None
        self.init = None

    def __enter__(self):
        # /var/tmp: an overlay's upper layer cannot lie on an overlay or a tmpfs of a container's /tmp.
        self.lab = pathlib.Path(tempfile.mkdtemp(prefix="opentask-rig.", dir="/var/tmp"))
        for folder in ("upper", "work", "root"):
            (self.lab / folder).mkdir()
        if self.layer:
            subprocess.run(["cp", "-a", f"{self.layer}/.", self.lab / "upper"], check=True)
            (self.lab / "upper").chmod(0o755)  # it becomes the mode of /
        units = self.lab / "upper/etc/systemd/system"
        units.mkdir(parents=True, exist_ok=True)
        (units / "rig.target").write_text(TARGET)
        (self.lab / "hidden").write_text("".join(f"{path}\n" for path in self.hidden))
        self.console = open(self.lab / "console", "wb")
        self.group = cgroup2() / self.lab.name
        self.group.mkdir()
        self.outer = subprocess.Popen(
            ["bash", "-c", f'echo $$ > {self.group}/cgroup.procs; exec "$@"', "bash", "unshare", "--pid", "--mount", "--uts", "--ipc", "--cgroup", "--net", "--fork", "--kill-child",
             "bash", "-c", BOOT],
            env={"LAB": str(self.lab), "REPOSITORY": str(REPOSITORY), "PATH": os.environ["PATH"]},
            stdin=subprocess.DEVNULL, stdout=self.console, stderr=self.console)
        try:
            self._wait_for_boot()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _wait_for_boot(self):
        deadline = time.monotonic() + 60
        children = pathlib.Path(f"/proc/{self.outer.pid}/task/{self.outer.pid}/children")
        while time.monotonic() < deadline and self.outer.poll() is None:
            child = children.read_text().split()
            # bash until the last line of BOOT, then systemd.
            if child and pathlib.Path(f"/proc/{child[0]}/comm").read_text().strip() == "systemd":
                self.init = int(child[0])
                done = self.run("systemctl", "is-system-running", "--wait", check=False)
                if done.stdout.strip() in ("running", "degraded"):
                    return
            time.sleep(0.05)
        raise RuntimeError("the rig did not boot:\n" + (self.lab / "console").read_text(errors="replace")[-4000:])

    def command(self, *words):
        """The command line that runs `words` inside."""
        return ["nsenter", "-t", str(self.init), "-a", *map(str, words)]

    def run(self, *words, check=True, timeout=120, **options):
        """Runs a command inside as root; text in and out."""
        options.setdefault("capture_output", True)
        done = subprocess.run(self.command(*words), text=True, timeout=timeout, **options)
        if check and done.returncode != 0:
            raise AssertionError(
                f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout or ''}{done.stderr or ''}")
        return done

    def start(self, *words, **options):
        """Starts a command inside; a Popen."""
        return subprocess.Popen(self.command(*words), **options)

    def path(self, inside):
        """Where a file of the rig is seen from outside, for writing before it is read inside."""
        return pathlib.Path(f"/proc/{self.init}/root/{str(inside).lstrip('/')}")

    def __exit__(self, *_):
        # PID 1 takes all that is in its namespace with it, and then `unshare`, its parent, ends.
        try:
            os.kill(self.init or self.outer.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.outer.wait()
        self.console.close()
        # Groups can be removed when their processes are gone, the innermost first.
        for folder, _, _ in os.walk(self.group, topdown=False):
            os.rmdir(folder)
        shutil.rmtree(self.lab, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layer", type=pathlib.Path)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    reason = why_not()
    if reason:
        sys.exit(f"systemd_rig: {reason}")
    with Rig(arguments.layer) as rig:
        sys.exit(subprocess.run(rig.command(*(arguments.command or ["bash"]))).returncode)


if __name__ == "__main__":
    main()
