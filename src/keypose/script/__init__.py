"""Who meets whom, and where? A graph of meetings, and the speeds that keep them (LG95 §5–6)."""
