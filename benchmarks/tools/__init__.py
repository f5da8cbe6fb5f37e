"""What benchmarks share: reports, timing, and C++ twins."""
