import sys

import pytest

from tests.studio.server_kills import kill_servers


@pytest.mark.skipif(sys.platform != "linux", reason="Studios are killed where processes can be forked.")
def test_acknowledged_commands_survive_a_kill_of_the_server(tmp_path):
    acknowledged, recovered = kill_servers(5, seed=1, folder=tmp_path)
    assert acknowledged > 10
    assert recovered > 1
