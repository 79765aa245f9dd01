"""What the tests of this folder share."""

import pytest

from keypose.maths import kernel_switch
from tests.motion.motions import MOTIONS


@pytest.fixture(params=MOTIONS)
def motion(request):
    return MOTIONS[request.param]()


@pytest.fixture(params=["definition", "kernels"])
def backend(request, monkeypatch):
    """By the readable definitions, and by their compiled twins however little there is to do."""
    monkeypatch.setattr(kernel_switch, "allowed", request.param == "kernels")
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    return request.param
