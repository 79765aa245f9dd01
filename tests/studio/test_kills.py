import sys

import pytest

from tests.studio.kills import kill_many


@pytest.mark.skipif(sys.platform != "linux", reason="Studios are killed where processes can be forked.")
def test_an_acknowledged_edit_survives_a_kill_at_any_moment(tmp_path):
    edits, recovered = kill_many(12, seed=3, folder=tmp_path)
    assert edits > 12
    assert recovered > 3
