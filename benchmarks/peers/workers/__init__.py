"""One module for each library; the Python in `benchmarks/build/peers` runs them."""
