"""Arc length: tables of length per segment, and their inverse."""
