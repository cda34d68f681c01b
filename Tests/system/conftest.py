import pathlib
import shutil
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "rig"))

from house import House  # noqa: E402


@pytest.fixture
def folder():
    """A folder with a short path: a Unix socket's address has 107 bytes, and pytest's own folders are deep."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="ot-", dir="/tmp"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def house(folder):
    with House(folder) as house:
        yield house
