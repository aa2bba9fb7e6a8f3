"""A developer's board: board_shell.py shell IMAGE [--deb FILE] [--screen FILE.png]  |  board_shell.py screen FILE.png"""

import os
import shutil
import sys

import board

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARE = os.path.join(TOP, ".build", "board", "share")
README = """This folder is the board's /mnt/board. On the board, as root:

    /mnt/board/simulate          loads two cameras, a looped sound card and a GPIO chip with named lines
    /mnt/board/callbox devices
    dpkg -i /mnt/board/callbox_*.deb
"""


def fill_share(deb):
    """What a developer needs on the board: the program, the package, the simulated devices."""
    os.makedirs(SHARE, exist_ok=True)
    with open(os.path.join(SHARE, "README"), "w", encoding="utf-8") as file:
        file.write(README)
    for path in (deb, os.path.join(TOP, ".build", "release", "callbox"), os.path.join(TOP, ".build", "release", "deviceprobe"),
                 os.path.join(TOP, "Tools", "board-guest", "simulate")):
        if path and os.path.exists(path):
            shutil.copy(path, SHARE)


def shell(image, deb, picture):
    fill_share(deb)
    if picture is None:
        guest = board.Board(image, SHARE, serial="mon:stdio", command="board.shell")
        print(f"The board boots (about 15 s); its /mnt/board is {SHARE}. Log in as root is automatic; Ctrl-A X ends it.", flush=True)
        guest.start(stdin=None)
        code = guest.process.wait()
    else:
        guest = board.Board(image, SHARE)
        with guest:
            print(f"no board runs; one was started within {guest.wait():.0f} s", flush=True)
            guest.screendump(picture)
        print(picture)
        code = 0
    shutil.rmtree(guest.folder, ignore_errors=True)
    return code


def screen(picture):
    folders = board.running_folders()
    if not folders:
        return 1
    board.screendump(folders[-1], picture)
    print(picture)
    return 0


def main():
    words = sys.argv[1:]
    options = {}
    while len(words) > 2 and words[-2].startswith("--"):
        options[words[-2]] = words[-1]
        words = words[:-2]
    if words[:1] == ["screen"] and len(words) == 2:
        return screen(words[1])
    if words[:1] == ["shell"] and len(words) == 2 and set(options) <= {"--deb", "--screen"}:
        return shell(words[1], options.get("--deb"), options.get("--screen"))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (board.BoardError, OSError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
