import Testing

/// `#expect` for conditions on types that cannot be copied, which the macro cannot take apart.
func check(_ condition: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(condition, sourceLocation: sourceLocation)
}
