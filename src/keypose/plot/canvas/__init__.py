"""Theme, views, labels and curve samples under every sheet."""
