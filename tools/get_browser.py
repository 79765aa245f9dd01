"""Get the browser in which the studio is tested: what is here, else Debian's as root, else Playwright's own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOLDERS = ("/usr/bin", "/usr/local/bin", "/snap/bin")
MAC_PATH = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def find_browser() -> str | None:
    """A browser that is here already: on the PATH, where systems keep it, or where Playwright does."""
    usual_paths = [f"{folder}/{name}" for folder in FOLDERS for name in NAMES]
    installed = [shutil.which(name) for name in NAMES] + [
        path for path in [*usual_paths, MAC_PATH] if os.access(path, os.X_OK)
    ]
    return next((path for path in installed if path), None) or _playwright_browser()


def _playwright_browser() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install_browser() -> str | None:
    """A browser, fetched if there is none."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for words in (
            ["update", "-qq"],
            ["install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core"],
        ):
            subprocess.run(["apt-get", *words], env=quiet, stdout=subprocess.DEVNULL, check=False)
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    return find_browser()


if __name__ == "__main__":
    if not (find_browser() or install_browser()):
        sys.exit(
            "The studio is tested in a browser, and there is none. Install Chromium (Debian: apt-get install chromium; "
            "elsewhere: .venv/bin/playwright install --with-deps chromium) and run this again."
        )
