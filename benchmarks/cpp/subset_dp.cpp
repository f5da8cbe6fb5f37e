// The value still to come in Adjacency played until the board is full, for every set of empty
// squares of a root: written by hand, what Papan's solver is measured against.
//
// stdin: `<squares of the board> <empty squares>` a line, as sets in the 8 × 8 frame. stdout:
// `<value to come> <sets> <seconds>`.
//
// Each set is looked at once, in ascending order, a byte each. Which squares a move settles is
// found for all squares of a set at once: those with just one empty square among themselves and
// their neighbours; looking at each neighbourhood of each move by itself is slower.

#include <vector>

#include "worker.hpp"

namespace {

constexpr Bits kLeftColumn = 0x0101010101010101, kRightColumn = 0x8080808080808080;

inline Bits above(Bits b) { return b >> 8; }
inline Bits below(Bits b) { return b << 8; }
inline Bits before(Bits b) { return (b & ~kLeftColumn) >> 1; }
inline Bits behind(Bits b) { return (b & ~kRightColumn) << 1; }

// The squares that have just one square of the set among themselves and their neighbours.
inline Bits with_one(Bits set) {
  Bits once = set, twice = 0;
  for (Bits moved : {above(set), below(set), before(set), behind(set)}) {
    twice |= once & moved;
    once |= moved;
  }
  return once & ~twice;
}

int value_to_come(Bits board, Bits empty) {
  Bits area[64];
  int count = 0;
  for (Bits rest = empty; rest; rest &= rest - 1) {
    Bits square = rest & -rest;
    area[count++] = board & (square | above(square) | below(square) | before(square) |
                             behind(square));
  }
  const std::uint64_t sets = std::uint64_t{1} << count;
  std::vector<std::int8_t> to_come(sets);
  Bits set = 0;
  for (std::uint64_t index = 1; index < sets; index++) {
    set = (set - empty) & empty;
    Bits settled = with_one(set);
    int best = -128;
    for (std::uint64_t rest = index; rest; rest &= rest - 1) {
      int value = popcount(area[lowest(rest)] & settled) - to_come[index ^ (rest & -rest)];
      if (value > best) best = value;
    }
    to_come[index] = static_cast<std::int8_t>(best);
  }
  return to_come[sets - 1];
}

}  // namespace

int main() {
  unsigned long long board, empty;
  while (std::scanf("%llu %llu", &board, &empty) == 2) {
    double began = cpu_seconds();
    int value = value_to_come(board, empty);
    double seconds = cpu_seconds() - began;
    std::printf("%d %llu %.9f\n", value, 1ull << popcount(empty), seconds);
    std::fflush(stdout);
  }
}
