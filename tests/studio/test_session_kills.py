import sys

import pytest

from tests.studio.session_kills import kill_sessions


@pytest.mark.skipif(sys.platform != "linux", reason="Studios are killed where processes can be forked.")
def test_acknowledged_edit_survives_a_kill_at_any_time(tmp_path):
    edits, recovered = kill_sessions(12, seed=3, folder=tmp_path)
    assert edits > 12
    assert recovered > 3
