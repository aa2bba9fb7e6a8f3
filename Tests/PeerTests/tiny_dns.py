"""A DNS server for one name: tiny_dns.py LISTEN-ADDRESS NAME ADDRESS FILE

It answers with the address while the file exists, and that there is no such name otherwise.
"""

import os
import socket
import sys


def answer(query, name, address, exists):
    """The response to a query: header, the question again, and an A record if it asks for one."""
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"
    question = query[12 : 12 + len(labels) + 4]
    is_name = question[: len(labels)].lower() == labels
    has_record = exists and is_name and question[len(labels) :] == b"\0\1\0\1"
    flags = b"\x81\x80" if exists and is_name else b"\x81\x83"
    header = query[:2] + flags + b"\0\1" + (b"\0\1" if has_record else b"\0\0") + b"\0\0\0\0"
    record = b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + socket.inet_aton(address) if has_record else b""
    return header + question + record


def main():
    listen, name, address, path = sys.argv[1:]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind((listen, 53))
        while True:
            query, sender = server.recvfrom(512)
            if len(query) > 12:
                server.sendto(answer(query, name, address, os.path.exists(path)), sender)


if __name__ == "__main__":
    main()
