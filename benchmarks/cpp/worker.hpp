// A twin runs as a worker: it answers one line of numbers on stdin with one line on stdout, so that
// its measurements can be taken in turns with Papan's.

#pragma once

#include <cstdint>
#include <cstdio>
#include <ctime>

using Bits = std::uint64_t;

inline int popcount(Bits bits) { return __builtin_popcountll(bits); }
inline int lowest(Bits bits) { return __builtin_ctzll(bits); }
inline Bits bit(int square) { return Bits{1} << square; }

// Processor time of this thread in seconds: what other programs do meanwhile does not count.
inline double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Boards of any size stand in the top-left corner of an 8 × 8 frame: square = 8 · row + column.
// Calls `set(square, neighbour)` for each pair of squares on the frame that a step joins.
template <typename Set>
void for_each_neighbour(bool diagonal, Set set) {
  for (int square = 0; square < 64; square++)
    for (int down = -1; down <= 1; down++)
      for (int right = -1; right <= 1; right++) {
        int row = square / 8 + down, column = square % 8 + right;
        bool on_board = row >= 0 && row < 8 && column >= 0 && column < 8;
        bool is_step = diagonal ? (down || right) : (!down != !right);
        if (on_board && is_step) set(square, 8 * row + column);
      }
}
