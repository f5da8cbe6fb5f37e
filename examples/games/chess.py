"""Chess with all rules: promotion, castling, en passant, fifty-move rule, threefold repetition.

papan play examples/games/chess.py

Rules: the FIDE Laws of Chess; draws need no claim. Positions are written in FEN, moves as `e7e8q`.
"""

from typing import NamedTuple

import papan.gamekit as rules
from papan.errors import InvalidPosition
from papan.gamekit import ALL, NONE, WIN, Bits, Piece, bit, helper, lowest, popcount

BOARD = rules.Grid(8, 8)
LAST_ROWS = BOARD.of_squares([*range(8), *range(56, 64)])
FOURTH, FIFTH = (BOARD.of_squares(list(range(first, first + 8))) for first in (32, 24))
DARK = BOARD.of_squares([square for square in range(64) if (square // 8 + square) % 2])
CENTRE = BOARD.of_squares([8 * row + column for row in range(2, 6) for column in range(2, 6)])
MIDDLE = BOARD.of_squares([8 * row + column for row in range(8) for column in range(2, 6)])
FAR = tuple(BOARD.of_squares(list(range(*part))) for part in ((32,), (32, 64), (24,), (40, 64)))
ROOKS = {"K": 63, "Q": 56, "k": 7, "q": 0}  # rooks that may castle, in position notation
NAMES = ("pawn", "knight", "bishop", "rook", "king", "queen")
MEN = [Piece(letter, "x", name, name) for letter, name in zip("PNBRKQ", NAMES, strict=True)]
MEN += [Piece(letter, "o", name, name) for letter, name in zip("pnbrkq", NAMES, strict=True)]


class State(NamedTuple):
    """A position. Queens are in `diagonal` and in `straight`; the last two fields are derived."""

    mine: Bits
    theirs: Bits
    kings: Bits
    pawns: Bits
    knights: Bits
    diagonal: Bits
    straight: Bits
    castling: Bits  # rooks that may castle
    passed: Bits  # square that a pawn has just passed, if a pawn attacks it
    side: int
    clock: int  # plies since a capture or a pawn move; 100 means fifty moves
    number: int  # move number
    shield: Bits  # squares on which a piece ends the check; all squares if there is no check
    pinned: Bits  # pieces that may only move in line with their king


@helper
def ahead(squares: Bits, side: int) -> Bits:
    """Returns the squares in front of a side's pawns."""
    return rules.up(squares) if side == 0 else rules.down(squares)


@helper
def beside(squares: Bits) -> Bits:
    """Returns the squares to the left and right."""
    return rules.left(squares) | rules.right(squares)


KNIGHT = rules.table(rules.knight_steps)
KING = rules.table(rules.surrounding)


@helper
def attackers(state: State, square: int, occupied: Bits) -> Bits:
    """Returns the opposing pieces that attack a square; `occupied` blocks their lines."""
    attacking: Bits = beside(ahead(bit(square), state.side)) & state.pawns
    attacking |= KNIGHT[square] & state.knights | KING[square] & state.kings
    attacking |= rules.bishop_reach(square, occupied) & state.diagonal
    attacking |= rules.rook_reach(square, occupied) & state.straight
    return attacking & state.theirs & occupied


@helper
def reach(kind: int, square: int, occupied: Bits) -> Bits:
    """Returns the squares that a knight (0), bishop (1) or rook (2) attacks."""
    if kind == 1:
        return rules.bishop_reach(square, occupied)
    return rules.rook_reach(square, occupied) if kind > 1 else KNIGHT[square]


@helper
def guarded(state: State) -> State:
    """Returns the position with its last two fields computed."""
    mine, theirs, shield, pinned = state.mine, state.theirs, ALL, NONE
    king = lowest(mine & state.kings)
    checking = attackers(state, king, mine | theirs)
    while checking != NONE:
        checker = bit(lowest(checking))
        shield &= rules.in_line(king, lowest(checking), bit(king) | checker) | checker
        checking ^= checker
    pinning = rules.rook_reach(king, theirs) & state.straight
    pinning = (pinning | rules.bishop_reach(king, theirs) & state.diagonal) & theirs
    while pinning != NONE:
        pinner = bit(lowest(pinning))
        between = rules.in_line(king, lowest(pinning), bit(king) | pinner) & mine
        pinned |= between if popcount(between) == 1 else NONE
        pinning ^= pinner
    return State(*state[:12], shield, pinned)


@helper
def pawn_targets(state: State, pawn: Bits) -> Bits:
    """Returns the targets of a pawn without en passant, ignoring checks."""
    empty = ~(state.mine | state.theirs)
    front = ahead(pawn, state.side)
    twice = ahead(front & empty, state.side) & (FOURTH if state.side == 0 else FIFTH)
    return (front | twice) & empty | beside(front) & state.theirs


@helper
def can_pass(state: State, pawn: Bits) -> bool:
    """Returns True if a pawn can capture en passant: two pawns leave a row of the king."""
    if beside(ahead(pawn, state.side)) & state.passed == NONE:
        return False
    gone = pawn | ahead(state.passed, 1 - state.side)
    occupied = (state.mine | state.theirs | state.passed) & ~gone
    return bool(attackers(state, lowest(state.mine & state.kings), occupied) == NONE)


@helper
def king_targets(state: State, king: int) -> Bits:
    """Returns the king's targets: squares that are not attacked, including castling."""
    targets, occupied = NONE, state.mine | state.theirs
    steps = KING[king] & ~state.mine
    while steps != NONE:
        target = bit(lowest(steps))
        if attackers(state, lowest(steps), (occupied ^ bit(king)) | target) == NONE:
            targets |= target
        steps ^= target
    rooks = state.castling & state.mine if state.shield == ALL else NONE
    for step, rook in ((1, 3), (-1, -4)):
        if rooks != NONE and rooks & rules.rook_reach(king, occupied) & bit(king + rook) != NONE:
            target = bit(king + 2 * step)
            safe = attackers(state, king + 2 * step, occupied | target) == NONE
            targets |= target if safe and targets & bit(king + step) != NONE else NONE
    return targets


@rules.targets.register(State)
def _(state: State, source: int) -> Bits:
    piece, targets, occupied = bit(source), NONE, state.mine | state.theirs
    if piece & state.kings != NONE:
        return king_targets(state, source)
    if piece & state.pawns != NONE:
        targets = pawn_targets(state, piece)
    if piece & state.knights != NONE:
        targets = KNIGHT[source]
    if piece & state.diagonal != NONE:
        targets |= rules.bishop_reach(source, occupied)
    if piece & state.straight != NONE:
        targets |= rules.rook_reach(source, occupied)
    targets &= state.shield & ~state.mine
    if piece & state.pinned != NONE:
        targets &= rules.in_line(lowest(state.mine & state.kings), source, NONE)
    if piece & state.pawns != NONE and can_pass(state, piece):
        targets |= state.passed
    return targets


@rules.choices.register(State)
def _(state: State, source: int, target: int) -> int:
    return 4 if bit(source) & state.pawns != NONE and bit(target) & LAST_ROWS != NONE else 1


@helper
def is_drawn(state: State) -> bool:
    """Returns True after fifty moves, or if neither side can mate with its pieces."""
    minor = state.knights | state.diagonal
    if state.clock >= 100 or state.pawns | state.straight != NONE:
        return state.clock >= 100
    one_colour = minor & DARK == NONE or minor & ~DARK == NONE
    return popcount(minor) <= 1 or (state.knights == NONE and one_colour)


@rules.moves.register(State)
def _(state: State) -> rules.FromToChoice:
    return rules.from_to_choice(state, NONE if is_drawn(state) else state.mine)


@helper
def count_pawn_moves(state: State, pawns: Bits) -> int:
    """Returns the number of moves of pawns that are not pinned, without en passant."""
    empty, enemies, fronts = ~(state.mine | state.theirs), state.theirs, ahead(pawns, state.side)
    twice = ahead(fronts & empty, state.side) & (FOURTH if state.side == 0 else FIFTH) & empty
    count = popcount(twice & state.shield)
    for ends in (fronts & empty, rules.left(fronts) & enemies, rules.right(fronts) & enemies):
        count += popcount(ends & state.shield) + 3 * popcount(ends & state.shield & LAST_ROWS)
    return count


@rules.count_moves.register(State)
def _(state: State) -> int:
    """The number of moves, counted by kinds of pieces; pinned pieces are counted one by one."""
    if is_drawn(state):
        return 0
    king, occupied = state.mine & state.kings, state.mine | state.theirs
    free, ends = state.mine & ~state.pinned & ~king, state.shield & ~state.mine
    count = count_pawn_moves(state, free & state.pawns)
    count += popcount(king_targets(state, lowest(king)))
    for kind in range(3):
        pieces = free & (state.knights, state.diagonal, state.straight)[kind]
        while pieces != NONE:
            count += popcount(reach(kind, lowest(pieces), occupied) & ends)
            pieces = rules.without_lowest(pieces)
    pinned = state.mine & state.pinned
    while pinned != NONE:
        targets = rules.targets(state, lowest(pinned))
        promotes = state.pawns & bit(lowest(pinned)) != NONE
        count += popcount(targets) + (3 * popcount(targets & LAST_ROWS) if promotes else 0)
        pinned = rules.without_lowest(pinned)
    passing = free & state.pawns & beside(ahead(state.passed, 1 - state.side))
    while passing != NONE:
        count += int(can_pass(state, bit(lowest(passing))))
        passing = rules.without_lowest(passing)
    return count


@rules.final_value.register(State)
def _(state: State) -> int:
    can_move = rules.more(state, rules.from_to_choice(state, state.mine))
    return 0 if can_move or state.shield == ALL else -WIN


@helper
def after(pieces: Bits, source: Bits, target: Bits, gone: Bits) -> Bits:
    """Returns a set of pieces after a move, without a captured piece."""
    left = pieces & ~gone
    return left ^ source ^ target if pieces & source != NONE else left


@rules.play.register(State)
def _(state: State, move: int) -> State:
    start, end, choice = rules.source_target_choice(NONE, move)
    source, target, side, passed = bit(start), bit(end), state.side, NONE
    is_pawn, is_king = source & state.pawns != NONE, source & state.kings != NONE
    gone = ahead(target, 1 - side) if is_pawn and target == state.passed else target
    mine, theirs = state.mine ^ source ^ target, state.theirs & ~gone
    kings = after(state.kings, source, target, NONE)
    pawns = after(state.pawns, source, target, gone)
    knights = after(state.knights, source, target, gone)
    diagonal = after(state.diagonal, source, target, gone)
    straight = after(state.straight, source, target, gone)
    pawns ^= target if choice > 0 else NONE
    knights |= target if choice == 1 else NONE
    diagonal |= target if choice == 2 or choice == 4 else NONE
    straight |= target if choice >= 3 else NONE
    if is_pawn and abs(end - start) == 16 and beside(target) & pawns & theirs != NONE:
        passed = ahead(source, side)
    castling = state.castling & ~(source | target | (mine if is_king else NONE))
    if is_king and abs(end - start) == 2:
        rook = bit(end + 1) | bit(end - 1) if end > start else bit(end - 2) | bit(end + 1)
        mine, straight = mine ^ rook, straight ^ rook
    clock = 0 if is_pawn or state.theirs != theirs else state.clock + 1
    men = (theirs, mine, kings, pawns, knights, diagonal, straight)
    return guarded(State(*men, castling, passed, 1 - side, clock, state.number + side, ALL, NONE))


@rules.position_key.register(State)
def _(state: State) -> Bits:
    return rules.mixed(state[:10])  # without the move counts


@rules.repetition_limit.register(State)
def _(state: State) -> int:
    return 3


@rules.largest_move.register(State)
def _(state: State) -> int:
    return (1 << 15) - 1


@rules.piece_at.register(State)
def _(state: State, place: int) -> int:
    """1 to 6 for White's pawn, knight, bishop, rook, king and queen, 7 to 12 for Black's."""
    square, black = bit(place), state.theirs if state.side == 0 else state.mine
    kind = popcount(square & (state.mine | state.theirs)) + popcount(square & state.knights)
    kind += 2 * popcount(square & state.diagonal) + 3 * popcount(square & state.straight)
    return kind + 4 * popcount(square & state.kings) + 6 * popcount(square & black)


@helper
def rank(state: State, square: int) -> int:
    """Returns 0 to 5 for a pawn, knight, bishop, rook, king and queen."""
    return (rules.piece_at(state, square) - 1) % 6


@rules.order_hint.register(State)
def _(state: State, move: int) -> int:
    """Promotions, and captures of valuable pieces by lesser ones, first."""
    start, end, choice = rules.source_target_choice(NONE, move)
    gain = choice + 8 * rank(state, end) - rank(state, start)  # an empty square counts as a queen
    return 0 if rules.is_quiet(state, move) else 20 + gain


@rules.is_quiet.register(State)
def _(state: State, move: int) -> bool:
    """False for promotions, and captures that do not give a piece for a defended lesser one."""
    start, end, choice = rules.source_target_choice(NONE, move)
    if bit(end) & state.theirs == NONE:
        return choice == 0
    if rank(state, end) >= rank(state, start):
        return False
    occupied = (state.mine | state.theirs) & ~bit(start)
    return bool(attackers(state, end, occupied) & ~bit(end) != NONE)


@rules.pass_turn.register(State)
def _(state: State) -> State:
    men = (state.theirs, state.mine, *state[2:8])
    return guarded(State(*men, NONE, 1 - state.side, state.clock, state.number, ALL, NONE))


@rules.may_pass.register(State)
def _(state: State) -> bool:
    """False in check, and with pawns alone, where having to move can lose."""
    return bool(state.shield == ALL and state.mine & ~(state.pawns | state.kings) != NONE)


class Activity(NamedTuple):
    """Men, and what they can do, in hundredths of a pawn. A queen counts as bishop and rook."""

    reach: int  # value of a square that a knight or bishop reaches; half of it for a rook
    cover: int  # value of a pawn next to its king, while the opponent has a queen


@helper
def worth(evaluation: Activity, state: State, men: Bits, others: Bits, side: int) -> int:
    """Returns the value of one side's men."""
    king, pawns, queens = men & state.kings, men & state.pawns, state.diagonal & state.straight
    reached = ahead(others & state.pawns, 1 - side)
    free = ~(king | pawns | beside(reached))
    for _ in range(5):
        reached |= ahead(reached, 1 - side)
    passed = pawns & ~(reached | beside(reached))
    total = 100 * popcount(pawns) + 70 * popcount(men & queens) + 8 * popcount(pawns & CENTRE)
    for rows, plain, more in ((FAR[side], 5, 20), (FAR[side + 2], 20, 30)):
        total += plain * popcount(pawns & rows) + more * popcount(passed & rows)
    shelter = popcount(KING[lowest(king)] & pawns) - 2 * popcount(king & MIDDLE)
    shelter = shelter if others & queens != NONE else 2 * popcount(king & CENTRE)
    total += evaluation.cover * shelter + 30 * (popcount(men & state.diagonal & ~queens) // 2)
    for kind in range(3):
        pieces = men & (state.knights, state.diagonal, state.straight)[kind]
        while pieces != NONE:
            squares = reach(kind, lowest(pieces), men | others) & free
            total += (305, 305, 490)[kind] + evaluation.reach * popcount(squares) // (1 + kind // 2)
            pieces = rules.without_lowest(pieces)
    return total


@rules.evaluate.register(Activity)
def _(evaluation: Activity, state: State) -> int:
    mine = worth(evaluation, state, state.mine, state.theirs, state.side)
    return mine - worth(evaluation, state, state.theirs, state.mine, 1 - state.side)


@rules.quiet_gain.register(Activity)
def _(evaluation: Activity) -> int:
    return 120


class Chess(rules.Game):
    """Checkmate the king. A king that moves two squares towards a rook castles; a pawn that passes
    another one with a double step can be captured as after a single step; on the last row a pawn is
    promoted. The game is drawn if a side cannot move but is not in check, after fifty moves without
    progress, and when a position occurs for the third time."""

    board = BOARD
    side_names = ("White", "Black")
    pieces = tuple(MEN)
    joints = ("",)
    words = ("n", "b", "r", "q")
    evaluations = {"activity": Activity(reach=6, cover=10)}

    def start_state(self) -> State:
        return self.read_state("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")

    def read_state(self, line: str) -> State:
        form = "<board> <w or b> <castling> <en passant> <clock> <move>"
        board, turn, rights, passed, *counts = rules.split_fields(line, form)
        clock, number = (rules.read_number(text, 0, 9999, "plies or moves") for text in counts)
        side = rules.read_side(turn.translate({ord("w"): "x", ord("b"): "o"}))
        kinds = rules.read_kinds(board, BOARD, MEN)

        def of(*wanted: int) -> Bits:
            return BOARD.of_squares([place for place, kind in kinds.items() if kind in wanted])

        sides, kings, pawns = (of(*range(1, 7)), of(*range(7, 13))), of(5, 11), of(1, 7)
        men = (kings, pawns, of(2, 8), of(3, 6, 9, 12), of(4, 6, 10, 12))
        rooks = BOARD.of_squares([rook for k, rook in ROOKS.items() if k in rights]) & of(4, 10)
        gone = BOARD.of_squares([BOARD.find(passed) or 0]) & ahead(pawns & sides[1 - side], side)
        gone &= beside(ahead(pawns & sides[side], side)) & ~(sides[0] | sides[1])
        legal = [popcount(kings & own) for own in sides] == [1, 1] and not pawns & LAST_ROWS
        turns = [
            guarded(State(*pair, *men, rooks, gone, who, clock, number, ALL, NONE))
            for who, pair in enumerate((sides, sides[::-1]))
            if legal and set(rights) <= {*ROOKS, "-"}
        ]
        if not turns or turns[1 - side].shield != ALL:
            raise InvalidPosition("position.not-allowed", text=line, game=self.title)
        return turns[side]

    def write_state(self, state: State) -> str:
        kinds = {place: rules.piece_at(state, place) for place in BOARD.squares}
        rights = [letter for letter, rook in ROOKS.items() if state.castling & bit(rook) != NONE]
        passed = BOARD.name(lowest(state.passed)) if state.passed != NONE else "-"
        words = ("".join(rights) or "-", passed, str(state.clock), str(state.number))
        return " ".join((rules.write_kinds(BOARD, kinds, MEN), "wb"[state.side], *words))

    def book_move(self, move: int, state: State) -> str:
        """Returns a move in standard algebraic notation: `Nbd2`, `exd6`, `e8=Q+`, `O-O`."""
        start, end, choice = rules.source_target_choice(NONE, move)
        kind, child = rank(state, start), rules.play(state, move)
        sign = "" if child.shield == ALL else "#" if rules.is_over(child) else "+"
        if NAMES[kind] == "king" and abs(start - end) == 2:
            return ("O-O" if end > start else "O-O-O") + sign
        from_name, to_name = BOARD.name(start), BOARD.name(end)
        takes = "x" if bit(end) & state.theirs != NONE else ""
        if kind == 0:
            takes = from_name[0] + "x" if from_name[0] != to_name[0] else ""
            return takes + to_name + ("=" + self.words[choice - 1].upper() if choice else "") + sign
        piece, rivals = rules.piece_at(state, start), []
        for other in {*BOARD.squares} - {start}:
            if rules.piece_at(state, other) == piece:
                rivals += [BOARD.name(other)] if rules.targets(state, other) & bit(end) else []
        same_column = any(name[0] == from_name[0] for name in rivals)
        same_row = any(name[1] == from_name[1] for name in rivals)
        told = from_name[0] if rivals and (not same_column or same_row) else ""
        told += from_name[1] if same_column else ""
        return MEN[kind].letter + told + takes + to_name + sign
