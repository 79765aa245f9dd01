"""How is a formula refused? With the column, what stands there, and what to write instead."""

from keypose.errors import KeyposeError


class FormulaError(KeyposeError):
    """A formula that cannot be read. `column` is where, counted in characters from 1 in the text as it was typed."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(f"Column {column} of the formula: {message}", at=("text",))
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_error, (str(self), self.column, self.at)


def _rebuild_error(message: str, column: int, at: tuple[str | int, ...]) -> FormulaError:
    """The same refusal in another process."""
    error = FormulaError("", column)
    error.args, error.at = (message,), at
    return error
