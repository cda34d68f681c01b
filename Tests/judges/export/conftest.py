import pathlib
import shutil
import sys
import tempfile

import pytest

TESTS = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(TESTS / "system"))

from client import Api  # noqa: E402
from house import House  # noqa: E402


@pytest.fixture(scope="module")
def house():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="oex-", dir="/tmp"))
    with House(folder) as house:
        house.bearer = house.token()
        house.api = Api(house.url, house.bearer)
        yield house
    shutil.rmtree(folder, ignore_errors=True)
