// perft of Hex on 11 × 11 cells from its start position, written by hand: what the game of
// examples/games is measured against. The last ply is counted, not made, as in Papan.
//
// stdin: `<depth>` a line. stdout: `<leaves> <seconds>`.

#include "worker.hpp"

namespace {

using Count = std::uint64_t;
using Cells = unsigned __int128;  // cell = 11 · row + column: 121 bits

constexpr int kSize = 11;
constexpr Cells kTopRow = (1 << kSize) - 1, kBottomRow = kTopRow << kSize * (kSize - 1);

constexpr Cells column(int number) {
  Cells found = 0;
  for (int row = 0; row < kSize; row++) found |= Cells{1} << (kSize * row + number);
  return found;
}

constexpr Cells kLeftColumn = column(0), kRightColumn = column(kSize - 1);
constexpr Cells kBoard = (Cells{1} << kSize * kSize) - 1;

inline int size_of(Cells cells) {
  return popcount(static_cast<Bits>(cells)) + popcount(static_cast<Bits>(cells >> 64));
}

inline Cells left(Cells cells) { return (cells & ~kLeftColumn) >> 1; }
inline Cells right(Cells cells) { return (cells & ~kRightColumn) << 1; }

inline Cells around(Cells cells) {
  Cells above = cells >> kSize, below = cells << kSize & kBoard;
  return above | below | left(cells | below) | right(cells | above);
}

// x joins the top row with the bottom row, o the left column with the right one.
template <bool is_x>
bool wins(Cells stone, Cells stones) {
  constexpr Cells first = is_x ? kTopRow : kLeftColumn, last = is_x ? kBottomRow : kRightColumn;
  Cells chain = stone;
  for (Cells fresh = stone; fresh;) {
    fresh = around(chain) & stones & ~chain;
    chain |= fresh;
  }
  return (chain & first) && (chain & last);
}

template <bool is_x>
Count perft(Cells mine, Cells theirs, int depth) {
  Cells free = kBoard & ~(mine | theirs);
  if (depth == 1) return size_of(free);
  bool may_win = size_of(free) - 1 <= (kSize - 1) * (kSize - 1);  // enough stones for a chain
  Count leaves = 0;
  for (Cells rest = free; rest; rest &= rest - 1) {
    Cells stone = rest & -rest;
    if (may_win && wins<is_x>(stone, mine | stone)) continue;
    leaves += perft<!is_x>(theirs, mine | stone, depth - 1);
  }
  return leaves;
}

}  // namespace

int main() {
  int depth;
  while (std::scanf("%d", &depth) == 1) {
    double began = cpu_seconds();
    Count leaves = perft<true>(0, 0, depth);
    double seconds = cpu_seconds() - began;
    std::printf("%llu %.9f\n", static_cast<unsigned long long>(leaves), seconds);
    std::fflush(stdout);
  }
}
