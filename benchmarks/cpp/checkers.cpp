// perft of English draughts from its start position, written by hand: what the game of
// examples/games is measured against. Steps of the last ply are counted, not made, as in Papan; a
// chain of jumps is one move.
//
// stdin: `<depth>` a line. stdout: `<leaves> <seconds>`.

#include "worker.hpp"

namespace {

using Count = std::uint64_t;

constexpr Bits kLeft = 0x0101010101010101, kRight = 0x8080808080808080;
constexpr Bits kLastRows = 0xFF000000000000FF;
constexpr Bits kDark = 0x55AA55AA55AA55AA;

struct State {
  Bits mine, theirs, kings;
  int side;
};

// The squares one step away: up to the left (0), to the right (1), down likewise (2, 3).
inline Bits beside(Bits set, int direction) {
  switch (direction) {
    case 0: return (set & ~kLeft) >> 9;
    case 1: return (set & ~kRight) >> 7;
    case 2: return (set & ~kLeft) << 7;
    default: return (set & ~kRight) << 9;
  }
}

// The pieces that may go in a direction: men only forward.
inline Bits going(const State& state, int direction) {
  return direction >> 1 == state.side ? state.mine : state.mine & state.kings;
}

inline Bits steppers(const State& state, int direction) {
  return beside(~(state.mine | state.theirs), 3 - direction) & going(state, direction);
}

inline Bits jumpers(const State& state, int direction) {
  Bits over = beside(~(state.mine | state.theirs), 3 - direction) & state.theirs;
  return beside(over, 3 - direction) & going(state, direction);
}

inline State moved(const State& state, Bits source, Bits over, Bits target) {
  Bits kings = state.kings & ~(source | over);
  if (state.kings & source || target & kLastRows) kings |= target;
  return {state.mine ^ source ^ target, state.theirs & ~over, kings, state.side};
}

inline State turned(const State& state) {
  return {state.theirs, state.mine, state.kings, 1 - state.side};
}

Count perft(const State& state, int depth);

// The leaves below the chains that a piece goes on with, or below the end of this one.
Count chains(const State& state, Bits piece, int depth) {
  Count leaves = 0;
  bool ends = true;
  for (int direction = 0; piece && direction < 4; direction++) {
    if (!(jumpers(state, direction) & piece)) continue;
    Bits over = beside(piece, direction), target = beside(over, direction);
    bool crowned = target & kLastRows && !(state.kings & piece);
    leaves += chains(moved(state, piece, over, target), crowned ? 0 : target, depth);
    ends = false;
  }
  if (!ends) return leaves;
  return depth == 1 ? 1 : perft(turned(state), depth - 1);
}

Count perft(const State& state, int depth) {
  Count leaves = 0;
  Bits jumping = 0;
  for (int direction = 0; direction < 4; direction++) jumping |= jumpers(state, direction);
  for (Bits rest = jumping; rest; rest &= rest - 1) leaves += chains(state, rest & -rest, depth);
  if (jumping) return leaves;
  for (int direction = 0; direction < 4; direction++) {
    Bits rest = steppers(state, direction);
    if (depth == 1) leaves += popcount(rest);
    if (depth == 1) continue;
    for (; rest; rest &= rest - 1) {
      Bits piece = rest & -rest;
      leaves += perft(turned(moved(state, piece, 0, beside(piece, direction))), depth - 1);
    }
  }
  return leaves;
}

}  // namespace

int main() {
  int depth;
  while (std::scanf("%d", &depth) == 1) {
    double began = cpu_seconds();
    Count leaves = perft({kDark & ~Bits{0} << 40, kDark & ~Bits{0} >> 40, 0, 0}, depth);
    double seconds = cpu_seconds() - began;
    std::printf("%llu %.9f\n", static_cast<unsigned long long>(leaves), seconds);
    std::fflush(stdout);
  }
}
