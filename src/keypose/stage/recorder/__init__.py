"""Recording a stage into a take: `shoot`, its duration, its frames."""
