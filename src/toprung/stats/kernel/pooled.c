/* How often is a value of one run larger than one of another? For all pairs of runs at once.

   All values of all runs are gone through in ascending order, while it is counted how many of each run are below. A value
   of run b beats as many values of every run a as are counted of it then: one row of counts is added to another. It is
   done for some runs a after the other, so that the rows stay in the cache. */

#include "kernel.h"

#define COLUMNS 64
#define MOST_VALUES 46340 /* of a run: twice its square is below 2^32 */

typedef struct { const int32_t *run; const uint8_t *is_new; size_t values, runs; uint32_t *rows; } Pool;

static inline void add_counts(uint32_t *restrict to, const uint32_t *restrict counts, uint32_t times) {
    for (size_t i = 0; i < COLUMNS; i++) to[i] += times * counts[i];
}

/* All values against the runs of the columns that begin at `column`. Rows get twice the number of values beaten, ties
   counted half. */
WIDE static void sweep(const Pool *of, size_t column) {
    uint32_t below[COLUMNS] = {0};
    for (size_t from = 0, end; from < of->values; from = end) {
        for (end = from + 1; end < of->values && !of->is_new[end]; end++) {}
        uint32_t is_tied = end - from > 1;
        for (size_t i = from; i < end; i++) add_counts(of->rows + (size_t)of->run[i] * COLUMNS, below, 2 - is_tied);
        for (size_t i = from; i < end; i++)
            if ((size_t)of->run[i] - column < COLUMNS) below[(size_t)of->run[i] - column]++;
        for (size_t i = from; is_tied && i < end; i++) add_counts(of->rows + (size_t)of->run[i] * COLUMNS, below, 1);
    }
}

static void pool_all(const Pool *of, double *doubled) {
    for (size_t column = 0; column < of->runs; column += COLUMNS) {
        size_t width = of->runs - column < COLUMNS ? of->runs - column : COLUMNS;
        memset(of->rows, 0, of->runs * COLUMNS * sizeof *of->rows);
        sweep(of, column);
        for (size_t run = 0; run < of->runs; run++)
            for (size_t i = 0; i < width; i++) doubled[run * of->runs + column + i] = of->rows[run * COLUMNS + i];
    }
}

/* Whether all are numbers of runs, and no run has more values than 32 bits can count wins of. */
static int can_be_pooled(const Pool *of) {
    memset(of->rows, 0, of->runs * sizeof *of->rows);
    for (size_t i = 0; i < of->values; i++)
        if (of->run[i] < 0 || (size_t)of->run[i] >= of->runs || ++of->rows[of->run[i]] > MOST_VALUES) return 0;
    return 1;
}

PyObject *py_pooled_wins(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[3]; /* run, is_new, doubled */
    Py_ssize_t runs;
    if (!PyArg_ParseTuple(args, "y*y*nw*", &of[0], &of[1], &runs, &of[2])) return NULL;
    Pool pool = {.run = of[0].buf, .is_new = of[1].buf, .values = (size_t)of[1].len,
                 .runs = runs > 0 && runs < INT32_MAX ? (size_t)runs : 0};
    int fits = pool.runs && holds(&of[0], pool.values, sizeof(int32_t)) &&
               holds(&of[2], pool.runs * pool.runs, sizeof(double));
    pool.rows = fits ? malloc(pool.runs * COLUMNS * sizeof *pool.rows) : NULL;
    int has_memory = pool.rows != NULL;
    fits = fits && (!has_memory || can_be_pooled(&pool));
    if (fits && has_memory) {
        PyThreadState *thread = PyEval_SaveThread();
        pool_all(&pool, of[2].buf);
        PyEval_RestoreThread(thread);
    }
    free(pool.rows);
    release_all(of, 3);
    if (!fits) return refuse_arrays();
    if (!has_memory) return PyErr_NoMemory();
    Py_RETURN_NONE;
}
