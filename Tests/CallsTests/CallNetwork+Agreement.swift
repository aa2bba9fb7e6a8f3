import MediaTypes

@testable import Calls

/// What must hold when everybody is back in the room and nobody does anything any more.
extension CallNetwork {
    /// Lets everything settle, checks it, hangs up, and checks again.
    mutating func finish() {
        isDraining = true
        // Longer than the longest outage, ring time and lost time.
        run(for: .seconds(120))
        for index in ends.indices { checkPartner(of: index) }
        for index in ends.indices where ends[index].session.state == .inCall {
            do throws(CallError) {
                try ends[index].session.hangUp(at: now)
            } catch {
                fail("an answered call cannot be hung up: \(error)")
            }
            collect(index)
        }
        run(for: .seconds(60))
        for index in ends.indices {
            let session = ends[index].session
            if session.state != .idle || !session.closing.isEmpty || session.nextDeadline != .distantFuture {
                fail("end \(index) is not at rest: \(session.state), \(session.closing.count) closing")
            }
            for callID in ends[index].begun.keys where ends[index].reports[callID] == nil {
                if !ends[index].merged.contains(callID) { fail("end \(index) never told how \(callID) ended") }
            }
            compareReports(of: index)
        }
    }

    private mutating func checkPartner(of index: Int) {
        let session = ends[index].session
        guard session.state != .idle else { return }
        guard session.state == .inCall, let partner = session.partner, let other = Int(partner.dropFirst()) else {
            return fail("end \(index) is \(session.state) for ever")
        }
        // The hostile one never hangs up.
        guard ends.indices.contains(other) else { return }
        let far = ends[other].session
        if far.callID != session.callID || far.partner != CallNetwork.id(index) {
            fail("end \(index) talks to \(partner), who does not")
        }
    }

    /// Compares what a callee reports with what its caller knows of the same call.
    private mutating func compareReports(of callee: Int) {
        for (callID, report) in ends[callee].reports where report.wasIncoming {
            guard let other = report.other.flatMap({ Int($0.dropFirst()) }), ends.indices.contains(other) else {
                continue
            }
            guard let begun = ends[other].begun[callID] else {
                // Forgotten by a restart; a call that was refused as busy is known here only when it is settled.
                let known = ends[callee].begun[callID] ?? report.time
                if !ends[other].departures.contains(where: { $0 >= known - .seconds(15) }) {
                    fail("\(callID): end \(callee) has it from \(other), who never called")
                }
                continue
            }
            let callerReason = ends[other].session.ended.reason(of: callID, with: CallNetwork.id(callee))
            guard let callerReason else {
                fail("\(callID): the caller \(other) does not know its end")
                continue
            }
            if let own = ends[other].reports[callID], own.other == CallNetwork.id(callee), own.reason != callerReason {
                fail("\(callID): the caller reported \(own.reason) and remembers \(callerReason)")
            }
            compared += 1
            guard callerReason != report.reason else { continue }
            let end = max(report.time, ends[other].reports[callID]?.time ?? report.time)
            if isExempt(callee, other, from: begun, to: end, isLost: [callerReason, report.reason].contains(.lost)) {
                exempt += 1
            } else {
                fail("\(callID): caller \(other) \(callerReason), callee \(callee) \(report.reason)")
            }
        }
    }

    /// The two could not tell each other for about the lost time, or one of them left.
    private func isExempt(
        _ a: Int, _ b: Int, from begun: MonotonicTime, to end: MonotonicTime, isLost: Bool
    ) -> Bool {
        let window = begun...(end + CallNetwork.lostTime)
        if (ends[a].departures + ends[b].departures).contains(where: window.contains) { return true }
        guard isLost else { return false }
        var joint: (from: MonotonicTime, to: MonotonicTime)?
        for outage in (ends[a].outages + ends[b].outages).sorted(by: { $0.from < $1.from }) {
            if let current = joint, outage.from <= current.to + .seconds(1) {
                joint = (current.from, max(current.to, outage.to))
            } else {
                joint = outage
            }
            if let current = joint, current.to - current.from >= CallNetwork.lostTime - .seconds(1),
                current.from <= end, current.to >= begun
            {
                return true
            }
        }
        return false
    }
}
