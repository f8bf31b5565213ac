"""How well memory serves, as measured from its use."""
