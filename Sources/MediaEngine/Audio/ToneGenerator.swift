import Glibc
import MediaTypes

/// Makes the tones sample by sample: notes begin and end in ramps, and so does every change in between.
///
/// - Thread: `cb-play` only; no allocation, no lock.
struct ToneGenerator: ~Copyable {
    /// Ramp of a note, and of a tone that is cut off: 5 ms are too soft to click and too short to hear.
    private static let rampFrames = 240

    private let score = ToneScore()
    private(set) var tone = Tone.none
    private var part: ToneScore.Part
    private var position = 0
    private var round = 0
    private var note: ToneScore.Note?
    private var nextNote = 0
    /// A point that turns once per period of the note.
    private var cosine = 1.0
    private var sine = 0.0
    private var stepCosine = 1.0
    private var stepSine = 0.0
    private var loudness = 1.0
    private var decayPerFrame = 1.0
    /// Falls from 1 to 0 when the tone is cut off.
    private var cutGain = 1.0
    /// The present tone ends for the wanted one.
    private var isCut = false
    private var gain = 0.0

    init() {
        part = score.part(of: .none)
    }

    /// Begins the tone from its first note; what sounds now is cut off softly before.
    mutating func start(_ newTone: Tone) {
        tone = newTone
        part = score.part(of: newTone)
        position = 0
        round = 0
        nextNote = part.firstNote
        note = nil
        cutGain = 1
    }

    /// Adds one period to the mix.
    /// - Parameters:
    ///   - wanted: begins when it is not the one that sounds, or when `isNew`.
    ///   - newGain: 1 is as loud as the score says.
    mutating func mix(
        into sum: UnsafeMutableBufferPointer<Int32>, wanted: Tone, isNew: Bool, gain newGain: Double
    ) {
        isCut = isCut || isNew
        if isCut && note == nil {
            start(wanted)
            isCut = false
        }
        guard tone != .none else {
            gain = newGain
            return
        }
        let gainStep = (newGain - gain) / Double(sum.count)
        for index in 0..<sum.count {
            gain += gainStep
            sum[index] &+= Int32(nextSample() * gain * 32_767)
            if isCut {
                cutGain -= 1 / Double(ToneGenerator.rampFrames)
                if cutGain <= 0 {
                    start(wanted)
                    isCut = false
                }
            }
        }
        gain = newGain
    }

    /// The next frame of the tone, −1 … 1.
    private mutating func nextSample() -> Double {
        guard tone != .none else { return 0 }
        if note == nil && nextNote < part.endNote {
            let next = score.note(nextNote)
            if position == next.start { begin(next) }
        }
        var sample = 0.0
        if let note {
            let age = position - note.start
            let left = note.length - age
            let ramp = Double(min(age, left, ToneGenerator.rampFrames)) / Double(ToneGenerator.rampFrames)
            sample = wave(isBell: note.isBell) * note.amplitude * loudness * ramp * cutGain
            loudness *= decayPerFrame
            if left <= 1 { self.note = nil }
        }
        position += 1
        if position == part.roundFrames {
            position = 0
            round += 1
            nextNote = part.firstNote
            if round == part.roundCount { tone = .none }
        }
        return sample
    }

    private mutating func begin(_ next: ToneScore.Note) {
        note = next
        nextNote += 1
        let angle = 2 * Double.pi * next.frequencyHz / Double(AudioFormat.pipeline.sampleRateHz)
        stepCosine = cos(angle)
        stepSine = sin(angle)
        cosine = 1
        sine = 0
        loudness = 1
        decayPerFrame = next.isBell ? exp(-1 / Double(next.decayFrames)) : 1
    }

    /// The sine of the turning point; a bell has its octave and twelfth on top, softer.
    private mutating func wave(isBell: Bool) -> Double {
        let base = sine
        let octave = 2 * sine * cosine
        let twelfth = sine * (3 - 4 * sine * sine)
        (cosine, sine) = (cosine * stepCosine - sine * stepSine, sine * stepCosine + cosine * stepSine)
        guard isBell else { return base }
        return 0.68 * base + 0.24 * octave + 0.08 * twelfth
    }
}
