// Plain fail-soft alpha–beta on Adjacency 8 × 8 from the start position, R = 28, row-major moves,
// written by hand for this one game: what Papan's generic search is measured against.
//
// stdin: `<mode> <depth>` a line; in mode 0 the last ply is evaluated in the parent, in mode 1 every
// leaf is made and looked at. stdout: `<value> <nodes> <seconds>`.
//
// Of a dozen ways to write it, this was the fastest under g++ 12: positions are plain numbers, which
// stay in registers (as structs they would not); a leaf is looked at where it is made, not after one
// more call; and the depth is cut to the plies left once, at the root, so that no node has to ask
// whether the game is over.

#include <algorithm>

#include "worker.hpp"

namespace {

constexpr int kInfinity = 1 << 24;
constexpr int kPlies = 56;

Bits neighbours[64];
std::uint64_t nodes;

// The best of the leaves, none of them made: a move adds one piece, and each flip counts twice.
[[gnu::always_inline]] inline int last_ply(Bits mine, Bits theirs, Bits empty, int beta) {
  int gain = popcount(mine) - popcount(theirs) + 1;
  int best = -kInfinity, looked_at = 0;
  for (Bits rest = empty; rest; rest &= rest - 1) {
    looked_at++;
    int value = gain + 2 * popcount(neighbours[lowest(rest)] & theirs);
    if (value > best) {
      best = value;
      if (value >= beta) break;
    }
  }
  nodes += looked_at;
  return best;
}

template <bool kVisitLeaves>
int alpha_beta(Bits mine, Bits theirs, Bits empty, int depth, int alpha, int beta) {
  if (!kVisitLeaves && depth == 1) return last_ply(mine, theirs, empty, beta);
  int best = -kInfinity;
  for (Bits rest = empty; rest; rest &= rest - 1) {
    int square = lowest(rest);
    Bits flipped = neighbours[square] & theirs;
    Bits moved = mine | flipped | bit(square), answering = theirs & ~flipped;
    nodes++;
    int value = kVisitLeaves && depth == 1
                    ? popcount(moved) - popcount(answering)
                    : -alpha_beta<kVisitLeaves>(answering, moved, empty & ~bit(square), depth - 1,
                                                -beta, -std::max(alpha, best));
    if (value > best) {
      best = value;
      if (value >= beta) break;
    }
  }
  return best;
}

}  // namespace

int main() {
  for_each_neighbour(false, [](int square, int next) { neighbours[square] |= bit(next); });
  Bits first = bit(48) | bit(49) | bit(56) | bit(57);
  Bits second = bit(6) | bit(7) | bit(14) | bit(15);
  int mode, depth;
  while (std::scanf("%d %d", &mode, &depth) == 2) {
    auto search = mode == 1 ? alpha_beta<true> : alpha_beta<false>;
    nodes = 1;
    double began = cpu_seconds();
    int value = search(first, second, ~(first | second), std::min(depth, kPlies), -kInfinity,
                       kInfinity);
    double seconds = cpu_seconds() - began;
    std::printf("%d %llu %.9f\n", value, static_cast<unsigned long long>(nodes), seconds);
    std::fflush(stdout);
  }
}
