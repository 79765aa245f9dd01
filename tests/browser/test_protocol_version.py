"""A page that was built for another version of the protocol than the server's."""

from keypose.studio.protocol import version
from keypose.studio.server import hub
from tests.browser.screen import Screen


def test_outdated_page_names_both_versions_and_reloads(chromium, address, monkeypatch):
    page_version, server_version = version.PROTOCOL_VERSION, version.PROTOCOL_VERSION + 1
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    with monkeypatch.context() as patch:
        patch.setattr(version, "PROTOCOL_VERSION", server_version)
        patch.setattr(hub, "PROTOCOL_VERSION", server_version)
        page.goto(address)
        notices = page.get_by_role("log", name="Notices")
        notices.get_by_role("button", name="Reload").wait_for()
        assert notices.inner_text().split("\n")[0] == (
            f"This page was built for version {page_version} of the studio's protocol, and the studio uses version "
            f"{server_version}. Reload the page."
        )
        assert page.evaluate("() => window.__keypose.doc.scene") is None, "updates of another version are not read"
        assert notices.locator(".notice").count() == 1
    with page.expect_navigation():
        notices.get_by_role("button", name="Reload").click()
    screen = Screen(page, address)
    assert screen.page.get_by_role("button", name="Reload").count() == 0
    page.close()
