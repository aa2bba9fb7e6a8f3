import Configuration
import Endpoint
import Glibc

/// Where the running endpoint's control socket is, by the options `--socket` and `--config`.
enum ControlPath {
    /// Without options: the service's socket when there is one, else the one that an endpoint of this user would make.
    static func resolve(_ arguments: Arguments) throws(Arguments.Problem) -> String {
        if let path = arguments.options["socket"] { return path }
        guard let configurationPath = arguments.options["config"] else {
            let service = "/run/callbox/control.sock"
            return access(service, F_OK) == 0 ? service : Configuration().control.path
        }
        do throws(ConfigurationProblems) {
            return try Configuration.load(configurationPath).control.path
        } catch {
            throw Arguments.Problem(text: "\(error)")
        }
    }
}
