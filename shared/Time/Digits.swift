extension [UInt8] {
    /// A number in decimal digits, with zeros in front up to `width`.
    mutating func append(number: Int, width: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var weight = 1
        for _ in 1..<width { weight *= 10 }
        let magnitude = Int(clamping: number.magnitude)
        while magnitude / weight >= 10 { weight *= 10 }
        while weight > 0 {
            append(UInt8(ascii: "0") + UInt8(magnitude / weight % 10))
            weight /= 10
        }
    }
}
