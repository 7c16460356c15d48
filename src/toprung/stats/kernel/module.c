/* The statistics of all pairs of runs, compiled: what Python sees of it. Called by the modules of `stats/` only.

   Only the stable ABI is used, the interpreter lock is released while computing, and a call keeps to one thread. */

#include "kernel.h"

static PyMethodDef methods[] = {
    {"observe_pairs", py_observe_pairs, METH_VARARGS,
     "observe_pairs(runs, n, from_run, variance, differing): each run from `from_run` on with all before it."},
    {"resample_means", py_resample_means, METH_VARARGS,
     "resample_means(runs, weights, n, means): the mean of each run in each resample."},
    {"decide_pairs", py_decide_pairs, METH_VARARGS,
     "decide_pairs(mean, variance, usual, n, marks, critical): take off marks whose t is beyond; how many."},
    {"largest_scaled", py_largest_scaled, METH_VARARGS,
     "largest_scaled(mean, resampled, variance, usual, n, marks, place, best, bound, where): the place-th largest t."},
    {"relate_runs", py_relate_runs, METH_VARARGS,
     "relate_runs(runs, judged, open, is_better): runs × runs, from the tests of judged pairs that are not open."},
    {"median_of", py_median_of, METH_VARARGS,
     "median_of(values, chosen): the median of numbers from 0 on; NaN without any, or where one is not."},
    {"resample_variances", py_resample_variances, METH_VARARGS,
     "resample_variances(mean, resampled, values, n, weights, from_pair, variance): of pairs, in each resample."},
    {"column_medians", py_column_medians, METH_VARARGS,
     "column_medians(values, chosen, medians): of the chosen rows; whether all were numbers from 0 on."},
    {"largest_studentised", py_largest_studentised, METH_VARARGS,
     "largest_studentised(mean, resampled, usual, n, variance, marks, largest): raise the largest by tests marked."},
    {"sum_binned", py_sum_binned, METH_VARARGS,
     "sum_binned(codes, n, bin_of, size_of, first, second, sums): of pairs, by histograms of their differences."},
    {"sum_sorted", py_sum_sorted, METH_VARARGS,
     "sum_sorted(values, n, first, second, sums): of pairs, by sorting their differences."},
    {"pooled_wins", py_pooled_wins, METH_VARARGS,
     "pooled_wins(run, is_new, runs, doubled): twice how often values of a row's run beat a column's; ascending."},
    {"count_orders", py_count_orders, METH_VARARGS,
     "count_orders(order, reference, runs, above, alike, rightly, alike_there): of each run in each trial."},
    {"count_draws", py_count_draws, METH_VARARGS,
     "count_draws(drawn, n, weights): how often each of n was drawn in each row; in single or double precision."},
    {"choose_rows", py_choose_rows, METH_VARARGS,
     "choose_rows(picks, count, n): each row of picks becomes the `count` of n that they pick one after the other."},
    {"sum_rows", py_sum_rows, METH_VARARGS,
     "sum_rows(rows, count, values, n, sums): of the n rows of values, the `count` of each deal added up."},
    {NULL, NULL, 0, NULL}};

static PyModuleDef_Slot slots[] = {{Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED}, {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", "Statistics of all pairs of runs.", 0, methods, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__kernel(void) { return PyModuleDef_Init(&definition); }
