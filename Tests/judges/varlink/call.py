#!/usr/bin/env python3
"""Calls any Varlink service with Python's `varlink` package, which this project did not write.

    call.py SOCKET                                  what the service is and serves, as one JSON object
    call.py SOCKET METHOD [JSON] [--more|--oneway]  calls a method; one line of JSON for each reply

SOCKET is a path. METHOD is the full name, JSON an object with the parameters (by default {}). Parameters and replies
go through the package's own reading of the interface that the service describes, which drops what is not declared and
refuses what has another type. An error reply is printed as {"error": ..., "parameters": ...}, with exit status 1.
"""

import argparse
import json
import sys

import varlink


class ErrorReply(Exception):
    """An error that the service answered."""

    def __init__(self, name, parameters):
        super().__init__(name)
        self.name = name
        self.parameters = parameters


def introspect(path):
    """What the service at `path` says of itself; each interface parsed by the package."""
    with varlink.Client.new_with_address(f"unix:{path}") as client:
        with client.open("org.varlink.service") as service:
            info = dict(service.GetInfo())
            texts = {}
            methods = {}
            for name in info["interfaces"]:
                texts[name] = service.GetInterfaceDescription(name)["description"]
                interface = varlink.Interface(texts[name])
                if interface.name != name:
                    raise ValueError(f"{name} describes itself as {interface.name}")
                methods[name] = [
                    member.name for member in interface.members.values() if type(member).__name__ == "_Method"
                ]
    return {**info, "descriptions": texts, "methods": methods}


def call(path, method, parameters=None, more=False, oneway=False):
    """Yields the replies of `method`, a full name; none with `oneway`. Raises ErrorReply."""
    interface, name = method.rsplit(".", 1)
    with varlink.Client.new_with_address(f"unix:{path}") as client:
        with client.open(interface) as connection:
            bound = getattr(connection, name)
            try:
                if oneway:
                    bound(**(parameters or {}), _oneway=True)
                elif more:
                    yield from bound(**(parameters or {}), _more=True)
                else:
                    yield bound(**(parameters or {}))
            except varlink.VarlinkError as error:
                raise ErrorReply(error.error(), error.parameters()) from error


def plain(value):
    """Replies as JSON has them: the package gives [string]() as sets."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return {key: {} for key in value}
    return value


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("socket")
    parser.add_argument("method", nargs="?")
    parser.add_argument("parameters", nargs="?", default="{}", type=json.loads)
    parser.add_argument("--more", action="store_true")
    parser.add_argument("--oneway", action="store_true")
    options = parser.parse_args()
    if options.method is None:
        print(json.dumps(introspect(options.socket), ensure_ascii=False))
        return 0
    try:
        for reply in call(options.socket, options.method, options.parameters, options.more, options.oneway):
            print(json.dumps(plain(reply), ensure_ascii=False), flush=True)
    except ErrorReply as error:
        print(json.dumps({"error": error.name, "parameters": plain(error.parameters)}, ensure_ascii=False))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
