// 8x8 Breakthrough with the same rules, searches and evaluations as Petteia, as a yardstick.
//
//   breakthrough perft     DEPTH SECONDS POSITION...
//   breakthrough alphabeta DEPTH SECONDS POSITION...
//   breakthrough engine    DEPTH SECONDS TABLE_BITS SALT SALT POSITION...
//
// A position is WHITE:BLACK:MOVER, the two bitboards and the player to move as decimal numbers.
// The two salts belong to searches by player 0 and by player 1. All positions are searched again
// and again for the given time; one line of JSON says what was found and at which rate.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

using Word = std::uint64_t;

// --- rules --------------------------------------------------------------------------------------

constexpr int MAX_MOVES = 51;
constexpr Word NOT_LEFT = 0xFEFEFEFEFEFEFEFE, NOT_RIGHT = 0x7F7F7F7F7F7F7F7F;
constexpr Word TOP_ROW = 0xFF00000000000000, BOTTOM_ROW = 0xFF;
constexpr Word UPPER_HALF = 0xFFFFFFFF00000000, LOWER_HALF = 0x00000000FFFFFFFF;

struct Position {
    Word white, black;

    // The player to move is a template parameter throughout: every branch on it is decided at
    // compile time.
    template <int Mover> Word own() const { return Mover == 0 ? white : black; }
    template <int Mover> Word enemy() const { return Mover == 0 ? black : white; }
};

struct Targets {
    Word left, straight, right;
};

inline int popcount(Word word) { return __builtin_popcountll(word); }

template <int Player> Word to_left(Word own) {
    return Player == 0 ? (own & NOT_LEFT) << 7 : (own & NOT_LEFT) >> 9;
}

template <int Player> Word to_right(Word own) {
    return Player == 0 ? (own & NOT_RIGHT) << 9 : (own & NOT_RIGHT) >> 7;
}

template <int Mover> Targets targets(const Position &p) {
    const Word own = p.own<Mover>();
    const Word ahead = Mover == 0 ? own << 8 : own >> 8;
    return {to_left<Mover>(own) & ~own, ahead & ~(p.white | p.black), to_right<Mover>(own) & ~own};
}

inline int *moves_to(Word targets, int step, int *out) {
    for (; targets; targets &= targets - 1) {
        const int target = __builtin_ctzll(targets);
        *out++ = (target - step) * 64 + target;
    }
    return out;
}

template <int Mover> int *moves(const Position &p, int *out) {
    const Targets to = targets<Mover>(p);
    out = moves_to(to.left, Mover == 0 ? 7 : -9, out);
    out = moves_to(to.straight, Mover == 0 ? 8 : -8, out);
    return moves_to(to.right, Mover == 0 ? 9 : -7, out);
}

template <int Mover> int *noisy_moves(const Position &p, int *out) {
    const Targets to = targets<Mover>(p);
    const Word enemy = p.enemy<Mover>();
    const Word guarded = to_left<1 - Mover>(enemy) | to_right<1 - Mover>(enemy);
    const Word victims = enemy & ((Mover == 0 ? LOWER_HALF : UPPER_HALF) | ~guarded);
    out = moves_to(to.left & victims, Mover == 0 ? 7 : -9, out);
    return moves_to(to.right & victims, Mover == 0 ? 9 : -7, out);
}

template <int Mover> Position play(const Position &p, int move) {
    const Word source = Word(1) << (move >> 6), target = Word(1) << (move & 63);
    if (Mover == 0) return {(p.white ^ source) | target, p.black & ~target};
    return {p.white & ~target, (p.black ^ source) | target};
}

inline bool is_over(const Position &p) {
    return ((p.white & TOP_ROW) | (p.black & BOTTOM_ROW)) || !p.white || !p.black;
}

inline int winner(const Position &p) { return (p.white & TOP_ROW) || !p.black ? 0 : 1; }

template <int Mover> int priority(const Position &p, int move) {
    const int target = move & 63;
    const int far = Mover == 0 ? target / 8 : 7 - target / 8;
    if (far == 7) return 1000;
    if (p.enemy<Mover>() >> target & 1) return 100 + 8 * (7 - far);
    return far;
}

// --- races ---------------------------------------------------------------------------------------

// Where an enemy could meet a runner that goes straight, by player, by whether the enemy moves first,
// and by square.
struct Races {
    Word cones[2][2][64]{}, ways[2][64]{};

    constexpr Races() {
        for (int player = 0; player < 2; ++player)
            for (int square = 0; square < 64; ++square)
                for (int ahead = 1; ahead < 8; ++ahead) {
                    const int row = square / 8 + (player == 0 ? ahead : -ahead);
                    if (row < 0 || row > 7) break;
                    for (int first = 0; first < 2; ++first) {
                        const int reach = (ahead + first) / 2;
                        for (int column = 0; column < 8; ++column)
                            if (column >= square % 8 - reach && column <= square % 8 + reach)
                                cones[player][first][square] |= Word(1) << (row * 8 + column);
                    }
                    ways[player][square] |= Word(1) << (row * 8 + square % 8);
                }
    }
};
constexpr Races RACES;

// Whether a runner gets home in so many moves, for every setting of the enemies ahead of it: bit 0
// straight ahead, then 5 cells of the second row, then 7 of the third. Filled from the goal back.
class Patterns {
  public:
    Patterns() {
        for (int moves = 1; moves <= 3; ++moves)
            for (int column = 0; column < 8; ++column) {
                for (int setting = 0; setting < 1 << BITS[moves]; ++setting)
                    first[moves][column][setting] = runs(moves, column, setting);
                for (int setting = 0; setting < 1 << BITS[moves]; ++setting)
                    home[moves][column][setting] = stands(moves, column, setting);
            }
    }
    // With the enemy to move.
    bool gets_home(int column, int setting) const { return home[3][column][setting]; }

  private:
    static constexpr int BITS[] = {0, 1, 6, 13};
    bool first[4][8][1 << 13]{}, home[4][8][1 << 13]{};

    static int cell(int ahead, int aside) {
        const int half = ahead == 1 ? 0 : ahead;
        return std::abs(aside) <= half ? 1 << (BITS[ahead - 1] + half + aside) : 0;
    }

    bool runs(int moves, int column, int setting) const {
        for (int step = -1; step <= 1; ++step) {
            if (column + step < 0 || column + step > 7) continue;
            if (step == 0 && setting & cell(1, 0)) continue;
            if (moves == 1) return true;
            if (setting & (cell(2, step - 1) | cell(2, step + 1))) continue;
            int after = 0;
            for (int ahead = 1; ahead < moves; ++ahead)
                for (int aside = -ahead; aside <= ahead; ++aside)
                    if (setting & cell(ahead + 1, aside + step)) after |= cell(ahead, aside);
            if (home[moves - 1][column + step][after]) return true;
        }
        return false;
    }

    bool stands(int moves, int column, int setting) const {
        if (!first[moves][column][setting]) return false;
        for (int ahead = 1; ahead <= moves; ++ahead)
            for (int aside = -ahead; aside <= ahead; ++aside) {
                const int source = cell(ahead, aside);
                if (!(setting & source)) continue;
                for (int to = aside - 1; to <= aside + 1; ++to) {
                    const int target = ahead > 1 ? cell(ahead - 1, to) : 0;
                    if (!(setting & target) && !first[moves][column][(setting ^ source) | target])
                        return false;
                }
            }
        return true;
    }
};
const Patterns PATTERNS;

template <int Player> int moves_left(Word board) {
    return Player == 0 ? 7 - (63 - __builtin_clzll(board)) / 8 : __builtin_ctzll(board) / 8;
}

// The row from which a player needs so many moves, as eight bits.
template <int Player> Word row_from_goal(Word board, int moves) {
    return board >> 8 * (Player == 0 ? 7 - moves : moves) & BOTTOM_ROW;
}

inline Word beside(Word row) { return (row << 1 | row >> 1) & BOTTOM_ROW; }

// Where workers that need so many moves can step, as columns of the next row.
template <int Player> Word landings(Word own, Word enemy, int moves) {
    const Word runners = row_from_goal<Player>(own, moves);
    const Word facing = row_from_goal<Player>(enemy, moves - 1);
    return (beside(runners) | (runners & ~facing)) & ~row_from_goal<Player>(own, moves - 1);
}

// The columns in which a runner two moves from its goal gets home although the enemy moves first.
template <int Player> Word stands_two(Word enemy) {
    const Word near = row_from_goal<Player>(enemy, 1), guards = row_from_goal<Player>(enemy, 0);
    const Word safe = BOTTOM_ROW & ~beside(guards);
    const Word opened = (BOTTOM_ROW << 1 & ~(guards << 2)) | (BOTTOM_ROW >> 1 & ~(guards >> 2));
    return (beside(safe) | (safe & ~near & (~guards | opened))) & ~beside(near);
}

// The same for a runner on one of these places, three moves from its goal.
template <int Player> bool stands_three(Word enemy, Word places, Word two) {
    const Word facing = row_from_goal<Player>(enemy, 2);
    const Word near = row_from_goal<Player>(enemy, 1) << 2;
    const Word guards = row_from_goal<Player>(enemy, 0) << 3;
    for (places &= (two | beside(two)) & ~beside(facing); places; places &= places - 1) {
        const int column = __builtin_ctzll(places);
        const Word setting =
            (facing >> column & 1) | (near >> column & 31) << 1 | (guards >> column & 127) << 6;
        if (PATTERNS.gets_home(column, static_cast<int>(setting))) return true;
    }
    return false;
}

// Whether one of the workers that need so many moves, the quickest, has a free way.
template <int Player, int EnemyFirst> bool free_cone(Word own, Word enemy, int needed) {
    constexpr Word field = Player == 0 ? ~Word(0) << 24 : ~Word(0) >> 24;
    const int row = Player == 0 ? 7 - needed : needed;
    for (Word runners = own & field & (BOTTOM_ROW << (8 * row)); runners; runners &= runners - 1) {
        const int square = __builtin_ctzll(runners);
        if (!((enemy & RACES.cones[Player][EnemyFirst][square]) | (own & RACES.ways[Player][square])))
            return true;
    }
    return false;
}

template <int Mover> int race_won(Word own, Word enemy, int mine, int his) {
    const int workers = popcount(enemy);
    if (mine > 4) return workers >= mine && free_cone<Mover, 0>(own, enemy, mine) ? mine : 0;
    if (his < 3 || workers < 3) return 0;
    const Word two = stands_two<Mover>(enemy);
    if (mine <= 3 && landings<Mover>(own, enemy, 3) & two) return 3;
    if (mine < 3 || his < 4 || workers < 4) return 0;
    return stands_three<Mover>(enemy, landings<Mover>(own, enemy, 4), two) ? 4 : 0;
}

template <int Mover> bool race_lost(Word own, Word enemy, int his) {
    if (his > 3) return free_cone<1 - Mover, 1>(enemy, own, his);
    const Word two = stands_two<1 - Mover>(own), runners = row_from_goal<1 - Mover>(enemy, his);
    return his == 2 ? (runners & two) != 0 : stands_three<1 - Mover>(own, runners, two);
}

template <int Mover> int forced(const Position &p) {
    constexpr Word before_top = TOP_ROW >> 8, before_bottom = BOTTOM_ROW << 8;
    const Word own = p.own<Mover>(), enemy = p.enemy<Mover>();
    if (own & (Mover == 0 ? before_top : before_bottom)) return 1;
    const Word threats = enemy & (Mover == 0 ? before_bottom : before_top);
    if (threats) {
        const Word captures = to_left<Mover>(own) | to_right<Mover>(own);
        return popcount(threats) > 1 || !(threats & captures) ? -2 : 0;
    }
    const Word unguarded = ~beside(row_from_goal<Mover>(enemy, 0));
    if (popcount(enemy) > 1 && landings<Mover>(own, enemy, 2) & unguarded) return 3;
    const int mine = moves_left<Mover>(own), his = moves_left<1 - Mover>(enemy);
    if (mine <= his) {
        const int moves = race_won<Mover>(own, enemy, mine, his);
        return moves ? 2 * moves - 1 : 0;
    }
    return popcount(own) >= his && race_lost<Mover>(own, enemy, his) ? -2 * his : 0;
}

// --- evaluations, for player 0 ------------------------------------------------------------------

template <std::size_t Count> using Planes = std::array<Word, Count>;

// Bit k of every square's weight as a mask: the sum of weights is then a few popcounts.
template <std::size_t Count> constexpr Planes<Count> weight_planes(const int (&rows)[8][4], bool flip) {
    Planes<Count> planes{};
    for (int square = 0; square < 64; ++square) {
        const int row = flip ? 7 - square / 8 : square / 8, column = square % 8;
        const int weight = rows[row][column < 4 ? column : 7 - column];
        for (std::size_t k = 0; k < Count; ++k)
            if (weight >> k & 1) planes[k] |= Word(1) << square;
    }
    return planes;
}

template <std::size_t Count> int weighted_count(Word board, const Planes<Count> &planes) {
    int total = 0;
    for (std::size_t k = 0; k < Count; ++k) total += popcount(board & planes[k]) << k;
    return total;
}

constexpr int ROWS[8][4] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3},
                            {4, 4, 4, 4}, {5, 5, 5, 5}, {6, 6, 6, 6}, {7, 7, 7, 7}};
constexpr int LORENTZ[8][4] = {{5, 15, 15, 5},    {2, 3, 3, 3},     {4, 6, 6, 6},
                               {7, 10, 10, 10},   {11, 15, 15, 15}, {16, 21, 21, 21},
                               {20, 28, 28, 28},  {36, 36, 36, 36}};

inline double advancement(const Position &p) {
    constexpr auto white = weight_planes<3>(ROWS, false), black = weight_planes<3>(ROWS, true);
    return 4 * (popcount(p.white) - popcount(p.black)) + weighted_count(p.white, white) -
           weighted_count(p.black, black);
}

inline double lorentz(const Position &p) {
    constexpr auto white = weight_planes<6>(LORENTZ, false), black = weight_planes<6>(LORENTZ, true);
    return weighted_count(p.white, white) - weighted_count(p.black, black);
}

// --- perft --------------------------------------------------------------------------------------

template <int Mover> std::int64_t perft(const Position &p, int depth, int *out) {
    if (is_over(p)) return 0;
    int *const end = moves<Mover>(p, out);
    if (depth == 1) return end - out;
    std::int64_t total = 0;
    for (const int *move = out; move != end; ++move)
        total += perft<1 - Mover>(play<Mover>(p, *move), depth - 1, end);
    return total;
}

// --- alpha-beta to a fixed depth ----------------------------------------------------------------

constexpr double INFINITE = 1e18, WIN = 1e6, DECIDED = 9e5;

template <int Searcher> struct AlphaBeta {
    static constexpr int DEEPEST = 32;
    std::int64_t interior = 0, leaves = 0;
    int out[DEEPEST * MAX_MOVES];
    int line[DEEPEST + 1][DEEPEST + 1];

    template <int Mover>
    double search(const Position &p, int depth, int ply, double alpha, double beta, int *at) {
        ++interior;
        int *const end = moves<Mover>(p, at);
        double best = Mover == Searcher ? -INFINITE : INFINITE;
        line[ply][0] = -1;
        for (const int *move = at; move != end; ++move) {
            const Position child = play<Mover>(p, *move);
            double value;
            line[ply + 1][0] = -1;
            if (is_over(child)) {
                ++leaves;
                value = winner(child) == Searcher ? WIN - (ply + 1) : -(WIN - (ply + 1));
            } else if (depth == 1) {
                ++leaves;
                value = Searcher == 0 ? advancement(child) : -advancement(child);
            } else {
                value = search<1 - Mover>(child, depth - 1, ply + 1, alpha, beta, end);
            }
            if (Mover == Searcher ? value <= best : value >= best) continue;
            best = value;
            if (Mover == Searcher)
                alpha = std::max(alpha, value);
            else
                beta = std::min(beta, value);
            line[ply][0] = *move;
            int i = 0;
            for (; line[ply + 1][i] >= 0; ++i) line[ply][i + 1] = line[ply + 1][i];
            line[ply][i + 1] = -1;
            if (alpha >= beta) break;
        }
        return best;
    }
};

// --- the engine ---------------------------------------------------------------------------------

inline Word mix(Word z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

// Entries of two words: key ^ data, and data = value, depth, bound, place + 1 and generation.
class Table {
  public:
    enum Bound { EXACT = 1, AT_LEAST, AT_MOST };

    explicit Table(int bits) : mask((Word(1) << bits) - 1) {
        const std::size_t page = std::size_t(1) << 21;
        size = ((sizeof(Word) * 2 << bits) + page - 1) / page * page;
        words = static_cast<Word *>(std::aligned_alloc(page, size));
        if (!words) std::abort();
#ifdef __linux__
        madvise(words, size, MADV_HUGEPAGE); // NumPy asks for large pages too
#endif
        std::memset(words, 0, size);
    }
    ~Table() { std::free(words); }
    Table(const Table &) = delete;
    Table &operator=(const Table &) = delete;

    void new_generation() {
        if (++generation == 1024) {
            std::memset(words, 0, size);
            generation = 1;
        }
    }

    // Memory is slow: the entry is on its way while moves are generated.
    void prefetch(Word key) const { __builtin_prefetch(words + 2 * (key >> 1 & mask)); }

    Word probe(Word key) const {
        const Word *entry = words + 2 * (key >> 1 & mask);
        return (entry[0] ^ entry[1]) == key && entry[1] >> 54 == generation ? entry[1] : 0;
    }

    void remember(Word key, double value, int depth, Bound bound, int place) {
        Word *entry = words + 2 * (key >> 1 & mask);
        const Word old = entry[1];
        if ((entry[0] ^ old) != key && old >> 54 == generation && depth_of(old) > depth + 2)
            if (key >> 60 & 7) return;
        const float rounded = static_cast<float>(value);
        std::uint32_t bits;
        std::memcpy(&bits, &rounded, sizeof bits);
        const Word data = bits | Word(std::clamp(depth, 0, 255)) << 32 | Word(bound) << 40 |
                          Word(place + 1) << 42 | generation << 54;
        entry[0] = key ^ data;
        entry[1] = data;
    }

    static int depth_of(Word data) { return data >> 32 & 255; }
    static int bound_of(Word data) { return data >> 40 & 3; }
    static int place_of(Word data) { return static_cast<int>(data >> 42 & 4095) - 1; }
    static double value_of(Word data) {
        const std::uint32_t bits = static_cast<std::uint32_t>(data);
        float value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }

  private:
    Word *words;
    std::size_t size;
    Word mask, generation = 1;
};

struct Progress {
    int depth;
    double value;
    std::int64_t nodes, leaves;
};

class Engine {
  public:
    Engine(int table_bits, std::array<Word, 2> salts) : table(table_bits), salts(salts) {}

    void new_game() {
        table.new_generation();
        std::memset(killers, 0, sizeof killers);
        std::memset(history, 0, sizeof history);
    }

    template <int Mover> std::vector<Progress> search(const Position &p, int deepest) {
        nodes = 1, leaves = 0, salt = salts[Mover], searcher = Mover;
        roots.resize(MAX_MOVES);
        roots.resize(moves<Mover>(p, roots.data()) - roots.data());
        std::vector<Progress> found;
        double value = 0.0, width = INFINITE;
        for (int depth = 1; depth <= deepest; ++depth) {
            value = aspire<Mover>(p, depth, value, width);
            bring_forward();
            found.push_back({depth, value, nodes, leaves});
            const bool decided = std::abs(value) > DECIDED;
            if (decided && std::round(WIN - std::abs(value)) <= depth) break;
            width = depth > 2 && !decided ? std::max(std::abs(value) * 0.02, 1.0) : INFINITE;
        }
        return found;
    }

  private:
    static constexpr int MAX_PLY = 120, MOST_MOVES = 1 << 15, TACTICAL = 100;

    Table table;
    std::array<Word, 2> salts;
    Word salt = 0;
    int searcher = 0;
    std::int64_t nodes = 0, leaves = 0;
    std::vector<int> roots;
    int best_root = 0;
    int killers[MAX_PLY + 2][2] = {};
    std::int64_t history[2][4096] = {};
    int line[MAX_PLY + 2][MAX_PLY + 2];
    int list[MOST_MOVES];
    std::int64_t order[MOST_MOVES];

    template <int Mover> Word key_of(const Position &p) const {
        return mix(mix(mix(salt ^ p.white) ^ p.black) ^ Word(Mover));
    }

    template <int Mover> double aspire(const Position &p, int depth, double guess, double width) {
        double alpha = guess - width, beta = guess + width;
        while (true) {
            const double value = root_search<Mover>(p, depth, alpha, beta);
            if ((alpha < value && value < beta) || width >= INFINITE) return value;
            width *= 4;
            if (std::abs(value) > DECIDED) width = INFINITE;
            if (value <= alpha) {
                alpha = guess - width;
            } else {
                bring_forward();
                beta = guess + width;
            }
        }
    }

    void bring_forward() {
        std::rotate(roots.begin(), roots.begin() + best_root, roots.begin() + best_root + 1);
        best_root = 0;
    }

    template <int Mover>
    double root_search(const Position &p, int depth, double alpha, double beta) {
        double best = -INFINITE;
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const Position after = play<Mover>(p, roots[i]);
            double value = alpha;
            if (i > 0) value = -pvs<1 - Mover>(after, -next_above(alpha), -alpha, depth - 1, 1, 0);
            if (i == 0 || (alpha < value && value < beta))
                value = -pvs<1 - Mover>(after, -beta, -alpha, depth - 1, 1, 0);
            if (value <= best) continue;
            best = value;
            best_root = static_cast<int>(i);
            extend_line(0, roots[i]);
            alpha = std::max(alpha, value);
            if (value >= beta) break;
        }
        return best;
    }

    template <int Mover>
    double pvs(const Position &p, double alpha, double beta, int depth, int ply, int at) {
        ++nodes;
        line[ply][0] = -1;
        double value;
        if (ended<Mover>(p, ply, value)) {
            ++leaves;
            return value;
        }
        if (depth <= 0 || ply >= MAX_PLY || at + MAX_MOVES > MOST_MOVES)
            return quiesce<Mover>(p, alpha, beta, ply, at);

        const Word key = key_of<Mover>(p);
        table.prefetch(key);
        const int end = static_cast<int>(moves<Mover>(p, list + at) - list);
        const Word data = table.probe(key);
        int table_place = -1;
        if (data) {
            table_place = Table::place_of(data);
            if (Table::depth_of(data) >= depth) {
                value = from_table(Table::value_of(data), ply);
                const int bound = Table::bound_of(data);
                if ((bound == Table::EXACT && !is_open(alpha, beta)) ||
                    (bound == Table::AT_LEAST && value >= beta) ||
                    (bound == Table::AT_MOST && value <= alpha))
                    return value;
            }
        }
        score_moves<Mover>(p, at, end, table_place, ply);
        const double entry_alpha = alpha;
        const bool prunes = !is_open(alpha, beta);
        double best = -INFINITE;
        int best_place = -1;
        for (int k = at; k < end; ++k) {
            pick(k, end);
            const int place = order[k] & 0xFFFF, move = list[at + place];
            const bool is_tactical = order[k] >> 16 >= TACTICAL << 24;
            if (prunes && !is_tactical && is_late(depth, k - at) && best > -DECIDED) break;
            const Position after = play<Mover>(p, move);
            value = alpha;
            if (k > at) {
                const int reduced = depth - 1 - (is_tactical ? 0 : reduction(depth, k - at));
                const double above = next_above(alpha);
                value = -pvs<1 - Mover>(after, -above, -alpha, reduced, ply + 1, end);
                if (value > alpha && reduced < depth - 1)
                    value = -pvs<1 - Mover>(after, -above, -alpha, depth - 1, ply + 1, end);
            }
            if (k == at || (alpha < value && value < beta))
                value = -pvs<1 - Mover>(after, -beta, -alpha, depth - 1, ply + 1, end);
            if (value <= best) continue;
            best = value, best_place = place;
            if (value <= alpha) continue;
            alpha = value;
            extend_line(ply, move);
            if (value >= beta) {
                if (!is_tactical) reward(Mover, move, ply, depth);
                break;
            }
        }
        const Table::Bound bound = best <= entry_alpha ? Table::AT_MOST
                                   : best >= beta      ? Table::AT_LEAST
                                                       : Table::EXACT;
        table.remember(key, to_table(best, ply), depth, bound, best_place);
        return best;
    }

    template <int Mover>
    double quiesce(const Position &p, double alpha, double beta, int ply, int at) {
        ++leaves;
        double best = static_value<Mover>(p);
        if (best >= beta || ply >= MAX_PLY || at + MAX_MOVES > MOST_MOVES) return best;
        alpha = std::max(alpha, best);
        const int end = static_cast<int>(noisy_moves<Mover>(p, list + at) - list);
        for (int i = at; i < end; ++i)
            order[i] = std::int64_t(priority<Mover>(p, list[i])) << 16 | (i - at);
        for (int k = at; k < end; ++k) {
            pick(k, end);
            const Position after = play<Mover>(p, list[at + (order[k] & 0xFFFF)]);
            ++nodes;
            double value;
            if (!ended<1 - Mover>(after, ply + 1, value))
                value = quiesce<1 - Mover>(after, -beta, -alpha, ply + 1, end);
            value = -value;
            if (value <= best) continue;
            best = value;
            alpha = std::max(alpha, value);
            if (value >= beta) break;
        }
        return best;
    }

    template <int Mover> double static_value(const Position &p) const {
        const double value = static_cast<float>(searcher == 0 ? lorentz(p) : -lorentz(p));
        return Mover == searcher ? value : -value;
    }

    template <int Mover> static bool ended(const Position &p, int ply, double &value) {
        if (is_over(p)) {
            value = winner(p) == Mover ? WIN - ply : -(WIN - ply);
            return true;
        }
        const int plies = forced<Mover>(p);
        if (plies > 0) value = WIN - (ply + plies);
        if (plies < 0) value = -(WIN - (ply - plies));
        return plies != 0;
    }

    template <int Mover>
    void score_moves(const Position &p, int at, int end, int table_place, int ply) {
        for (int i = at; i < end; ++i) {
            const int move = list[i], place = i - at;
            std::int64_t score;
            if (place == table_place) {
                score = std::int64_t(1) << 40;
            } else {
                const std::int64_t first = priority<Mover>(p, move);
                if (first >= TACTICAL)
                    score = first << 24;
                else if (move == killers[ply][0])
                    score = 1 << 29;
                else if (move == killers[ply][1])
                    score = 1 << 28;
                else
                    score = (first << 8) + history[Mover][move];
            }
            order[i] = score << 16 | place;
        }
    }

    void pick(int at, int end) {
        std::swap(order[at], *std::max_element(order + at, order + end));
    }

    void reward(int mover, int move, int ply, int depth) {
        if (killers[ply][0] != move) {
            killers[ply][1] = killers[ply][0];
            killers[ply][0] = move;
        }
        std::int64_t grown = history[mover][move] + depth * depth;
        if (grown > 1 << 20) {
            for (auto &side : history)
                for (auto &value : side) value >>= 1;
            grown >>= 1;
        }
        history[mover][move] = grown;
    }

    void extend_line(int ply, int move) {
        line[ply][0] = move;
        int i = 0;
        for (; line[ply + 1][i] >= 0; ++i) line[ply][i + 1] = line[ply + 1][i];
        line[ply][i + 1] = -1;
    }

    static int reduction(int depth, int number) {
        if (depth < 3 || number < 3) return 0;
        return number >= 9 && depth >= 5 ? 2 : 1;
    }

    static bool is_late(int depth, int number) {
        constexpr int LATE_MOVES[] = {10, 16, 24};
        return 1 <= depth && depth <= 3 && number >= LATE_MOVES[depth - 1];
    }

    static bool is_open(double alpha, double beta) {
        return beta - alpha > 6e-8 * std::max(std::abs(alpha), std::abs(beta)) + 2e-12;
    }

    static double next_above(double value) {
        return value + std::max(3e-8 * std::abs(value), 1e-12);
    }

    static double to_table(double value, int ply) {
        return value > DECIDED ? value + ply : value < -DECIDED ? value - ply : value;
    }

    static double from_table(double value, int ply) {
        return value > DECIDED ? value - ply : value < -DECIDED ? value + ply : value;
    }
};

// --- the command line ---------------------------------------------------------------------------

struct Task {
    Position position;
    int mover;
};

Task parse(const char *text) {
    char *rest;
    const Word white = std::strtoull(text, &rest, 10);
    const Word black = std::strtoull(rest + 1, &rest, 10);
    return {{white, black}, std::atoi(rest + 1)};
}

// Runs all tasks again and again; `run` gives a task's count of nodes and appends what it found.
template <class Run> void repeat(const std::vector<Task> &tasks, double seconds, Run run) {
    std::string found;
    std::int64_t nodes = 0;
    double spent = 0.0;
    const std::clock_t started = std::clock(); // of the processor: others use the machine too
    while (spent < seconds || nodes == 0) {
        found.clear();
        for (const Task &task : tasks) nodes += run(task, found);
        spent = static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
    }
    found.pop_back();
    std::printf("{\"rate\": %.0f, \"nodes\": %lld, \"seconds\": %.6f, \"found\": [%s]}\n",
                spent > 0 ? static_cast<double>(nodes) / spent : 0.0,
                static_cast<long long>(nodes), spent, found.c_str());
}

std::string number(std::int64_t value) { return std::to_string(value); }

template <int Searcher>
std::int64_t fixed_depth(const Position &p, int depth, std::string &found) {
    static AlphaBeta<Searcher> alphabeta;
    alphabeta.interior = alphabeta.leaves = 0;
    const double value = alphabeta.template search<Searcher>(p, depth, 0, -INFINITE, INFINITE,
                                                             alphabeta.out);
    found += "[" + std::to_string(value) + "," + number(alphabeta.interior) + "," +
             number(alphabeta.leaves) + "],";
    return alphabeta.interior + alphabeta.leaves;
}

int main(int count, char **arguments) {
    const std::string mode = count > 1 ? arguments[1] : "";
    const int first = mode == "engine" ? 7 : 4;
    if ((mode != "perft" && mode != "alphabeta" && mode != "engine") || count <= first) {
        std::fprintf(stderr, "usage: breakthrough perft|alphabeta DEPTH SECONDS POSITION...\n"
                             "       breakthrough engine DEPTH SECONDS BITS SALT SALT POSITION...\n");
        return 2;
    }
    const int depth = std::max(1, std::atoi(arguments[2]));
    const double seconds = std::atof(arguments[3]);
    std::vector<Task> tasks;
    for (int i = first; i < count; ++i) tasks.push_back(parse(arguments[i]));

    if (mode == "perft") {
        std::vector<int> out(MAX_MOVES * (depth + 1));
        repeat(tasks, seconds, [&](const Task &task, std::string &found) {
            const auto leaves = task.mover == 0 ? perft<0>(task.position, depth, out.data())
                                                : perft<1>(task.position, depth, out.data());
            found += number(leaves) + ",";
            return leaves;
        });
    } else if (mode == "alphabeta") {
        repeat(tasks, seconds, [&](const Task &task, std::string &found) {
            return task.mover == 0 ? fixed_depth<0>(task.position, depth, found)
                                   : fixed_depth<1>(task.position, depth, found);
        });
    } else {
        static Engine engine(std::atoi(arguments[4]), {std::strtoull(arguments[5], nullptr, 10),
                                                       std::strtoull(arguments[6], nullptr, 10)});
        repeat(tasks, seconds, [&](const Task &task, std::string &found) {
            engine.new_game();
            const auto progress = task.mover == 0 ? engine.search<0>(task.position, depth)
                                                  : engine.search<1>(task.position, depth);
            found += "[";
            for (const Progress &now : progress)
                found += "[" + number(now.depth) + "," + std::to_string(now.value) + "," +
                         number(now.nodes) + "," + number(now.leaves) + "],";
            found.back() = ']';
            found += ",";
            return progress.back().nodes;
        });
    }
}
