"""What databases have each for themselves: where they list tables, how they quote, which types they know."""
