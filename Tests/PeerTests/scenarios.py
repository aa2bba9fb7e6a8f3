"""Runs scenarios, each in a process and a folder of its own: scenarios.py GROUP… | NAME…   (groups: see GROUPS)

Prints one line for each and ends with `N passed, N failed`. The folder of a scenario that failed stays.
"""

import asyncio
import importlib
import os
import shutil
import subprocess
import sys
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tools", "python"))

GROUPS = {
    "demo": ["scenarios_demo"],
    "endpoint": ["scenarios_bad_input", "scenarios_endpoint", "scenarios_service"],
    "peers": ["scenarios_peers"],
    "calls": ["scenarios_page", "scenarios_calls", "scenarios_call_media"],
    # Needs root, for networks of its own: Tests/PeerTests/run_reconnect.
    "reconnect": ["scenarios_reconnect"],
    # Needs the program peerprobe: Tests/PeerTests/run_peers.
    "connection": ["scenarios_connection"],
}
# No scenario may hang; the longest takes about two minutes.
LIMIT_SECONDS = 300


def scenarios_of(group):
    return [scenario for module in GROUPS[group] for scenario in importlib.import_module(module).SCENARIOS]


def chosen(words):
    """(group, scenario name) of all that the words name."""
    names = []
    for word in words or [group for group in GROUPS if group not in ("connection", "reconnect")]:
        if word in GROUPS:
            names += [(word, scenario.__name__) for scenario in scenarios_of(word)]
            continue
        found = [(group, word) for group in GROUPS if word in [scenario.__name__ for scenario in scenarios_of(group)]]
        if not found:
            sys.exit(f"no scenario or group {word}; groups: {', '.join(GROUPS)}")
        names += found
    return names


async def play(group, name, folder):
    """One scenario in this process; true when it passed."""
    from scene import Finding, Scene

    scenario = next(scenario for scenario in scenarios_of(group) if scenario.__name__ == name)
    scene, begin, problem = Scene(folder), time.monotonic(), None
    try:
        await scenario(scene)
    except Finding as finding:
        problem = str(finding)
    except Exception:
        problem = "the scenario broke off:\n" + traceback.format_exc()
    took = time.monotonic() - begin
    try:
        await scene.close()
    except Exception:
        problem = problem or "closing failed:\n" + traceback.format_exc()
    what = f"{name} ({scenario.__doc__.splitlines()[0]}), {took:.1f} s"
    if problem is None:
        print(f"ok: {what}: {'; '.join(scene.facts)}", flush=True)
        return True
    print(f"FAILED: {what}: {problem}", flush=True)
    if scene.facts:
        print(f"    before that: {'; '.join(scene.facts)}", flush=True)
    for endpoint in scene.endpoints:
        print(f"    log of {endpoint.participant} ({endpoint.log_path}):\n{endpoint.log_end()}", flush=True)
    return False


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "--one":
        passed = asyncio.run(play(*sys.argv[2:]))
        sys.stdout.flush()
        # Threads of a foreign stack must not keep the process.
        os._exit(0 if passed else 1)
    passed = failed = 0
    base = os.path.abspath(os.environ["CALLBOX_TEST_FOLDER"])
    for group, name in chosen(sys.argv[1:]):
        folder = os.path.join(base, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        try:
            code = subprocess.run([sys.executable, __file__, "--one", group, name, folder], stdin=subprocess.DEVNULL,
                                  timeout=LIMIT_SECONDS, check=False).returncode
        except subprocess.TimeoutExpired:
            print(f"FAILED: {name}: not done within {LIMIT_SECONDS} s", flush=True)
            code = 1
        if code == 0:
            passed += 1
            if not os.environ.get("CALLBOX_TEST_KEEP"):
                shutil.rmtree(folder, ignore_errors=True)
        else:
            failed += 1
            if code < 0:
                print(f"FAILED: {name}: ended by signal {-code}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
