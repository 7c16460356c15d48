/* Bootstrap-t of all pairs: from resampled squares to variances, to what is usual in each resample, to t.

   The squares themselves are a matrix product, which NumPy does better than a loop could. All is kept in single
   precision, pairs × resamples; formulas are those of `pairs/studentised.py`, operation by operation. */

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

/* ---- variances: squares about the observed mean, less the square of how far the mean has moved ---- */

WIDE static void take_off_moved(const double *first, const double *second, double observed, size_t count,
                                float *variance, uint8_t *is_small) {
    for (size_t b = 0; b < count; b++) {
        double moved = moved_by(first[b], second[b], observed), squares = variance[b];
        double left = squares - moved * moved;
        is_small[b] = left < SAFE_SHARE * squares;
        variance[b] = (float)left;
    }
}

typedef struct {
    size_t runs, resamples, n, from_pair, count;
    const double *mean, *resampled, *values; /* values: runs × n */
    const float *weights;                    /* n × resamples */
    float *variance;
} Variances;

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
        double observed = round_mean(of->mean[pair.earlier] - of->mean[pair.later]);
        take_off_moved(first, second, observed, of->resamples, variance, is_small);
        for (size_t b = 0; b < of->resamples; b++)
            if (is_small[b])
                variance[b] = (float)variance_again(of, pair, b, observed, moved_by(first[b], second[b], observed));
    }
}

PyObject *py_finish_variances(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[5]; /* mean, resampled, values, weights, variance */
    Py_ssize_t n, from_pair;
    if (!PyArg_ParseTuple(args, "y*y*y*ny*nw*", &of[0], &of[1], &of[2], &n, &of[3], &from_pair, &of[4])) return NULL;
    size_t runs = (size_t)of[0].len / sizeof(double);
    size_t resamples = runs ? (size_t)of[1].len / sizeof(double) / runs : 0;
    size_t count = resamples ? (size_t)of[4].len / sizeof(float) / resamples : 0;
    int fits = n > 0 && from_pair >= 0 && runs > 1 && runs < UINT32_MAX && resamples && resamples < UINT32_MAX &&
               (size_t)n < UINT32_MAX && holds(&of[0], runs, sizeof(double)) &&
               holds(&of[1], runs * resamples, sizeof(double)) && holds(&of[2], runs * (size_t)n, sizeof(double)) &&
               holds(&of[3], (size_t)n * resamples, sizeof(float)) && holds(&of[4], count * resamples, sizeof(float)) &&
               (size_t)from_pair <= pair_count(runs) && count <= pair_count(runs) - (size_t)from_pair;
    uint8_t *is_small = fits ? malloc(resamples) : NULL;
    if (is_small) {
        Variances variances = {.runs = runs, .resamples = resamples, .n = (size_t)n, .from_pair = (size_t)from_pair,
                               .count = count, .mean = of[0].buf, .resampled = of[1].buf, .values = of[2].buf,
                               .weights = of[3].buf, .variance = of[4].buf};
        PyThreadState *thread = PyEval_SaveThread();
        finish_variances(&variances, is_small);
        free(is_small);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 5);
    if (!fits) return refuse_arrays();
    if (!is_small) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* ---- the median of each column, over the chosen rows: bits from the highest down, as numbers from 0 on are ordered ---- */

#define COLUMNS 16 /* a cache line of single precision */
#define BITS 11
#define BINS (1u << BITS)

typedef struct { const float *values; const uint8_t *chosen; size_t rows, columns, n_chosen; } Columns;

static inline uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float number_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Count how many numbers of each column begin as `found` does, in the bits `above`, by their next bits. */
static void count_bits(const Columns *of, size_t from, size_t width, int shift, uint32_t above, const uint32_t *found,
                       uint32_t counts[COLUMNS][BINS]) {
    memset(counts, 0, COLUMNS * BINS * sizeof(uint32_t));
    for (size_t row = 0; row < of->rows; row++) {
        if (!of->chosen[row]) continue;
        const float *values = of->values + row * of->columns + from;
        for (size_t c = 0; c < width; c++) {
            uint32_t bits = bits_of(values[c]);
            if ((bits & above) == found[c]) counts[c][bits >> shift & (BINS - 1)]++;
        }
    }
}

/* The smallest number above what was found in each column. */
static void find_next(const Columns *of, size_t from, size_t width, const uint32_t *found, uint32_t *next) {
    for (size_t c = 0; c < width; c++) next[c] = UINT32_MAX;
    for (size_t row = 0; row < of->rows; row++) {
        if (!of->chosen[row]) continue;
        const float *values = of->values + row * of->columns + from;
        for (size_t c = 0; c < width; c++) {
            uint32_t bits = bits_of(values[c]);
            if (bits > found[c] && bits < next[c]) next[c] = bits;
        }
    }
}

static void find_medians(const Columns *of, size_t from, size_t width, uint32_t counts[COLUMNS][BINS], float *median) {
    static const int shifts[] = {21, 10, 0};
    static const uint32_t above[] = {0, ~0u << 21, ~0u << 10}; /* what the steps before have found */
    uint32_t found[COLUMNS] = {0}, next[COLUMNS];
    size_t place[COLUMNS], same[COLUMNS];
    for (size_t c = 0; c < width; c++) place[c] = (of->n_chosen - 1) / 2;
    for (size_t step = 0; step < 3; step++) {
        count_bits(of, from, width, shifts[step], above[step], found, counts);
        for (size_t c = 0; c < width; c++) {
            uint32_t bin = 0;
            while (bin < BINS - 1 && place[c] >= counts[c][bin]) place[c] -= counts[c][bin++];
            found[c] |= bin << shifts[step];
            same[c] = counts[c][bin];
        }
    }
    int is_even = of->n_chosen % 2 == 0;
    if (is_even) find_next(of, from, width, found, next);
    for (size_t c = 0; c < width; c++) {
        float low = number_of(found[c]), high = low;
        if (is_even && place[c] + 1 >= same[c]) high = number_of(next[c]);
        median[from + c] = is_even ? (low + high) / 2 : low;
    }
}

/* Whether all are numbers from 0 on; infinity is. */
static int are_ordered(const Columns *of) {
    for (size_t row = 0; row < of->rows; row++) {
        if (!of->chosen[row]) continue;
        uint32_t worst = 0;
        for (size_t c = 0; c < of->columns; c++) worst |= bits_of(of->values[row * of->columns + c]) > 0x7f800000u;
        if (worst) return 0;
    }
    return 1;
}

PyObject *py_column_medians(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[3]; /* values, chosen, medians */
    if (!PyArg_ParseTuple(args, "y*y*w*", &of[0], &of[1], &of[2])) return NULL;
    Columns columns = {of[0].buf, of[1].buf, (size_t)of[1].len, (size_t)of[2].len / sizeof(float), 0};
    int fits = columns.columns < UINT32_MAX && columns.rows < UINT32_MAX && holds(&of[2], columns.columns, sizeof(float)) &&
               holds(&of[0], columns.rows * columns.columns, sizeof(float));
    uint32_t(*counts)[BINS] = malloc(COLUMNS * BINS * sizeof(uint32_t));
    int has_memory = counts != NULL, found = 0;
    if (fits && has_memory) {
        PyThreadState *thread = PyEval_SaveThread();
        for (size_t row = 0; row < columns.rows; row++) columns.n_chosen += columns.chosen[row] != 0;
        found = columns.n_chosen > 0 && are_ordered(&columns);
        for (size_t from = 0; found && from < columns.columns; from += COLUMNS) {
            size_t width = columns.columns - from < COLUMNS ? columns.columns - from : COLUMNS;
            find_medians(&columns, from, width, counts, of[2].buf);
        }
        PyEval_RestoreThread(thread);
    }
    free(counts);
    release_all(of, 3);
    if (!fits) return refuse_arrays();
    if (!has_memory) return PyErr_NoMemory();
    return PyBool_FromLong(found);
}

/* ---- t, and the largest of it ---- */

WIDE static void divide_moved(const double *first, const double *second, double observed, const float *usual, float n,
                              size_t count, float *variance) {
    for (size_t b = 0; b < count; b++) {
        double moved = moved_by(first[b], second[b], observed);
        float error = sqrtf((variance[b] + usual[b]) / n);
        double t = moved / (double)error;
        variance[b] = (float)(moved == 0 ? 0.0 : t); /* without an error it is infinite */
    }
}

PyObject *py_studentise(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[4]; /* mean, resampled, usual, variance */
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "y*y*y*nw*", &of[0], &of[1], &of[2], &n, &of[3])) return NULL;
    size_t runs = (size_t)of[0].len / sizeof(double), resamples = (size_t)of[2].len / sizeof(float);
    int fits = n > 0 && runs < UINT32_MAX && resamples < UINT32_MAX && holds(&of[0], runs, sizeof(double)) &&
               holds(&of[1], runs * resamples, sizeof(double)) && holds(&of[2], resamples, sizeof(float)) &&
               (!resamples || pair_count(runs) < SIZE_MAX / sizeof(float) / resamples) &&
               holds(&of[3], pair_count(runs) * resamples, sizeof(float));
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        const double *mean = of[0].buf, *resampled = of[1].buf;
        Pair pair = {0, 1};
        for (size_t i = 0; i < pair_count(runs); i++, pair = next_pair(pair))
            divide_moved(resampled + pair.earlier * resamples, resampled + pair.later * resamples,
                         round_mean(mean[pair.earlier] - mean[pair.later]), of[2].buf, (float)n, resamples,
                         (float *)of[3].buf + i * resamples);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 4);
    if (!fits) return refuse_arrays();
    Py_RETURN_NONE;
}

WIDE static void keep_larger(const float *t, uint8_t marks, size_t count, float *largest) {
    float up = marks & FIRST_MAY_BE_BETTER ? 1.0f : 0.0f, down = marks & SECOND_MAY_BE_BETTER ? 1.0f : 0.0f;
    for (size_t b = 0; b < count; b++) {
        float value = t[b] > 0 ? (up > 0 ? t[b] : 0) : (down > 0 ? -t[b] : 0);
        largest[b] = value > largest[b] ? value : largest[b];
    }
}

PyObject *py_largest_studentised(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[3]; /* t, marks, largest */
    if (!PyArg_ParseTuple(args, "y*y*w*", &of[0], &of[1], &of[2])) return NULL;
    size_t pairs = (size_t)of[1].len, resamples = (size_t)of[2].len / sizeof(float);
    int fits = resamples < UINT32_MAX && pairs < SIZE_MAX / sizeof(float) / (resamples + 1) &&
               holds(&of[2], resamples, sizeof(float)) && holds(&of[0], pairs * resamples, sizeof(float));
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        const uint8_t *marks = of[1].buf;
        for (size_t pair = 0; pair < pairs; pair++)
            if (marks[pair]) keep_larger((const float *)of[0].buf + pair * resamples, marks[pair], resamples, of[2].buf);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 3);
    if (!fits) return refuse_arrays();
    Py_RETURN_NONE;
}
