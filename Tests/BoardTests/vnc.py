"""Enough of a VNC client to give the guest's screen another size, as somebody does who plugs in another screen."""

import os
import socket
import struct


def _path(board):
    return os.path.join(board.folder, "vnc.sock")


def can_resize(board):
    return os.path.exists(_path(board))


def _read(link, count):
    data = b""
    while len(data) < count:
        part = link.recv(count - len(data))
        if not part:
            raise ConnectionError("QEMU closed the connection")
        data += part
    return data


def resize(board, width, height):
    """The screen is of this size from now on: RFC 6143 and its extension SetDesktopSize."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(10)
        link.connect(_path(board))
        link.sendall(_read(link, 12))
        count = _read(link, 1)[0]
        if 1 not in _read(link, count):
            raise ConnectionError("QEMU wants a password")
        link.sendall(b"\x01")
        if _read(link, 4) != b"\0\0\0\0":
            raise ConnectionError("QEMU refuses")
        link.sendall(b"\x01")
        head = _read(link, 24)
        _read(link, struct.unpack(">I", head[20:])[0])
        # Raw pictures, and ExtendedDesktopSize.
        link.sendall(struct.pack(">BxHii", 2, 2, 0, -308))
        link.sendall(struct.pack(">BxHHBxIHHHHI", 251, width, height, 1, 0, 0, 0, width, height, 0))
        link.sendall(struct.pack(">BBHHHH", 3, 0, 0, 0, 1, 1))
        link.recv(1 << 16)
