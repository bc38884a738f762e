// Backgammon for a graphics processor: plays, inputs and networks, one position a thread or a warp.
//
// A board is two sides of 26 counts, each in its own numbering (1 to 24 are points, 25 is the bar);
// the side of the player on roll comes first. What stands in ../inputs.py and ../network.py as
// kernels of the processor is written here again; tests hold both against each other.

#define BAR 25
#define CHECKERS 15
#define POINTS 0x1FFFFFEu
#define HOME 0x7Eu
#define MOST_PLAYS 1024

struct Board { signed char own[26], other[26]; };

// --- one side as masks ---------------------------------------------------------------------------

struct Masks { unsigned occupied, made, singles; int checkers, pips; };

__device__ Masks masks_of(const signed char *side)
{
    Masks m = {0, 0, 0, 0, 0};
    for (int place = 1; place <= BAR; place++) {
        const int count = side[place];
        if (!count) continue;
        m.occupied |= 1u << place;
        if (count > 1) m.made |= 1u << place; else m.singles |= 1u << place;
        m.checkers += count;
        m.pips += count * place;
    }
    return m;
}

__device__ int highest(unsigned mask) { return 31 - __clz(mask); }
__device__ unsigned mirrored(unsigned mask) { return __brev(mask) >> 6; }

// --- plays ---------------------------------------------------------------------------------------

__device__ bool can_step(const Board &b, int place, int die)
{
    if (!b.own[place] || (b.own[BAR] && place != BAR)) return false;
    const int to = place - die;
    if (to >= 1) return b.other[BAR - to] < 2;
    for (int p = 7; p <= BAR; p++) if (b.own[p]) return false;
    if (to == 0) return true;
    for (int p = place + 1; p <= 6; p++) if (b.own[p]) return false;
    return true;
}

__device__ void step(Board &b, int place, int die)
{
    const int to = place - die;
    b.own[place]--;
    if (to < 1) return;
    b.own[to]++;
    if (b.other[BAR - to] == 1) { b.other[BAR - to] = 0; b.other[BAR]++; }
}

// Where a game's plays go: counted first, then written.
struct Sink { Board *out; int count, room; };

__device__ void emit(Sink &sink, const Board &b)
{
    if (sink.out && sink.count < sink.room) sink.out[sink.count] = b;
    sink.count++;
}

// All plays of two different dice; doubles of one found in the other order are left out where the
// steps do not depend on each other.
__device__ void two_dice(Sink &sink, const Board &b, int high, int low)
{
    for (int order = 0; order < 2; order++) {
        const int one = order ? low : high, two = order ? high : low;
        for (int p = BAR; p >= 1; p--) {
            if (!can_step(b, p, one)) continue;
            Board c = b;
            step(c, p, one);
            for (int q = BAR; q >= 1; q--) {
                if (!can_step(c, q, two)) continue;
                if (order && can_step(b, q, two)) {
                    Board d = b;
                    step(d, q, two);
                    if (can_step(d, p, one)) continue;
                }
                Board d = c;
                step(d, q, two);
                emit(sink, d);
            }
        }
    }
    if (sink.count) return;
    for (int order = 0; order < 2 && !sink.count; order++)
        for (int p = BAR; p >= 1; p--)
            if (can_step(b, p, order ? low : high)) {
                Board c = b;
                step(c, p, order ? low : high);
                emit(sink, c);
            }
}

// Four steps with one die, from the rear to the front, so that no play comes twice.
__device__ void double_dice(Sink &sink, const Board &b, int die)
{
    int most = 0;
    for (int pass = 0; pass < 2; pass++) {
        Board at[5];
        int place[5];
        at[0] = b;
        place[0] = BAR;
        int depth = 0;
        while (depth >= 0) {
            if (depth > most && !pass) most = depth;
            if (!pass && most == 4) break;
            int p = depth < 4 ? place[depth] : 0;
            while (p >= 1 && !can_step(at[depth], p, die)) p--;
            if (p < 1) {
                if (pass && depth == most && depth) emit(sink, at[depth]);
                depth--;
                continue;
            }
            place[depth] = p - 1;  // for the next try
            at[depth + 1] = at[depth];
            step(at[depth + 1], p, die);
            place[depth + 1] = p;
            depth++;
        }
        if (!most) return;
    }
}

__device__ void plays(Sink &sink, const Board &b, int first, int second)
{
    if (first == second) double_dice(sink, b, first);
    else two_dice(sink, b, first > second ? first : second, first > second ? second : first);
    if (!sink.count) emit(sink, b);
}

// --- inputs --------------------------------------------------------------------------------------

struct Inputs { unsigned char *index; float *value; int count; };

__device__ void put(Inputs &in, int index, float value)
{
    in.index[in.count] = (unsigned char)index;
    in.value[in.count++] = value;
}

__device__ void put_points(Inputs &in, const signed char *side, int checkers, int base)
{
    for (int place = BAR; place >= 1; place--) {
        const int count = side[place], unit = base + 4 * (place - 1);
        if (!count) continue;
        put(in, unit + (count < 3 ? count - 1 : 2), 1.0f);
        if (count > 3) put(in, unit + 3, 0.5f * (count - 3));
    }
    if (checkers < CHECKERS) put(in, base + 4 * BAR, (CHECKERS - checkers) / 15.0f);
}

__device__ int hitting_rolls(unsigned own, int on_bar, unsigned free_points, unsigned blots)
{
    if (!blots) return 0;
    int total = 0;
    const unsigned field = own & POINTS;
    for (int first = 1; first <= 6; first++)
        for (int second = 1; second <= first; second++) {
            unsigned reached;
            if (!on_bar) {
                const unsigned a = (field >> first) & free_points;
                if (first == second) {
                    const unsigned b = (a >> first) & free_points, c = (b >> first) & free_points;
                    reached = a | b | c | (c >> first);
                } else {
                    const unsigned b = (field >> second) & free_points;
                    reached = a | b | (a >> second) | (b >> first);
                }
            } else {
                const unsigned a = (1u << (BAR - first)) & free_points;
                const unsigned b = (1u << (BAR - second)) & free_points;
                reached = a | b;
                if (on_bar == 1) {
                    if (a) reached |= ((field | a) >> second) & free_points;
                    if (b) reached |= ((field | b) >> first) & free_points;
                }
            }
            if (reached & blots) total += first == second ? 1 : 2;
        }
    return total;
}

__device__ void put_insights(
    Inputs &in, const signed char *side, const Masks &m, const Masks &o, const float *escapes, int base)
{
    const unsigned shut = mirrored(o.made) & POINTS, blots = mirrored(o.singles) & POINTS;
    const int on_bar = side[BAR], rear = highest(m.occupied);
    put(in, base, m.pips / 167.0f);
    const int shots = hitting_rolls(m.occupied, on_bar, POINTS & ~shut, blots);
    if (shots) {
        put(in, base + 1, shots / 36.0f);
        const unsigned nearer = blots & ((1u << rear) - 1);
        put(in, base + 2, shots / 36.0f * (nearer ? highest(nearer) : 0) / 24.0f);
    }
    unsigned wall = m.made & POINTS;
    int run = 0;
    while (wall) { run++; wall &= wall >> 1; }
    put(in, base + 3, run / 6.0f);
    put(in, base + 4, escapes[(mirrored(shut) >> (BAR - rear + 1)) & 0xFFF]);
    const unsigned mine = m.made & POINTS;
    float least = 1.0f;
    for (int place = 1; place < 10; place++)
        if (!(mine >> place & 1)) least = fminf(least, escapes[(mine >> (place + 1)) & 0xFFF]);
    put(in, base + 5, least);
    const int line = BAR - highest(o.occupied);
    int far = 0;
    for (int place = BAR; place > line && place >= 1; place--) far += (place - line) * side[place];
    put(in, base + 6, far / 167.0f);
    if (on_bar) {
        const float closed = __popc(mirrored(shut) & HOME) / 6.0f;
        put(in, base + 7, closed * closed);
    }
}

// Bits of a board's flags.
#define CONTACT 1
#define OWN_ALL 2
#define OTHER_ALL 4
#define FINISHED 8

__device__ int read_board(const Board &b, const float *escapes, Inputs &in)
{
    const Masks m = masks_of(b.own), o = masks_of(b.other);
    const bool over = !m.checkers || !o.checkers;
    const bool contact = !over && highest(m.occupied) + highest(o.occupied) > BAR;
    put_points(in, b.own, m.checkers, 0);
    put_points(in, b.other, o.checkers, SIDE);
    if (contact) {
        put_insights(in, b.own, m, o, escapes, RACE_INPUTS);
        put_insights(in, b.other, o, m, escapes, RACE_INPUTS + INSIGHTS);
    }
    return (contact ? CONTACT : 0) | (m.checkers == CHECKERS ? OWN_ALL : 0)
        | (o.checkers == CHECKERS ? OTHER_ALL : 0) | (over ? FINISHED : 0);
}

extern "C" __global__ void list_inputs(
    const Board *boards, int n, const float *escapes, unsigned char *index, float *value,
    int *count, int *flags)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Inputs in = {index + (size_t)i * MOST_ACTIVE, value + (size_t)i * MOST_ACTIVE, 0};
    flags[i] = read_board(boards[i], escapes, in);
    count[i] = in.count;
}

// The same as rows of a matrix, the bias last.
extern "C" __global__ void dense(
    const unsigned char *index, const float *value, const int *count, const int *which, int n,
    int width, float *rows)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const size_t from = (size_t)which[i] * MOST_ACTIVE;
    for (int k = 0; k < count[which[i]]; k++) rows[(size_t)i * width + index[from + k]] = value[from + k];
    rows[(size_t)i * width + width - 1] = 1.0f;
}

// --- networks ------------------------------------------------------------------------------------

template <int UNITS>
__device__ void forward(
    const float *into, const float *out, int bias, const unsigned char *index, const float *value,
    int count, int lane, float *result)
{
    float sum[UNITS];
    for (int j = 0; j < UNITS; j++) sum[j] = into[bias * 32 * UNITS + 32 * j + lane];
    for (int k = 0; k < count; k++) {
        const float *row = into + index[k] * 32 * UNITS + lane;
        const float x = value[k];
        for (int j = 0; j < UNITS; j++) sum[j] += row[32 * j] * x;
    }
    for (int j = 0; j < UNITS; j++) sum[j] /= 1.0f + fabsf(sum[j]);
    for (int o = 0; o < 5; o++) {
        const float *row = out + o * (32 * UNITS + 1);
        float total = 0;
        for (int j = 0; j < UNITS; j++) total += row[32 * j + lane] * sum[j];
        for (int half = 16; half; half >>= 1) total += __shfl_xor_sync(~0u, total, half);
        result[o] = 1.0f / (1.0f + expf(-total - row[32 * UNITS]));
    }
}

// The five chances of the player on roll, one warp a position.
extern "C" __global__ void evaluate(
    const float *w, const unsigned char *index, const float *value, const int *count,
    const int *flags, int n, float *chances)
{
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= n) return;
    float r[5];
    const unsigned char *which = index + (size_t)i * MOST_ACTIVE;
    const float *x = value + (size_t)i * MOST_ACTIVE;
    if (flags[i] & CONTACT)
        forward<HIDDEN / 32>(w, w + CONTACT_OUT, CONTACT_INPUTS, which, x, count[i], lane, r);
    else
        forward<RACE_HIDDEN / 32>(w + RACE, w + RACE_OUT, RACE_INPUTS, which, x, count[i], lane, r);
    if (lane) return;
    if (!(flags[i] & OTHER_ALL)) r[1] = r[2] = 0;
    if (!(flags[i] & OWN_ALL)) r[3] = r[4] = 0;
    r[1] = fminf(r[1], r[0]);
    r[2] = fminf(r[2], r[1]);
    r[3] = fminf(r[3], 1.0f - r[0]);
    r[4] = fminf(r[4], r[3]);
    for (int o = 0; o < 5; o++) chances[5 * (size_t)i + o] = r[o];
}

// --- games ---------------------------------------------------------------------------------------

__device__ unsigned long long mixed(unsigned long long x)
{
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

// Throws for every game that goes on, and lists its plays, the sides turned: the other rolls next.
extern "C" __global__ void list_plays(
    const Board *boards, const int *alive, int n, unsigned long long seed, int turn,
    Board *after, int room, int *begin, int *count, int *used)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int game = alive[i];
    unsigned long long word = mixed(seed ^ mixed(((unsigned long long)game << 16) | turn));
    int first = 1 + (int)(word % 6), second = 1 + (int)((word >> 20) % 6);
    while (turn == 0 && first == second) {  // never a double at the opening
        word = mixed(word);
        first = 1 + (int)(word % 6), second = 1 + (int)((word >> 20) % 6);
    }
    const Board b = boards[game];
    Sink counted = {0, 0, 0};
    plays(counted, b, first, second);
    const int wanted = counted.count < MOST_PLAYS ? counted.count : MOST_PLAYS;
    const int at = atomicAdd(used, wanted);
    begin[i] = at;
    count[i] = at + wanted <= room ? wanted : 0;
    if (!count[i]) return;
    Sink written = {after + at, 0, wanted};
    plays(written, b, first, second);
    for (int k = 0; k < wanted; k++) {
        const Board c = after[at + k];
        for (int p = 0; p < 26; p++) { after[at + k].own[p] = c.other[p]; after[at + k].other[p] = c.own[p]; }
    }
}

// The best play of each game becomes its next board. A game that ends has its points, else 0; one
// that found no room is left as it is and given up with -1.
extern "C" __global__ void make_plays(
    Board *boards, const int *alive, int n, const Board *after, const int *begin, const int *count,
    const float *chances, const int *flags, int *points)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int game = alive[i];
    points[game] = 0;
    if (!count[i]) { points[game] = -1; return; }
    int best = begin[i];
    float most = -1e9f;
    for (int k = begin[i]; k < begin[i] + count[i]; k++) {
        const float *c = chances + 5 * (size_t)k;
        const float mine = flags[k] & FINISHED
            ? 100.0f : 1.0f - 2.0f * c[0] - c[1] - c[2] + c[3] + c[4];
        if (mine > most) { most = mine; best = k; }
    }
    boards[game] = after[best];
    if (flags[best] & FINISHED) {  // the mover is off; who would roll next has lost
        const Masks loser = masks_of(after[best].own);
        points[game] = loser.checkers < CHECKERS ? 1 : loser.occupied >> 19 ? 3 : 2;
    }
}
