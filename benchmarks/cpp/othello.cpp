// perft of Othello from its start position, written by hand: what the game of examples/games is
// measured against. The last ply is counted, not made, as in Papan; a pass is a move.
//
// stdin: `<depth>` a line. stdout: `<leaves> <seconds>`.

#include "worker.hpp"

namespace {

using Count = std::uint64_t;

constexpr Bits kInner = 0x7E7E7E7E7E7E7E7E;

template <int step>
inline Bits shifted(Bits set) {
  return step > 0 ? set << (step & 63) : set >> (-step & 63);
}

// The discs of `row` that lead away from `from` in one direction.
template <int step>
inline Bits run(Bits from, Bits row) {
  Bits found = row & shifted<step>(from);
  for (int i = 0; i < 5; i++) found |= row & shifted<step>(found);
  return found;
}

template <int step>
inline Bits behind(Bits mine, Bits row) {
  return shifted<step>(run<step>(mine, row)) | shifted<-step>(run<-step>(mine, row));
}

inline Bits placements(Bits mine, Bits theirs) {
  Bits inner = theirs & kInner;
  Bits found = behind<8>(mine, theirs) | behind<1>(mine, inner) | behind<7>(mine, inner) |
               behind<9>(mine, inner);
  return found & ~(mine | theirs);
}

template <int step>
inline Bits turned_one_way(Bits disc, Bits mine, Bits row) {
  Bits found = run<step>(disc, row);
  return shifted<step>(found) & mine ? found : 0;
}

template <int step>
inline Bits turned(Bits disc, Bits mine, Bits row) {
  return turned_one_way<step>(disc, mine, row) | turned_one_way<-step>(disc, mine, row);
}

Count perft(Bits mine, Bits theirs, int depth) {
  Bits targets = placements(mine, theirs);
  if (!targets) {
    if (!placements(theirs, mine)) return 0;
    return depth == 1 ? 1 : perft(theirs, mine, depth - 1);
  }
  if (depth == 1) return popcount(targets);
  Count leaves = 0;
  for (; targets; targets &= targets - 1) {
    Bits disc = targets & -targets, inner = theirs & kInner;
    Bits flipped = turned<8>(disc, mine, theirs) | turned<1>(disc, mine, inner) |
                   turned<7>(disc, mine, inner) | turned<9>(disc, mine, inner);
    leaves += perft(theirs & ~flipped, mine | disc | flipped, depth - 1);
  }
  return leaves;
}

}  // namespace

int main() {
  int depth;
  while (std::scanf("%d", &depth) == 1) {
    double began = cpu_seconds();
    Count leaves = perft(bit(27) | bit(36), bit(28) | bit(35), depth);
    double seconds = cpu_seconds() - began;
    std::printf("%llu %.9f\n", static_cast<unsigned long long>(leaves), seconds);
    std::fflush(stdout);
  }
}
