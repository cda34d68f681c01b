#!/usr/bin/env python3
"""Unpacks the page's one library, Preact with htm, from the pinned wheel `datasette-preact` of PyPI.

    web/unpack-vendor.py [--into DIR] [--wheel FILE]

DIR is `var/web-vendor/vendor` beside this folder unless given; the api serves `var/web-vendor` as it serves this
folder, so that the file is found under `/vendor/`. FILE is a wheel that
is at hand already; without it pip fetches it (set-up only; the running house never loads anything). Wheel and
file are held against their SHA-256: anything else ends with exit code 1 and changes nothing. A second call finds
the file in place and does nothing. Only Python's own library is used.
"""

import argparse
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = "datasette-preact==0.0.1"
WHEEL_SHA256 = "6cfe3b4d4651ffa4ec9207e3df40e49ea5e157d9b064ac02fd516d931cd52a58"
MEMBER = "datasette_preact/static/preact-10.27.2-htm-3.1.1.min.js"
MEMBER_SHA256 = "2ad4f06c517e968b6382c26262363ebb89ebd7bcf3f7dc29a8368fe5b542861b"
LICENSE = "datasette_preact-0.0.1.dist-info/licenses/LICENSE"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def fetch(folder: pathlib.Path) -> pathlib.Path:
    """Lets pip download the wheel; pip checks the hash too, before anything is written."""
    pinned = folder / "pinned.txt"
    pinned.write_text(f"{PACKAGE} --hash=sha256:{WHEEL_SHA256}\n")
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
         "--only-binary=:all:", "--require-hashes", "--dest", folder, "--requirement", pinned],
        check=True,
    )
    return next(folder.glob("*.whl"))


def unpack(wheel: pathlib.Path, into: pathlib.Path) -> None:
    if sha256(wheel.read_bytes()) != WHEEL_SHA256:
        sys.exit(f"{wheel} is not the wheel that this page was made for")
    with zipfile.ZipFile(wheel) as archive:
        script, license_text = archive.read(MEMBER), archive.read(LICENSE)
    if sha256(script) != MEMBER_SHA256:
        sys.exit(f"{MEMBER} in {wheel} is not the file that this page was made for")
    into.mkdir(parents=True, exist_ok=True)
    (into / "LICENSE").write_bytes(license_text)
    # Written beside and moved: a server that reads meanwhile sees all of it or nothing.
    target = into / pathlib.PurePosixPath(MEMBER).name
    beside = target.with_suffix(".part")
    beside.write_bytes(script)
    beside.rename(target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--into", type=pathlib.Path, default=root / "var" / "web-vendor" / "vendor")
    parser.add_argument("--wheel", type=pathlib.Path)
    arguments = parser.parse_args()

    target = arguments.into / pathlib.PurePosixPath(MEMBER).name
    if target.exists() and sha256(target.read_bytes()) == MEMBER_SHA256:
        return
    print(f"Unpacking {PACKAGE} into {arguments.into}")
    with tempfile.TemporaryDirectory() as folder:
        unpack(arguments.wheel or fetch(pathlib.Path(folder)), arguments.into)


if __name__ == "__main__":
    main()
