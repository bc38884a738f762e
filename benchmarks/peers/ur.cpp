// The Royal Game of Ur by Finkel's rules solved by value iteration, as a yardstick of speed.
//
//   ur PIECES TOLERANCE
//
// Plain code: one state after the other, every value written in its place at once, all states in
// every sweep until none changes by the tolerance. A state is what is home, the shared tiles and the
// private ones of both sides, for the side to roll; states without a hole in their numbers, single
// precision. One line of JSON says the first player's chance, the states, the updates and the
// seconds of the processor.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

constexpr int SHARED = 6561, HOME = 15, SAFE = 8;
constexpr float CHANCE[5] = {1 / 16.f, 4 / 16.f, 6 / 16.f, 4 / 16.f, 1 / 16.f};

inline bool is_shared(int square) { return square >= 5 && square <= 12; }
inline bool is_rosette(int square) { return square == 4 || square == 8 || square == 14; }
// A private square's bit: 1 to 4, then 13 and 14.
inline int bit_of(int square) { return square <= 4 ? square - 1 : square - 9; }

struct Shared {
    std::uint32_t own = 0, other = 0;  // bit n is square n
    int owns = 0, others = 0, swapped = 0;
};

class Solver {
  public:
    explicit Solver(int pieces) : pieces(pieces) {
        weight.fill(0);
        for (int square = 5, power = 1; square <= 12; ++square, power *= 3) weight[square] = power;
        for (int c = 0; c < SHARED; ++c)
            for (int square = 5; square <= 12; ++square) {
                const int digit = c / weight[square] % 3;
                if (digit == 1) shared[c].own |= 1u << square, ++shared[c].owns;
                if (digit == 2) shared[c].other |= 1u << square, ++shared[c].others;
                if (digit != 0) shared[c].swapped += (3 - digit) * weight[square];
            }
        for (int count = 0, next = 0; count <= 6; ++count) {
            for (int mask = 0; mask < 64; ++mask)
                if (__builtin_popcount(mask) == count) mask_of[next] = mask, rank[mask] = next++;
            fits[count] = next;
        }
        for (int a = 0; a < pieces; ++a)
            for (int b = 0; b < pieces; ++b)
                for (int c = 0; c < SHARED; ++c) {
                    begin[a][b].push_back(states);
                    if (left(a, shared[c].owns) >= 0 && left(b, shared[c].others) >= 0)
                        states += std::int64_t(masks(a, shared[c].owns)) * masks(b, shared[c].others);
                }
        values.assign(states, 0.5f);
    }

    void solve(float tolerance) {
        for (int a = pieces - 1; a >= 0; --a)
            for (int b = pieces - 1; b >= a; --b)
                for (float change = 1; change >= tolerance;) {
                    change = sweep(a, b);
                    if (a != b) change = std::max(change, sweep(b, a));
                }
    }

    int pieces;
    std::int64_t states = 0, updates = 0;
    std::vector<float> values;

  private:
    int left(int home, int on_shared) const { return pieces - home - on_shared; }
    int masks(int home, int on_shared) const { return fits[std::min(6, left(home, on_shared))]; }

    float value(int a, int b, int c, int own, int other) const {
        return values[begin[a][b][c] + rank[own] * masks(b, shared[c].others) + rank[other]];
    }

    float sweep(int a, int b) {
        float most = 0;
        for (int c = 0; c < SHARED; ++c) {
            if (left(a, shared[c].owns) < 0 || left(b, shared[c].others) < 0) continue;
            const int height = masks(a, shared[c].owns), width = masks(b, shared[c].others);
            float *place = &values[begin[a][b][c]];
            updates += std::int64_t(height) * width;
            for (int i = 0; i < height; ++i)
                for (int j = 0; j < width; ++j, ++place) {
                    const float found = expected(a, b, c, mask_of[i], mask_of[j]);
                    most = std::max(most, std::fabs(found - *place));
                    *place = found;
                }
        }
        return most;
    }

    float expected(int a, int b, int c, int own, int other) const {
        const float passed = 1 - value(b, a, shared[c].swapped, other, own);
        // Bit n is square n, and 0 the hand.
        std::uint32_t mine = shared[c].own | (own & 15) << 1 | (own >> 4) << 13;
        std::uint32_t walkers = mine;
        if (left(a, shared[c].owns) > __builtin_popcount(own)) walkers |= 1;
        float sum = CHANCE[0] * passed;
        for (int roll = 1; roll <= 4; ++roll) {
            float best = -1;
            for (std::uint32_t rest = walkers; rest != 0; rest &= rest - 1) {
                const int source = __builtin_ctz(rest), target = source + roll;
                if (target > HOME || (target < HOME && mine >> target & 1)) continue;
                if (target == SAFE && shared[c].other >> target & 1) continue;
                best = std::max(best, after(a, b, c, own, other, source, target));
            }
            sum += CHANCE[roll] * (best < 0 ? passed : best);
        }
        return sum;
    }

    float after(int a, int b, int c, int own, int other, int source, int target) const {
        if (is_shared(source)) c -= weight[source];
        else if (source > 0) own &= ~(1 << bit_of(source));
        if (target == HOME)
            return a + 1 == pieces ? 1 : 1 - value(b, a + 1, shared[c].swapped, other, own);
        if (is_shared(target)) c += weight[target] * (shared[c].other >> target & 1 ? -1 : 1);
        else own |= 1 << bit_of(target);
        if (is_rosette(target)) return value(a, b, c, own, other);
        return 1 - value(b, a, shared[c].swapped, other, own);
    }

    std::array<Shared, SHARED> shared;
    std::array<int, 16> weight;
    std::array<int, 64> mask_of, rank;
    std::array<int, 7> fits;
    std::array<std::array<std::vector<std::int64_t>, 7>, 7> begin;
};

int main(int count, char **arguments) {
    if (count != 3) {
        std::fprintf(stderr, "ur PIECES TOLERANCE\n");
        return 2;
    }
    Solver solver(std::atoi(arguments[1]));
    const std::clock_t started = std::clock();
    solver.solve(std::atof(arguments[2]));
    const double seconds = double(std::clock() - started) / CLOCKS_PER_SEC;
    std::printf("{\"first_player\": %.9f, \"states\": %lld, \"updates\": %lld, \"seconds\": %.3f}\n",
                solver.values[0], (long long)solver.states, (long long)solver.updates, seconds);
}
