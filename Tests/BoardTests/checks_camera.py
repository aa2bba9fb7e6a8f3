"""Cameras: V4L2 with the kernel's vivid, which also breaks on request."""

import os
import re

from guest import PROBE, Finding, Program, Service, device, eventually, expect, helper, probe_camera, read

import pictures

FIRST, SECOND = "platform:vivid-000", "platform:vivid-001"
BARS = [(255, 255, 255), (255, 255, 0), (0, 255, 255), (0, 255, 0), (255, 0, 255), (255, 0, 0), (0, 0, 255), (0, 0, 0)]
# From the conversion to I420 and back; the bars are nowhere near each other.
TOLERANCE = 24


def load(board, count=2):
    """Fresh cameras with eight bars and no text in the picture."""
    board.run("modprobe -r v4l2loopback 2>/dev/null; modprobe -r vivid 2>/dev/null; modprobe vivid "
              f"n_devs={count} node_types=0x1,0x1 vid_cap_nr=0,2 no_error_inj=0")
    for number in range(count):
        control(board, "test_pattern=1,osd_text_mode=2", number)


def node(board, number=0):
    """The node of one of vivid's cameras now."""
    # It comes a moment after its driver.
    found = board.run(f"cd /sys/class/video4linux && for i in $(seq 100); do for n in video*; do "
                      f"[ \"$(cat $n/name)\" = vivid-00{number}-vid-cap ] && [ -e /dev/$n ] && echo /dev/$n && exit 0; done; sleep 0.1; done; exit 0")
    expect(found.strip(), f"vivid-00{number} has no node")
    return found.split()[-1]


def control(board, settings, number=0):
    board.run(f"v4l2-ctl -d {node(board, number)} -c {settings} </dev/null")


def check_bars(board, rgb, what):
    height, width, _ = rgb.shape
    for index, wanted in enumerate(BARS):
        seen = rgb[height // 4: 3 * height // 4, int(width * (index + 0.3) / 8): int(width * (index + 0.7) / 8)].mean(axis=(0, 1))
        if any(abs(a - b) > TOLERANCE for a, b in zip(seen, wanted)):
            raise Finding(f"{what}: bar {index} is {[int(part) for part in seen]}, not {list(wanted)}")


def check_camera_formats(board, share):
    """every pixel format of vivid that is claimed gives a picture with the right colours"""
    load(board, 1)
    offered = set(re.findall(r"'(\w{4})'", board.run("v4l2-ctl -d 0 --list-formats </dev/null")))
    claimed = [name for name in ("YU12", "NV12", "YUYV") if name in offered]
    expect(len(claimed) == 3, f"vivid offers {sorted(offered)}")
    for name in claimed:
        probe_camera(board, f"{FIRST},format={name}", "320x180@10", f"format-{name}.png")
        check_bars(board, pictures.read_rgb(os.path.join(share, f"format-{name}.png")), name)
    with Program(board, f"{PROBE} camera {FIRST},format=RGB3 320x180@10 60", "format-RGB3") as program:
        program.until("it has no format that can be converted")
    return f"{', '.join(claimed)} of {len(offered)} formats"


def check_camera_list(board, share):
    """every camera is listed by a name that stays when its number changes, also two at one place"""
    load(board)
    out = board.run("/mnt/board/callbox devices")
    names = re.findall(r"^  (\S+) +vivid$", out, re.M)
    expect(len(names) == 2 and not any(name.startswith("/dev/video") for name in names), f"the cameras are listed as {names}: {out[:1500]}")
    return " and ".join(names)


def check_camera_compressed(board, share):
    """a camera that has nothing but JPEG gives pictures, and one with another format is converted by libv4l"""
    import numpy as np
    from PIL import Image

    board.run("modprobe -r v4l2loopback 2>/dev/null; modprobe v4l2loopback video_nr=10,11 card_label=jpeg,packed exclusive_caps=1,1")
    picture = np.zeros((240, 320, 3), np.uint8)
    for index, colour in enumerate(BARS):
        picture[:, index * 40: index * 40 + 40] = colour
    Image.fromarray(picture).save(os.path.join(share, "frame.jpg"), quality=90)
    # UYVY: the blue difference first.
    rgb = picture.astype(float)
    luma = 16 + rgb @ np.array([65.481, 128.553, 24.966]) / 255
    blue, red = (128 + rgb @ np.array(row) / 255 for row in ([-37.797, -74.203, 112.0], [112.0, -93.786, -18.214]))
    packed = np.stack([blue[:, 0::2], luma[:, 0::2], red[:, 0::2], luma[:, 1::2]], axis=-1)
    packed.round().clip(0, 255).astype(np.uint8).tofile(os.path.join(share, "frame.uyvy"))
    feed = helper(board, "feed")
    for number, name, format, file in ((10, "jpeg", "MJPG", "frame.jpg"), (11, "packed", "UYVY", "frame.uyvy")):
        writer = board.background(f"exec {feed} /dev/video{number} {format} 320 240 /mnt/board/{file}", f"/mnt/board/feed-{name}.log")
        try:
            probe_camera(board, name, "320x240@10", f"{name}.png")
        except Finding as finding:
            raise Finding(f"{finding}; the source: {read(os.path.join(share, f'feed-{name}.log'))}") from finding
        finally:
            board.sh(f"kill {writer}")
        check_bars(board, pictures.read_rgb(os.path.join(share, f"{name}.png")), format)
    return "MJPG decoded, UYVY by libv4l"


def check_camera_sizes_and_rates(board, share):
    """the nearest size and rate that the camera has is negotiated, also for one that tells no rates"""
    # vivid's webcam has fewer rates the larger the picture is: 12.5 is the highest of 1280x720.
    load(board, 1)
    facts = []
    for wish, wanted in (("640x480@10", "640x480 at 10"), ("640x360@5", "640x360 at 5"), ("160x120@5", "320x180 at 5"), ("1280x720@15", "1280x720 at 12.5")):
        out = probe_camera(board, FIRST, wish)
        expect(f"opened {wanted}" in out, f"{wish}: {out.splitlines()[:3]}, wanted {wanted}")
        facts.append(f"{wish} → {wanted}")
    # HDMI: any size, and the rate of its signal.
    board.run("v4l2-ctl -d 0 -i 3 </dev/null")
    out = probe_camera(board, FIRST, "160x120@10")
    expect("opened 160x120" in out, f"HDMI input: {out}")
    board.run("v4l2-ctl -d 0 -i 0 </dev/null")
    return "; ".join(facts + [f"HDMI {out.splitlines()[0]}"])


def check_camera_in_use(board, share):
    """a camera that another program streams from is busy, with that program's name; free again, it is opened"""
    load(board, 1)
    holder = board.background("exec v4l2-ctl -d 0 --stream-mmap=4 --stream-count=100000 --stream-to=/dev/null")
    with Service(board, "in-use", camera={"device": FIRST}) as service:
        service.wait_for(device("camera", fault="is in use by v4l2-ctl"), "the holder is named")
        board.run(f"kill {holder}")
        service.wait_for(device("camera"), "it is opened after the holder has gone")
    return "in use by v4l2-ctl, then opened"


def check_camera_switch(board, share):
    """switch camera goes to the second camera and back; the first is closed meanwhile"""
    load(board)
    with Service(board, "switch", camera={"devices": [FIRST, SECOND]}) as service:
        service.wait_for(device("camera"), "the camera opens")
        for wanted, closed in ((SECOND, "/dev/video0"), (FIRST, "/dev/video2")):
            service.ctl("switch-camera")
            service.wait_for(lambda status: status["camera"]["name"] == wanted, f"{wanted} is used")
            holders = board.sh(f"ls -l /proc/{service.pid}/fd")[1]
            expect(closed not in holders, f"{closed} is still open")
    return "both ways"


def check_camera_pulled(board, share):
    """a camera pulled while it streams is opened again when it returns under another number, and gives pictures"""
    load(board, 1)
    with Program(board, f"{PROBE} camera {FIRST} 320x180@10 300 /mnt/board/pulled.png", "pulled") as program:
        program.until("^picture")
        seen = len(program.told())
        board.run("echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind")
        program.until("is gone|there is no device", since=seen)
        board.run("modprobe v4l2loopback video_nr=0 card_label=other; echo vivid.0 >/sys/bus/platform/drivers/vivid/bind")
        control(board, "test_pattern=1,osd_text_mode=2")
        number, seen = node(board), len(program.told())
        expect(number != "/dev/video0", "it came back under the old number")
        program.until("^picture", 3, since=seen)
    check_bars(board, pictures.read_rgb(os.path.join(share, "pulled.png")), "after the return")
    board.sh("modprobe -r v4l2loopback")
    return f"/dev/video0 → {number}"


def check_camera_missing(board, share):
    """a camera that is not there is told, and its place is taken as soon as it comes"""
    load(board, 1)
    board.run("echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind")
    with Service(board, "missing", camera={"device": FIRST}) as service:
        service.wait_for(device("camera", fault="there is no device"), "the missing camera is told")
        board.run("echo vivid.0 >/sys/bus/platform/drivers/vivid/bind")
        service.wait_for(device("camera"), "it is opened when it comes")
    return "told, then opened"


# Buttons of vivid; all but the last one end a stream, or meet the start of the next one.
BUTTONS = ["inject_fatal_streaming_error", "inject_vidioc_streamon_error", "inject_vidioc_reqbufs_error", "inject_vidioc_qbuf_error",
           "inject_v4l2_buf_flag_error"]


def check_camera_errors(board, share):
    """every error that vivid can inject is survived: the camera gives pictures again"""
    load(board, 1)
    known = board.run("v4l2-ctl -d 0 --list-ctrls </dev/null")
    buttons = [name for name in BUTTONS if name in known]
    expect(len(buttons) == len(BUTTONS), f"vivid has only {buttons} of {BUTTONS}: {known}")
    facts = []
    with Program(board, f"{PROBE} camera {FIRST} 320x180@10 900", "errors") as program:
        program.until("^picture")
        for name in buttons:
            begin = seen = len(program.told())
            board.run(f"v4l2-ctl -d 0 -c {name}=1 </dev/null")
            if name in ("inject_vidioc_streamon_error", "inject_vidioc_reqbufs_error"):
                # These meet the next start: a fatal error makes one.
                board.run("v4l2-ctl -d 0 -c inject_fatal_streaming_error=1 </dev/null")
            try:
                if name != "inject_v4l2_buf_flag_error":
                    program.until("^opened", since=seen)
                    seen += program.told()[seen:].index("opened")
                program.until("^picture", 3, since=seen)
            except Finding as finding:
                raise Finding(f"after {name}: {finding}") from finding
            problems = re.findall(r"^error: (.*)$", program.told()[begin:], re.M)
            facts.append(f"{name.replace('inject_', '')}: {'; '.join(problems) or 'no reopening'}")
        board.run("v4l2-ctl -d 0 -c percentage_of_dropped_buffers=50 </dev/null")
        program.until("^picture", 3, since=len(program.told()))
    return "; ".join(facts)


def check_camera_disconnect(board, share):
    """vivid's own disconnect: every call fails, the endpoint lives on and opens the camera again"""
    load(board, 1)
    with Service(board, "disconnect", camera={"device": FIRST}) as service:
        service.wait_for(device("camera"), "the camera opens")
        seen = len(service.log())
        board.run("v4l2-ctl -d 0 -c disconnect=1 </dev/null")
        gone = eventually(lambda: re.search("camera: (.*);", service.log()[seen:]), 60)
        expect(gone, f"the disconnect is not told: {service.log()[seen:]}")
        again = eventually(lambda: f"camera: opened {FIRST}" in service.log()[seen + gone.end():], 30)
        expect(again, f"it is not opened again: {service.log()[seen:]}")
        service.wait_for(device("camera"), "it stays open")
    return gone[1]


for _check in (check_camera_pulled, check_camera_errors, check_camera_disconnect, check_camera_missing):
    _check.breaks_the_guest = True
