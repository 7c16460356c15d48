/* The sums of pairs of a measure with few levels: a histogram of the differences of each pair. */

#include "kernel.h"

typedef struct {
    size_t queries, levels, sizes, bins; /* bins: wins by size, losses by size, zero, left out */
    const uint16_t *codes;               /* runs × queries */
    const uint32_t *bin_of;              /* levels × levels */
    const double *size_of;
} Binned;

/* Twice the mid-rank of a group: all that are smaller, twice, and its own, and one. Whole numbers throughout. */
static void sum_bins(const Binned *of, const uint32_t *counts, double *sums, size_t step) {
    const uint32_t *wins = counts, *losses = counts + of->sizes;
    uint64_t before = 0, n_wins = 0, doubled_w_plus = 0;
    double ties = 0, total = 0, squares = 0;
    for (size_t i = 0; i < of->sizes; i++) {
        uint64_t won = wins[i], in_group = won + losses[i];
        double size = of->size_of[i], group = (double)in_group;
        doubled_w_plus += won * (2 * before + in_group + 1);
        ties += group * group * group - group;
        total += ((double)won - (double)losses[i]) * size;
        squares += group * (size * size);
        before += in_group;
        n_wins += won;
    }
    sums[N * step] = (double)(before + counts[of->bins - 2]);
    sums[WINS * step] = (double)n_wins;
    sums[LOSSES * step] = (double)(before - n_wins);
    sums[W_PLUS * step] = (double)doubled_w_plus / 2;
    sums[TIES * step] = ties;
    sums[TOTAL * step] = total;
    sums[SQUARES * step] = squares;
}

static void sum_binned(const Binned *of, const int64_t *first, const int64_t *second, size_t pairs, uint32_t *counts,
                       double *sums) {
    for (size_t pair = 0; pair < pairs; pair++) {
        const uint16_t *a = of->codes + (size_t)first[pair] * of->queries;
        const uint16_t *b = of->codes + (size_t)second[pair] * of->queries;
        memset(counts, 0, of->bins * sizeof *counts);
        for (size_t q = 0; q < of->queries; q++) counts[of->bin_of[a[q] * of->levels + b[q]]]++;
        sum_bins(of, counts, sums + pair, pairs);
    }
}

static int are_below(const uint16_t *codes, size_t count, size_t limit) {
    for (size_t i = 0; i < count; i++)
        if (codes[i] >= limit) return 0;
    return 1;
}

static int are_bins(const uint32_t *bins, size_t count, size_t limit) {
    for (size_t i = 0; i < count; i++)
        if (bins[i] >= limit) return 0;
    return 1;
}

PyObject *py_sum_binned(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[6]; /* codes, bin_of, size_of, first, second, sums */
    Py_ssize_t queries;
    if (!PyArg_ParseTuple(args, "y*ny*y*y*y*w*", &of[0], &queries, &of[1], &of[2], &of[3], &of[4], &of[5])) return NULL;
    size_t cells = (size_t)of[1].len / sizeof(uint32_t), levels = (size_t)sqrt((double)cells);
    size_t pairs = (size_t)of[3].len / sizeof(int64_t);
    Binned binned = {.queries = queries > 0 ? (size_t)queries : 0, .levels = levels,
                     .sizes = (size_t)of[2].len / sizeof(double), .codes = of[0].buf, .bin_of = of[1].buf,
                     .size_of = of[2].buf};
    binned.bins = 2 * binned.sizes + 2;
    size_t runs = binned.queries ? (size_t)of[0].len / sizeof(uint16_t) / binned.queries : 0;
    int fits = levels * levels == cells && holds(&of[1], cells, sizeof(uint32_t)) &&
               holds(&of[2], binned.sizes, sizeof(double)) && holds(&of[0], runs * binned.queries, sizeof(uint16_t)) &&
               holds(&of[5], N_SUMS * pairs, sizeof(double)) && binned.queries < UINT32_MAX &&
               are_runs(&of[3], runs, pairs) && are_runs(&of[4], runs, pairs) &&
               are_below(binned.codes, runs * binned.queries, levels) && are_bins(binned.bin_of, cells, binned.bins);
    uint32_t *counts = fits ? malloc(binned.bins * sizeof *counts) : NULL;
    if (counts) {
        PyThreadState *thread = PyEval_SaveThread();
        sum_binned(&binned, of[3].buf, of[4].buf, pairs, counts, of[5].buf);
        free(counts);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 6);
    if (!fits) return refuse_arrays();
    if (!counts) return PyErr_NoMemory();
    Py_RETURN_NONE;
}
