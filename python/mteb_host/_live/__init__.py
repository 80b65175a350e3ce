"""Models of the user's own process, which the host asks where they are."""
