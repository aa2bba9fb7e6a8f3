import Configuration
import Devices
import JSONText
import Lobby
import MediaEngine
import MediaTypes
import PeerConnection
import Realtime
import Rooms
import Telemetry
import WebSockets

/// The whole endpoint, made from its configuration: the hosted lobby, the media threads, the network loop, the supervisor
/// and the control socket; started together and ended together.
package final class Appliance: Sendable {
    private let lobby: LobbyServer?
    private let engine: MediaEngine
    private let loop: NetworkLoop
    private let supervisor: EndpointSupervisor
    private let control: ControlServer?

    /// Starts what needs no room: lobby, media threads, network loop, control socket.
    /// - Thread: any that may block (files are read).
    package init(
        _ configuration: Configuration, startTime: MonotonicTime, hooks: ServiceHooks = ServiceHooks()
    ) throws(ApplianceError) {
        var configuration = configuration
        if configuration.lobby.isHosted {
            let lobby = try HostedLobby.start(configuration.lobby)
            self.lobby = lobby
            do throws(ApplianceError) {
                configuration.room = try OwnLobbyRoom.completed(
                    configuration, participantID: EndpointSettings.participantID(configuration), lobby: lobby)
            } catch {
                lobby.stop()
                throw error
            }
        } else {
            lobby = nil
        }
        let settings: EndpointSettings
        let service: LobbyRoomService
        do throws(ApplianceError) {
            settings = try EndpointSettings(configuration)
            service = try LobbyRoomService(configuration.room)
        } catch {
            lobby?.stop()
            throw error
        }
        do {
            engine = try MediaEngine(settings: settings.media, registry: DeviceRegistry())
            // In the mode auto the devices are warm when the room is joined; in the others they stay closed.
            engine.setActive(microphone: settings.core.mode == .auto, camera: settings.core.mode == .auto)
            engine.camera?.setOn(!settings.core.startsCameraOff)
            engine.capture?.setMuted(settings.core.startsMuted)
            loop = try NetworkLoop()
            try engine.start()
        } catch {
            lobby?.stop()
            throw .start("\(error)")
        }
        supervisor = EndpointSupervisor(
            settings: settings, service: service, engine: engine, loop: loop, startTime: startTime,
            seed: UInt64.random(in: 0 ... .max), hooks: hooks)
        let supervisor = self.supervisor
        do throws(ControlError) {
            control = try ControlServer(path: configuration.control.path) { request in
                await supervisor.answer(request)
            }
        } catch {
            // Without status the endpoint still does what it is there for.
            Log.warning("control", "\(error)")
            control = nil
        }
    }

    /// Serves until `leave()`; returns when the room is left and every device, thread and socket is given back.
    package func run() async {
        await supervisor.run()
        engine.stop()
        loop.stopAndJoin()
        control?.stop()
        lobby?.stop()
        Log.notice("endpoint", "released camera, microphone, speaker and display")
    }

    /// Begins to leave; `run()` then returns within a second.
    package func leave() {
        supervisor.leave()
    }

    /// Does what `callbox ctl` asks, and answers as it does.
    package func answer(_ request: JSONValue) async -> JSONValue {
        await supervisor.answer(request)
    }

    /// What `callbox status` shows.
    package func status() async -> EndpointStatus {
        await supervisor.status()
    }
}
