"""Why does the wheel hold the studio's page? Whoever installs it needs no Node then: the page is built on the way."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = "src/keypose/studio/page"


class PageHook(BuildHookInterface[Any]):
    """Builds the page and takes it along, although git ignores it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before files are gathered. An editable installation reads the page where `make` builds it."""
        if version == "editable":
            return
        runpy.run_path(str(Path(self.root) / "tools/build_page.py"))["build"]()
        build_data["artifacts"].append(f"/{PAGE}")
