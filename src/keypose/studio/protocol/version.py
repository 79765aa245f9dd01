"""Version of the protocol between the page and the server."""

PROTOCOL_VERSION = 1
"""Raised by a release in which a page or a server of the release before would misread a message."""


def version_mismatch(page_version: int) -> str | None:
    """The sentence that refuses a page that was built for another version; None if the versions agree."""
    if page_version == PROTOCOL_VERSION:
        return None
    return (
        f"This page was built for version {page_version} of the studio's protocol, and the studio uses "
        f"version {PROTOCOL_VERSION}. Reload the page."
    )
