/// A table as RFC 4180 has it, safe to open in a spreadsheet.
struct CSV {
    private(set) var bytes: [UInt8] = []

    /// Every cell is quoted; a record ends with CR LF.
    mutating func record(_ cells: [String?]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "\""))
            if let cell { append(cell) }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    private mutating func append(_ cell: String) {
        if Self.isFormula(cell) { bytes.append(UInt8(ascii: "'")) }
        for byte in cell.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
    }

    /// What a spreadsheet would run: a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return
    /// (https://owasp.org/www-community/attacks/CSV_Injection).
    static func isFormula(_ cell: String) -> Bool {
        switch cell.utf8.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
        default: false
        }
    }
}
