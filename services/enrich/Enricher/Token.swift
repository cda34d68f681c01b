/// One piece of a line: a word, a number, a sign, or a stretch that is never read (3.2).
struct Token {
    enum Kind {
        case word
        case number
        case sign
        /// An emoji or another character that is neither letter nor ASCII.
        case symbol
        /// Quoted, a link, an address, a path, an escaped word.
        case opaque
        /// Beyond the last one.
        case end
    }

    var kind: Kind
    /// [start, end) in UTF-16 units of the text.
    var start: Int
    var end: Int
    /// A blank, or the beginning, is before it.
    var isSpaced: Bool
    /// Something between this and the token before has been recognised and cut.
    var isAfterCut = false
    /// The word in lower case; empty for others.
    var lower = ""
    var lexeme = Lexeme(key: .none)
    /// Of a number: its value (-1 beyond nine digits). Of a sign: its code.
    var value = 0
    /// The first letter is upper case.
    var isCapital = false

    var key: Key { lexeme.key }
    var length: Int { end - start }

    func isSign(_ character: Unicode.Scalar) -> Bool { kind == .sign && value == Int(character.value) }

    static let end = Token(kind: .end, start: 0, end: 0, isSpaced: true)
}
