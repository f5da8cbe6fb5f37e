"""Operations and their dispatch, bits, Zobrist keys, and compilation with its cache."""
