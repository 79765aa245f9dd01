"""Why did something fail? A sentence for the page; what nobody expected is told to the terminal too."""

import logging

from keypose.errors import KeyposeError

log = logging.getLogger(__name__)


def error_text(error: Exception, log_message: str = "A message could not be carried out.") -> str:
    """What went wrong; `log_message` says in the terminal what came of it."""
    if isinstance(error, KeyposeError):
        return str(error)
    log.error(log_message, exc_info=error)
    return f"Something went wrong inside ({type(error).__name__}: {error})."
