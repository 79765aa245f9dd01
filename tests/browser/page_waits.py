"""Hands that let go only when the studio has answered everything, however busy the machine is."""

PAGE_STATE = (
    "const { connection, doc, fieldArrows, meetingStates, notices, playback, selection, updates, viewport } "
    "= window.__keypose;"
)
"""The page's state under the names of its modules, for expressions of tests."""


def wait_until_settled(screen, actor=None):
    """Wait until nothing is under way and the newest revision is shown; of an actor that changed, its trail too."""
    screen.wait_until("() => window.__keypose.connection.socket.pendingReplies.size === 0")
    newest = screen.page.evaluate("async () => (await window.__keypose.connection.send({ do: 'ping' })).revision")
    screen.wait_until("newest => window.__keypose.doc.scene.revision >= newest", newest)
    if actor is not None:
        screen.wait_until(
            "([one, newest]) => window.__keypose.doc.curves.get(one)?.revision >= newest", [actor, newest]
        )


def edit_and_wait(screen, gesture, actor):
    """Do something that changes an actor, and see what has become of it."""
    before = screen.revision
    gesture()
    screen.wait_until("before => window.__keypose.doc.scene.revision > before", before)
    wait_until_settled(screen, actor)


def middle(locator):
    """Where a control is on the page."""
    box = locator.bounding_box()
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
