"""Kinds of bad input. Each has a name; what of it is bad for an operation is decided by that operation's schema."""

import json

MEBIBYTE = 1 << 20

# Bodies that are no JSON, or no JSON object.
BODIES = {
    "no body": b"",
    "blanks": b" \n\t ",
    "half an object": b"{",
    "an array": b"[]",
    "a string": b'"text"',
    "null": b"null",
    "a number": b"5",
    "words": b"hello",
    "two values": b"{} {}",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": "{}".encode("utf-16"),
    "bytes that are no UTF-8": b'{"a":"\xff\xfe"}',
    "an overlong NUL": b'{"a":"\xc0\x80"}',
    "a surrogate as bytes": b'{"a":"\xed\xa0\x80"}',
    "half a surrogate pair": b'{"a":"\\ud800"}',
    "a surrogate pair the wrong way round": b'{"a":"\\udc00\\ud800"}',
    "a raw control character": b'{"a":"\x01"}',
    "a raw NUL": b'{"a":\x00}',
    "NaN": b'{"a":NaN}',
    "Infinity": b'{"a":-Infinity}',
    "a leading zero": b'{"a":01}',
    "a hexadecimal number": b'{"a":0x10}',
    "single quotes": b"{'a':1}",
    "a comment": b'{"a":1/*c*/}',
    "a trailing comma": b'{"a":1,}',
    "a key without quotes": b"{a:1}",
    "an unfinished escape": b'{"a":"\\u12"}',
    "an unknown escape": b'{"a":"\\x41"}',
    "deep arrays": b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "deep and never closed": b"[" * 500_000,
    "a form": b"title=x&priority=1",
    "XML": b"<?xml version='1.0'?><title>x</title>",
}

# Values for a field, in place of a good one.
VALUES = {
    "null": None,
    "true": True,
    "zero": 0,
    "minus one": -1,
    "a fraction": 1.5,
    "2^31": 2**31,
    "2^63": 2**63,
    "2^64 + 1": 2**64 + 1,
    "-2^63 - 1": -(2**63) - 1,
    "a number of 400 digits": 10**399,
    "1e308": 1e308,
    "a very small number": 5e-324,
    "an empty string": "",
    "a blank": " ",
    "a NUL": "\0",
    "a control character": "a\x07b",
    "the word NaN": "NaN",
    "the word Infinity": "-Infinity",
    "the word null": "null",
    "a number as a string": "12",
    "digits and letters": "12abc",
    "SQL": "'; DROP TABLE task; --",
    "a path": "../../../../etc/passwd",
    "a format": "%s%n%x",
    "markup": "<script>alert(1)</script>",
    "right to left": "\u202eevil\u2066",
    "half of an emoji's sequence": "\U0001f468\u200d",
    "a noncharacter": "\uffff\U0010ffff",
    "a string of nearly 1 MiB": "x" * (MEBIBYTE - 4096),
    "many combining marks": "a" + "\u0301" * 20_000,
    "an empty array": [],
    "an array of nulls": [None, None],
    "an array of arrays": [[["a"]]],
    "an array of zeros": [0, -1],
    "20,000 numbers": list(range(1, 20_001)),
    "an empty object": {},
    "an object": {"a": {"b": [1]}},
    "an operator": {"$gt": ""},
    "a date that is not": "2026-02-30T10:00:00Z",
    "a date of year 0": "0000-01-01T00:00:00Z",
    "a date far away": "9999-12-31T23:59:59Z",
    "an hour that is not": "24:61",
}

# What stands where a path has an id.
IDS = {
    "zero": "0",
    "minus one": "-1",
    "plus one": "+1",
    "a fraction": "1.5",
    "digits and letters": "12abc",
    "letters": "abc",
    "2^63": str(2**63),
    "2^64": str(2**64),
    "1,000 digits": "9" * 1000,
    "an exponent": "1e3",
    "a hexadecimal number": "0x1",
    "a blank": "%20",
    "digits of another script": "%EF%BC%91",
    "a slash": "1%2F2",
    "a NUL": "1%00",
    "half a percent sign": "%",
    "bytes that are no UTF-8": "%FF%FE",
    "dots": "..%2F..%2Fetc",
    "a quote": "1'%20OR%20'1'='1",
}

# What stands where a query has a value.
QUERY_VALUES = {
    "nothing": "",
    "letters": "abc",
    "minus one": "-1",
    "a fraction": "1.5",
    "2^64": str(2**64),
    "400 digits": "9" * 400,
    "a NUL": "%00",
    "half a percent sign": "%",
    "no percent-encoding": "%zz",
    "bytes that are no UTF-8": "%ff%c0",
    "a quote": "'%20OR%20'1'='1",
    "half a phrase": "%22never%20closed",
    "operators of a search": "*%20OR%20NEAR(%20-%20%22",
    "a very long one": "x" * 8000,
    "the word NaN": "NaN",
    "markup": "%3Cscript%3E",
}

HEADERS = {
    "a type that it is not": ("Content-Type", "application/xml"),
    "a charset that it is not": ("Content-Type", "application/json; charset=utf-16"),
    "a key that is empty": ("Idempotency-Key", ""),
    "a key that is too long": ("Idempotency-Key", "k" * 300),
    "a version that is none": ("If-Match", '"soon"'),
    "a version of 400 digits": ("If-Match", "9" * 400),
    "an encoding that it is not": ("Content-Encoding", "gzip"),
    "an unknown type wanted": ("Accept", "application/x-nothing"),
    "a range": ("Range", "bytes=0-1"),
    "a date that is none": ("If-Modified-Since", "yesterday"),
    "bytes that are no text": ("X-Thing", "\xff\xfe"),
    "a cookie that is none": ("Cookie", "=;;=;authjs.session-token"),
}


def doubled(body, key, value):
    """The key twice, the second one bad: the last one counts."""
    text = json.dumps(body)
    return (text[:-1] + (", " if len(body) else "") + f"{json.dumps(key)}: {json.dumps(value)}}}").encode()
