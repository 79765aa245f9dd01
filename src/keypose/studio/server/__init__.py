"""HTTP, websocket, clients and background jobs."""
