/* The sums of pairs of a measure with many levels: the differences of each pair are sorted by their size.

   They are sorted by size to one part in a million in two rounds over 1,024 buckets, without a branch that could be
   guessed wrong; hardly any are then out of order, and insertion mends them. Where that would take long, because sizes
   are very uneven, they are sorted by all their digits. */

#include "kernel.h"

#define UNIT 1e10            /* inputs.DIGITS */
#define LARGEST 2.1e8        /* difference of two values: see difference_sorts.LARGEST_VALUE */
#define MOST_MOVES 16        /* by insertion, of each difference */
#define ROUND 1024           /* buckets of one round of sorting */

typedef struct { double high, low; int has_gaps; } Extent;

typedef struct {
    size_t queries;
    Extent *extents;         /* of each run */
    double *difference;      /* by query */
    uint64_t *keys, *sorted; /* by query, and in order */
    uint64_t *half_sorted;
    int32_t *place;          /* by query: of the size, rounded, among ROUND² */
    uint16_t *half_place;
} Room;

/* The bits of a number with its sign moved to the lowest: in the order of size, wins before losses. */
static inline uint64_t key_of(double whole) {
    uint64_t bits;
    memcpy(&bits, &whole, sizeof bits);
    return bits << 1 | bits >> 63;
}

/* B less A by query, 0 where either is left out (NaN), with its key and the place of its size. */
WIDE static void take_differences(const double *a, const double *b, size_t n, double factor, double *difference,
                                  int32_t *place, uint64_t *keys) {
    for (size_t q = 0; q < n; q++) {
        double d = b[q] - a[q];
        d = d == d ? d : 0.0;
        double whole = rint(d * UNIT);
        difference[q] = d;
        place[q] = (int32_t)(fabs(whole) * factor);
        keys[q] = key_of(whole);
    }
}

WIDE static void sum_differences(const double *difference, size_t n, double *total, double *squares) {
    Doubles sum[VECTORS] = {{0}}, square[VECTORS] = {{0}}, d;
    size_t q = 0;
    for (; q + LANES <= n; q += LANES)
        for (size_t v = 0; v < VECTORS; v++) {
            memcpy(&d, difference + q + v * VECTOR, sizeof d);
            sum[v] += d;
            square[v] += d * d;
        }
    double sums[LANES], of_squares[LANES];
    memcpy(sums, sum, sizeof sums);
    memcpy(of_squares, square, sizeof of_squares);
    for (size_t l = 0; q + l < n; l++) {
        sums[l] += difference[q + l];
        of_squares[l] += difference[q + l] * difference[q + l];
    }
    *total = add_lanes(sums);
    *squares = add_lanes(of_squares);
}

static size_t count_left_out(const double *a, const double *b, size_t n) {
    size_t count = 0;
    for (size_t q = 0; q < n; q++) count += isnan(a[q]) || isnan(b[q]);
    return count;
}

/* Nearly in order, by the place of their sizes: first by the lower half of its bits, then by the upper. */
static void sort_nearly(const Room *room) {
    uint32_t lower[ROUND] = {0}, upper[ROUND] = {0};
    for (size_t q = 0; q < room->queries; q++) {
        lower[room->place[q] % ROUND]++;
        upper[room->place[q] / ROUND]++;
    }
    uint32_t before_lower = 0, before_upper = 0;
    for (size_t i = 0; i < ROUND; i++) {
        uint32_t in_lower = lower[i], in_upper = upper[i];
        lower[i] = before_lower;
        upper[i] = before_upper;
        before_lower += in_lower;
        before_upper += in_upper;
    }
    for (size_t q = 0; q < room->queries; q++) {
        uint32_t to = lower[room->place[q] % ROUND]++;
        room->half_sorted[to] = room->keys[q];
        room->half_place[to] = (uint16_t)(room->place[q] / ROUND);
    }
    for (size_t q = 0; q < room->queries; q++) room->sorted[upper[room->half_place[q]]++] = room->half_sorted[q];
}

static int sort_by_insertion(uint64_t *keys, size_t count) {
    size_t moves = 0, most = MOST_MOVES * count;
    for (size_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
        moves += i - at;
        if (moves > most) return 0;
    }
    return 1;
}

/* From the lowest digit to the highest; `room` is as long as the keys. Eight passes end where they began. */
static void sort_by_digits(uint64_t *keys, uint64_t *room, size_t count) {
    for (int shift = 0; shift < 64; shift += 8) {
        size_t start[257] = {0};
        for (size_t i = 0; i < count; i++) start[(keys[i] >> shift & 255) + 1]++;
        for (size_t digit = 0; digit < 256; digit++) start[digit + 1] += start[digit];
        for (size_t i = 0; i < count; i++) room[start[keys[i] >> shift & 255]++] = keys[i];
        uint64_t *other = keys;
        keys = room;
        room = other;
    }
}

/* Sums over sizes in order, zeros left out. `keys` have one more place behind them.

   Places are ranks where nothing is tied. In a group of w wins and l losses the wins stand first, so that their places
   add up to wl/2 less than their mid-ranks. */
static void sum_groups(uint64_t *keys, size_t count, double *sums, size_t step) {
    uint64_t n_wins = 0, doubled_w_plus = 0;
    double ties = 0;
    keys[count] = UINT64_MAX; /* no size is so large */
    size_t zeros = 0;
    while (zeros < count && keys[zeros] <= 1) zeros++;
    for (size_t i = zeros; i < count; i++) {
        uint64_t is_win = !(keys[i] & 1);
        n_wins += is_win;
        doubled_w_plus += is_win * 2 * (i + 1 - zeros);
        if (keys[i] >> 1 != keys[i + 1] >> 1) continue;
        size_t from = i, losses = !is_win;
        for (; keys[i + 1] >> 1 == keys[from] >> 1; i++) {
            is_win = !(keys[i + 1] & 1);
            losses += !is_win;
            n_wins += is_win;
            doubled_w_plus += is_win * 2 * (i + 2 - zeros);
        }
        double length = (double)(i + 1 - from);
        doubled_w_plus += (i + 1 - from - losses) * losses;
        ties += length * length * length - length;
    }
    sums[WINS * step] = (double)n_wins;
    sums[LOSSES * step] = (double)(count - zeros - n_wins);
    sums[W_PLUS * step] = (double)doubled_w_plus / 2;
    sums[TIES * step] = ties;
}

static void sum_pair(const double *values, const Room *room, size_t first, size_t second, double *sums, size_t step) {
    const double *a = values + first * room->queries, *b = values + second * room->queries;
    const Extent *of_a = room->extents + first, *of_b = room->extents + second;
    double up = of_b->high - of_a->low, down = of_a->high - of_b->low, largest = (up > down ? up : down) * UNIT + 1;
    double factor = largest > 0 ? (ROUND * ROUND - 1) / largest : 0; /* it is not if a run has no value at all */
    take_differences(a, b, room->queries, factor, room->difference, room->place, room->keys);
    sort_nearly(room);
    if (!sort_by_insertion(room->sorted, room->queries))
        sort_by_digits(room->sorted, room->half_sorted, room->queries);
    sum_groups(room->sorted, room->queries, sums, step);
    sum_differences(room->difference, room->queries, sums + TOTAL * step, sums + SQUARES * step);
    size_t left_out = of_a->has_gaps || of_b->has_gaps ? count_left_out(a, b, room->queries) : 0;
    sums[N * step] = (double)(room->queries - left_out);
}

/* The range of each run; 0 if a difference of two values could be too large to be sorted. */
static int measure_runs(const double *values, size_t runs, Room *room) {
    double high = -INFINITY, low = INFINITY;
    for (size_t run = 0; run < runs; run++) {
        Extent extent = {-INFINITY, INFINITY, 0};
        for (size_t q = 0; q < room->queries; q++) {
            double value = values[run * room->queries + q];
            if (value > extent.high) extent.high = value;
            if (value < extent.low) extent.low = value;
            extent.has_gaps |= isnan(value);
        }
        room->extents[run] = extent;
        if (extent.high > high) high = extent.high;
        if (extent.low < low) low = extent.low;
    }
    return !(high - low > LARGEST);
}

static int make_room(Room *room, size_t runs) {
    room->extents = malloc((runs + 1) * sizeof *room->extents);
    room->difference = malloc((room->queries + 1) * sizeof *room->difference);
    room->keys = malloc((room->queries + 1) * sizeof *room->keys);
    room->sorted = malloc((room->queries + 1) * sizeof *room->sorted);
    room->half_sorted = malloc((room->queries + 1) * sizeof *room->half_sorted);
    room->place = malloc((room->queries + 1) * sizeof *room->place);
    room->half_place = malloc((room->queries + 1) * sizeof *room->half_place);
    return room->extents && room->difference && room->keys && room->sorted && room->half_sorted && room->place &&
           room->half_place;
}

PyObject *py_sum_sorted(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[4]; /* values, first, second, sums */
    Py_ssize_t queries;
    if (!PyArg_ParseTuple(args, "y*ny*y*w*", &of[0], &queries, &of[1], &of[2], &of[3])) return NULL;
    Room room = {.queries = queries > 0 ? (size_t)queries : 0};
    size_t runs = room.queries ? (size_t)of[0].len / sizeof(double) / room.queries : 0;
    size_t pairs = (size_t)of[1].len / sizeof(int64_t);
    int fits = room.queries && room.queries < UINT32_MAX && holds(&of[0], runs * room.queries, sizeof(double)) &&
               are_runs(&of[1], runs, pairs) && are_runs(&of[2], runs, pairs) &&
               holds(&of[3], N_SUMS * pairs, sizeof(double));
    int has_memory = fits && make_room(&room, runs), is_small = 1;
    if (has_memory) {
        const double *values = of[0].buf;
        const int64_t *first = of[1].buf, *second = of[2].buf;
        PyThreadState *thread = PyEval_SaveThread();
        is_small = measure_runs(values, runs, &room);
        for (size_t pair = 0; pair < pairs && is_small; pair++)
            sum_pair(values, &room, (size_t)first[pair], (size_t)second[pair], (double *)of[3].buf + pair, pairs);
        PyEval_RestoreThread(thread);
    }
    free(room.extents); free(room.difference); free(room.keys); free(room.sorted);
    free(room.half_sorted); free(room.place); free(room.half_place);
    release_all(of, 4);
    if (!fits || !is_small) return refuse_arrays();
    if (!has_memory) return PyErr_NoMemory();
    Py_RETURN_NONE;
}
