import MediaTypes

/// Settles what one transport-wide feedback packet can hold, and packs it without memory of its own: the arrivals are
/// asked for again in each pass.
struct TransportFeedbackPlan {
    /// In 64 ms.
    let referenceTime: Int64
    let coveredCount: Int
    private static let fixedByteCount = 20
    private static let longestRun = 0x1FFF

    /// Nil where no packet arrived, or none fits.
    init?(statusCount: Int, byteLimit: Int, arrival: (Int) -> MonotonicTime?) {
        var index = 0
        var previous: Int64?
        var reference: Int64 = 0
        var deltaByteCount = 0
        while index < statusCount {
            var needed = 0
            if let time = arrival(index) {
                let ticks = TransportFeedbackPlan.ticks(time)
                if previous == nil { reference = TransportFeedbackPlan.floorDivide(ticks, by: 256) }
                let delta = ticks - (previous ?? reference * 256)
                guard delta >= Int64(Int16.min), delta <= Int64(Int16.max) else { break }
                needed = (0...255).contains(delta) ? 1 : 2
            }
            // A chunk covers at least 7 packets, but for the last one.
            let chunkByteCount = 2 * ((index + 1 + 6) / 7)
            let total = TransportFeedbackPlan.fixedByteCount + chunkByteCount + deltaByteCount + needed
            guard (total + 3) & ~3 <= byteLimit else { break }
            if let time = arrival(index) { previous = TransportFeedbackPlan.ticks(time) }
            deltaByteCount += needed
            index += 1
        }
        guard previous != nil else { return nil }
        referenceTime = reference
        coveredCount = index
    }

    func writeChunks(to writer: inout ByteWriter, arrival: (Int) -> MonotonicTime?) {
        var cursor = Cursor(previous: referenceTime * 256)
        while cursor.index < coveredCount {
            let remaining = coveredCount - cursor.index
            let (symbol, run) = firstRun(cursor, arrival: arrival)
            if run >= 14 || run == remaining {
                writer.append(UInt16(symbol) << 13 | UInt16(run))
                cursor.skip(run, arrival: arrival)
                continue
            }
            if let bits = oneBitVector(cursor, arrival: arrival) {
                writer.append(0x8000 | bits)
                cursor.skip(min(14, remaining), arrival: arrival)
            } else if run >= 7 {
                writer.append(UInt16(symbol) << 13 | UInt16(run))
                cursor.skip(run, arrival: arrival)
            } else {
                var bits: UInt16 = 0
                for place in 0..<min(7, remaining) {
                    bits |= UInt16(cursor.nextSymbol(arrival: arrival)) << UInt16(2 * (6 - place))
                }
                writer.append(0xC000 | bits)
            }
        }
    }

    func writeDeltas(to writer: inout ByteWriter, arrival: (Int) -> MonotonicTime?) {
        var previous = referenceTime * 256
        for index in 0..<coveredCount {
            guard let time = arrival(index) else { continue }
            let ticks = TransportFeedbackPlan.ticks(time)
            let delta = ticks - previous
            previous = ticks
            if (0...255).contains(delta) {
                writer.append(UInt8(delta))
            } else {
                // In range: the initializer ended the feedback before the first delta that is not.
                writer.append(UInt16(bitPattern: Int16(delta)))
            }
        }
    }

    private func firstRun(_ cursor: Cursor, arrival: (Int) -> MonotonicTime?) -> (symbol: UInt8, run: Int) {
        var ahead = cursor
        let symbol = ahead.nextSymbol(arrival: arrival)
        var run = 1
        while ahead.index < coveredCount, run < TransportFeedbackPlan.longestRun,
            ahead.nextSymbol(arrival: arrival) == symbol
        {
            run += 1
        }
        return (symbol, run)
    }

    /// Nil where a large delta comes within the 14 packets that the vector would cover.
    private func oneBitVector(_ cursor: Cursor, arrival: (Int) -> MonotonicTime?) -> UInt16? {
        var ahead = cursor
        var bits: UInt16 = 0
        for place in 0..<min(14, coveredCount - cursor.index) {
            let symbol = ahead.nextSymbol(arrival: arrival)
            guard symbol < 2 else { return nil }
            bits |= UInt16(symbol) << UInt16(13 - place)
        }
        return bits
    }

    private static func ticks(_ time: MonotonicTime) -> Int64 {
        floorDivide(time.nanoseconds, by: TransportFeedbackView.tickMicroseconds * 1_000)
    }

    private static func floorDivide(_ number: Int64, by divisor: Int64) -> Int64 {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// A place in the run of packets, with the arrival that the next delta counts from.
    private struct Cursor {
        var index = 0
        var previous: Int64

        init(previous: Int64) {
            self.previous = previous
        }

        mutating func nextSymbol(arrival: (Int) -> MonotonicTime?) -> UInt8 {
            defer { index += 1 }
            guard let time = arrival(index) else { return 0 }
            let ticks = TransportFeedbackPlan.ticks(time)
            defer { previous = ticks }
            return (0...255).contains(ticks - previous) ? 1 : 2
        }

        mutating func skip(_ count: Int, arrival: (Int) -> MonotonicTime?) {
            for _ in 0..<count { _ = nextSymbol(arrival: arrival) }
        }
    }
}
