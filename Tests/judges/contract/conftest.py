import pathlib
import shutil
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from contract import House  # noqa: E402
from world import World  # noqa: E402


@pytest.fixture(scope="module")
def world(request):
    """A house of its own for each file of tests, with Ann's things in it and Bob beside her. What the file calls
    `ENVIRONMENT` are its settings."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="otc-", dir="/tmp"))
    with House(folder, **getattr(request.module, "ENVIRONMENT", {})) as house:
        yield World(house)
    shutil.rmtree(folder, ignore_errors=True)
