"""One module a library; run with the Python of the environment in `benchmarks/build/peers`."""
