/* The sums of pairs of a measure with few levels: a histogram of the differences of each pair. */

#include "kernel.h"

typedef struct {
    size_t queries, levels, sizes, bins; /* bins: wins by size, losses by size, zero, left out */
    const uint16_t *codes;               /* runs × queries */
    const uint32_t *bin_of;              /* levels × levels */
    const double *size_of;
} Binned;

/* Where the sums of a pair are, and which sizes it has differences of: most have none. */
typedef struct { double *sums; size_t step; uint32_t *sizes; } Summed;

/* Twice the mid-rank of a group: all that are smaller, twice, and its own, and one. Whole numbers throughout. */
static inline void finish_sums(const Summed *to, uint64_t n, uint64_t n_wins, uint64_t n_losses,
                               uint64_t doubled_w_plus, double ties, double total, double squares) {
    to->sums[N * to->step] = (double)n;
    to->sums[WINS * to->step] = (double)n_wins;
    to->sums[LOSSES * to->step] = (double)n_losses;
    to->sums[W_PLUS * to->step] = (double)doubled_w_plus / 2;
    to->sums[TIES * to->step] = ties;
    to->sums[TOTAL * to->step] = total;
    to->sums[SQUARES * to->step] = squares;
}

/* Counts and the table of bins are held in as few bytes as they can be, so that they stay in the nearest cache. */
#define DEFINE_BINS(type, find_sizes, sum_bins, sum_pairs)                                                            \
    static size_t find_sizes(const type *wins, const type *losses, size_t count, uint32_t *found) {                   \
        size_t n = 0;                                                                                                 \
        for (size_t i = 0; i < count; i++) {                                                                          \
            found[n] = (uint32_t)i;                                                                                   \
            n += (wins[i] | losses[i]) != 0;                                                                          \
        }                                                                                                             \
        return n;                                                                                                     \
    }                                                                                                                 \
                                                                                                                      \
    static void sum_bins(const Binned *of, const type *counts, const Summed *to) {                                    \
        const type *wins = counts, *losses = counts + of->sizes;                                                      \
        uint64_t before = 0, n_wins = 0, doubled_w_plus = 0;                                                          \
        double ties = 0, total = 0, squares = 0;                                                                      \
        size_t n_sizes = find_sizes(wins, losses, of->sizes, to->sizes);                                              \
        for (size_t i = 0; i < n_sizes; i++) {                                                                        \
            uint64_t won = wins[to->sizes[i]], lost = losses[to->sizes[i]], in_group = won + lost;                    \
            double size = of->size_of[to->sizes[i]], group = (double)in_group;                                        \
            doubled_w_plus += won * (2 * before + in_group + 1);                                                      \
            ties += group * group * group - group;                                                                    \
            total += ((double)won - (double)lost) * size;                                                             \
            squares += group * (size * size);                                                                         \
            before += in_group;                                                                                       \
            n_wins += won;                                                                                            \
        }                                                                                                             \
        finish_sums(to, before + counts[of->bins - 2], n_wins, before - n_wins, doubled_w_plus, ties, total, squares); \
    }                                                                                                                 \
                                                                                                                      \
    static void sum_pairs(const Binned *of, const type *bin_of, const int64_t *first, const int64_t *second,          \
                          size_t pairs, type *counts, Summed to) {                                                    \
        for (size_t pair = 0; pair < pairs; pair++, to.sums++) {                                                      \
            const uint16_t *a = of->codes + (size_t)first[pair] * of->queries;                                        \
            const uint16_t *b = of->codes + (size_t)second[pair] * of->queries;                                       \
            memset(counts, 0, of->bins * sizeof *counts);                                                             \
            for (size_t q = 0; q < of->queries; q++) counts[bin_of[a[q] * of->levels + b[q]]]++;                      \
            sum_bins(of, counts, &to);                                                                                \
        }                                                                                                             \
    }

DEFINE_BINS(uint16_t, find_sizes_16, sum_bins_16, sum_pairs_16)
DEFINE_BINS(uint32_t, find_sizes_32, sum_bins_32, sum_pairs_32)

/* Returns 0 where there is no memory. */
static int sum_binned(const Binned *of, const int64_t *first, const int64_t *second, size_t pairs, double *sums) {
    size_t cells = of->levels * of->levels;
    int is_small = of->bins <= UINT16_MAX && of->queries <= UINT16_MAX;
    uint32_t *counts = malloc(of->bins * sizeof *counts), *sizes = malloc((of->sizes + 1) * sizeof *sizes);
    uint16_t *small = malloc((cells + 1) * sizeof *small);
    int has_memory = counts && sizes && small;
    Summed to = {.sums = sums, .step = pairs, .sizes = sizes};
    if (has_memory && is_small) {
        for (size_t i = 0; i < cells; i++) small[i] = (uint16_t)of->bin_of[i];
        sum_pairs_16(of, small, first, second, pairs, (uint16_t *)counts, to);
    } else if (has_memory) {
        sum_pairs_32(of, of->bin_of, first, second, pairs, counts, to);
    }
    free(counts);
    free(sizes);
    free(small);
    return has_memory;
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
    int has_memory = 1;
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        has_memory = sum_binned(&binned, of[3].buf, of[4].buf, pairs, of[5].buf);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 6);
    if (!fits) return refuse_arrays();
    if (!has_memory) return PyErr_NoMemory();
    Py_RETURN_NONE;
}
