/* Which tests of pairs does a critical value decide? Squares tell it of nearly all, many at once. */

#include "kernel.h"

#define ROUNDED_OFF 1e-12 /* more than rounding to MEAN_UNIT moves a difference */
#define ROOM 1e-9         /* for rounding of the squares */

/* Whether the size of t is beyond; squares tell it of nearly all pairs, and the formula of those at the border. */
static inline int is_beyond(double raw, double spread, double n, double critical) {
    double low = fabs(raw) - ROUNDED_OFF, high = fabs(raw) + ROUNDED_OFF, bound = critical * critical * spread;
    if (high * high * n < bound * (1 - ROOM)) return 0;
    if (low > 0 && low * low * n > bound * (1 + ROOM)) return 1;
    double difference = fabs(round_mean(raw)), error = sqrt(spread / n);
    double t = error > 0 ? difference / error : difference == 0 ? 0.0 : INFINITY;
    return t > critical;
}

#define AT_ONCE 256

/* Of a later run and some earlier ones, what each test says whose t is beyond for sure; returns whether others are at
   the border. */
WIDE static int find_beyond(const double *earlier, double later, const double *variance, size_t count, double usual,
                            double n, double critical, int64_t *sides) {
    double square = critical * critical;
    int64_t at_border = 0;
    for (size_t l = 0; l < count; l++) {
        double raw = earlier[l] - later, size = fabs(raw), bound = square * (variance[l] + usual);
        double low = size - ROUNDED_OFF, high = size + ROUNDED_OFF;
        int64_t side = raw > 0 ? FIRST_MAY_BE_BETTER : SECOND_MAY_BE_BETTER;
        int64_t is_sure = (low > 0) & (low * low * n > bound * (1 + ROOM));
        sides[l] = side & -is_sure;
        at_border |= ~-is_sure & -(int64_t)!(high * high * n < bound * (1 - ROOM));
    }
    return at_border != 0;
}

/* The same one by one, those at the border by the formula. */
static size_t decide_some(const double *earlier, double later, const double *variance, size_t count, double usual,
                          double n, uint8_t *marks, double critical) {
    size_t decided = 0;
    for (size_t l = 0; l < count; l++) {
        double raw = earlier[l] - later;
        uint8_t side = raw > 0 ? FIRST_MAY_BE_BETTER : SECOND_MAY_BE_BETTER;
        if (!(marks[l] & side) || !is_beyond(raw, variance[l] + usual, n, critical)) continue;
        marks[l] &= (uint8_t)~side;
        decided++;
    }
    return decided;
}

static size_t take_off(const int64_t *sides, size_t count, uint8_t *marks) {
    unsigned decided = 0;
    for (size_t l = 0; l < count; l++) {
        uint8_t hit = marks[l] & (uint8_t)sides[l];
        marks[l] ^= hit;
        decided += hit != 0;
    }
    return decided;
}

static size_t decide(const double *mean, size_t runs, const double *variance, double usual, double n, uint8_t *marks,
                     double critical) {
    size_t decided = 0;
    int64_t sides[AT_ONCE];
    for (size_t later = 1; later < runs; later++)
        for (size_t from = 0; from < later; from += AT_ONCE) {
            size_t count = later - from < AT_ONCE ? later - from : AT_ONCE, pair = pair_at(from, later);
            if (find_beyond(mean + from, mean[later], variance + pair, count, usual, n, critical, sides))
                decided += decide_some(mean + from, mean[later], variance + pair, count, usual, n, marks + pair, critical);
            else
                decided += take_off(sides, count, marks + pair);
        }
    return decided;
}

PyObject *py_decide_pairs(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[3]; /* mean, variance, marks */
    double usual, critical;
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "y*y*dnw*d", &of[0], &of[1], &usual, &n, &of[2], &critical)) return NULL;
    size_t runs = (size_t)of[0].len / sizeof(double), decided = 0;
    int fits = n > 0 && runs < UINT32_MAX && holds(&of[0], runs, sizeof(double)) &&
               holds(&of[1], pair_count(runs), sizeof(double)) && holds(&of[2], pair_count(runs), 1);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        decided = decide(of[0].buf, runs, of[1].buf, usual, (double)n, of[2].buf, critical);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 3);
    if (!fits) return refuse_arrays();
    return PyLong_FromSize_t(decided);
}
