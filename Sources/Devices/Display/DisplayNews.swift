import CDisplayShims
import Glibc

/// Tells that the kernel has news about cards or their connectors: a screen was plugged in or out.
///
/// - Thread: one.
final class DisplayNews {
    private let descriptor: Int32

    /// Where the kernel gives no socket, there is never any news.
    init() {
        descriptor = ccb_uevents_open()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Takes what was told; true when some of it was about displays. Never waits.
    func take() -> Bool { descriptor >= 0 && ccb_uevents_take_display(descriptor) == 1 }
}
