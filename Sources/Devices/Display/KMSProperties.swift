import CDRM

/// The properties of one part of a card: numbers and values by their names.
struct KMSProperties {
    private var numbers: [String: UInt32] = [:]
    private var values: [String: UInt64] = [:]

    /// - Parameter kind: `DRM_MODE_OBJECT_…`.
    init(card: KMSCard, object: UInt32, kind: UInt32) {
        guard let list = drmModeObjectGetProperties(card.descriptor, object, kind) else { return }
        defer { drmModeFreeObjectProperties(list) }
        for index in 0..<Int(list.pointee.count_props) {
            guard let property = drmModeGetProperty(card.descriptor, list.pointee.props[index]) else { continue }
            let name = withUnsafeBytes(of: &property.pointee.name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            numbers[name] = property.pointee.prop_id
            values[name] = list.pointee.prop_values[index]
            drmModeFreeProperty(property)
        }
    }

    func number(_ name: String) -> UInt32? { numbers[name] }

    func value(_ name: String) -> UInt64? { values[name] }
}
