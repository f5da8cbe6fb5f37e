// perft of chess, written by hand: what the game of examples/games is measured against. Moves are
// legal from the start: pins and checks are known before them. Those of the last ply are counted,
// not made, as in Papan.
//
// stdin: `<position> <depth>` a line (0: the start, 1: the wiki's "Kiwipete"). stdout: `<leaves>
// <seconds>`.

#include "worker.hpp"

namespace {

using Count = std::uint64_t;

constexpr Bits kLeft = 0x0101010101010101, kRight = 0x8080808080808080, kAll = ~Bits{0};
constexpr Bits kLastRows = 0xFF000000000000FF;
constexpr Bits kFourth = 0x000000FF00000000, kFifth = 0x00000000FF000000;

Bits knight[64], king_steps[64], rays[8][64];

// The first four lead to higher numbers, the others back; even ones are those of a rook.
constexpr int kSteps[8][2] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                              {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};

bool on_board(int row, int column) { return row >= 0 && row < 8 && column >= 0 && column < 8; }

void fill_tables() {
  for (int square = 0; square < 64; square++) {
    for (int way = 0; way < 8; way++) {
      int row = square / 8, column = square % 8;
      while (row += kSteps[way][0], column += kSteps[way][1], on_board(row, column))
        rays[way][square] |= bit(8 * row + column);
    }
    for (int down = -2; down <= 2; down++)
      for (int right = -2; right <= 2; right++) {
        int row = square / 8 + down, column = square % 8 + right;
        if (!on_board(row, column)) continue;
        if (down * down + right * right == 5) knight[square] |= bit(8 * row + column);
        if (down * down < 2 && right * right < 2) king_steps[square] |= bit(8 * row + column);
      }
    king_steps[square] &= ~bit(square);
  }
}

inline int highest(Bits bits) { return 63 - __builtin_clzll(bits); }

// A ray and the opposite one, up to the first obstacle on each.
inline Bits reach(int way, int square, Bits occupied) {
  Bits forth = rays[way][square], back = rays[way + 4][square];
  forth &= ~rays[way][lowest((forth & occupied) | bit(63))];
  back &= ~rays[way + 4][highest((back & occupied) | bit(0))];
  return forth | back;
}

inline Bits rook(int square, Bits occupied) {
  return reach(0, square, occupied) | reach(2, square, occupied);
}
inline Bits bishop(int square, Bits occupied) {
  return reach(1, square, occupied) | reach(3, square, occupied);
}

struct State {
  Bits mine, theirs, kings, pawns, knights, diagonal, straight, castling, passed;
  int side;
  Bits occupied() const { return mine | theirs; }
  int king() const { return lowest(mine & kings); }
};

// What the moves of a position must respect: where a piece ends a check, and what is pinned.
struct Guard {
  Bits shield, pinned;
};

inline Bits ahead(Bits set, int side) { return side == 0 ? set >> 8 : set << 8; }
inline Bits beside(Bits set) { return ((set & ~kLeft) >> 1) | ((set & ~kRight) << 1); }

inline Bits attackers(const State& s, int square, Bits occupied) {
  Bits found = beside(ahead(bit(square), s.side)) & s.pawns;
  found |= (knight[square] & s.knights) | (king_steps[square] & s.kings);
  found |= (bishop(square, occupied) & s.diagonal) | (rook(square, occupied) & s.straight);
  return found & s.theirs & occupied;
}

inline Bits line(int one, int other, Bits ends) {
  Bits cross = rook(one, ends);
  if (cross & bit(other)) return cross & rook(other, ends);
  return bishop(one, ends) & bishop(other, ends);
}

inline Guard guard(const State& s) {
  Guard guard{kAll, 0};
  int king = s.king();
  for (Bits rest = attackers(s, king, s.occupied()); rest; rest &= rest - 1)
    guard.shield &= line(king, lowest(rest), bit(king) | (rest & -rest)) | (rest & -rest);
  Bits pinning = (rook(king, s.theirs) & s.straight) | (bishop(king, s.theirs) & s.diagonal);
  for (pinning &= s.theirs; pinning; pinning &= pinning - 1) {
    Bits between = line(king, lowest(pinning), bit(king) | (pinning & -pinning)) & s.mine;
    if (popcount(between) == 1) guard.pinned |= between;
  }
  return guard;
}

inline Bits king_targets(const State& s, const Guard& guard, int king) {
  Bits found = 0;
  for (Bits rest = king_steps[king] & ~s.mine; rest; rest &= rest - 1)
    if (!attackers(s, lowest(rest), (s.occupied() ^ bit(king)) | (rest & -rest)))
      found |= rest & -rest;
  Bits rooks = s.castling & s.mine;
  if (guard.shield != kAll || !rooks) return found;
  rooks &= rook(king, s.occupied());
  for (int step = 1; step >= -1; step -= 2) {
    if (!(rooks & bit(king + (step > 0 ? 3 : -4))) || !(found & bit(king + step))) continue;
    Bits target = bit(king + 2 * step);
    if (!attackers(s, king + 2 * step, s.occupied() | target)) found |= target;
  }
  return found;
}

inline bool can_pass(const State& s, Bits pawn) {
  if (!(beside(ahead(pawn, s.side)) & s.passed)) return false;
  Bits gone = pawn | ahead(s.passed, 1 - s.side);
  return !attackers(s, s.king(), (s.occupied() | s.passed) & ~gone);
}

inline Bits targets(const State& s, const Guard& guard, int source) {
  Bits piece = bit(source), found = 0;
  if (piece & s.kings) return king_targets(s, guard, source);
  if (piece & s.pawns) {
    Bits empty = ~s.occupied(), front = ahead(piece, s.side);
    Bits twice = ahead(front & empty, s.side) & (s.side == 0 ? kFourth : kFifth);
    found = ((front | twice) & empty) | (beside(front) & s.theirs);
  }
  if (piece & s.knights) found = knight[source];
  if (piece & s.diagonal) found |= bishop(source, s.occupied());
  if (piece & s.straight) found |= rook(source, s.occupied());
  found &= guard.shield & ~s.mine;
  if (piece & guard.pinned) found &= line(s.king(), source, 0);
  if (piece & s.pawns && can_pass(s, piece)) found |= s.passed;
  return found;
}

inline Bits after(Bits set, Bits source, Bits target, Bits gone) {
  set &= ~gone;
  return set & source ? set ^ source ^ target : set;
}

// `choice`: 1 to 4 for a knight, a bishop, a rook, a queen; 0 for no promotion.
inline State played(const State& s, int start, int end, int choice) {
  Bits source = bit(start), target = bit(end);
  bool is_pawn = source & s.pawns;
  Bits gone = is_pawn && target == s.passed ? ahead(target, 1 - s.side) : target;
  State next{s.theirs & ~gone,
             s.mine ^ source ^ target,
             after(s.kings, source, target, gone),
             after(s.pawns, source, target, gone),
             after(s.knights, source, target, gone),
             after(s.diagonal, source, target, gone),
             after(s.straight, source, target, gone),
             s.castling & ~(source | target),
             0,
             1 - s.side};
  if (choice) next.pawns ^= target;
  if (choice == 1) next.knights |= target;
  if (choice == 2 || choice == 4) next.diagonal |= target;
  if (choice >= 3) next.straight |= target;
  bool twice = end - start == 16 || start - end == 16;
  if (is_pawn && twice && beside(target) & next.pawns & next.mine)
    next.passed = ahead(source, s.side);
  if (source & s.kings) {
    next.castling &= ~next.theirs;
    Bits rook = end == start + 2   ? bit(end + 1) | bit(end - 1)
                : end == start - 2 ? bit(end - 2) | bit(end + 1)
                                   : 0;
    next.theirs ^= rook;
    next.straight ^= rook;
  }
  return next;
}

// The number of moves: those of pieces that are not pinned kind by kind, not piece by piece.
Count count_moves(const State& s, const Guard& guard) {
  int king = s.king();
  Bits free = s.mine & ~guard.pinned & ~s.kings, ends = guard.shield & ~s.mine;
  Bits empty = ~s.occupied(), enemies = s.theirs & guard.shield, pawns = free & s.pawns;
  Bits fronts = ahead(pawns, s.side), once = fronts & empty;
  Bits twice = ahead(once, s.side) & (s.side == 0 ? kFourth : kFifth) & empty & guard.shield;
  Bits left = (fronts & ~kLeft) >> 1 & enemies, right = (fronts & ~kRight) << 1 & enemies;
  once &= guard.shield;
  Count count = popcount(king_targets(s, guard, king)) + popcount(twice) + popcount(once);
  count += popcount(left) + popcount(right) + 3 * popcount(once & kLastRows);
  count += 3 * (popcount(left & kLastRows) + popcount(right & kLastRows));
  for (Bits rest = free & s.knights; rest; rest &= rest - 1)
    count += popcount(knight[lowest(rest)] & ends);
  for (Bits rest = free & s.diagonal; rest; rest &= rest - 1)
    count += popcount(bishop(lowest(rest), s.occupied()) & ends);
  for (Bits rest = free & s.straight; rest; rest &= rest - 1)
    count += popcount(rook(lowest(rest), s.occupied()) & ends);
  for (Bits rest = s.mine & guard.pinned; rest; rest &= rest - 1) {
    Bits to = targets(s, guard, lowest(rest));
    count += popcount(to) + (rest & -rest & s.pawns ? 3 * popcount(to & kLastRows) : 0);
  }
  for (Bits rest = pawns & beside(ahead(s.passed, 1 - s.side)); rest; rest &= rest - 1)
    count += can_pass(s, rest & -rest);
  return count;
}

Count perft(const State& s, int depth) {
  Count leaves = 0;
  Guard limits = guard(s);
  if (depth == 1) return count_moves(s, limits);
  for (Bits pieces = s.mine; pieces; pieces &= pieces - 1) {
    int source = lowest(pieces);
    Bits to = targets(s, limits, source);
    Bits promoting = bit(source) & s.pawns ? to & kLastRows : 0;
    for (; to; to &= to - 1) {
      bool promotes = promoting & to & -to;
      for (int choice = promotes; choice <= (promotes ? 4 : 0); choice++)
        leaves += perft(played(s, source, lowest(to), choice), depth - 1);
    }
  }
  return leaves;
}

// The position of a board as it is written from the top left, with White to move and all castling.
State read(const char* text) {
  State s{};
  for (int square = 0; square < 64; text++) {
    char letter = *text;
    if (letter >= '1' && letter <= '8') square += letter - '0';
    if (letter == '/' || (letter >= '1' && letter <= '8')) continue;
    Bits here = bit(square++);
    (letter < 'a' ? s.mine : s.theirs) |= here;
    char kind = letter | 32;
    if (kind == 'k') s.kings |= here;
    if (kind == 'p') s.pawns |= here;
    if (kind == 'n') s.knights |= here;
    if (kind == 'b' || kind == 'q') s.diagonal |= here;
    if (kind == 'r' || kind == 'q') s.straight |= here;
  }
  s.castling = bit(0) | bit(7) | bit(56) | bit(63);
  return s;
}

}  // namespace

int main() {
  fill_tables();
  const State positions[] = {
      read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
      read("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R"),
  };
  int position, depth;
  while (std::scanf("%d %d", &position, &depth) == 2) {
    double began = cpu_seconds();
    Count leaves = perft(positions[position], depth);
    double seconds = cpu_seconds() - began;
    std::printf("%llu %.9f\n", static_cast<unsigned long long>(leaves), seconds);
    std::fflush(stdout);
  }
}
