/* What is observed of pairs of runs, and the means of runs in resamples. */

#include "kernel.h"

#define SATURATED 255

typedef struct { double total; int64_t differing; } Sums;

static inline Sums sum_differences(const double *a, const double *b, size_t n) {
    Doubles total[VECTORS] = {{0}}, x, y;
    Flags differing[VECTORS] = {{0}};
    size_t q = 0;
    for (; q + LANES <= n; q += LANES)
        for (size_t v = 0; v < VECTORS; v++) {
            memcpy(&x, a + q + v * VECTOR, sizeof x);
            memcpy(&y, b + q + v * VECTOR, sizeof y);
            x -= y;
            total[v] += x;
            differing[v] -= (Flags)(x > SMALLEST_DIFFERENCE) | (Flags)(x < -SMALLEST_DIFFERENCE); /* true is -1 */
        }
    double lanes[LANES];
    int64_t counts[LANES], count = 0;
    memcpy(lanes, total, sizeof lanes);
    memcpy(counts, differing, sizeof counts);
    for (size_t l = 0; q + l < n; l++) {
        double d = a[q + l] - b[q + l];
        lanes[l] += d;
        counts[l] += fabs(d) > SMALLEST_DIFFERENCE;
    }
    for (size_t l = 0; l < LANES; l++) count += counts[l];
    return (Sums){add_lanes(lanes), count};
}

static inline double sum_spread(const double *a, const double *b, size_t n, double mean) {
    Doubles spread[VECTORS] = {{0}}, x, y;
    size_t q = 0;
    for (; q + LANES <= n; q += LANES)
        for (size_t v = 0; v < VECTORS; v++) {
            memcpy(&x, a + q + v * VECTOR, sizeof x);
            memcpy(&y, b + q + v * VECTOR, sizeof y);
            x = x - y - mean;
            spread[v] += x * x;
        }
    double lanes[LANES];
    memcpy(lanes, spread, sizeof lanes);
    for (size_t l = 0; q + l < n; l++) {
        double d = a[q + l] - b[q + l] - mean;
        lanes[l] += d * d;
    }
    return add_lanes(lanes);
}

/* One run with all before it; `variance` and `differing` are the places of its pairs. */
WIDE static void observe_run(const double *runs, size_t n, size_t run, double *variance, uint8_t *differing) {
    const double *later = runs + run * n;
    for (size_t earlier = 0; earlier < run; earlier++) {
        const double *a = runs + earlier * n;
        Sums sums = sum_differences(a, later, n);
        double mean = sums.total / (double)n, spread = sum_spread(a, later, n, mean);
        double squares = spread + sums.total * mean;
        variance[earlier] = spread > NO_SPREAD * squares ? spread / (double)n : 0.0;
        differing[earlier] = (uint8_t)(sums.differing < SATURATED ? sums.differing : SATURATED);
    }
}

PyObject *py_observe_pairs(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[3]; /* runs, variance, differing */
    Py_ssize_t n_given, from_given;
    if (!PyArg_ParseTuple(args, "y*nnw*w*", &of[0], &n_given, &from_given, &of[1], &of[2])) return NULL;
    size_t n = n_given > 0 ? (size_t)n_given : 0, from = from_given > 0 ? (size_t)from_given : 0;
    size_t runs = n ? (size_t)of[0].len / sizeof(double) / n : 0;
    int fits = n && runs < UINT32_MAX && from <= runs && holds(&of[0], runs * n, sizeof(double));
    size_t pairs = fits ? pair_count(runs) - pair_count(from) : 0;
    fits = fits && holds(&of[1], pairs, sizeof(double)) && holds(&of[2], pairs, 1);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        double *variance = of[1].buf;
        uint8_t *differing = of[2].buf;
        for (size_t run = from; run < runs; run++) {
            observe_run(of[0].buf, n, run, variance, differing);
            variance += run;
            differing += run;
        }
        PyEval_RestoreThread(thread);
    }
    release_all(of, 3);
    if (!fits) return refuse_arrays();
    Py_RETURN_NONE;
}

/* ---- means of runs in resamples: every sum in the order of the queries, whatever is computed beside it ---- */

#define RUNS_AT_ONCE 4
#define RESAMPLES_AT_ONCE LANES

/* The weights of a few resamples, query by query; resamples that do not exist have no weight. */
static void pack_weights(const double *weights, size_t n, size_t from, size_t resamples, double *packed) {
    for (size_t q = 0; q < n; q++)
        for (size_t l = 0; l < RESAMPLES_AT_ONCE; l++)
            packed[q * RESAMPLES_AT_ONCE + l] = from + l < resamples ? weights[(from + l) * n + q] : 0.0;
}

WIDE static void sum_weighted(const double *const *rows, const double *packed, size_t n, double *sums) {
    Doubles held[RUNS_AT_ONCE][VECTORS] = {{{0}}}, weights;
    for (size_t q = 0; q < n; q++)
        for (size_t v = 0; v < VECTORS; v++) {
            memcpy(&weights, packed + q * RESAMPLES_AT_ONCE + v * VECTOR, sizeof weights);
            for (size_t r = 0; r < RUNS_AT_ONCE; r++) held[r][v] += rows[r][q] * weights;
        }
    memcpy(sums, held, sizeof held);
}

static void resample_means(const double *values, const double *packed, size_t n, size_t runs, size_t from,
                           size_t resamples, double *means) {
    for (size_t run = 0; run < runs; run += RUNS_AT_ONCE) {
        const double *rows[RUNS_AT_ONCE];
        double sums[RUNS_AT_ONCE * RESAMPLES_AT_ONCE];
        for (size_t r = 0; r < RUNS_AT_ONCE; r++) rows[r] = values + (run + r < runs ? run + r : run) * n;
        sum_weighted(rows, packed, n, sums);
        for (size_t r = 0; r < RUNS_AT_ONCE && run + r < runs; r++)
            for (size_t l = 0; l < RESAMPLES_AT_ONCE && from + l < resamples; l++)
                means[(run + r) * resamples + from + l] = sums[r * RESAMPLES_AT_ONCE + l] / (double)n;
    }
}

PyObject *py_resample_means(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[3]; /* runs × n, resamples × n, runs × resamples */
    Py_ssize_t n_given;
    if (!PyArg_ParseTuple(args, "y*y*nw*", &of[0], &of[1], &n_given, &of[2])) return NULL;
    size_t n = n_given > 0 ? (size_t)n_given : 0;
    size_t runs = n ? (size_t)of[0].len / sizeof(double) / n : 0;
    size_t resamples = n ? (size_t)of[1].len / sizeof(double) / n : 0;
    int fits = n && n < SIZE_MAX / sizeof(double) / RESAMPLES_AT_ONCE && holds(&of[0], runs * n, sizeof(double)) &&
               holds(&of[1], resamples * n, sizeof(double)) && (!runs || resamples <= SIZE_MAX / runs) &&
               holds(&of[2], runs * resamples, sizeof(double));
    double *packed = fits ? malloc(n * RESAMPLES_AT_ONCE * sizeof(double)) : NULL;
    if (packed) {
        PyThreadState *thread = PyEval_SaveThread();
        for (size_t from = 0; from < resamples; from += RESAMPLES_AT_ONCE) {
            pack_weights(of[1].buf, n, from, resamples, packed);
            resample_means(of[0].buf, packed, n, runs, from, resamples, of[2].buf);
        }
        free(packed);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 3);
    if (!fits) return refuse_arrays();
    if (!packed) return PyErr_NoMemory();
    Py_RETURN_NONE;
}
