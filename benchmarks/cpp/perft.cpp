// perft of the three games from their start positions, written by hand for each game: what Papan's
// generic move counting is measured against. The last ply is counted, not made, as in Papan.
//
// stdin: `<game> <depth>` a line; game 0 is Adjacency 8 × 8 (R = 28), 1 is Platforms 6 × 6 level 3,
// 2 is Corners. stdout: `<leaves> <seconds>`.

#include "worker.hpp"

namespace {

using Count = std::uint64_t;

Bits orthogonal[64], surrounding[64];

// --- Adjacency: the sets of pieces; the game is longer than any depth asked for ------------------

Count adjacency(Bits mine, Bits theirs, Bits empty, int depth) {
  if (depth == 1) return popcount(empty);
  Count leaves = 0;
  for (Bits rest = empty; rest; rest &= rest - 1) {
    int square = lowest(rest);
    Bits flipped = orthogonal[square] & theirs, left = empty & ~bit(square);
    if (depth == 2)
      leaves += popcount(left);
    else
      leaves += adjacency(theirs & ~flipped, mine | flipped | bit(square), left, depth - 1);
  }
  return leaves;
}

// --- Platforms: the squares with at least one, two, three steps left; the pawns ------------------

inline Bits steps_of_pawn(Bits one, int mine, int theirs) {
  return surrounding[mine] & one & ~bit(theirs);
}

Count platforms(Bits one, Bits two, Bits three, int mine, int theirs, int depth) {
  Bits targets = steps_of_pawn(one, mine, theirs);
  if (depth == 1) return popcount(targets);
  Count leaves = 0;
  for (Bits rest = targets; rest; rest &= rest - 1) {
    Bits square = rest & -rest, worn = one & ~(square & ~two);
    if (depth == 2)
      leaves += popcount(steps_of_pawn(worn, theirs, lowest(rest)));
    else
      leaves += platforms(worn, two & ~(square & ~three), three & ~square, theirs, lowest(rest),
                          depth - 1);
  }
  return leaves;
}

// --- Corners: compiled twice, forward being up and left for side 0, down and right for side 1 ----

constexpr Bits kNotLeft = 0xFEFEFEFEFEFEFEFE, kNotRight = 0x7F7F7F7F7F7F7F7F;
constexpr Bits kGoal[2] = {0x0000000000070707, 0xE0E0E00000000000};

template <int side>
inline Bits vertical(Bits set) {
  return side == 0 ? set >> 8 : set << 8;
}

template <int side>
inline Bits horizontal(Bits set) {
  return side == 0 ? (set & kNotLeft) >> 1 : (set & kNotRight) << 1;
}

template <int side>
inline Bits steps(Bits sources, Bits empty) {
  return (vertical<side>(sources) | horizontal<side>(sources)) & empty;
}

template <int side>
inline int count_steps(Bits sources, Bits empty) {
  return popcount(vertical<side>(sources) & empty) + popcount(horizontal<side>(sources) & empty);
}

template <int side>
inline Bits jumps(Bits sources, Bits empty) {
  Bits up = vertical<side>(vertical<side>(sources) & ~empty);
  Bits across = horizontal<side>(horizontal<side>(sources) & ~empty);
  return (up | across) & empty;
}

// Where one piece gets by one jump or more.
template <int side>
inline Bits jump_chains(Bits source, Bits empty) {
  Bits reached = 0;
  for (Bits newest = jumps<side>(source, empty); newest; newest = jumps<side>(newest, empty))
    reached |= newest;
  return reached;
}

// The pieces that have a jump: seen from the empty squares, backwards.
template <int side>
inline Bits jumpers(Bits mine, Bits empty) {
  return mine & (vertical<1 - side>(vertical<1 - side>(empty) & ~empty) |
                 horizontal<1 - side>(horizontal<1 - side>(empty) & ~empty));
}

template <int side>
inline int count_corners_moves(Bits mine, Bits theirs) {
  if (theirs == kGoal[1 - side] || mine == kGoal[side]) return 0;
  Bits empty = ~(mine | theirs);
  int count = count_steps<side>(mine, empty);
  for (Bits rest = jumpers<side>(mine, empty); rest; rest &= rest - 1)
    count += popcount(jump_chains<side>(rest & -rest, empty));
  if (count > 0) return count;
  return count_steps<1 - side>(mine & kGoal[side], empty);
}

template <int side>
Count corners(Bits mine, Bits theirs, int depth);

template <int side>
inline Count below(Bits mine, Bits theirs, int depth) {
  return depth == 1 ? count_corners_moves<side>(mine, theirs) : corners<side>(mine, theirs, depth);
}

template <int side>
Count corners(Bits mine, Bits theirs, int depth) {
  if (theirs == kGoal[1 - side] || mine == kGoal[side]) return 0;
  Bits empty = ~(mine | theirs);
  Count leaves = 0;
  bool forward = false;
  for (Bits pieces = mine; pieces; pieces &= pieces - 1) {
    Bits source = pieces & -pieces;
    Bits targets = steps<side>(source, empty) | jump_chains<side>(source, empty);
    forward |= targets != 0;
    for (; targets; targets &= targets - 1)
      leaves += below<1 - side>(theirs, (mine ^ source) | (targets & -targets), depth - 1);
  }
  if (forward) return leaves;
  for (Bits pieces = mine & kGoal[side]; pieces; pieces &= pieces - 1) {
    Bits source = pieces & -pieces;
    for (Bits targets = steps<1 - side>(source, empty); targets; targets &= targets - 1)
      leaves += below<1 - side>(theirs, (mine ^ source) | (targets & -targets), depth - 1);
  }
  return leaves;
}

// --- The start positions -------------------------------------------------------------------------

Count from_start(int game, int depth) {
  if (game == 0) {
    Bits first = bit(48) | bit(49) | bit(56) | bit(57), second = bit(6) | bit(7) | bit(14) | bit(15);
    return adjacency(first, second, ~(first | second), depth);
  }
  if (game == 1) {
    Bits board = 0x00003F3F3F3F3F3F, corners_of_board = bit(0) | bit(45);
    return platforms(board, board, board & ~corners_of_board, 0, 45, depth);
  }
  return below<0>(kGoal[1], kGoal[0], depth);
}

}  // namespace

int main() {
  for_each_neighbour(false, [](int square, int next) { orthogonal[square] |= bit(next); });
  for_each_neighbour(true, [](int square, int next) { surrounding[square] |= bit(next); });
  int game, depth;
  while (std::scanf("%d %d", &game, &depth) == 2) {
    double began = cpu_seconds();
    Count leaves = from_start(game, depth);
    double seconds = cpu_seconds() - began;
    std::printf("%llu %.9f\n", static_cast<unsigned long long>(leaves), seconds);
    std::fflush(stdout);
  }
}
