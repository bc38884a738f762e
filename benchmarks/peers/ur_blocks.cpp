// The Royal Game of Ur by Finkel's rules solved by our own method, written by hand: what a C++
// programmer gains over the same Python compiled.
//
//   ur_blocks PIECES TOLERANCE
//
// States that differ in the opponent's private squares alone lie side by side after a change of turn,
// so at most 64 of them are updated together. A layer starts from a guess by the race, and in three of
// four sweeps what has settled rests. Single precision, and a last pass over everything as certificate.
// One line of JSON says the first player's chance, the states, the updates and the seconds of the
// processor.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

constexpr int SHARED = 6561, HOME = 15, SAFE = 8, MASKS = 64, FIRST = 5, LAST = 12, RESTS = 3;
constexpr float CHANCE[5] = {1 / 16.f, 4 / 16.f, 6 / 16.f, 4 / 16.f, 1 / 16.f};
constexpr float LEAD = 0.22f, TURN = 3.0f;

inline bool is_shared(int square) { return square >= FIRST && square <= LAST; }
inline bool is_rosette(int square) { return square == 4 || square == 8 || square == 14; }
// A private square's bit: 1 to 4, then 13 and 14.
inline int bit_of(int square) { return square <= 4 ? square - 1 : square - 9; }

struct Shared {
    std::uint32_t own = 0, other = 0;  // bit n is square n
    int owns = 0, others = 0, swapped = 0, ahead = 0;
};

struct Layer {
    int a, b;
    std::vector<std::int64_t> here, turned, beyond;
    std::vector<int> heights, widths, order;
    std::vector<float> changes;
};

struct After {
    std::int64_t first;
    int stride;
    bool keeps_turn;
};

class Solver {
  public:
    explicit Solver(int pieces) : pieces(pieces) {
        for (int square = FIRST, power = 1; square <= LAST; ++square, power *= 3) weight[square] = power;
        for (int c = 0; c < SHARED; ++c)
            for (int square = FIRST; square <= LAST; ++square) {
                Shared &s = shared[c];
                const int digit = c / weight[square] % 3;
                if (digit == 1) s.own |= 1u << square, ++s.owns;
                if (digit == 2) s.other |= 1u << square, ++s.others;
                if (digit != 0) s.swapped += (3 - digit) * weight[square], s.ahead += square;
            }
        for (int count = 0, next = 0; count <= 6; ++count) {
            for (int mask = 0; mask < MASKS; ++mask)
                if (__builtin_popcount(mask) == count) {
                    rank_of[mask] = next, bits_of[next] = mask;
                    mask_of[next++] = (mask & 15) << 1 | (mask >> 4) << 13;
                }
            fits[count] = next;
        }
        for (int c = 0; c < SHARED; ++c) by_progress.push_back(c);
        std::stable_sort(by_progress.begin(), by_progress.end(),
                         [&](int x, int y) { return shared[x].ahead > shared[y].ahead; });
        for (int a = 0; a < pieces; ++a)
            for (int b = 0; b < pieces; ++b)
                for (int c = 0; c < SHARED; ++c) {
                    begin[a][b].push_back(states);
                    states += std::int64_t(masks(a, shared[c].owns)) * masks(b, shared[c].others);
                }
        values.assign(states + MASKS, 0.5f);  // rows are read in whole vectors
    }

    float solve(float tolerance) {
        float residual = 0;
        for (int a = pieces - 1; a >= 0; --a)
            for (int b = pieces - 1; b >= a; --b) {
                std::vector<Layer> layers = pair(a, b);
                for (Layer &layer : layers) guess(layer);
                for (int number = 0;; ++number) {
                    const float least = number % (RESTS + 1) == 0 ? 0 : tolerance;
                    const float change = sweep(layers, least, true);
                    if (change < tolerance && least == 0) break;
                }
            }
        for (int a = 0; a < pieces; ++a)
            for (int b = a; b < pieces; ++b) {
                std::vector<Layer> layers = pair(a, b);
                residual = std::max(residual, sweep(layers, 0, false));
            }
        return residual;
    }

    int pieces;
    std::int64_t states = 0, updates = 0;
    std::vector<float> values;

  private:
    int masks(int home, int on_shared) const {
        const int left = pieces - home - on_shared;
        return left < 0 ? 0 : fits[std::min(6, left)];
    }

    std::vector<Layer> pair(int a, int b) const {
        std::vector<Layer> found{layer_of(a, b)};
        if (a != b) found.push_back(layer_of(b, a));
        return found;
    }

    Layer layer_of(int a, int b) const {
        Layer layer{a, b, begin[a][b], {}, {}, {}, {}, {}, std::vector<float>(SHARED)};
        for (int c = 0; c < SHARED; ++c) {
            const Shared &s = shared[c];
            layer.turned.push_back(begin[b][a][s.swapped]);
            layer.beyond.push_back(a + 1 < pieces ? begin[b][a + 1][s.swapped] : 0);
            layer.heights.push_back(masks(a, s.owns));
            layer.widths.push_back(masks(b, s.others));
        }
        for (int c : by_progress)
            if (layer.heights[c] > 0 && layer.widths[c] > 0) layer.order.push_back(c);
        return layer;
    }

    void guess(const Layer &layer) {
        std::array<float, MASKS> steps{};
        for (int rank = 0; rank < MASKS; ++rank)
            for (int square = 1; square < HOME; ++square)
                if (mask_of[rank] >> square & 1) steps[rank] += square;
        for (int c : layer.order) {
            float mine = HOME * layer.a, theirs = HOME * layer.b;
            for (int square = FIRST; square <= LAST; ++square) {
                if (shared[c].own >> square & 1) mine += square;
                if (shared[c].other >> square & 1) theirs += square;
            }
            float *place = &values[layer.here[c]];
            for (int i = 0; i < layer.widths[c]; ++i)
                for (int rank = 0; rank < layer.heights[c]; ++rank, ++place) {
                    const float own = mine + steps[rank], other = theirs + steps[i];
                    const float left = 2 * HOME * pieces - own - other;
                    const float lead = LEAD * (own - other + TURN) / std::sqrt(left);
                    *place = 0.5f + 0.5f * lead / (1 + std::fabs(lead));
                }
        }
    }

    float sweep(std::vector<Layer> &layers, float least, bool write) {
        float worst = 0;
        for (Layer &layer : layers)
            for (int c : layer.order)
                if (layer.changes[c] >= least) {
                    layer.changes[c] = update(layer, c, write);
                    worst = std::max(worst, layer.changes[c]);
                    if (write) updates += std::int64_t(layer.heights[c]) * layer.widths[c];
                }
        return worst;
    }

    float update(const Layer &layer, int c, bool write) {
        float most = 0;
        const int height = layer.heights[c], width = layer.widths[c];
        for (int rank = height - 1; rank >= 0; --rank) {
            expect(layer, c, rank);
            float *place = &values[layer.here[c] + rank];
            for (int i = 0; i < width; ++i, place += height) {
                most = std::max(most, std::fabs(expected[i] - *place));
                if (write) *place = expected[i];
            }
        }
        return most;
    }

    // The mover's chances before the dice with one own mask, for all masks of the opponent.
    void expect(const Layer &layer, int c, int rank) {
        const int width = layer.widths[c], wide = (width + 7) & ~7;
        const std::uint32_t mask = mask_of[rank], pieces_here = shared[c].own | mask;
        std::uint32_t walkers = pieces_here;
        if (pieces - layer.a - shared[c].owns > __builtin_popcount(mask)) walkers |= 1;
        const std::uint32_t landing = (2u << HOME) - 2;
        const std::uint32_t open = landing & ~(pieces_here | (shared[c].other & 1u << SAFE));
        const float *over = &values[layer.turned[c] + std::int64_t(rank) * width];
        for (int i = 0; i < wide; ++i) passed[i] = 1 - over[i];
        for (int i = 0; i < wide; ++i) expected[i] = CHANCE[0] * passed[i];
        for (int roll = 1; roll <= 4; ++roll) {
            const std::uint32_t targets = walkers << roll & open;
            const float *best = targets ? best_move(layer, c, rank, roll, targets) : passed.data();
            for (int i = 0; i < wide; ++i) expected[i] += CHANCE[roll] * best[i];
        }
    }

    const float *best_move(const Layer &layer, int c, int rank, int roll, std::uint32_t targets) {
        const int width = layer.widths[c], wide = (width + 7) & ~7;
        float *best = rows[0].data(), *spare = rows[1].data();
        for (int i = 0; i < wide; ++i) best[i] = -1;
        for (; targets; targets &= targets - 1, std::swap(best, spare)) {
            const int target = __builtin_ctz(targets);
            if (target == HOME && layer.a + 1 == pieces) {
                for (int i = 0; i < wide; ++i) spare[i] = 1;
                continue;
            }
            const After after = successors(layer, c, rank, target - roll, target);
            const float *from = &values[after.first];
            if (after.keeps_turn)
                for (int i = 0; i < width; ++i)
                    spare[i] = std::max(best[i], from[std::int64_t(i) * after.stride]);
            else
                for (int i = 0; i < wide; ++i) spare[i] = std::max(best[i], 1 - from[i]);
        }
        return best;
    }

    After successors(const Layer &layer, int c, int rank, int source, int target) const {
        int bits = bits_of[rank], after = c;
        if (is_shared(source)) after -= weight[source];
        else if (source > 0) bits ^= 1 << bit_of(source);
        if (target == HOME) {
            const int width = layer.widths[c];
            return {layer.beyond[after] + std::int64_t(rank_of[bits]) * width, width, false};
        }
        if (is_shared(target)) after += weight[target] * (shared[c].other >> target & 1 ? -1 : 1);
        else bits |= 1 << bit_of(target);
        if (is_rosette(target)) return {layer.here[after] + rank_of[bits], layer.heights[after], true};
        const int stride = layer.widths[after];
        return {layer.turned[after] + std::int64_t(rank_of[bits]) * stride, stride, false};
    }

    std::array<Shared, SHARED> shared{};
    std::array<int, HOME + 1> weight{};
    std::array<int, MASKS> mask_of{}, bits_of{}, rank_of{};
    std::array<int, 7> fits{};
    std::vector<int> by_progress;
    std::array<std::array<std::vector<std::int64_t>, 7>, 7> begin;
    alignas(64) std::array<float, MASKS> passed{}, expected{};
    alignas(64) std::array<std::array<float, MASKS>, 2> rows{};
};

int main(int count, char **arguments) {
    if (count != 3) {
        std::fprintf(stderr, "ur_blocks PIECES TOLERANCE\n");
        return 2;
    }
    Solver solver(std::atoi(arguments[1]));
    const std::clock_t started = std::clock();
    const float residual = solver.solve(std::atof(arguments[2]));
    const double seconds = double(std::clock() - started) / CLOCKS_PER_SEC;
    std::printf("{\"first_player\": %.9f, \"states\": %lld, \"updates\": %lld, \"residual\": %.2e, "
                "\"seconds\": %.3f}\n",
                solver.values[0], (long long)solver.states, (long long)solver.updates, residual,
                seconds);
}
