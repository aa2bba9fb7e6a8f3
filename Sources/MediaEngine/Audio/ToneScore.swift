/// The notes of all tones, in memory of their own so that the playing thread reads them without allocating or touching
/// a global.
///
/// - Units: frames of 48 kHz.
struct ToneScore: ~Copyable {
    struct Note: BitwiseCopyable {
        /// Counted from the beginning of a round.
        var start: Int
        var length: Int
        var frequencyHz: Double
        /// 0 … 1 of full scale, at the note's loudest.
        var amplitude: Double
        /// From loudest to 37 %; 0 for a note that stays as loud as it is. Only such a bell has overtones.
        var decayFrames = 0
        var isBell: Bool { decayFrames > 0 }
    }

    /// What belongs to one tone.
    struct Part: BitwiseCopyable {
        var firstNote: Int
        var endNote: Int
        var roundFrames: Int
        /// 0 is for ever.
        var roundCount: Int
    }

    private static let framesPerMillisecond = 48
    private let notes: UnsafeMutableBufferPointer<Note>
    private let parts: UnsafeMutableBufferPointer<Part>

    init() {
        var notes: [Note] = []
        var parts: [Part] = []
        for tone in Tone.allCases {
            let (own, round, count) = ToneScore.score(of: tone)
            parts.append(
                Part(
                    firstNote: notes.count, endNote: notes.count + own.count,
                    roundFrames: round * ToneScore.framesPerMillisecond,
                    roundCount: count))
            notes += own
        }
        self.notes = .allocate(capacity: notes.count)
        self.parts = .allocate(capacity: parts.count)
        _ = self.notes.initialize(from: notes)
        _ = self.parts.initialize(from: parts)
    }

    deinit {
        notes.deallocate()
        parts.deallocate()
    }

    func part(of tone: Tone) -> Part { parts[Int(tone.rawValue)] }
    func note(_ index: Int) -> Note { notes[index] }

    /// Notes, milliseconds of a round, rounds.
    private static func score(of tone: Tone) -> ([Note], Int, Int) {
        switch tone {
        case .none: ([], 1, 1)
        case .ring:
            // E and C, twice.
            (
                [
                    note(at: 0, for: 600, 659.26, 0.45, decay: 260), note(at: 600, for: 600, 523.25, 0.45, decay: 320),
                    note(at: 1_200, for: 600, 659.26, 0.45, decay: 260),
                    note(at: 1_800, for: 1_000, 523.25, 0.45, decay: 320),
                ], 4_000, 0
            )
        case .ringBack: ([note(at: 0, for: 1_000, 425, 0.25)], 5_000, 0)
        case .busy: ([note(at: 0, for: 500, 425, 0.25)], 1_000, 3)
        case .ended: ([note(at: 0, for: 120, 440, 0.2), note(at: 160, for: 180, 330, 0.2)], 500, 1)
        }
    }

    private static func note(
        at start: Int, for length: Int, _ frequencyHz: Double, _ amplitude: Double, decay: Int = 0
    ) -> Note {
        Note(
            start: start * framesPerMillisecond, length: length * framesPerMillisecond, frequencyHz: frequencyHz,
            amplitude: amplitude, decayFrames: decay * framesPerMillisecond)
    }
}
