"""Alpha–beta search: one kernel, `negamax`, whose techniques are types."""
