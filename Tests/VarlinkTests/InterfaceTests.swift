import JSON
import Testing
import Varlink

@Suite("Varlink: the interface language")
struct InterfaceTests {
    static let text = """
        # What this is for.
        #
        # And more of it.
        interface org.example-two.some.thing4

        # Detached: an empty line follows.

        type Empty ()
        type Colour (red, dark_blue, Green2)  # behind a declaration: documents nothing
        # A tree.
        type Tree (
          # Its name.
          name: string,
          children: []Tree,
          colour: ?Colour,
          by_name: [string]Tree,
          set: [string](),
          any: object, ratio: float, good: bool, count: int,
          inline: ?[](a: int, b: ?(x, y)),
          table: [string][]?int
        )

        # Does it.
        method Do(tree: Tree, how: (fast, slow)) -> (done: bool)
        method Nothing()->()
        error Broken (where: ?string)
        error Empty2 ()
        """

    @Test func `a text gives its declarations, in order, with their comments`() throws {
        let interface = try VarlinkInterface(parsing: InterfaceTests.text)
        #expect(interface.name == "org.example-two.some.thing4")
        #expect(interface.doc == "What this is for.\n\nAnd more of it.")
        #expect(interface.text == InterfaceTests.text)
        #expect(
            interface.members.map(\.name) == ["Empty", "Colour", "Tree", "Do", "Nothing", "Broken", "Empty2"])
        #expect(interface.types.map(\.doc) == ["", "", "A tree."])
        #expect(interface.types.map(\.name) == ["Empty", "Colour", "Tree"])
        #expect(interface.types[0].type == .structure([]))
        #expect(interface.types[1].type == .enumeration(["red", "dark_blue", "Green2"]))
        #expect(
            interface.types[2].type
                == .structure([
                    .init(name: "name", type: .string, doc: "Its name."),
                    .init(name: "children", type: .array(.named("Tree"))),
                    .init(name: "colour", type: .optional(.named("Colour"))),
                    .init(name: "by_name", type: .dictionary(.named("Tree"))),
                    .init(name: "set", type: .dictionary(.structure([]))),
                    .init(name: "any", type: .object),
                    .init(name: "ratio", type: .float),
                    .init(name: "good", type: .bool),
                    .init(name: "count", type: .int),
                    .init(
                        name: "inline",
                        type: .optional(
                            .array(
                                .structure([
                                    .init(name: "a", type: .int),
                                    .init(name: "b", type: .optional(.enumeration(["x", "y"]))),
                                ])))),
                    .init(name: "table", type: .dictionary(.array(.optional(.int)))),
                ]))
        let method = try #require(interface.methods.first)
        #expect(method.doc == "Does it.")
        #expect(
            method.parameters == [
                .init(name: "tree", type: .named("Tree")),
                .init(name: "how", type: .enumeration(["fast", "slow"])),
            ])
        #expect(method.reply == [.init(name: "done", type: .bool)])
        #expect(interface.methods.map(\.name) == ["Do", "Nothing"])
        #expect(interface.errors.map(\.name) == ["Broken", "Empty2"])
        #expect(interface.errors.map(\.parameters) == [[.init(name: "where", type: .optional(.string))], []])
    }

    static let good = [
        text,
        "interface a.b error A ()",
        "interface xn--lgbbat1ad8j.example.algeria\nmethod M() -> ()",
        "interface org.1example.a--b\r\n# c\r\nmethod M() -> ()\r\n",
        "interface a.b\ntype T (\n  # long\n  # comment\n  f: [](\n    # inner\n    g: int\n  )\n)\nerror E (\n  # what\n  x: T\n)",
        "interface a.b\nmethod LongName(first_parameter: string, second_parameter: []string, third: int) -> (something: ?object)",
        "interface a.b\ntype E (\((0..<40).map { "word\($0)" }.joined(separator: ", ")))",
    ]

    @Test(arguments: good)
    func `an interface that is printed parses back to the same, and prints the same again`(text: String)
        throws
    {
        let interface = try VarlinkInterface(parsing: text)
        let printed = interface.formatted()
        let again = try VarlinkInterface(parsing: printed)
        #expect(again.name == interface.name)
        #expect(again.doc == interface.doc)
        #expect(again.members == interface.members)
        #expect(again.formatted() == printed)
    }

    @Test func `the printed form is the usual one`() throws {
        let text = "interface a.b type T(x:?[]int,y:(a,b)) method M ( x :int )->( ) error E()"
        #expect(
            try VarlinkInterface(parsing: text).formatted() == """
                interface a.b

                type T (x: ?[]int, y: (a, b))

                method M(x: int) -> ()

                error E ()

                """)
    }

    @Test(arguments: [
        ("", 1), ("interface", 1), ("interface a", 1), ("interface a.b", 1), ("interface a..b error A ()", 1),
        ("interface 1a.b error A ()", 1), ("interface a.-b error A ()", 1), ("interface a.b- error A ()", 1),
        ("interface .a.b error A ()", 1), ("interface a.b. error A ()", 1),
        ("method M() -> ()", 1),
        ("interface a.b\nmethod m() -> ()", 2),
        ("interface a.b\nmethod M()", 2),
        ("interface a.b\nmethod M() -> (a: int", 2),
        ("interface a.b\nmethod M() -> (a)", 2),
        ("interface a.b\nmethod M(a: int,) -> ()", 2),
        ("interface a.b\nmethod M(a: int b: int) -> ()", 2),
        ("interface a.b\nmethod M(a: integer) -> ()", 2),
        ("interface a.b\nmethod M(a: Unknown) -> ()", 2),
        ("interface a.b\nmethod M(a: ??int) -> ()", 2),
        ("interface a.b\nmethod M(a: ? ?int) -> ()", 2),
        ("interface a.b\nmethod M(a: [int]string) -> ()", 2),
        ("interface a.b\nmethod M(a: []) -> ()", 2),
        ("interface a.b\nmethod M(a: int, a: int) -> ()", 2),
        ("interface a.b\nmethod M(a_: int) -> ()", 2),
        ("interface a.b\nmethod M(_a: int) -> ()", 2),
        ("interface a.b\nmethod M(a__b: int) -> ()", 2),
        ("interface a.b\nmethod M(1a: int) -> ()", 2),
        ("interface a.b\nmethod M() -> ()\n\nerror M ()", 4),
        ("interface a.b\ntype T (a, b: int)", 2),
        ("interface a.b\ntype T (a: int, b)", 2),
        ("interface a.b\ntype T int", 2),
        ("interface a.b\nerror E (a, b)", 2),
        ("interface a.b\nerror E () nonsense", 2),
        ("interface a.b\nerror E (a: int)\ntype T (e: E)", 3),
        ("interface a.b\nmethod M(é: int) -> ()", 2),
        ("interface a.b\n\u{0}", 2),
    ])
    func `what is no interface is refused, with its line`(text: String, line: Int) {
        let error = #expect(throws: VarlinkSyntaxError.self) { try VarlinkInterface(parsing: text) }
        #expect(error?.line == line)
    }

    static let checked = """
        interface a.b
        type Tree (name: string, children: ?[]Tree, colour: ?(red, green), sizes: [string]float)
        method M(tree: Tree, on: bool, count: ?int, rest: ?object) -> (tree: Tree)
        error E (code: int)
        """

    static let leaf: JSONValue = ["name": "a", "sizes": [:]]

    @Test(
        arguments: [
            (["tree": leaf, "on": true], nil),
            (["tree": leaf, "on": true, "count": nil, "rest": ["x": [1]], "unknown": 1], nil),
            (
                [
                    "tree": [
                        "name": "a", "sizes": ["x": 1, "y": .double(1.5)], "children": [leaf],
                        "colour": "red",
                    ], "on": true,
                ], nil
            ),
            ([:], "tree"),
            (["tree": leaf], "on"),
            (["tree": leaf, "on": 1], "on"),
            (["tree": leaf, "on": true, "count": .double(1.5)], "count"),
            (["tree": leaf, "on": true, "rest": [1]], "rest"),
            (["tree": ["name": "a", "sizes": ["x": 1, "y": "1"]], "on": true], "tree.sizes.y"),
            (["tree": ["name": "a", "sizes": [:], "colour": "blue"], "on": true], "tree.colour"),
            (
                ["tree": ["name": "a", "sizes": [:], "children": [leaf, ["name": nil]]], "on": true],
                "tree.children[1].name"
            ),
            ([], ""),
        ] as [(JSONValue, String?)])
    func `values are held to the types that the interface declares`(value: JSONValue, path: String?) throws {
        let interface = try VarlinkInterface(parsing: InterfaceTests.checked)
        #expect(interface.mismatch(parameters: value, of: "M") == path)
    }

    @Test func `replies and errors are held to their types too`() throws {
        let interface = try VarlinkInterface(parsing: InterfaceTests.checked)
        #expect(interface.mismatch(reply: ["tree": InterfaceTests.leaf], of: "M") == nil)
        #expect(interface.mismatch(reply: [:], of: "M") == "tree")
        #expect(interface.mismatch(reply: [:], of: "N") == "method")
        #expect(interface.mismatch(error: VarlinkError("a.b.E", ["code": 1])) == nil)
        #expect(interface.mismatch(error: VarlinkError("a.b.E")) == "code")
        #expect(interface.mismatch(error: VarlinkError("a.c.E", ["code": 1])) == "error")
    }

    @Test(arguments: ["[]", "[string]", "?[]", "(a: "])
    func `types are nested up to a limit, whatever the stack`(open: String) throws {
        let close = open == "(a: " ? ")" : ""
        let text = { (count: Int) in
            "interface a.b\ntype T (x: \(String(repeating: open, count: count))int\(String(repeating: close, count: count)))"
        }
        #expect(throws: Never.self) { try VarlinkInterface(parsing: text(30)) }
        for count in [100, 100_000] {
            #expect(throws: VarlinkSyntaxError.self) { try VarlinkInterface(parsing: text(count)) }
        }
    }
}
