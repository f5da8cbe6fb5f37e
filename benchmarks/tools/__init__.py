"""Shared parts of the benchmarks: reports, timing, and C++ twins."""
