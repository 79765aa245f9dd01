"""What is reported: collisions, blocked and weak followers, penetration, detached joints."""
