#!/usr/bin/env python3
"""An OpenTask enricher of your own: reads "today", "tomorrow", weekdays, "at 9:30am" and "p1" to "p4".

systemd hands over a listening Unix socket as descriptor 3; each message is a JSON object and a NUL byte (Varlink).
"""
import contextlib, datetime, json, pathlib, re, signal, socket, threading

NAME = "org.opentask.enricher"
TEXT = (pathlib.Path(__file__).parent / f"{NAME}.varlink").read_text()
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
ABOUT = {"protocol": 1, "name": "python", "version": "1", "kinds": ["task"], "fields": ["title", "target", "priority"],
         "languages": ["en"], "max_text_bytes": 10000, "max_parallel": 4, "typical_ms": 1, "deterministic": True,
         "uses_network": False, "wants_user_context": False}
INFO = {"vendor": "example", "product": "enrich-python", "version": "1", "url": "https://opentask.io",
        "interfaces": ["org.varlink.service", NAME]}

class Refusal(Exception):
    """An error reply: its name, its parameters."""

def enrich(text, context):
    now, (title, _, notes) = datetime.datetime.fromisoformat(context["now_local"]), text.strip().partition("\n")

    def cut(pattern):
        nonlocal title
        if found := re.search(rf"(?:^|\s)(?:{pattern})(?=[.,!?]?(?:\s|$))", title, re.IGNORECASE):
            title = title[:found.start()] + title[found.end():]
        return found

    priority, date, time = cut(r"p([1-4])"), None, None
    if clock := cut(r"(?:at )?(1[0-2]|[1-9])(?::([0-5]\d))? ?([ap])m"):
        time = datetime.time(int(clock[1]) % 12 + 12 * (clock[3].lower() == "p"), int(clock[2] or 0))
        date = now.date() + datetime.timedelta(days=time <= now.time())
    if word := cut(rf"(?:on )?(today|tomorrow|{'|'.join(DAYS)})"):
        day = word[1].lower()
        ahead = (DAYS.index(day) - now.weekday() + 6) % 7 + 1 if day in DAYS else int(day == "tomorrow")
        date = now.date() + datetime.timedelta(days=ahead)
    title = " ".join(title.split()).rstrip(" ,") or text.strip().partition("\n")[0]
    return {"title": title[0].upper() + title[1:], "notes": notes.strip() or None, "kind": "task", "labels": [],
            "target": date and {"date": date.isoformat(), "time": time and time.strftime("%H:%M")},
            "priority": 5 - int(priority[1]) if priority else 0}

def answer(method, given):
    if method in (f"{NAME}.Enrich", f"{NAME}.Preview"):
        if given["kind"] != "task": raise Refusal(f"{NAME}.UnsupportedKind", {"kind": given["kind"]})
        if not given["text"].strip(): raise Refusal(f"{NAME}.TextEmpty", {})
        return {"result": enrich(given["text"], given["context"])}
    if method == f"{NAME}.GetCapabilities":
        if 1 not in given["protocols"]: raise Refusal(f"{NAME}.UnsupportedProtocol", {"supported": [1]})
        return ABOUT
    if method == "org.varlink.service.GetInterfaceDescription" and given["interface"] == NAME: return {"description": TEXT}
    fixed = {f"{NAME}.CheckHealth": {"state": "ready"}, f"{NAME}.Cancel": {}, "org.varlink.service.GetInfo": INFO}
    if method not in fixed: raise Refusal("org.varlink.service.MethodNotFound", {"method": method})
    return fixed[method]

def converse(connection):
    with connection:  # garbage ends the conversation, not the program
        unread = b""
        while len(unread) <= 1 << 20 and (chunk := connection.recv(65536)):
            *messages, unread = (unread + chunk).split(b"\0")
            for call in map(json.loads, messages):
                try: reply = {"parameters": answer(call["method"], call.get("parameters", {}))}
                except Refusal as refusal: reply = dict(zip(("error", "parameters"), refusal.args))
                except (KeyError, TypeError, ValueError, AttributeError) as error:
                    reply = {"error": "org.varlink.service.InvalidParameter", "parameters": {"parameter": str(error)}}
                if not call.get("oneway"): connection.sendall(json.dumps(reply).encode() + b"\0")

def stop(*_): raise SystemExit

signal.signal(signal.SIGTERM, stop)
listener, connections = socket.socket(fileno=3), set()
try:
    while True:
        connections = {c for c in connections if c.fileno() >= 0} | {(connection := listener.accept()[0])}
        threading.Thread(target=converse, args=[connection]).start()
finally:  # what has been asked is still answered, then the threads and the program end
    for connection in connections:
        with contextlib.suppress(OSError): connection.shutdown(socket.SHUT_RD)
