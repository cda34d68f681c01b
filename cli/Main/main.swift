// opentask: the command that a person types.

import Command

let opentask = CommandTable(
    // Start it.
    Up(),
    // Use it.
    Add(),
    List(),
    Done(),
    Snooze(),
    Undo(),
    Redo(),
    // Care for it.
    Doctor(),
    UserAdd(),
    TokenCreate(),
    Vapid(),
    Parse(),
    EnrichList(),
    EnrichUse(),
    EnrichStatus()
)

exit(status: opentask.run(Array(CommandLine.arguments.dropFirst())))
