/* How does each run stand to the others, in two orders of the same runs? For many trials at once.

   Counts alone, so that NumPy gives the same: correlation.py makes τ and τ_AP of them. */

#include "kernel.h"

typedef struct { const double *order, *reference; size_t runs; int64_t *above, *alike, *rightly, *alike_there; } Orders;

/* One trial, whose figures begin at `from`. */
WIDE static void count_trial(const Orders *of, size_t from) {
    const double *x = of->order + from, *y = of->reference + from;
    for (size_t i = 0; i < of->runs; i++) {
        double here = x[i], there = y[i];
        int64_t above = 0, alike = 0, rightly = 0, alike_there = 0;
        for (size_t j = 0; j < of->runs; j++) {
            int64_t is_above = x[j] > here;
            above += is_above;
            alike += x[j] == here;
            rightly += is_above & (y[j] > there);
            rightly += is_above & (y[j] >= there);
            alike_there += y[j] == there;
        }
        of->above[from + i] = above;
        of->alike[from + i] = alike;
        of->rightly[from + i] = rightly;
        of->alike_there[from + i] = alike_there;
    }
}

PyObject *py_count_orders(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[6]; /* order, reference, above, alike, rightly, alike_there */
    Py_ssize_t runs;
    if (!PyArg_ParseTuple(args, "y*y*nw*w*w*w*", &of[0], &of[1], &runs, &of[2], &of[3], &of[4], &of[5])) return NULL;
    size_t cells = (size_t)of[0].len / sizeof(double);
    int fits = runs > 0 && cells % (size_t)runs == 0;
    for (int i = 0; i < 6; i++) fits = fits && holds(&of[i], cells, sizeof(double));
    if (fits) {
        Orders orders = {of[0].buf, of[1].buf, (size_t)runs, of[2].buf, of[3].buf, of[4].buf, of[5].buf};
        PyThreadState *thread = PyEval_SaveThread();
        for (size_t from = 0; from < cells; from += orders.runs) count_trial(&orders, from);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 6);
    if (!fits) return refuse_arrays();
    Py_RETURN_NONE;
}
