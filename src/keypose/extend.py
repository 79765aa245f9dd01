"""Extension points for movers that are simulated together. Provisional: they may change until version 1.0.

A mover of one's own needs only the protocol `keypose.Mover`. Movers that act on each other within one tick are stepped
together: each is a `SystemMover`, whose `system_kind` makes one `System` of all of them.
"""

from keypose.motion import BatchSystem, StepContext, System, SystemContext, SystemFactory, SystemMover

__all__ = ["BatchSystem", "StepContext", "System", "SystemContext", "SystemFactory", "SystemMover"]
