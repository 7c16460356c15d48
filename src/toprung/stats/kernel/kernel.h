/* What the parts of the statistics kernel share: how pairs are numbered, rounded and divided.

   Every formula here stands in Python too (`pairs/`, `ranks/`), which is what the kernel is tested against: the same
   operations in the same order on the same numbers, so that both give the same bits wherever no long sum is taken.
   It is compiled without contraction of a·b + c for that reason. */

#ifndef TOPRUNG_KERNEL_H
#define TOPRUNG_KERNEL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Loops over many numbers are compiled twice, and the wider one runs where the processor has it: only where the
   loader can choose. Lanes never share a sum, so that both give the same bits. */
#if defined(WIDE) /* said by whoever compiles it */
#elif defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

/* Eight sums side by side, in as many vectors as the processor has them, and always added up in the same order.
   GCC and Clang know such vectors; another compiler builds no kernel, and NumPy does the work. */
#define LANES 8
#ifdef __x86_64__
#define VECTOR 4
#else
#define VECTOR 2
#endif
#define VECTORS (LANES / VECTOR)
typedef double Doubles __attribute__((vector_size(8 * VECTOR)));
typedef int64_t Flags __attribute__((vector_size(8 * VECTOR)));

static inline double add_lanes(const double *lane) {
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

#define MEAN_UNIT 1e12              /* finding.MEAN_DIGITS */
#define NO_SPREAD 1e-12             /* observed.NO_SPREAD */
#define SAFE_SHARE 0.1              /* studentised.SAFE_SHARE */
#define SMALLEST_DIFFERENCE 1e-10   /* tests.pair.SMALLEST_DIFFERENCE */

enum mark { FIRST_MAY_BE_BETTER = 1, SECOND_MAY_BE_BETTER = 2 };

/* Pairs stand run after run, each with all earlier ones: one run more adds its pairs at the end. */
static inline size_t pair_at(size_t earlier, size_t later) { return later * (later - 1) / 2 + earlier; }
static inline size_t pair_count(size_t runs) { return runs ? runs * (runs - 1) / 2 : 0; }

static inline double round_mean(double x) { return rint(x * MEAN_UNIT) / MEAN_UNIT; }

/* A buffer of `count` items of `size` bytes, and nothing else. */
static inline int holds(const Py_buffer *buffer, size_t count, size_t size) {
    return count <= SIZE_MAX / size && (size_t)buffer->len == count * size;
}

/* What the tests need to know of a pair (difference_sums.py); one row of pairs for each. */
enum sum { N, WINS, LOSSES, W_PLUS, TIES, TOTAL, SQUARES, N_SUMS };

/* Whether these are the numbers of `count` runs. */
static inline int are_runs(const Py_buffer *buffer, size_t runs, size_t count) {
    const int64_t *numbers = buffer->buf;
    if (!holds(buffer, count, sizeof(int64_t))) return 0;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] < 0 || (size_t)numbers[i] >= runs) return 0;
    return 1;
}

static inline void release_all(Py_buffer *buffers, size_t count) {
    for (size_t i = 0; i < count; i++) PyBuffer_Release(&buffers[i]);
}

static inline PyObject *refuse_arrays(void) {
    PyErr_SetString(PyExc_ValueError, "the arrays do not fit together");
    return NULL;
}

PyObject *py_observe_pairs(PyObject *module, PyObject *args);
PyObject *py_resample_means(PyObject *module, PyObject *args);
PyObject *py_decide_pairs(PyObject *module, PyObject *args);
PyObject *py_largest_scaled(PyObject *module, PyObject *args);
PyObject *py_relate_runs(PyObject *module, PyObject *args);
PyObject *py_median_of(PyObject *module, PyObject *args);
PyObject *py_count_orders(PyObject *module, PyObject *args);
PyObject *py_count_draws(PyObject *module, PyObject *args);
PyObject *py_choose_rows(PyObject *module, PyObject *args);
PyObject *py_sum_rows(PyObject *module, PyObject *args);
PyObject *py_sum_binned(PyObject *module, PyObject *args);
PyObject *py_sum_sorted(PyObject *module, PyObject *args);
PyObject *py_pooled_wins(PyObject *module, PyObject *args);
PyObject *py_resample_variances(PyObject *module, PyObject *args);
PyObject *py_column_medians(PyObject *module, PyObject *args);
PyObject *py_largest_studentised(PyObject *module, PyObject *args);

#endif
