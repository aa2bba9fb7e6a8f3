"""Networks of a test's own: one namespace for each machine, wired to a switch in the namespace `hub`. Needs root."""

import os
import subprocess
import sys

HUB_ADDRESS = "10.78.0.1"
HUB_HARDWARE_ADDRESS = "02:00:00:ca:11:01"


def run(*command, text=None, check=True):
    return subprocess.run(command, input=text, stdin=subprocess.DEVNULL if text is None else None, text=True,
                          capture_output=True, check=check)


class Machine:
    """A namespace with an interface `eth0`, whose cable ends in the hub."""

    def __init__(self, networks, name, address):
        self.networks, self.name, self.address = networks, name, address
        self.namespace = networks.add_namespace(name)
        self.cables = []
        self.plug("eth0", address)

    def plug(self, interface, address):
        """One more interface with a cable to the hub."""
        far = f"{self.name}-{interface}"[:15]
        run("ip", "-n", self.namespace, "link", "add", interface, "type", "veth", "peer", "name", far, "netns",
            self.networks.hub)
        self.networks.in_hub("ip", "link", "set", far, "master", "switch", "up")
        self.run("ip", "addr", "add", f"{address}/24", "dev", interface)
        # No second spent on finding out that nobody else has the address.
        self.run("ip", "link", "set", interface, "up")
        self.cables.append(far)

    def unplug(self, interface):
        self.run("ip", "link", "del", interface)

    def cut(self):
        """Pulls the cable of eth0: the link has no carrier, and keeps its address."""
        self.networks.in_hub("ip", "link", "set", self.cables[0], "down")

    def mend(self):
        self.networks.in_hub("ip", "link", "set", self.cables[0], "up")

    def command(self, *command):
        return ["ip", "netns", "exec", self.namespace, *command]

    def run(self, *command, text=None):
        return run(*self.command(*command), text=text)

    def drop(self, *rules):
        """Drops what comes in and matches one of the rules; none: nothing any more."""
        lines = ["table inet tests", "delete table inet tests"]
        if rules:
            lines += ["table inet tests {", "chain arriving {", "type filter hook input priority 0",
                      *[f"{rule} counter drop" for rule in rules], "}", "}"]
        self.run("nft", "-f", "-", text="\n".join(lines) + "\n")

    def udp_counter(self):
        """Counts the UDP datagrams that come in and are no STUN; returns a function that tells how many came so far."""
        self.run("nft", "-f", "-", text="\n".join(
            ["table inet counting {", "chain media {", "type filter hook prerouting priority -300",
             "meta l4proto udp @th,96,32 != 0x2112a442 counter", "}", "}"]) + "\n")

        def count():
            text = self.run("nft", "list", "table", "inet", "counting").stdout
            return int(text.split("counter packets ")[1].split()[0])

        return count


class Networks:
    """The hub with its switch, and the machines that are wired to it."""

    def __init__(self):
        if os.geteuid() != 0:
            sys.exit("network namespaces need root: Tests/PeerTests/run_reconnect")
        self.namespaces = []
        self.hub = self.add_namespace("hub")
        self.in_hub("ip", "link", "add", "switch", "type", "bridge")
        # Without an address of its own a bridge takes the lowest one of its ports: plugging a cable in could change the hub's, and
        # everybody would speak to the old one until ARP finds out, seconds later.
        self.in_hub("ip", "link", "set", "switch", "address", HUB_HARDWARE_ADDRESS)
        self.in_hub("ip", "addr", "add", f"{HUB_ADDRESS}/24", "dev", "switch")
        self.in_hub("ip", "link", "set", "switch", "up")

    def add_namespace(self, name):
        namespace = f"callbox-{os.getpid()}-{name}"
        run("ip", "netns", "add", namespace)
        self.namespaces.append(namespace)
        run("ip", "-n", namespace, "link", "set", "lo", "up")
        return namespace

    def machine(self, name, address):
        return Machine(self, name, address)

    def hub_command(self, *command):
        return ["ip", "netns", "exec", self.hub, *command]

    def in_hub(self, *command):
        return run(*self.hub_command(*command))

    def close(self):
        for namespace in self.namespaces:
            for pid in run("ip", "netns", "pids", namespace, check=False).stdout.split():
                run("kill", "-KILL", pid, check=False)
            run("ip", "netns", "del", namespace, check=False)
        self.namespaces = []
