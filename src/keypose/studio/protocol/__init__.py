"""Everything that crosses the wire: commands from the page, updates to the page, their TypeScript types."""
