"""Single keys from the terminal, without waiting for the end of a line."""

import os
import select
import sys
import termios
import tty


class Keyboard:
    """Use it with `with`; the terminal is as before afterwards, also when the program fails."""

    @staticmethod
    def is_there():
        return sys.stdin.isatty() and sys.stdout.isatty()

    def __enter__(self):
        self.before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        return self

    def __exit__(self, *_):
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self.before)

    def key(self, seconds):
        """The next key, or None after the time."""
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        return os.read(sys.stdin.fileno(), 1).decode(errors="replace") if ready else None
