// opentask: the command that a person types.

import Command

let opentask = CommandTable(
    Up()
)

exit(status: opentask.run(Array(CommandLine.arguments.dropFirst())))
