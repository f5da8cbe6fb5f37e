// The value of a position of Connect Four, by forced wins of growing length: written by hand for
// this one game, what Papan's solver is measured against.
//
// stdin: `<own pieces> <other pieces>` a line, as sets in the 8 × 8 frame (top row first, seven
// columns of six). stdout: `<value> <positions> <seconds>`: a win after n plies is worth 10000 − n,
// a loss −(10000 − n), a draw 0, to the side to move.
//
// The same questions are asked as by Papan: is the value at least beta? A position is looked at
// only if its side to move cannot win at once, and only moves are made after which the other side
// cannot. Moves that leave most squares that would complete a four come first.

#include <vector>

#include "worker.hpp"

namespace {

constexpr int kWin = 10000, kMoves = 42;
constexpr Bits kTop = 0x7f, kBoard = 0x00007f7f7f7f7f7f, kBottom = kTop << 40;
constexpr std::size_t kSlots = std::size_t{1} << 22;

struct Proof {
  Bits mine, theirs;
  std::int16_t lower, upper;
  std::int8_t column;
};

// Bounds are kept as distances from the position: see `seen_from`.
constexpr std::int16_t kNoLower = -32000, kNoUpper = 32000;

std::vector<Proof> table;
std::uint64_t positions;

template <int step>
Bits ends_of_lines(Bits p) {
  Bits before = (p << step) & (p << 2 * step), behind = (p >> step) & (p >> 2 * step);
  return (before & ((p << 3 * step) | (p >> step))) | (behind & ((p >> 3 * step) | (p << step)));
}

Bits completing(Bits pieces, Bits taken) {
  Bits found = ends_of_lines<1>(pieces) | ends_of_lines<7>(pieces) | ends_of_lines<8>(pieces) |
               ends_of_lines<9>(pieces);
  return found & kBoard & ~taken;
}

inline Bits landings(Bits taken) { return (kBottom | (taken >> 8)) & ~taken; }

// The landing squares that may be used without losing at once.
Bits safe_squares(Bits theirs, Bits taken) {
  Bits threats = completing(theirs, taken), free = landings(taken), forced = free & threats;
  if (forced) {
    if (forced & (forced - 1)) return 0;
    free = forced;
  }
  return free & ~(threats << 8);
}

// A bound of the table, whose wins are counted from its position, as seen from `ply`.
inline int seen_from(int value, int ply) {
  if (value == 0 || value <= kNoLower || value >= kNoUpper) return value;
  return value > 0 ? value - ply : value + ply;
}

inline Proof& slot_of(Bits mine, Bits theirs) {
  Bits mixed = mine * 0x9e3779b97f4a7c15 ^ theirs * 0xc2b2ae3d27d4eb4f;
  return table[(mixed ^ mixed >> 32) & (kSlots - 1)];
}

struct Move {
  Bits square;
  int score;
};

// A bound of the value of a position whose side to move cannot win at once.
int prove(Bits mine, Bits theirs, int ply, int beta) {
  positions++;
  Bits taken = mine | theirs;
  Bits squares = safe_squares(theirs, taken);
  int left = kMoves - popcount(taken);
  if (!squares) return left ? ply + 2 - kWin : 0;
  int least = left >= 4 ? ply + 4 - kWin : 0, most = left >= 3 ? kWin - ply - 3 : 0;
  if (least >= beta) return least;
  if (most < beta) return most;
  int distance = kWin - (beta < 0 ? -beta : beta) - ply;
  bool kept = (distance < left ? distance : left) >= 4;
  int first = -1, lower = kNoLower, upper = kNoUpper;
  if (kept) {
    const Proof& proof = slot_of(mine, theirs);
    if (proof.mine == mine && proof.theirs == theirs) {
      lower = seen_from(proof.lower, ply);
      upper = seen_from(proof.upper, ply);
      first = proof.column;
      if (lower >= beta) return lower;
      if (upper < beta) return upper;
    }
  }
  Move moves[7];
  int count = 0;
  for (Bits rest = squares; rest; rest &= rest - 1) {
    Bits square = rest & -rest;
    int column = lowest(square) & 7, aside = column < 3 ? 3 - column : column - 3;
    int score = 4 * popcount(completing(mine | square, taken | square)) - aside;
    if (column == first) score = 1000;
    int at = count++;
    for (; at > 0 && moves[at - 1].score < score; at--) moves[at] = moves[at - 1];
    moves[at] = {square, score};
  }
  int best = -kWin;
  Bits best_square = 0;
  for (int i = 0; i < count && best < beta; i++) {
    int value = -prove(theirs, mine | moves[i].square, ply + 1, 1 - beta);
    if (value > best) best = value, best_square = moves[i].square;
  }
  if (kept) {
    (best >= beta ? lower : upper) = best;
    slot_of(mine, theirs) = {mine,
                             theirs,
                             static_cast<std::int16_t>(seen_from(lower, -ply)),
                             static_cast<std::int16_t>(seen_from(upper, -ply)),
                             static_cast<std::int8_t>(lowest(best_square) & 7)};
  }
  return best;
}

int value_of(Bits mine, Bits theirs) {
  Bits taken = mine | theirs;
  if (completing(mine, taken) & landings(taken)) return kWin - 1;
  int lower = 2 - kWin, upper = kWin - 1;
  for (int plies = 2; lower < upper; plies++)
    for (int beta : {kWin - plies, plies + 1 - kWin}) {
      if (beta <= lower || beta > upper) continue;
      int bound = prove(mine, theirs, 0, beta);
      (bound >= beta ? lower : upper) = bound;
    }
  return lower;
}

}  // namespace

int main() {
  unsigned long long mine, theirs;
  while (std::scanf("%llu %llu", &mine, &theirs) == 2) {
    table.assign(kSlots, Proof{0, 0, kNoLower, kNoUpper, -1});
    positions = 0;
    double began = cpu_seconds();
    int value = value_of(mine, theirs);
    double seconds = cpu_seconds() - began;
    std::printf("%d %llu %.9f\n", value, static_cast<unsigned long long>(positions), seconds);
    std::fflush(stdout);
  }
}
