"""packages.py --deb FILE --root FOLDER: a package in a fresh Debian: installed, started, upgraded, removed, purged.

The folder is a Debian with what the package depends on and nothing more, made for this run only; no systemd runs in it. Prints one
line for each check and ends with `N passed, N failed`.
"""

import argparse
import os
import shutil
import stat
import subprocess
import sys
import time

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(TOP, "Tools", "python"))

import processes
from service_manager import NotifySocket

# The bounds for an endpoint that has joined and has no media.
RSS_KIB, DIRTY_KIB = 30 * 1024, 8 * 1024
CONFIGURATION = "/etc/callbox/callbox.yaml"
FILES = {
    "/usr/bin/callbox": (0o755, "root"), CONFIGURATION: (0o644, "root"), "/etc/credstore": (0o700, "root"),
    "/usr/lib/sysusers.d/callbox.conf": (0o644, "root"), "/usr/lib/tmpfiles.d/callbox.conf": (0o644, "root"),
    "/usr/share/callbox/boards": (0o755, "root"), "/usr/share/bash-completion/completions/callbox": (0o644, "root"),
    "/usr/share/zsh/vendor-completions/_callbox": (0o644, "root"),
    "/usr/share/fish/vendor_completions.d/callbox.fish": (0o644, "root"),
    # Through /lib, wherever the release has it.
    "/lib/systemd/system/callbox.service": (0o644, "root"), "/lib/udev/rules.d/60-callbox.rules": (0o644, "root"),
}
GROUPS = {"audio", "video", "input", "render", "gpio"}


class Finding(Exception):
    """What was expected did not happen."""


def check(condition, text):
    if not condition:
        raise Finding(text)


class Debian:
    """The fresh Debian, and the package to be tried in it."""

    def __init__(self, root, deb):
        self.root, self.deb = root, deb
        # As in a container: nobody may start a service.
        self.write("/usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n", 0o755)

    def path(self, name):
        return os.path.join(self.root, name.lstrip("/"))

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def write(self, name, text, mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)

    def run(self, *words, may_fail=False):
        """What it printed; a failure is a finding unless it does not matter."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        result = subprocess.run(["chroot", self.root, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, env=environment, timeout=120, check=False)
        check(may_fail or result.returncode == 0, f"{' '.join(words)} ended with {result.returncode}:\n{result.stdout}")
        return result.stdout

    def install(self, deb):
        name = f"/tmp/{os.path.basename(deb)}"
        if os.path.realpath(deb) != os.path.realpath(self.path(name)):
            shutil.copy(deb, self.path(name))
        # The answer of a machine without a terminal to a changed configuration file: keep it.
        return self.run("dpkg", "--force-confdef", "--force-confold", "-i", name)

    def other_version(self, version, configuration=None):
        """The same package under another version, perhaps with another configuration file."""
        folder = self.path(f"/tmp/deb-{version}")
        subprocess.run(["dpkg-deb", "-R", self.deb, folder], check=True)
        control = os.path.join(folder, "DEBIAN", "control")
        with open(control, encoding="utf-8") as file:
            lines = [f"Version: {version}\n" if line.startswith("Version:") else line for line in file]
        with open(control, "w", encoding="utf-8") as file:
            file.writelines(lines)
        if configuration is not None:
            with open(os.path.join(folder, CONFIGURATION.lstrip("/")), "w", encoding="utf-8") as file:
                file.write(configuration)
        made = folder + ".deb"
        subprocess.run(["dpkg-deb", "-Znone", "-b", folder, made], check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(folder)
        return made

    def everything(self):
        """Every file, and every line of the lists of users and groups."""
        found = set()
        for folder, names, files in os.walk(self.root):
            inside = folder[len(self.root):] or "/"
            if inside in ("/proc", "/dev", "/run", "/tmp", "/sys"):
                names[:] = []
                continue
            found.update(os.path.join(inside, name) for name in names + files)
        for name in ("/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow"):
            found.update(f"{name}: {line}" for line in self.read(name).splitlines())
        return found

    def start(self, *words, manager=None):
        """Starts callbox as the service would: its user, its groups, its folder."""
        runtime = self.path("/run/callbox")
        os.makedirs(runtime, exist_ok=True)
        user = self.run("id", "-u", "callbox").strip(), self.run("id", "-g", "callbox").strip()
        os.chown(runtime, int(user[0]), int(user[1]))
        log = open(self.path("/tmp/log"), "ab")
        return subprocess.Popen(
            ["env", "-", "PATH=/usr/sbin:/usr/bin", "RUNTIME_DIRECTORY=/run/callbox", "chroot", f"--userspec={user[0]}:{user[1]}",
             f"--groups={','.join(sorted(GROUPS))}", self.root, *(manager.wrapper if manager else []), "callbox", *words],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def installs(debian):
    """installs with nothing but its dependencies, with the right owners and modes"""
    debian.install(debian.deb)
    for name, (mode, owner) in FILES.items():
        found = os.lstat(debian.path(name))
        check(stat.S_IMODE(found.st_mode) == mode and found.st_uid == 0 == found.st_gid,
              f"{name}: {oct(stat.S_IMODE(found.st_mode))} of {found.st_uid}:{found.st_gid}, {oct(mode)} of {owner} expected")
    groups = set(debian.run("id", "-Gn", "callbox").split())
    check(GROUPS <= groups, f"callbox is only in {sorted(groups)}")
    check(sum(line.startswith("callbox:") for line in debian.read("/etc/passwd").splitlines()) == 1, "not one user callbox")
    libraries = debian.run("ldd", "/usr/bin/callbox")
    check("not found" not in libraries, f"missing libraries:\n{libraries}")
    size = os.path.getsize(debian.deb), os.path.getsize(debian.path("/usr/bin/callbox"))
    names = needed(debian.path("/usr/bin/callbox"))
    return (f"package {size[0] / 1e6:.1f} MB, program {size[1] / 1e6:.1f} MB, "
            f"{len(names)} libraries needed, {libraries.count('=>')} loaded: {' '.join(names)}")


def needed(program):
    """The shared libraries that a program names itself."""
    text = subprocess.run(["objdump", "-p", program], capture_output=True, text=True, check=True).stdout
    return sorted(line.split()[1] for line in text.splitlines() if line.strip().startswith("NEEDED"))


def answers(debian):
    """says its version, finds its configuration good, and has a manual page for each"""
    version = debian.run("callbox", "version").strip()
    check(version.startswith("callbox "), version)
    debian.run("callbox", "check", CONFIGURATION)
    debian.run("callbox", "release", "--config", CONFIGURATION)
    keys = debian.run("callbox", "help", "keys")
    check("room.url\n" in keys, f"no keys:\n{keys}")
    pages = subprocess.run(["dpkg-deb", "-c", debian.deb], capture_output=True, text=True, check=True).stdout
    for page in ("man1/callbox.1.gz", "man5/callbox.yaml.5.gz"):
        check(page in pages, f"no {page}")
    return version


def hardened(debian):
    """systemd of this release finds nothing wrong with the unit, and an exposure of at most 1.6"""
    unit = "/lib/systemd/system/callbox.service"
    text = debian.run("systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=16", unit)
    # Other units of a Debian without a kernel are none of our business.
    found = debian.run("systemd-analyze", "verify", "--man=no", unit, may_fail=True).splitlines()
    problems = [line for line in found if "callbox" in line]
    check(not problems, "\n".join(problems))
    return text.strip().splitlines()[-1].strip("→ ")


def starts(debian):
    """starts as installed, and says plainly what to configure"""
    manager = NotifySocket(30)
    process = debian.start("run", "--config", CONFIGURATION, manager=manager)
    try:
        check(manager.wait_for("READY=1", 30), f"not ready: {manager.messages}\n{debian.read('/tmp/log')}")
        check(manager.wait_for("STATUS=no room service is configured: set room.url", 30), f"{manager.messages}")
        check(manager.wait_for("WATCHDOG=1", 30), "the watchdog is not fed")
        status = debian.run("callbox", "status")
        check("room.url" in debian.read("/tmp/log"), debian.read("/tmp/log"))
        opened = [name for name in processes.descriptors(process.pid) if name.startswith(("/dev/video", "/dev/snd/pcm"))]
        check(not opened, f"it has opened {opened}")
    finally:
        process.terminate()
        code = process.wait(10)
        manager.close()
    check(code == 0, f"it ended with {code}\n{debian.read('/tmp/log')}")
    return status.splitlines()[0]


def idle_memory(debian):
    """joined without media it needs little memory"""
    debian.write("/tmp/idle.yaml", debian.read(CONFIGURATION).replace("#url: wss://lobby.example.org", "url: ws://127.0.0.1"))
    lobby = debian.start("lobby")
    endpoint = debian.start("run", "--config", "/tmp/idle.yaml")
    try:
        end = time.monotonic() + 30
        while time.monotonic() < end and "loggedIn" not in debian.read("/tmp/log"):
            time.sleep(0.1)
        check("loggedIn" in debian.read("/tmp/log"), debian.read("/tmp/log"))
        time.sleep(2)
        first, _ = processes.memory(endpoint.pid)
        # Ten seconds after the join it lets go of what only the start needed.
        time.sleep(12)
        rss, dirty = processes.memory(endpoint.pid)
        print(processes.memory_table(endpoint.pid, 16))
    finally:
        for process in (endpoint, lobby):
            process.terminate()
            process.wait(10)
    check(rss <= RSS_KIB and dirty <= DIRTY_KIB, f"{rss} KiB resident, {dirty} KiB private dirty; {RSS_KIB} and {DIRTY_KIB} allowed")
    return f"{rss / 1024:.1f} MB resident (just joined {first / 1024:.1f}), {dirty / 1024:.1f} MB private dirty"


def upgrades(debian):
    """an upgrade brings a new configuration file, and keeps a changed one"""
    shipped = debian.read(CONFIGURATION)
    old = debian.other_version("0.0.1", "# of an older version\n")
    new = debian.other_version("99.0", shipped + "# of a newer version\n")
    debian.run("dpkg", "--purge", "callbox")
    debian.install(old)
    check(debian.read(CONFIGURATION) == "# of an older version\n", "the older one is not there")
    debian.install(debian.deb)
    check(debian.read(CONFIGURATION) == shipped, "an unchanged configuration was not renewed")
    debian.write(CONFIGURATION, shipped + "device: {name: Mine}\n")
    output = debian.install(new)
    check(debian.read(CONFIGURATION).endswith("device: {name: Mine}\n"), f"the changed configuration is lost:\n{output}")
    check(debian.run("dpkg-query", "-W", "-f", "${Version} ${db:Status-Status}", "callbox") == "99.0 installed", "not installed")
    debian.run("callbox", "check", CONFIGURATION)


def purges(debian, before):
    """removed, its configuration stays; purged, nothing does"""
    debian.run("mkdir", "-p", "/var/lib/callbox")
    debian.write("/var/lib/callbox/lobby-identity.pem", "state\n")
    debian.write("/etc/credstore/callbox.token", "secret\n", 0o600)
    debian.run("dpkg", "--remove", "callbox")
    check(os.path.exists(debian.path(CONFIGURATION)), "removing took the configuration away")
    check(os.path.exists(debian.path("/var/lib/callbox")), "removing took the state away")
    for name in ("/usr/bin/callbox", "/lib/systemd/system/callbox.service"):
        check(not os.path.lexists(debian.path(name)), f"{name} is still there")
    debian.run("dpkg", "--purge", "callbox")
    left = {name for name in debian.everything() - before if not is_others(name)}
    check(not left, "it leaves: " + "; ".join(sorted(left)))


def is_others(name):
    """What dpkg and the password tools keep for themselves, and the groups of devices, which others use, too."""
    return name.startswith(("/var/lib/dpkg/", "/var/log/", "/var/cache/", "/etc/.pwd.lock")) or name.endswith("-") or any(
        f": {group}:" in name for group in ("gpio", "render", "input"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--deb", required=True)
    parser.add_argument("--root", required=True)
    arguments = parser.parse_args()
    debian = Debian(arguments.root, arguments.deb)
    before = debian.everything()
    passed = failed = 0
    for trial in (installs, answers, hardened, starts, idle_memory, upgrades, lambda it: purges(it, before)):
        name = trial.__doc__ or purges.__doc__
        begin = time.monotonic()
        try:
            fact = trial(debian)
            passed += 1
            print(f"ok: {name}, {time.monotonic() - begin:.1f} s" + (f": {fact}" if fact else ""))
        except Finding as finding:
            failed += 1
            print(f"FAILED: {name}: {finding}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
