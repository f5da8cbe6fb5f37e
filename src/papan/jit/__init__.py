"""Compilation with numba: the only folder that imports numba or llvmlite."""
