import Glibc

/// An ALSA configuration of the tests' own, so that they neither need nor touch a sound card.
enum TestSoundSystem {
    static let folder = TemporaryFolder()
    static let jackName = "callbox-test-\(getpid())"

    /// Names the PCMs of the tests.
    ///
    /// - Parameter channelCount: how many channels the JACK PCMs have.
    static func configure(channelCount: Int = 1) {
        func ports(_ prefix: String, _ digits: Int, from first: Int) -> String {
            (0..<channelCount).map { channel in
                let number = "\(channel + first)"
                return "\(channel) \"\(prefix)\(String(repeating: "0", count: digits - number.utf8.count))\(number)\""
            }.joined(separator: " ")
        }
        let text = """
            </usr/share/alsa/alsa.conf>
            pcm.callbox-out {
                type jack
                name "callbox-out"
                playback_ports { \(ports("system:playback_", 1, from: 1)) }
                capture_ports { \(ports("system:capture_", 1, from: 1)) }
            }
            pcm.callbox-in {
                type jack
                name "callbox-in"
                playback_ports { \(ports("system:playback_", 1, from: 1)) }
                capture_ports { \(ports("callbox-out:out_", 3, from: 0)) }
            }
            pcm.callbox-plugged-out { type plug slave.pcm callbox-out }
            pcm.callbox-plugged-in { type plug slave.pcm callbox-in }
            pcm.callbox-file-out { type file slave.pcm null file "\(folder.path)/out.raw" format raw }
            pcm.callbox-file-in {
                type file slave.pcm null file /dev/null infile "\(folder.path)/in.raw" format raw
            }
            """
        let path = folder.write(Array(text.utf8), as: "asound.conf")
        setenv("ALSA_CONFIG_PATH", path, 1)
        setenv("JACK_DEFAULT_SERVER", jackName, 1)
        // Without this a missing server would be started by the client.
        setenv("JACK_NO_START_SERVER", "1", 1)
    }
}
