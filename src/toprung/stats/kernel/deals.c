/* Which rows were dealt to a side, and what do they add up to? */

#include "kernel.h"

/* Fisher and Yates: the i-th of `count` goes to the row that stands `picks[i]` behind the i-th; 0 if there is none.
   Picks are replaced by rows. `order` is 0, 1, …, n − 1, and is that again afterwards. */
static int choose(int32_t *picks, size_t count, size_t n, int32_t *order) {
    for (size_t i = 0; i < count; i++) {
        if (picks[i] < 0 || (size_t)picks[i] >= n - i) return 0;
        size_t at = i + (size_t)picks[i];
        picks[i] = order[at];
        order[at] = order[i];
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (int32_t)i;
        order[picks[i]] = picks[i];
    }
    return 1;
}

static int choose_all(int32_t *picks, size_t deals, size_t count, size_t n) {
    int32_t *order = malloc(n * sizeof *order);
    int are_rows = order != NULL;
    for (size_t i = 0; are_rows && i < n; i++) order[i] = (int32_t)i;
    for (size_t deal = 0; are_rows && deal < deals; deal++, picks += count) are_rows = choose(picks, count, n, order);
    free(order);
    return are_rows;
}

PyObject *py_choose_rows(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer picks;
    Py_ssize_t given_count, given_n;
    if (!PyArg_ParseTuple(args, "w*nn", &picks, &given_count, &given_n)) return NULL;
    int fits = given_count > 0 && given_n >= given_count && given_n <= INT32_MAX;
    size_t count = (size_t)given_count, n = (size_t)given_n;
    size_t deals = fits ? (size_t)picks.len / sizeof(int32_t) / count : 0;
    fits = fits && holds(&picks, deals * count, sizeof(int32_t));
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        fits = choose_all(picks.buf, deals, count, n);
        PyEval_RestoreThread(thread);
    }
    PyBuffer_Release(&picks);
    if (!fits) return refuse_arrays();
    Py_RETURN_NONE;
}

struct dealt {
    const int32_t *rows;
    size_t deals, count;
};

/* Eight columns of the chosen rows, of which two at a time are under way. */
WIDE static void add_rows(const int32_t *rows, size_t count, const double *block, double *sum) {
    Doubles even[VECTORS] = {0}, odd[VECTORS] = {0};
    const Doubles *values = (const Doubles *)block;
    size_t i = 0;
    for (; i + 1 < count; i += 2)
        for (size_t v = 0; v < VECTORS; v++) {
            even[v] += values[(size_t)rows[i] * VECTORS + v];
            odd[v] += values[(size_t)rows[i + 1] * VECTORS + v];
        }
    for (size_t v = 0; v < VECTORS; v++) {
        if (i < count) even[v] += values[(size_t)rows[i] * VECTORS + v];
        even[v] += odd[v];
    }
    memcpy(sum, even, sizeof even);
}

/* Eight columns at a time, copied together so that they stay in the cache while all deals are added up. */
static void add_columns(struct dealt dealt, const double *values, size_t n, size_t columns, double *block, double *sums) {
    for (size_t first = 0; first < columns; first += LANES) {
        size_t width = columns - first < LANES ? columns - first : LANES;
        double sum[LANES];
        for (size_t row = 0; row < n; row++)
            for (size_t i = 0; i < LANES; i++) block[row * LANES + i] = i < width ? values[row * columns + first + i] : 0;
        for (size_t deal = 0; deal < dealt.deals; deal++) {
            add_rows(dealt.rows + deal * dealt.count, dealt.count, block, sum);
            memcpy(sums + deal * columns + first, sum, width * sizeof(double));
        }
    }
}

/* 0 where a row is not among n, or there is no memory. */
static int sum_all(struct dealt dealt, const double *values, size_t n, size_t columns, double *sums) {
    for (size_t i = 0; i < dealt.deals * dealt.count; i++)
        if (dealt.rows[i] < 0 || (size_t)dealt.rows[i] >= n) return 0;
    size_t aligned = sizeof(Doubles);
    char *room = malloc(n * LANES * sizeof(double) + aligned);
    if (!room) return 0;
    double *block = (double *)(room + (aligned - (uintptr_t)room % aligned));
    add_columns(dealt, values, n, columns, block, sums);
    free(room);
    return 1;
}

PyObject *py_sum_rows(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[3]; /* rows, values, sums */
    Py_ssize_t given_count, given_n;
    if (!PyArg_ParseTuple(args, "y*ny*nw*", &of[0], &given_count, &of[1], &given_n, &of[2])) return NULL;
    int fits = given_count > 0 && given_n > 0 && given_n <= INT32_MAX;
    size_t count = (size_t)given_count, n = (size_t)given_n;
    size_t deals = fits ? (size_t)of[0].len / sizeof(int32_t) / count : 0;
    size_t columns = fits ? (size_t)of[1].len / sizeof(double) / n : 0;
    fits = fits && holds(&of[0], deals * count, sizeof(int32_t)) && holds(&of[1], n * columns, sizeof(double)) &&
           (columns == 0 || deals <= SIZE_MAX / columns) && holds(&of[2], deals * columns, sizeof(double));
    if (fits) {
        struct dealt dealt = {of[0].buf, deals, count};
        PyThreadState *thread = PyEval_SaveThread();
        fits = sum_all(dealt, of[1].buf, n, columns, of[2].buf);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 3);
    if (!fits) return refuse_arrays();
    Py_RETURN_NONE;
}
