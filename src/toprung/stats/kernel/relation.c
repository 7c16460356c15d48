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

typedef struct { const double *values; const uint8_t *chosen; size_t count; uint64_t *counts; } Chosen;

static inline uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The number at this place from below, from 0: its bits are found from the highest down, 16 at a time. */
static double select_place(const Chosen *of, size_t place) {
    uint64_t found = 0;
    for (int shift = 64 - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
        memset(of->counts, 0, DIGITS * sizeof *of->counts);
        for (size_t i = 0; i < of->count; i++) {
            uint64_t bits = bits_of(of->values[i]);
            int same = shift == 64 - DIGIT_BITS || bits >> (shift + DIGIT_BITS) == found >> (shift + DIGIT_BITS);
            if (of->chosen[i] && same) of->counts[bits >> shift & (DIGITS - 1)]++;
        }
        uint64_t digit = 0;
        while (digit < DIGITS - 1 && place >= of->counts[digit]) place -= of->counts[digit++];
        found |= digit << shift;
    }
    double value;
    memcpy(&value, &found, sizeof value);
    return value;
}

/* How many are chosen, or none if one of them is negative or not a number. */
static size_t count_chosen(const Chosen *of) {
    size_t count = 0;
    for (size_t i = 0; i < of->count; i++) {
        if (!of->chosen[i]) continue;
        if (!(of->values[i] >= 0) || signbit(of->values[i])) return 0;
        count++;
    }
    return count;
}

PyObject *py_median_of(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[2]; /* values, chosen */
    if (!PyArg_ParseTuple(args, "y*y*", &of[0], &of[1])) return NULL;
    Chosen chosen = {of[0].buf, of[1].buf, (size_t)of[1].len, malloc(DIGITS * sizeof(uint64_t))};
    int fits = holds(&of[0], chosen.count, sizeof(double));
    double median = NAN;
    if (fits && chosen.counts) {
        PyThreadState *thread = PyEval_SaveThread();
        size_t count = count_chosen(&chosen);
        if (count) median = select_place(&chosen, count / 2);
        if (count && count % 2 == 0) median = (select_place(&chosen, count / 2 - 1) + median) / 2;
        PyEval_RestoreThread(thread);
    }
    int has_memory = chosen.counts != NULL;
    free(chosen.counts);
    release_all(of, 2);
    if (!fits) return refuse_arrays();
    if (!has_memory) return PyErr_NoMemory();
    return PyFloat_FromDouble(median);
}
