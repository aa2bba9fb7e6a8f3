import MediaTypes
import SDP

/// How a peer connection is made.
package struct PeerConnectionConfiguration: Sendable {
    package var ice: ICEConfiguration
    /// The endpoint's identity, shared by all its connections.
    package var certificate: DTLSCertificate
    /// Gives way when both sides offer at once; the two sides must differ.
    package var isPolite: Bool
    /// Names this endpoint in RTCP; the same on all its connections.
    package var cname: String
    /// What may be sent before the far side said anything.
    package var startRate: Bitrate
    package var minimumRate: Bitrate
    package var maximumRate: Bitrate
    package var descriptionOptions: JSEPOptions
    /// SRTP profiles to offer or take, best first.
    package var srtpProfiles: [SRTPProfile]
    /// Offers again by itself when an exchange left something unsaid, as browsers' `negotiationneeded` does.
    package var offersByItself: Bool
    /// Restarts ICE by itself when the far side stops answering.
    package var restartsByItself: Bool
    /// How long a connection may take, and how long it may be disconnected, before it fails.
    package var timeout: Interval
    /// How long nothing may come of a far side that sent media or reports before it counts as disconnected. Reports come
    /// at least every 7.5 s (RFC 3550 §6.2).
    package var silenceLimit: Interval

    package init(
        certificate: DTLSCertificate, isPolite: Bool, ice: ICEConfiguration = ICEConfiguration(),
        cname: String = "callbox", startRate: Bitrate = .kilobitsPerSecond(600),
        minimumRate: Bitrate = .kilobitsPerSecond(60), maximumRate: Bitrate = .kilobitsPerSecond(4_000),
        descriptionOptions: JSEPOptions = JSEPOptions(), srtpProfiles: [SRTPProfile] = SRTPProfile.preferred,
        offersByItself: Bool = true, restartsByItself: Bool = true, timeout: Interval = .seconds(Int64(30)),
        silenceLimit: Interval = .seconds(Int64(10))
    ) {
        self.certificate = certificate
        self.isPolite = isPolite
        self.ice = ice
        self.cname = cname
        self.startRate = startRate
        self.minimumRate = minimumRate
        self.maximumRate = maximumRate
        self.descriptionOptions = descriptionOptions
        self.srtpProfiles = srtpProfiles
        self.offersByItself = offersByItself
        self.restartsByItself = restartsByItself
        self.timeout = timeout
        self.silenceLimit = silenceLimit
    }
}
