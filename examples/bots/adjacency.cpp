// An Adjacency bot in C++17 that speaks UGI: of the moves that turn most pieces, the first one,
// from the top left.
//
//     g++ -O2 -std=c++17 examples/bots/adjacency.cpp -o turner
//     papan match adjacency "ugi:./turner" random --games 10
#include <cctype>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

const std::string START = "6oo/6oo/8/8/8/8/xx6/xx6 x 56";

struct Square {
    int row, column;
};

// A position: rows from the top, each a string of 'x', 'o' and '.'.
struct Board {
    std::vector<std::string> rows;
    char side = 'x';

    // Reads "<board> <side to move> ..."; how many plies are left makes no difference here.
    explicit Board(const std::string& line) {
        std::istringstream words(line);
        std::string board, row;
        words >> board >> side;
        std::istringstream parts(board);
        while (std::getline(parts, row, '/')) {
            std::string cells;
            for (char c : row) {
                cells += std::isdigit(static_cast<unsigned char>(c)) ? std::string(c - '0', '.')
                                                                     : std::string(1, c);
            }
            rows.push_back(cells);
        }
    }

    char other() const { return side == 'x' ? 'o' : 'x'; }

    // The opposing pieces that a move turns.
    std::vector<Square> turned(Square at) const {
        std::vector<Square> found;
        for (auto [down, right] : {Square{-1, 0}, Square{1, 0}, Square{0, -1}, Square{0, 1}}) {
            int row = at.row + down, column = at.column + right;
            bool inside = row >= 0 && row < int(rows.size()) && column >= 0 &&
                          column < int(rows[0].size());
            if (inside && rows[row][column] == other()) found.push_back({row, column});
        }
        return found;
    }

    void play(const std::string& move) {
        Square at{int(rows.size()) - (move[1] - '0'), move[0] - 'a'};
        for (Square square : turned(at)) rows[square.row][square.column] = side;
        rows[at.row][at.column] = side;
        side = other();
    }

    std::string best_move() const {
        Square best{0, 0};
        int most = -1;
        for (int row = 0; row < int(rows.size()); row++) {
            for (int column = 0; column < int(rows[0].size()); column++) {
                if (rows[row][column] != '.') continue;
                int turns = int(turned({row, column}).size());
                if (turns > most) most = turns, best = {row, column};
            }
        }
        return std::string(1, char('a' + best.column)) + std::to_string(rows.size() - best.row);
    }
};

// The board of "position startpos|fen <line> [moves ...]"; `words` stands after "position".
Board read_position(std::istringstream& words) {
    std::string word, line = START;
    words >> word;
    if (word == "fen") {
        std::string board, side, plies;
        words >> board >> side >> plies;
        line = board + " " + side + " " + plies;
    }
    Board board(line);
    words >> word;  // "moves", or nothing
    while (words >> word) board.play(word);
    return board;
}

int main() {
    Board board(START);
    std::string line, command;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        command.clear();
        words >> command;
        if (command == "ugi") {
            std::cout << "id name Turner in C++\nid author Papan\nugiok" << std::endl;
        } else if (command == "isready") {
            std::cout << "readyok" << std::endl;
        } else if (command == "position") {
            board = read_position(words);
        } else if (command == "go") {
            std::cout << "bestmove " << board.best_move() << std::endl;
        } else if (command == "quit") {
            break;
        }
    }
}
