"""Starts, drives and stops the simulated board: a Debian guest in QEMU (image by Tools/board-image). Standard library only.

    with Board(image, share) as board:
        board.wait()
        code, out, err = board.sh("uname -r")           # by the guest agent: no network, key or login needed
        board.qmp("device_add", driver="usb-audio", audiodev="usb0", id="usb-sound", bus="xhci.0")
        board.screendump("screen.png")

What the guest is made of: two cores, 1 GiB, one virtio screen, an HDA speaker whose sound goes to `speaker.wav` in the
board's folder, a USB bus, a network card, and the folder `share` as /mnt/board. It starts from the same clean disk each time.
"""

import base64
import json
import os
import random
import shlex
import socket
import subprocess
import tempfile
import time

KERNEL_WORDS = ("console=ttyS0,115200 quiet loglevel=4 mitigations=off nokaslr tsc=reliable no_timer_check random.trust_cpu=on "
                "apparmor=0 audit=0 nmi_watchdog=0 rcupdate.rcu_expedited=1 cryptomgr.notests systemd.show_status=0")
# Running boards, so that `Tools/board screen` finds one.
RUNNING = os.path.join(tempfile.gettempdir(), f"callbox-boards-{os.getuid()}")


class BoardError(Exception):
    """The board did not start, ended by itself, or refused a command."""


class Board:
    """One guest.

    `network`: QEMU's -netdev behind `id=net0`, such as `tap,ifname=tap0,script=no,downscript=no`; `address`: the guest's.
    `wrapper`: what QEMU is started by, such as `ip netns exec NAME`. `devices`: more of QEMU's arguments.
    `command`: more words for the kernel. `serial`: QEMU's -serial; a log file in the folder otherwise.
    """

    architecture = "amd64"

    def __init__(self, image, share, *, network="user", address=None, wrapper=(), devices=(), command="", serial=None, memory=1024,
                 screen="800x480"):
        self.image, self.share = image, os.path.abspath(share)
        os.makedirs(self.share, exist_ok=True)
        self.folder = tempfile.mkdtemp(prefix="callbox-board-")
        self.process, self.started = None, None
        words = KERNEL_WORDS + (f" board.address={address}" if address else "") + (f" {command}" if command else "")
        width, height = screen.split("x")
        # The guest has a clock: it must not starve beside a build.
        priority = ["nice", "-n", "-5"] if os.geteuid() == 0 else []
        self.arguments = [
            *wrapper, *priority, "qemu-system-x86_64", "-machine", "q35,usb=off", "-accel", "tcg,thread=multi,tb-size=256", "-cpu", "Nehalem", "-smp", "2",
            "-m", str(memory), "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
            # For whoever gives the screen another size.
            "-vnc", f"unix:{self.folder}/vnc.sock",
            "-serial", serial or f"file:{self.folder}/serial.log",
            "-kernel", f"{image}/vmlinux", "-initrd", f"{image}/initrd.gz", "-append", words,
            "-drive", f"file={image}/root.ext4,if=none,id=disk0,format=raw,snapshot=on,cache=unsafe", "-device", "virtio-blk-pci,drive=disk0",
            "-fsdev", f"local,id=share0,path={self.share},security_model=none", "-device", "virtio-9p-pci,fsdev=share0,mount_tag=board",
            "-netdev", f"{network},id=net0", "-device", "virtio-net-pci,netdev=net0,id=card0,romfile=", "-device", "virtio-rng-pci",
            "-device", f"virtio-vga,id=screen0,xres={width},yres={height}", "-device", "virtio-tablet-pci",
            "-device", "qemu-xhci,id=xhci",
            "-audiodev", f"wav,id=speaker,path={self.folder}/speaker.wav,out.frequency=48000",
            "-device", "intel-hda", "-device", "hda-output,audiodev=speaker", "-audiodev", "none,id=usb0",
            "-device", "virtio-serial-pci", "-chardev", f"socket,path={self.folder}/agent.sock,server=on,wait=off,id=agent",
            "-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0",
            "-qmp", f"unix:{self.folder}/qmp.sock,server=on,wait=off", *devices]

    # --- Starting and stopping

    def start(self, **options):
        """Starts QEMU; `options` go to subprocess.Popen."""
        self.started = time.monotonic()
        options.setdefault("stdin", subprocess.DEVNULL)
        self.process = subprocess.Popen(self.arguments, **options)
        os.makedirs(RUNNING, mode=0o700, exist_ok=True)
        with open(os.path.join(RUNNING, str(self.process.pid)), "w", encoding="utf-8") as file:
            file.write(self.folder)
        return self

    def wait(self, timeout=180):
        """Waits until the guest takes commands and has the shared folder; the seconds since its start."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise BoardError(f"QEMU ended with {self.process.returncode}; {self.serial_log()}")
            try:
                self._agent(5)[0].close()
                break
            except OSError:
                time.sleep(0.25)
        # The agent starts early; on a quiet machine it answers before the folder is mounted.
        while time.monotonic() < end:
            if self.sh("mountpoint -q /mnt/board", patience=max(5, end - time.monotonic()))[0] == 0:
                return time.monotonic() - self.started
            time.sleep(0.25)
        raise BoardError(f"the guest does not answer after {timeout} s; its console ends: {self.serial_log()}")

    def stop(self):
        """Ends QEMU; the folder with serial.log and speaker.wav stays for the caller."""
        if self.process is None:
            return
        if self.process.poll() is None:
            try:
                self.qmp("quit")
            except (OSError, BoardError, ValueError):
                pass
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)
        try:
            os.unlink(os.path.join(RUNNING, str(self.process.pid)))
        except FileNotFoundError:
            pass

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def serial_log(self):
        """The end of what the guest's console said."""
        try:
            with open(f"{self.folder}/serial.log", encoding="utf-8", errors="replace") as file:
                return file.read()[-2000:]
        except FileNotFoundError:
            return "(no log of the console)"

    # --- Commands in the guest

    def _agent(self, timeout):
        """A connection to the guest agent that answers; OSError otherwise."""
        link = socket.socket(socket.AF_UNIX)
        try:
            link.settimeout(timeout)
            link.connect(f"{self.folder}/agent.sock")
            stream = link.makefile("rwb")
            number = random.randrange(1 << 30)
            question = {"execute": "guest-sync-delimited", "arguments": {"id": number}}
            stream.write(b"\xff" + json.dumps(question).encode() + b"\n")
            stream.flush()
            while True:
                line = stream.readline()
                if not line:
                    raise OSError("the guest agent is not there")
                try:
                    if json.loads(line.rsplit(b"\xff", 1)[-1]).get("return") == number:
                        break
                except ValueError:
                    pass  # the rest of an older answer
            return link, stream
        except BaseException:
            link.close()
            raise

    def _patient_agent(self, timeout=60):
        """The same, for a guest that is up but may be slow, or in the middle of a reboot."""
        end = time.monotonic() + timeout
        while True:
            try:
                return self._agent(min(20, timeout))
            except OSError as error:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise BoardError(f"the guest does not answer any more: {error}; its console ends: {self.serial_log()}") from error
                time.sleep(0.5)

    @staticmethod
    def _ask(stream, command, **arguments):
        stream.write(json.dumps({"execute": command, **({"arguments": arguments} if arguments else {})}).encode() + b"\n")
        stream.flush()
        answer = json.loads(stream.readline())
        if "error" in answer:
            raise BoardError(f"{command}: {answer['error']}")
        return answer["return"]

    def sh(self, command, timeout=120, patience=60):
        """Runs a bash command as root; (exit code, output, errors). A job in the background must redirect all its output.

        `patience`: seconds for a guest that does not answer.
        """
        link, stream = self._patient_agent(patience)
        # A guest that goes down in the middle never answers.
        link.settimeout(patience)
        try:
            pid = self._ask(stream, "guest-exec", **{"path": "/bin/bash", "arg": ["-c", command], "capture-output": True})["pid"]
            end = time.monotonic() + timeout
            while time.monotonic() < end:
                result = self._ask(stream, "guest-exec-status", pid=pid)
                if result["exited"]:
                    texts = (base64.b64decode(result.get(key, "")).decode(errors="replace") for key in ("out-data", "err-data"))
                    return result.get("exitcode", 128 + result.get("signal", 0)), *texts
                time.sleep(0.05)
        finally:
            link.close()
        raise BoardError(f"not done after {timeout} s: {command}")

    def run(self, command, timeout=120, patience=60):
        """The output of a command that must succeed."""
        code, out, err = self.sh(command, timeout, patience)
        if code != 0:
            raise BoardError(f"`{command}` ended with {code}: {(err or out).strip()[-600:]}")
        return out.strip()

    def background(self, command, log="/dev/null"):
        """Starts a command in the guest that goes on by itself; its process id."""
        return int(self.run(f"setsid bash -c {shlex.quote(command)} >{log} 2>&1 </dev/null & echo $!"))

    def put(self, path, name=None):
        """Copies a file into the shared folder; its path in the guest."""
        name = name or os.path.basename(path)
        with open(path, "rb") as source, open(os.path.join(self.share, name), "wb") as target:
            while block := source.read(1 << 20):
                target.write(block)
            os.fchmod(target.fileno(), os.fstat(source.fileno()).st_mode & 0o777)
        return f"/mnt/board/{name}"

    # --- The world outside the guest

    def qmp(self, command, **arguments):
        """One command of QEMU's monitor; its answer."""
        return qmp(self.folder, command, **arguments)

    def screendump(self, path):
        """A PNG of what the screen shows."""
        screendump(self.folder, path)

    def cable(self, plugged):
        """Pulls the network cable, or plugs it in."""
        self.qmp("set_link", name="card0", up=plugged)

    def usage(self):
        """(processor seconds, resident MiB) of QEMU."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE") >> 20


def qmp(folder, command, **arguments):
    """One command for the monitor of the board with this folder; its answer."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(30)
        link.connect(f"{folder}/qmp.sock")
        with link.makefile("rw", encoding="utf-8") as stream:
            stream.readline()
            answer = None
            for name, values in (("qmp_capabilities", {}), (command, arguments)):
                stream.write(json.dumps({"execute": name, **({"arguments": values} if values else {})}) + "\n")
                stream.flush()
                while True:
                    line = stream.readline()
                    if not line:
                        raise BoardError(f"{name}: QEMU closed its monitor")
                    answer = json.loads(line)
                    if "return" in answer or "error" in answer:
                        break
                if "error" in answer:
                    raise BoardError(f"{name}: {answer['error'].get('desc', answer['error'])}")
            return answer["return"]


def screendump(folder, path):
    """A PNG of the screen of the board with this folder."""
    qmp(folder, "screendump", filename=os.path.abspath(path), format="png", device="screen0")


def running_folders():
    """The folders of the boards that run now, the newest last."""
    found = []
    if os.path.isdir(RUNNING):
        for name in sorted(os.listdir(RUNNING), key=lambda name: os.path.getmtime(os.path.join(RUNNING, name))):
            if os.path.isdir(f"/proc/{name}"):
                with open(os.path.join(RUNNING, name), encoding="utf-8") as file:
                    found.append(file.read())
    return found


def of(architecture, image, share, **options):
    """A board of this architecture: `amd64`, `arm64`, or `arm64-16k` with pages of 16 KiB."""
    if architecture == "amd64":
        return Board(image, share, **options)
    from board_arm64 import Arm64Board

    return Arm64Board(image, share, pages="16k" if architecture.endswith("16k") else "4k", **options)
