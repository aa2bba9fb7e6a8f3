# shellcheck shell=bash
# What the scripts in Tools/ share. Source it; it changes to the top of the repository.

set -u -o pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$TOP" || exit 1
export LC_ALL=C.UTF-8
# Where downloads and environments are kept between runs and shared by all clones of this user.
CACHE=${CALLBOX_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/callbox}
# A crash in a test must end it: the interactive-looking backtrace helper can hang under a sanitizer or without a terminal.
export SWIFT_BACKTRACE=${SWIFT_BACKTRACE:-enable=no}

# --- Words ---------------------------------------------------------------------------------------------------------

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }
fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# now: seconds since boot with two decimals, for durations (the wall clock may jump).
now() { cut -d' ' -f1 /proc/uptime; }
# since START: the seconds that have passed, with one decimal.
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'; }

# step TEXT COMMAND…: runs a command with its output in a log, says how long it took, shows the log's end if it fails.
step() {
    local text=$1 start log code=0
    shift
    start=$(now)
    log=$(mktemp "${TMPDIR:-/tmp}/callbox-step.XXXXXX")
    printf '%s … ' "$text"
    "$@" >"$log" 2>&1 </dev/null || code=$?
    if [ "$code" -eq 0 ]; then
        say "$(since "$start") s"
    else
        say "failed after $(since "$start") s"
        tail -n "${STEP_LINES:-60}" "$log" >&2
    fi
    rm -f "$log"
    return "$code"
}

# --- Who and where -------------------------------------------------------------------------------------------------

is_root() { [ "$(id -u)" -eq 0 ]; }

# as_root COMMAND…: as it is for root, by sudo for everybody else; may_become_root asks for a password before.
as_root() {
    if is_root; then "$@"; else sudo -n "$@"; fi
}

# may_become_root: true for root and for a user with sudo, who is asked for the password here when it is needed.
may_become_root() {
    is_root && return 0
    command -v sudo >/dev/null || return 1
    sudo -n true 2>/dev/null && return 0
    # A question needs somebody to answer it.
    [ -t 0 ] && [ -t 2 ] && sudo -v
}

debian_release() {
    # shellcheck disable=SC1091
    (. /etc/os-release 2>/dev/null && printf '%s' "${VERSION_CODENAME:-unknown}")
}

# floor_program RELEASE: the program that Tools/floor builds in its chroot.
floor_program() {
    local home=$CACHE/floor/$1/home/caller
    printf '%s' "$home/callbox/.build/release/callbox"
}

# --- Packages ------------------------------------------------------------------------------------------------------

# debian_mirror: the one that this machine's own apt uses.
debian_mirror() {
    # shellcheck disable=SC2016
    say "${CALLBOX_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' | grep -m1 '/debian/*$')}"
}

# missing_packages NAME…: those of the Debian packages that are not installed.
missing_packages() {
    command -v dpkg-query >/dev/null || fail "this is not Debian (no dpkg); install the equivalents of: $*"
    local installed name
    # shellcheck disable=SC2016
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p')
    for name in "$@"; do
        grep -qxF "$name" <<<"$installed" || printf '%s\n' "$name"
    done
}

# need_packages NAME…: installs what is missing from Debian; asks no network when nothing is.
need_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    say "missing from Debian: ${missing[*]}"
    may_become_root || fail "installing them needs root or sudo. As root: apt-get install --no-install-recommends ${missing[*]}"
    step "reading the package lists" as_root apt-get -q update || warn "the package lists could not be read; trying with the old ones"
    step "installing ${#missing[@]} packages" as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y -o DPkg::Lock::Timeout=300 --no-install-recommends install "${missing[@]}" ||
        fail "apt-get could not install: ${missing[*]}"
}

# --- Swift ---------------------------------------------------------------------------------------------------------

# find_swift: puts a Swift of version 6.0 or later first on PATH, or says what to do.
find_swift() {
    local folder found="" version major
    for folder in "$(dirname "$(command -v swift 2>/dev/null || echo /nowhere/swift)")" /opt/swift/usr/bin \
        /usr/libexec/swift/bin "${HOME:-/root}/.local/share/swiftly/bin"; do
        [ -x "$folder/swift" ] || continue
        version=$("$folder/swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
        major=${version%%.*}
        if [ -n "$major" ] && [ "$major" -ge 6 ]; then
            export PATH="$folder:$PATH"
            return 0
        fi
        found="$found $folder/swift (${version:-no version})"
    done
    local advice="unpack a Swift 6 toolchain for this Debian into /opt/swift, or put its usr/bin on PATH"
    if apt-cache show swiftlang >/dev/null 2>&1 || [ "$(debian_release)" = trixie ]; then
        advice="apt-get install swiftlang"
    fi
    if [ -n "$found" ]; then
        fail "Swift 6.0 or later is needed; found only:$found. To get it: $advice"
    fi
    fail "no Swift compiler on PATH, in /opt/swift/usr/bin or in /usr/libexec/swift/bin. To get it: $advice"
}

# --- Python --------------------------------------------------------------------------------------------------------

# need_python_environment: the virtual environment of the peer tests; its folder goes into PYTHON_ENVIRONMENT.
need_python_environment() {
    local requirements=Tests/PeerTests/requirements.txt key
    key=$( (python3 -c 'import sys; print(sys.version)' && cat "$requirements") | sha256sum | cut -c1-12)
    PYTHON_ENVIRONMENT="$CACHE/python-$key"
    [ -e "$PYTHON_ENVIRONMENT/complete" ] && return 0
    mkdir -p "$CACHE"
    rm -rf "$PYTHON_ENVIRONMENT"
    step "making the Python environment" python3 -m venv "$PYTHON_ENVIRONMENT" || fail "python3 -m venv failed (package python3-venv)"
    step "installing the test peers from PyPI" "$PYTHON_ENVIRONMENT/bin/pip" install -q --disable-pip-version-check \
        -r "$requirements" || fail "pip could not install $requirements"
    touch "$PYTHON_ENVIRONMENT/complete"
}

# --- Network namespaces --------------------------------------------------------------------------------------------

# Real peers gather no candidates on the loopback interface, so tests run in a namespace of their own with one veth
# end that looks like an ordinary interface; nothing can leave the machine from there.

NETWORK_NAMESPACE=""

# network_up [loopback]: makes a namespace with a name of this run only: lo, and an ordinary-looking interface cb0 with
# 10.77.0.1/24 unless only loopback is wanted.
network_up() {
    local name=callbox-$$-$RANDOM command commands=("link set lo up")
    [ "${1:-}" = loopback ] || commands+=("link add cb0 type veth peer name cb1" "addr add 10.77.0.1/24 dev cb0"
        "link set cb0 up" "link set cb1 up")
    as_root ip netns add "$name" || return 1
    NETWORK_NAMESPACE=$name
    for command in "${commands[@]}"; do
        # shellcheck disable=SC2086
        as_root ip -n "$name" $command || return 1
    done
}

# network_down: ends what still runs in the namespace of network_up and removes it.
network_down() {
    [ -n "$NETWORK_NAMESPACE" ] || return 0
    local name=$NETWORK_NAMESPACE pids
    NETWORK_NAMESPACE=""
    pids=$(as_root ip netns pids "$name" 2>/dev/null)
    # shellcheck disable=SC2086
    [ -z "$pids" ] || as_root kill -KILL $pids 2>/dev/null
    as_root ip netns del "$name" 2>/dev/null
}

# in_network COMMAND…: runs it there, as this user and with this environment.
in_network() {
    local variables
    if is_root; then
        ip netns exec "$NETWORK_NAMESPACE" "$@"
    else
        mapfile -d '' -t variables < <(env -0)
        as_root ip netns exec "$NETWORK_NAMESPACE" setpriv --reuid="$(id -u)" --regid="$(id -g)" --init-groups \
            env "${variables[@]}" "$@"
    fi
}

# --- Results -------------------------------------------------------------------------------------------------------

PASSED=0
FAILED=0
# add_results PASSED FAILED
add_results() {
    PASSED=$((PASSED + $1))
    FAILED=$((FAILED + $2))
}

# closing_line FILE: adds up all lines `N passed, N failed` of a log into LINE_PASSED and LINE_FAILED; false if there is none.
closing_line() {
    read -r LINE_PASSED LINE_FAILED < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$1" |
        awk '{ p += $1; f += $2 } END { print p + 0, f + 0 }')
    [ $((LINE_PASSED + LINE_FAILED)) -gt 0 ]
}

# swift_results FILE: counts the tests in the output of `swift test` (Swift Testing) into LINE_PASSED and LINE_FAILED.
swift_results() {
    LINE_PASSED=$(grep -aE '^[^A-Za-z]*Test .* passed after [0-9.]+ seconds' "$1" | grep -avcE '^[^A-Za-z]*Test run with ')
    LINE_FAILED=$(grep -aE '^[^A-Za-z]*Test .* failed after [0-9.]+ seconds' "$1" | grep -avcE '^[^A-Za-z]*Test run with ')
}
