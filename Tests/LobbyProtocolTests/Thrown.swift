/// The error that a piece of code throws; nil when it throws none or one of another type.
func thrown<Failure: Error, Result>(_ type: Failure.Type, _ body: () throws -> Result) -> Failure? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? Failure
    }
}
