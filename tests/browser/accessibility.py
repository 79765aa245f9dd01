"""Can everybody use what is on screen? No text is cut off or too pale, and every control has a name."""

# Words that people give may be longer than any place for them: these end in dots and have a title that tells all.
USER_TEXT = "header h1, header .state, .tags span, .words"

CUT_OFF = """given => [...document.querySelectorAll("body *")]
    .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen, option, svg"))
    .filter(one => [...one.childNodes].some(part => part.nodeType === 3 && part.textContent.trim()))
    .filter(one => one.clientWidth && (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 2))
    .filter(one => !(one.matches(given) && one.closest("[title]")))
    .map(one => `${one.tagName} ${one.className}: ${one.innerText} ${one.scrollWidth} > ${one.clientWidth}`)"""

OUTSIDE = """() => [...document.querySelectorAll("button, input, select, h1, h2, h3, label, p")]
    .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen"))
    .map(one => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.right > innerWidth + 1 || box.left < -1)
    .map(([one]) => one.outerHTML.slice(0, 120))"""

LOW_CONTRAST = """() => {
    const light = text => {
        const [r, g, b] = text.match(/[\\d.]+/g).map(Number)
            .map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = one => {
        for (let at = one; at; at = at.parentElement) {
            const said = getComputedStyle(at).backgroundColor;
            if (!/^rgba.*, 0\\)$/.test(said)) return said;
        }
        return "rgb(0, 0, 0)";
    };
    return [...document.querySelectorAll("body *")]
        .filter(one => one.checkVisibility() && !one.closest(".names, :disabled, label:has(:disabled), option, svg"))
        .filter(one => !one.closest("pre[aria-hidden]")) // lies behind what is typed, to carry a mark
        .filter(one => [...one.childNodes].some(part => part.nodeType === 3 && part.textContent.trim()))
        .map(one => [one, light(getComputedStyle(one).color), light(behind(one))])
        .map(([one, a, b]) => [one, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)])
        .filter(([, contrast]) => contrast < 4.5)
        .map(([one, contrast]) => `${one.innerText} ${contrast.toFixed(2)}`);
}"""

CONTROLS = {"button", "textbox", "slider", "combobox", "checkbox", "spinbutton", "searchbox", "switch", "splitter"}


def assert_readable(screen, what):
    screen.ping()
    screen.render()
    found = {"cut": screen.page.evaluate(CUT_OFF, USER_TEXT), "outside": screen.page.evaluate(OUTSIDE)}
    found["pale"] = screen.page.evaluate(LOW_CONTRAST)
    assert found == {"cut": [], "outside": [], "pale": []}, f"{what}: {found}"


def controls(screen):
    """The controls that can be worked now as Chromium tells them to a screen reader: what each is, and its name."""
    session = screen.page.context.new_cdp_session(screen.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    visible = [node for node in nodes if not node["ignored"]]
    kinds = [(one["role"]["value"], one.get("name", {}).get("value", "").strip()) for one in visible]
    return [(kind, name) for kind, name in kinds if kind.lower() in CONTROLS]


def assert_controls_named(screen, least):
    found = controls(screen)
    assert len(found) >= least, found
    assert [one for one in found if not one[1]] == []
