import Glibc

/// The value of an environment variable.
func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}
