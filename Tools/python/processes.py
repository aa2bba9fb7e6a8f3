"""What /proc says of a process."""

import os

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def status_number(pid, key):
    """A number of /proc/PID/status, such as VmRSS (KiB) or Threads."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith(key + ":"):
                return int(line.split()[1])
    raise KeyError(key)


def thread_names(pid):
    names = []
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/comm", encoding="utf-8", errors="replace") as file:
                names.append(file.read().strip())
        except OSError:
            pass  # ended just now
    return sorted(names)


def thread_states(pid):
    """The state letter of each thread: R runs, S waits, T is stopped."""
    states = []
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/stat", encoding="ascii", errors="replace") as file:
                states.append(file.read().rsplit(")", 1)[1].split()[0])
        except OSError:
            pass  # ended just now
    return states


def descriptors(pid):
    """What each open descriptor is."""
    found = []
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            found.append(os.readlink(f"/proc/{pid}/fd/{number}"))
        except OSError:
            pass
    return found


def mappings(pid):
    """Resident and privately dirty KiB by mapping name, from smaps: {name: (rss, private_dirty)}."""
    total, name = {}, ""
    with open(f"/proc/{pid}/smaps", encoding="utf-8", errors="replace") as file:
        for line in file:
            parts = line.split()
            if "-" in parts[0] and not parts[0].endswith(":"):
                name = parts[5] if len(parts) > 5 else "anonymous"
                if name.startswith("/"):
                    name = os.path.basename(name)
            elif parts[0] in ("Rss:", "Private_Dirty:"):
                rss, dirty = total.get(name, (0, 0))
                value = int(parts[1])
                total[name] = (rss + value, dirty) if parts[0] == "Rss:" else (rss, dirty + value)
    return total


def memory(pid):
    """(rss, private_dirty) in KiB."""
    parts = mappings(pid).values()
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


def memory_table(pid, rows=14):
    """The biggest mappings, as lines for a person."""
    parts = sorted(mappings(pid).items(), key=lambda item: -item[1][0])
    rest = parts[rows:]
    lines = [f"    {rss:7d} KiB resident {dirty:7d} KiB dirty  {name}" for name, (rss, dirty) in parts[:rows]]
    lines.append(f"    {sum(r[1][0] for r in rest):7d} KiB resident {sum(r[1][1] for r in rest):7d} KiB dirty  "
                 f"{len(rest)} more")
    return "\n".join(lines)
