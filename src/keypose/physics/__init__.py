"""What has weight: bodies that follow rough paths, bump into each other and come back (LG95 §3-4)."""
