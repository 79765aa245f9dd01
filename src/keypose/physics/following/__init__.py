"""Path following (LG95 section 3): the target on the path, the force law, a row of state per follower."""
