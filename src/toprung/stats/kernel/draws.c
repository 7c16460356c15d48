/* How often was each query drawn in each resample? */

#include "kernel.h"

/* Counts the draws of each row of n into the same row of weights; 0 if one was not among n. */
#define DEFINE_COUNT(name, type)                                                      \
    static int name(const int64_t *drawn, size_t rows, size_t n, type *weights) {     \
        memset(weights, 0, rows * n * sizeof(type));                                  \
        for (size_t row = 0; row < rows; row++, drawn += n, weights += n)             \
            for (size_t i = 0; i < n; i++) {                                          \
                if (drawn[i] < 0 || (uint64_t)drawn[i] >= n) return 0;                \
                weights[drawn[i]] += 1;                                               \
            }                                                                         \
        return 1;                                                                     \
    }

DEFINE_COUNT(count_single, float)
DEFINE_COUNT(count_double, double)

PyObject *py_count_draws(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[2]; /* drawn, weights */
    Py_ssize_t given;
    if (!PyArg_ParseTuple(args, "y*nw*", &of[0], &given, &of[1])) return NULL;
    size_t n = given > 0 ? (size_t)given : 0, rows = n ? (size_t)of[0].len / sizeof(int64_t) / n : 0;
    int is_single = holds(&of[1], rows * n, sizeof(float)), is_double = holds(&of[1], rows * n, sizeof(double));
    int fits = n && rows && holds(&of[0], rows * n, sizeof(int64_t)) && (is_single || is_double);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        fits = is_single ? count_single(of[0].buf, rows, n, of[1].buf) : count_double(of[0].buf, rows, n, of[1].buf);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 2);
    if (!fits) return refuse_arrays();
    Py_RETURN_NONE;
}
