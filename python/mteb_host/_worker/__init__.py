"""How models answer the host, be it in a worker's interpreter, which gets these modules as text, or in the user's own process."""
