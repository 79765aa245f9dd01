"""Corrections of MuJoCo's contacts; docs/bodies.md has a row for each: what MuJoCo does without it, measured."""
