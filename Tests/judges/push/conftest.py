import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from doubles import doubles  # noqa: E402
from service import push_service  # noqa: E402


@pytest.fixture
def house(tmp_path):
    """The push services outside."""
    folder = tmp_path / "house"
    folder.mkdir()
    with doubles(folder) as house:
        yield house


@pytest.fixture
def push(tmp_path, house):
    """opentask-push, running, led to the doubles."""
    folder = tmp_path / "state"
    folder.mkdir()
    with push_service(folder, house.environment) as service:
        yield service
