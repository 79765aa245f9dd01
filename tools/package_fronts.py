"""An import-linter contract: packages import from each other's fronts, `from keypose.curves import Key`."""

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output


class PackageFronts(Contract):
    """Each import of another package names what that package's `__init__` exports, and no module inside it."""

    type_name = "package_fronts"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Collect the imports that reach into another package."""
        deep = []
        for importer in sorted(graph.modules):
            for imported in sorted(graph.find_modules_directly_imported_by(importer)):
                front = ".".join(imported.split(".")[:2])
                if imported == front or importer == front or importer.startswith(f"{front}."):
                    continue
                deep += [
                    f"{importer}:{detail['line_number']}: {detail['line_contents']}"
                    for detail in graph.get_import_details(importer=importer, imported=imported)
                    if not detail["line_contents"].startswith(f"from {front} import ")
                ]
        return ContractCheck(kept=not deep, metadata={"deep": deep})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports and the remedy."""
        deep: list[Any] = check.metadata["deep"]
        for line in deep:
            output.print_error(line)
        output.print("Import from the package itself; what it exports is listed in its __init__.pyi.")
