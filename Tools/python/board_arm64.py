"""The simulated board on another processor: QEMU's `virt` machine with Debian 13's arm64 kernels (image by Tools/board-arm64)."""

from board import Board

# What the amd64 board has and this one has not, or has otherwise.
REPLACED = {"qemu-system-x86_64": "qemu-system-aarch64", "q35,usb=off": "virt,gic-version=3", "Nehalem": "cortex-a76"}


class Arm64Board(Board):
    """One guest; `pages` is `4k`, or `16k` as on a Raspberry Pi 5. Everything else is as with Board."""

    architecture = "arm64"

    def __init__(self, image, share, *, pages="4k", **options):
        super().__init__(image, share, **options)
        end = "" if pages == "4k" else f"-{pages}"
        files = {f"{image}/vmlinux": f"{image}/vmlinuz{end}", f"{image}/initrd.gz": f"{image}/initrd{end}.gz"}
        self.arguments = [self._word(word, files) for word in self.arguments]

    @staticmethod
    def _word(word, files):
        word = REPLACED.get(word, files.get(word, word))
        if word.startswith("console=ttyS0"):
            return word.replace("ttyS0,115200", "ttyAMA0").replace("no_timer_check ", "").replace("tsc=reliable ", "")
        return word.replace("virtio-vga,", "virtio-gpu-pci,")
