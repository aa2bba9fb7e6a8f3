import Calls
import JSONText
import MediaEngine
import MediaTypes
import Realtime
import Rooms
import Telemetry

/// A moment of the endpoint, for `callbox status`. Holds no secret.
package struct EndpointStatus: Sendable {
    package var state: RoomState
    package var reason: String
    package var room: String
    package var participant: Participant
    package var startTime: MonotonicTime
    package var joinedTime: MonotonicTime?
    package var joinCount: Int
    package var participants: [Participant]
    package var streams: [RemoteStream]
    package var connections: [ConnectionStatus]
    package var engine: MediaEngine
    /// Whom the room shows now; the others are waited for since the room was lost.
    package var present: Set<ParticipantID> = []
    /// Calls, switches, lines and what else the supervisor adds.
    package var additions: [String: JSONValue] = [:]

    /// The documented form of `callbox status --json`.
    package var json: JSONValue {
        let usage = ProcessUsage.read()
        let firstFrame = connections.compactMap { $0.video?.firstDecodedTime }.min()
        let firstAudio = connections.compactMap { $0.audio?.firstPlayedTime }.min()
        let members: [String: JSONValue] = [
            "state": .string(state.rawValue),
            "reason": .string(reason),
            "room": .string(room),
            "participant": ["id": .string(participant.id), "name": .string(participant.name)],
            "uptime_s": .number((MonotonicClock.now() - startTime).seconds),
            "joined_ms": milliseconds(joinedTime),
            "join_count": .integer(Int64(joinCount)),
            "first_remote_frame_ms": milliseconds(firstFrame),
            "first_remote_audio_ms": milliseconds(firstAudio),
            "participants": .array(participants.map(json(of:))),
            "sent": [
                "frames": .integer(Int64(engine.encoding?.encodedCount ?? 0)),
                "key_frames": .integer(Int64(engine.encoding?.keyFrameCount ?? 0)),
                "video_bytes": .integer(Int64(engine.encoding?.encodedBytes ?? 0)),
                "video_bitrate": .integer(Int64(engine.encoding?.bitrate.bitsPerSecond ?? 0)),
                "audio_seconds": .number(engine.capture?.encodedSeconds ?? 0),
                "microphone_samples": .integer(Int64(engine.capture?.microphoneSamplesSent ?? 0)),
                "level_dbov": .integer(-Int64(engine.capture?.levelDBov ?? 127)),
            ],
            "played": [
                "frames": .integer(Int64(connections.reduce(0) { $0 + ($1.video?.decodedCount ?? 0) })),
                "audio_seconds": .number(connections.reduce(0) { $0 + ($1.audio?.playedSeconds ?? 0) }),
                "concealed_seconds": .number(connections.reduce(0) { $0 + ($1.audio?.concealedSeconds ?? 0) }),
                "recovered_seconds": .number(connections.reduce(0) { $0 + ($1.audio?.recoveredSeconds ?? 0) }),
                "level_dbov": .integer(-Int64(connections.compactMap { $0.audio?.levelDBov }.min() ?? 127)),
            ],
            "devices": .object(
                Dictionary(
                    uniqueKeysWithValues: engine.devices.snapshot.map { part, entry in
                        (
                            part.rawValue,
                            [
                                "open": entry.openDevice.map { .string($0) } ?? .null,
                                "fault": entry.fault.map { .string($0) } ?? .null,
                            ]
                        )
                    })),
            "counters": .object(
                Dictionary(Counter.snapshot().map { ($0.name, .integer(Int64($0.value))) }, uniquingKeysWith: { $1 })),
            "cpu_s": .number(usage.cpuSeconds),
            "rss_kib": .integer(Int64(usage.residentKiB)),
            "private_dirty_kib": .integer(Int64(usage.privateDirtyKiB)),
            "threads": .integer(Int64(usage.threadCount)),
            "descriptors": .integer(Int64(usage.descriptorCount)),
        ]
        return .object(members.merging(additions) { $1 })
    }

    private func json(of participant: Participant) -> JSONValue {
        let connection = connections.first { $0.id == participant.id }
        let stream = streams.first { $0.participant == participant.id }
        var object: [String: JSONValue] = [
            "id": .string(participant.id),
            "name": .string(participant.name),
            "role": .string(participant.role.rawValue),
            "present": .bool(present.contains(participant.id)),
            "connection": .string(connection.map { "\($0.state)" } ?? "none"),
            "media": .string(connection?.health.rawValue ?? MediaHealth.noData.rawValue),
            "stream": stream.map { .string($0.id) } ?? .null,
            "audio_muted": .bool(stream?.isAudioMuted ?? false),
            "video_muted": .bool(stream?.isVideoMuted ?? false),
        ]
        if let video = connection?.video {
            object["video"] = [
                "frames": .integer(Int64(video.decodedCount)),
                "failed": .integer(Int64(video.failedCount)),
                "dropped": .integer(Int64(video.droppedCount)),
                "width": .integer(Int64(video.size.width)),
                "height": .integer(Int64(video.size.height)),
            ]
        }
        if let audio = connection?.audio {
            object["audio"] = [
                "played_seconds": .number(audio.playedSeconds),
                "concealed_seconds": .number(audio.concealedSeconds),
                "recovered_seconds": .number(audio.recoveredSeconds),
                "level_dbov": .integer(-Int64(audio.levelDBov)),
                "delay_ms": .integer(Int64(audio.targetDelayMilliseconds)),
            ]
        }
        return .object(object)
    }

    private func milliseconds(_ time: MonotonicTime?) -> JSONValue {
        time.map { .integer(($0 - startTime).milliseconds) } ?? .null
    }
}
