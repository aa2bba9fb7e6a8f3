"""The service manager's end of sd_notify(3), and one thread of a process frozen while the others go on. Python only."""

import ctypes
import os
import socket
import threading
import time

PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH = 0x4206, 0x4207, 17
WALL = 0x40000000


class NotifySocket:
    """Hears what a process tells, with the time of each message. `variables` is what its environment needs."""

    def __init__(self, watchdog_seconds=None):
        self.messages = []  # (time, text)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        # An abstract name that the kernel chooses: five digits.
        self.socket.bind("")
        self.name = "@" + self.socket.getsockname()[1:].decode()
        self.watchdog_seconds = watchdog_seconds
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while True:
            try:
                text = self.socket.recv(4096).decode()
            except OSError:
                return
            self.messages.append((time.monotonic(), text))

    @property
    def wrapper(self):
        """What starts a program as a service manager does: it knows the number of the process, which stays the same."""
        words = ["env", f"NOTIFY_SOCKET={self.name}"]
        if self.watchdog_seconds:
            words.append(f"WATCHDOG_USEC={int(self.watchdog_seconds * 1e6)}")
        return [*words, "sh", "-c", 'WATCHDOG_PID=$$; export WATCHDOG_PID; exec "$@"', "sh"]

    def texts(self, prefix="", since=0.0):
        return [text for at, text in list(self.messages) if at >= since and text.startswith(prefix)]

    def times(self, text, since=0.0):
        return [at for at, found in list(self.messages) if at >= since and found == text]

    @property
    def status(self):
        """The latest STATUS=, in words."""
        texts = self.texts("STATUS=")
        return texts[-1][len("STATUS="):] if texts else None

    def wait_for(self, text, timeout, since=0.0):
        """Whether a message that begins so comes in time."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if self.texts(text, since):
                return True
            time.sleep(0.05)
        return False

    def longest_gap(self, since, until):
        """Seconds without WATCHDOG=1, at most, between two times."""
        times = [since, *[at for at in self.times("WATCHDOG=1", since) if at <= until], until]
        return max(after - before for before, after in zip(times, times[1:]))

    def close(self):
        self.socket.close()


class Frozen:
    """`with Frozen(pid, tids):` these threads stand still, the others of the process go on. To be left by the thread that
    entered it: ptrace(2) belongs to a thread."""

    def __init__(self, tids):
        self.tids, self.held = tids, []
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.ptrace.restype = ctypes.c_long
        self.libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]

    def _ptrace(self, request, tid):
        if self.libc.ptrace(request, tid, None, None) != 0:
            error = ctypes.get_errno()
            raise OSError(error, f"ptrace {request:#x} of {tid}: {os.strerror(error)}")

    def __enter__(self):
        try:
            for tid in self.tids:
                self._ptrace(PTRACE_SEIZE, tid)
                self.held.append(tid)
                self._ptrace(PTRACE_INTERRUPT, tid)
                os.waitpid(tid, WALL)
        except OSError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for tid in self.held:
            try:
                self._ptrace(PTRACE_DETACH, tid)
            except OSError:
                pass  # it has ended
        self.held = []


def threads(pid):
    """{name: [tid…]} of a process."""
    found = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/comm", encoding="utf-8", errors="replace") as file:
                found.setdefault(file.read().strip(), []).append(int(task))
        except OSError:
            pass  # ended just now
    return found
