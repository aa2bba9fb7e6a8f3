import Glibc

/// The signals that end the process in good order.
struct Signals {
    private var set = sigset_t()

    /// Keeps them from ending the process at once; call before any thread is made, because threads inherit it.
    init() {
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for one of them; nil after `milliseconds` without.
    func wait(milliseconds: Int) -> Int32? {
        var copy = set
        var timeout = timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
        let signal = sigtimedwait(&copy, nil, &timeout)
        return signal > 0 ? signal : nil
    }
}
