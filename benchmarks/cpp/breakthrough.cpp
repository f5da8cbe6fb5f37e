// perft of Breakthrough on 8 × 8 squares from its start position, written by hand: what the game of
// examples/games is measured against. The last ply is counted, not made, as in Papan.
//
// stdin: `<depth>` a line. stdout: `<leaves> <seconds>`.

#include "worker.hpp"

namespace {

using Count = std::uint64_t;

constexpr Bits kLeftColumn = 0x0101010101010101, kRightColumn = kLeftColumn << 7;
constexpr Bits kTopRow = 0xFF, kBottomRow = kTopRow << 56;

// x goes up, o goes down.
template <bool is_x>
inline Bits ahead(Bits pieces) {
  return is_x ? pieces >> 8 : pieces << 8;
}

inline Bits left(Bits squares) { return (squares & ~kLeftColumn) >> 1; }
inline Bits right(Bits squares) { return (squares & ~kRightColumn) << 1; }

template <bool is_x>
Count perft(Bits mine, Bits theirs, int depth) {
  if ((theirs & (is_x ? kBottomRow : kTopRow)) || !mine) return 0;
  if (depth == 1) {
    Bits front = ahead<is_x>(mine);
    return popcount(front & ~theirs & ~mine) + popcount(left(front) & ~mine) +
           popcount(right(front) & ~mine);
  }
  Count leaves = 0;
  for (Bits pieces = mine; pieces; pieces &= pieces - 1) {
    Bits source = pieces & -pieces, front = ahead<is_x>(source);
    Bits targets = (front & ~theirs & ~mine) | ((left(front) | right(front)) & ~mine);
    for (; targets; targets &= targets - 1) {
      Bits target = targets & -targets;
      leaves += perft<!is_x>(theirs & ~target, (mine & ~source) | target, depth - 1);
    }
  }
  return leaves;
}

}  // namespace

int main() {
  int depth;
  while (std::scanf("%d", &depth) == 1) {
    double began = cpu_seconds();
    Count leaves = perft<true>(Bits{0xFFFF} << 48, 0xFFFF, depth);
    double seconds = cpu_seconds() - began;
    std::printf("%llu %.9f\n", static_cast<unsigned long long>(leaves), seconds);
    std::fflush(stdout);
  }
}
