"""Pages that were built for another version of the protocol."""

import re

import pytest

from keypose.studio.protocol.generate_ts import output_file
from keypose.studio.protocol.version import PROTOCOL_VERSION
from tests.studio.four_actors import STAGE
from tests.studio.studio_client import serve_stage

OTHER_VERSION = PROTOCOL_VERSION + 1
SENTENCE = (
    f"This page was built for version {OTHER_VERSION} of the studio's protocol, and the studio uses version "
    f"{PROTOCOL_VERSION}. Reload the page."
)


@pytest.fixture
def studio(tmp_path):
    with serve_stage(STAGE, tmp_path) as running:
        yield running


def test_first_update_has_the_protocol_version(studio):
    with studio.connect() as client:
        first = client.receive()
    assert (first["is"], first["protocol"]) == ("welcome", PROTOCOL_VERSION)


def test_generated_typescript_has_the_protocol_version():
    text = output_file().read_text(encoding="utf-8")
    assert re.findall(r"^export const PROTOCOL_VERSION = (\d+);$", text, re.MULTILINE) == [str(PROTOCOL_VERSION)]


@pytest.mark.parametrize("version", [{}, {"protocol": None}, {"protocol": PROTOCOL_VERSION}])
def test_page_of_the_same_version_or_without_one_is_served(studio, version):
    with studio.connect() as client:
        assert client.request("hello", fps=24, **version)["is"] == "done"
        assert client.request("move_keys", actor="red", keys=[0], by=[0, 1, 0])["is"] == "done"


def test_page_of_another_version_is_refused_with_both_versions(studio):
    with studio.connect() as client:
        reply = client.request("hello", fps=24, protocol=OTHER_VERSION)
        assert (reply["is"], reply["reason"]) == ("refused", SENTENCE)
        edit = client.request("move_keys", actor="red", keys=[0], by=[0, 1, 0])
        assert (edit["is"], edit["reason"]) == ("refused", SENTENCE)
        assert studio.session.stage == STAGE


def test_unknown_hello_of_another_version_is_refused_for_its_version(studio):
    with studio.connect() as client:
        reply = client.request("hello", frames="all", protocol=OTHER_VERSION)
        assert reply["reason"] == SENTENCE


def test_another_page_of_the_right_version_is_served_beside_it(studio):
    with studio.connect() as outdated, studio.connect() as current:
        outdated.request("hello", protocol=OTHER_VERSION)
        assert current.request("hello", protocol=PROTOCOL_VERSION)["is"] == "done"


def test_version_that_is_no_number_is_refused(studio):
    with studio.connect() as client:
        reply = client.request("hello", protocol="new")
        assert reply["is"] == "refused"
        assert "does not understand this message" in reply["reason"]
