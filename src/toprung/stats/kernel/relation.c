/* From tests of pairs to which run is better than which, and the median of what is observed of pairs. */

#include "kernel.h"

#define TILE 64

/* is_better[a, b] for the runs of two tiles; rows and columns of a tile stay in the cache, transposed or not. */
static void fill_square(const uint8_t *judged, const uint8_t *open, size_t runs, size_t from_earlier, size_t from_later,
                        uint8_t *is_better) {
    size_t end_later = from_later + TILE < runs ? from_later + TILE : runs;
    for (size_t later = from_later; later < end_later; later++) {
        size_t end_earlier = from_earlier + TILE < later ? from_earlier + TILE : later;
        for (size_t earlier = from_earlier; earlier < end_earlier; earlier++) {
            size_t pair = pair_at(earlier, later);
            is_better[earlier * runs + later] = judged[pair] && !(open[pair] & FIRST_MAY_BE_BETTER);
            is_better[later * runs + earlier] = judged[pair] && !(open[pair] & SECOND_MAY_BE_BETTER);
        }
    }
}

PyObject *py_relate_runs(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[3]; /* judged, open, is_better */
    Py_ssize_t given;
    if (!PyArg_ParseTuple(args, "ny*y*w*", &given, &of[0], &of[1], &of[2])) return NULL;
    size_t runs = given > 0 ? (size_t)given : 0;
    int fits = runs < UINT32_MAX && holds(&of[0], pair_count(runs), 1) && holds(&of[1], pair_count(runs), 1) &&
               holds(&of[2], runs * runs, 1);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        memset(of[2].buf, 0, runs * runs);
        for (size_t later = 0; later < runs; later += TILE)
            for (size_t earlier = 0; earlier <= later; earlier += TILE)
                fill_square(of[0].buf, of[1].buf, runs, earlier, later, of[2].buf);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 3);
    if (!fits) return refuse_arrays();
    Py_RETURN_NONE;
}

/* ---- the median, by counting: numbers from 0 on stand in the order of their bits ---- */

#define DIGIT_BITS 16
#define DIGITS (1u << DIGIT_BITS)

#define INFINITE 0x7ff0000000000000ULL /* what is above is negative or not a number */

typedef struct { const double *values; const uint8_t *chosen; size_t count; } Chosen;

static inline uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t first_digit(uint64_t bits) { return bits >> (64 - DIGIT_BITS); }

/* Where the number at this place stands: its digit, and its place among those of the same digit. */
static uint64_t find_digit(const uint64_t *counts, size_t *place) {
    uint64_t digit = 0;
    while (digit < DIGITS - 1 && *place >= counts[digit]) *place -= counts[digit++];
    return digit;
}

/* The number at this place from below, from 0: its bits are found from the highest down, 16 at a time. */
static double select_place(const double *values, size_t count, size_t place, uint64_t *counts) {
    uint64_t found = 0;
    for (int shift = 64 - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
        memset(counts, 0, DIGITS * sizeof *counts);
        for (size_t i = 0; i < count; i++) {
            uint64_t bits = bits_of(values[i]);
            int same = shift == 64 - DIGIT_BITS || bits >> (shift + DIGIT_BITS) == found >> (shift + DIGIT_BITS);
            counts[bits >> shift & (DIGITS - 1)] += (uint64_t)same;
        }
        found |= find_digit(counts, &place) << shift;
    }
    double value;
    memcpy(&value, &found, sizeof value);
    return value;
}

/* How many are chosen, by their first digits; none if one of them is negative or not a number. */
static size_t count_chosen(const Chosen *of, uint64_t *counts) {
    uint64_t count = 0, is_refused = 0;
    memset(counts, 0, DIGITS * sizeof *counts);
    for (size_t i = 0; i < of->count; i++) {
        uint64_t bits = bits_of(of->values[i]), is_chosen = of->chosen[i] != 0;
        counts[first_digit(bits)] += is_chosen;
        count += is_chosen;
        is_refused |= is_chosen & (bits > INFINITE);
    }
    return is_refused ? 0 : (size_t)count;
}

/* The number at this place among the chosen. Only those of its first digit are looked at more than once. NaN: no memory. */
static double select_chosen(const Chosen *of, const uint64_t *by_digit, size_t place, uint64_t *counts) {
    uint64_t digit = find_digit(by_digit, &place);
    size_t n = 0;
    double *same = malloc((by_digit[digit] + 1) * sizeof *same); /* one more: each is written, and kept if it counts */
    if (!same) return NAN;
    for (size_t i = 0; i < of->count; i++) {
        same[n] = of->values[i];
        n += (of->chosen[i] != 0) & (first_digit(bits_of(of->values[i])) == digit);
    }
    double found = select_place(same, n, place, counts);
    free(same);
    return found;
}

/* Of an even count the mean of the two in the middle. NaN where there is none, or no memory. */
static double median_of(const Chosen *of, uint64_t *by_digit, uint64_t *counts) {
    size_t count = count_chosen(of, by_digit);
    if (!count) return NAN;
    double upper = select_chosen(of, by_digit, count / 2, counts);
    return count % 2 ? upper : (select_chosen(of, by_digit, count / 2 - 1, counts) + upper) / 2;
}

PyObject *py_median_of(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[2]; /* values, chosen */
    if (!PyArg_ParseTuple(args, "y*y*", &of[0], &of[1])) return NULL;
    Chosen chosen = {of[0].buf, of[1].buf, (size_t)of[1].len};
    uint64_t *counts = malloc(2 * DIGITS * sizeof *counts);
    int fits = holds(&of[0], chosen.count, sizeof(double));
    double median = NAN;
    if (fits && counts) {
        PyThreadState *thread = PyEval_SaveThread();
        median = median_of(&chosen, counts, counts + DIGITS);
        PyEval_RestoreThread(thread);
    }
    int has_memory = counts != NULL;
    free(counts);
    release_all(of, 2);
    if (!fits) return refuse_arrays();
    if (!has_memory) return PyErr_NoMemory();
    return PyFloat_FromDouble(median);
}
