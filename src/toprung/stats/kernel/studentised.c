/* Bootstrap-t of all pairs: their variances in each resample, and the largest t of a resample.

   Every sum is taken in the order of the queries, whatever pairs are computed beside it: a run more adds its own pairs
   and changes no bit of others. Kept in single precision, pairs × resamples; formulas as in `pairs/studentised.py`. */

#include "kernel.h"

/* A pair, and the next ones in their order. */
typedef struct { size_t earlier, later; } Pair;

static inline Pair next_pair(Pair pair) {
    if (++pair.earlier == pair.later) pair = (Pair){0, pair.later + 1};
    return pair;
}

static inline Pair pair_number(size_t place) {
    size_t later = (size_t)((1 + sqrt(1 + 8 * (double)place)) / 2);
    while (later > 1 && pair_count(later) > place) later--;
    while (pair_count(later + 1) <= place) later++;
    return (Pair){place - pair_count(later), later};
}

/* How far the difference of a pair has moved in each resample. */
static inline double moved_by(double first, double second, double observed) {
    return round_mean(first - second - observed);
}

/* ---- squares about the observed mean, summed with the weights of each resample ---- */

#define PAIRS_AT_ONCE 6
#define RESAMPLES_AT_ONCE 16
#define QUERIES_AT_ONCE 512
#define GROUPS 32 /* of pairs whose squares are held at once: the second cache has room for them */
typedef float Floats8 __attribute__((vector_size(32)));

/* The weights of some resamples after those of others, query by query; resamples that do not exist have no weight. */
static void pack_weights(const float *weights, size_t n, size_t resamples, float *packed) {
    for (size_t from = 0; from < resamples; from += RESAMPLES_AT_ONCE, packed += n * RESAMPLES_AT_ONCE)
        for (size_t q = 0; q < n; q++)
            for (size_t l = 0; l < RESAMPLES_AT_ONCE; l++)
                packed[q * RESAMPLES_AT_ONCE + l] = from + l < resamples ? weights[q * resamples + from + l] : 0.0f;
}

WIDE static void add_products(const float *squares, const float *packed, size_t n, float *sums) {
    Floats8 held[PAIRS_AT_ONCE][2] = {{{0}}}, first, second;
    for (size_t q = 0; q < n; q++) {
        memcpy(&first, packed + q * RESAMPLES_AT_ONCE, sizeof first);
        memcpy(&second, packed + q * RESAMPLES_AT_ONCE + 8, sizeof second);
        for (size_t p = 0; p < PAIRS_AT_ONCE; p++) {
            float square = squares[q * PAIRS_AT_ONCE + p];
            held[p][0] += square * first;
            held[p][1] += square * second;
        }
    }
    memcpy(sums, held, sizeof held);
}

typedef struct {
    size_t runs, resamples, n, from_pair, count;
    const double *mean, *resampled, *values; /* values: runs × n */
    const float *weights, *packed;           /* n × resamples, and as `pack_weights` leaves them */
    float *variance, *squares;               /* squares: GROUPS × QUERIES_AT_ONCE × PAIRS_AT_ONCE */
} Variances;

static inline double observed_of(const Variances *of, Pair pair) {
    return round_mean(of->mean[pair.earlier] - of->mean[pair.later]);
}

/* The squares of some pairs on some queries; pairs that do not exist have none. */
static void pack_squares(const Variances *of, Pair pair, size_t pairs, size_t from, size_t queries) {
    for (size_t i = 0; i < pairs; i++, pair = next_pair(pair)) {
        const double *a = of->values + pair.earlier * of->n + from, *b = of->values + pair.later * of->n + from;
        float *squares = of->squares + i / PAIRS_AT_ONCE * QUERIES_AT_ONCE * PAIRS_AT_ONCE + i % PAIRS_AT_ONCE;
        double observed = observed_of(of, pair);
        for (size_t q = 0; q < queries; q++) {
            double d = a[q] - b[q] - observed;
            squares[q * PAIRS_AT_ONCE] = (float)(d * d);
        }
    }
}

/* Add what a part of the queries brings to a few pairs in a few resamples. */
static void add_tile(const Variances *of, size_t place, size_t pairs, size_t resample, const float *sums) {
    size_t width = of->resamples - resample < RESAMPLES_AT_ONCE ? of->resamples - resample : RESAMPLES_AT_ONCE;
    for (size_t p = 0; p < pairs; p++)
        for (size_t l = 0; l < width; l++)
            of->variance[(place + p) * of->resamples + resample + l] += sums[p * RESAMPLES_AT_ONCE + l];
}

static void sum_queries(const Variances *of, size_t place, size_t pairs, size_t from, size_t queries) {
    float sums[PAIRS_AT_ONCE * RESAMPLES_AT_ONCE];
    for (size_t resample = 0; resample < of->resamples; resample += RESAMPLES_AT_ONCE) {
        const float *packed = of->packed + resample * of->n + from * RESAMPLES_AT_ONCE;
        for (size_t i = 0; i < pairs; i += PAIRS_AT_ONCE) {
            add_products(of->squares + i * QUERIES_AT_ONCE, packed, queries, sums);
            add_tile(of, place + i, pairs - i < PAIRS_AT_ONCE ? pairs - i : PAIRS_AT_ONCE, resample, sums);
        }
    }
}

static void sum_squares(const Variances *of) {
    memset(of->variance, 0, of->count * of->resamples * sizeof(float));
    for (size_t place = 0; place < of->count; place += GROUPS * PAIRS_AT_ONCE) {
        size_t pairs = of->count - place < GROUPS * PAIRS_AT_ONCE ? of->count - place : GROUPS * PAIRS_AT_ONCE;
        Pair pair = pair_number(of->from_pair + place);
        for (size_t from = 0; from < of->n; from += QUERIES_AT_ONCE) {
            size_t queries = of->n - from < QUERIES_AT_ONCE ? of->n - from : QUERIES_AT_ONCE;
            pack_squares(of, pair, pairs, from, queries);
            sum_queries(of, place, pairs, from, queries);
        }
    }
}

/* ---- variances: squares about the observed mean, less the square of how far the mean has moved ---- */

WIDE static void take_off_moved(const double *first, const double *second, double observed, size_t count, float n,
                                float *variance, uint8_t *is_small) {
    for (size_t b = 0; b < count; b++) {
        double moved = moved_by(first[b], second[b], observed), squares = variance[b] / n;
        double left = squares - moved * moved;
        is_small[b] = left < SAFE_SHARE * squares;
        variance[b] = (float)left;
    }
}

/* In double precision, where most of the squares are taken off again. */
static double variance_again(const Variances *of, Pair pair, size_t resample, double observed, double moved) {
    const double *a = of->values + pair.earlier * of->n, *b = of->values + pair.later * of->n;
    double squares = 0;
    for (size_t q = 0; q < of->n; q++) {
        double d = a[q] - b[q] - observed;
        squares += d * d * (double)of->weights[q * of->resamples + resample];
    }
    squares /= (double)of->n;
    double variance = squares - moved * moved;
    return variance < NO_SPREAD * squares ? 0.0 : variance;
}

static void finish_variances(const Variances *of, uint8_t *is_small) {
    Pair pair = pair_number(of->from_pair);
    for (size_t i = 0; i < of->count; i++, pair = next_pair(pair)) {
        float *variance = of->variance + i * of->resamples;
        const double *first = of->resampled + pair.earlier * of->resamples;
        const double *second = of->resampled + pair.later * of->resamples;
        double observed = observed_of(of, pair);
        take_off_moved(first, second, observed, of->resamples, (float)of->n, variance, is_small);
        for (size_t b = 0; b < of->resamples; b++)
            if (is_small[b])
                variance[b] = (float)variance_again(of, pair, b, observed, moved_by(first[b], second[b], observed));
    }
}

static int compute_variances(Variances *of) {
    size_t panels = (of->resamples + RESAMPLES_AT_ONCE - 1) / RESAMPLES_AT_ONCE;
    float *packed = malloc(panels * RESAMPLES_AT_ONCE * of->n * sizeof(float));
    of->squares = calloc(GROUPS * QUERIES_AT_ONCE * PAIRS_AT_ONCE, sizeof(float));
    uint8_t *is_small = malloc(of->resamples);
    int has_memory = packed && of->squares && is_small;
    if (has_memory) {
        pack_weights(of->weights, of->n, of->resamples, packed);
        of->packed = packed;
        sum_squares(of);
        finish_variances(of, is_small);
    }
    free(packed);
    free(of->squares);
    free(is_small);
    return has_memory;
}

PyObject *py_resample_variances(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[5]; /* mean, resampled, values, weights, variance */
    Py_ssize_t n, from_pair;
    if (!PyArg_ParseTuple(args, "y*y*y*ny*nw*", &of[0], &of[1], &of[2], &n, &of[3], &from_pair, &of[4])) return NULL;
    size_t runs = (size_t)of[0].len / sizeof(double);
    size_t resamples = runs ? (size_t)of[1].len / sizeof(double) / runs : 0;
    size_t count = resamples ? (size_t)of[4].len / sizeof(float) / resamples : 0;
    int has_memory = 1;
    int fits = n > 0 && from_pair >= 0 && runs > 1 && runs < UINT32_MAX && resamples && resamples < UINT32_MAX / 2 &&
               (size_t)n < UINT32_MAX / 2 && holds(&of[0], runs, sizeof(double)) &&
               holds(&of[1], runs * resamples, sizeof(double)) && holds(&of[2], runs * (size_t)n, sizeof(double)) &&
               holds(&of[3], (size_t)n * resamples, sizeof(float)) && holds(&of[4], count * resamples, sizeof(float)) &&
               (size_t)from_pair <= pair_count(runs) && count <= pair_count(runs) - (size_t)from_pair;
    if (fits && count) {
        Variances variances = {.runs = runs, .resamples = resamples, .n = (size_t)n, .from_pair = (size_t)from_pair,
                               .count = count, .mean = of[0].buf, .resampled = of[1].buf, .values = of[2].buf,
                               .weights = of[3].buf, .variance = of[4].buf};
        PyThreadState *thread = PyEval_SaveThread();
        has_memory = compute_variances(&variances);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 5);
    if (!fits) return refuse_arrays();
    if (!has_memory) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* ---- the largest t of each resample ---- */

#define LOOKED_AT_ONCE 64
#define ROOM 1.0001f        /* for rounding in single precision: whoever comes near is computed as it should be */
#define ROUNDED_OFF 1e-12f  /* more than rounding to MEAN_UNIT moves a difference */

typedef struct { const double *first, *second; const float *variance, *usual; double observed; float n; uint8_t marks; } Tests;

/* Whether any of these t may be larger than the largest so far, of which the squares are given. */
WIDE static int may_be_larger(const Tests *of, size_t from, size_t count, const float *squared) {
    const double *first = of->first + from, *second = of->second + from, observed = of->observed;
    const float *variance = of->variance + from, *usual = of->usual + from;
    float n = of->n * ROOM;
    int any = 0;
    for (size_t b = 0; b < count; b++) {
        float moved = fabsf((float)(first[b] - second[b] - observed)) + ROUNDED_OFF;
        any |= !(moved * moved * n < squared[from + b] * (variance[b] + usual[b]));
    }
    return any;
}

/* As the formula says; without an error it is infinite. */
static inline float find_t(const Tests *of, size_t b) {
    double moved = moved_by(of->first[b], of->second[b], of->observed);
    float error = sqrtf((of->variance[b] + of->usual[b]) / of->n);
    return (float)(moved == 0 ? 0.0 : moved / (double)error);
}

static void keep_larger(const Tests *of, size_t from, size_t count, float *largest, float *squared) {
    for (size_t b = from; b < from + count; b++) {
        float t = find_t(of, b);
        float value = t > 0 ? (of->marks & FIRST_MAY_BE_BETTER ? t : 0) : (of->marks & SECOND_MAY_BE_BETTER ? -t : 0);
        if (value > largest[b]) {
            largest[b] = value;
            squared[b] = value * value;
        }
    }
}

static void find_largest(Tests *of, const double *mean, const double *resampled, const float *variance,
                         const uint8_t *marks, size_t pairs, size_t resamples, float *largest, float *squared) {
    Pair pair = {0, 1};
    for (size_t b = 0; b < resamples; b++) squared[b] = largest[b] * largest[b];
    for (size_t i = 0; i < pairs; i++, pair = next_pair(pair)) {
        if (!marks[i]) continue;
        of->marks = marks[i];
        of->first = resampled + pair.earlier * resamples;
        of->second = resampled + pair.later * resamples;
        of->observed = round_mean(mean[pair.earlier] - mean[pair.later]);
        of->variance = variance + i * resamples;
        for (size_t from = 0; from < resamples; from += LOOKED_AT_ONCE) {
            size_t count = resamples - from < LOOKED_AT_ONCE ? resamples - from : LOOKED_AT_ONCE;
            if (may_be_larger(of, from, count, squared)) keep_larger(of, from, count, largest, squared);
        }
    }
}

PyObject *py_largest_studentised(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[6]; /* mean, resampled, usual, variance, marks, largest */
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "y*y*y*ny*y*w*", &of[0], &of[1], &of[2], &n, &of[3], &of[4], &of[5])) return NULL;
    size_t runs = (size_t)of[0].len / sizeof(double), resamples = (size_t)of[2].len / sizeof(float);
    int fits = n > 0 && runs < UINT32_MAX && resamples < UINT32_MAX && holds(&of[0], runs, sizeof(double)) &&
               holds(&of[1], runs * resamples, sizeof(double)) && holds(&of[2], resamples, sizeof(float)) &&
               (!resamples || pair_count(runs) < SIZE_MAX / sizeof(float) / resamples) &&
               holds(&of[3], pair_count(runs) * resamples, sizeof(float)) && holds(&of[4], pair_count(runs), 1) &&
               holds(&of[5], resamples, sizeof(float));
    float *squared = fits ? malloc((resamples + 1) * sizeof(float)) : NULL;
    if (squared) {
        PyThreadState *thread = PyEval_SaveThread();
        Tests tests = {.usual = of[2].buf, .n = (float)n};
        find_largest(&tests, of[0].buf, of[1].buf, of[3].buf, of[4].buf, pair_count(runs), resamples, of[5].buf, squared);
        free(squared);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 6);
    if (!fits) return refuse_arrays();
    if (!squared) return PyErr_NoMemory();
    Py_RETURN_NONE;
}
