/* Strengths of the items of many pools, compiled: the posterior by expectation propagation, and P(best).

   Every step stands in propagation.py and strength_posterior.py too, which is what this is tested against: the same formulas in the same
   order, pool by pool, so that a pool that has come to rest costs nothing more. Only exp and log are our own, because
   they have to work on several numbers at once; they are right but for the last bit, as those of NumPy are.

   Only the stable ABI is used, the interpreter lock is released while computing, and a call keeps to one thread. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "strengths/best.h"
#include "strengths/sites.h"

#define MOST_NODES 64

/* What a call is given: all pools, one after the other. */
typedef struct {
    const int64_t *starts, *first, *second;
    size_t pools, pairs, items, most_pairs;
} Given;

/* How many items of a pool are in pairs; 0 also where an index is none. */
static size_t count_judged(const Given *given, size_t from, size_t to) {
    size_t judged = 0;
    for (size_t k = from; k < to; k++)
        if ((size_t)given->second[k] + 1 > judged) judged = (size_t)given->second[k] + 1;
    return judged;
}

static int are_pairs(Given *given) {
    given->most_pairs = 0;
    if (given->starts[0] != 0 || (size_t)given->starts[given->pools] != given->pairs) return 0;
    for (size_t pool = 0; pool < given->pools; pool++) {
        int64_t from = given->starts[pool], to = given->starts[pool + 1];
        if (from < 0 || to < from || (size_t)to > given->pairs) return 0;
        if ((size_t)(to - from) > given->most_pairs) given->most_pairs = (size_t)(to - from);
    }
    for (size_t k = 0; k < given->pairs; k++) {
        int64_t a = given->first[k], b = given->second[k];
        if (a < 0 || b <= a || (size_t)b >= given->items) return 0;
    }
    return 1;
}

static Room *make_room(const Given *given) {
    size_t cells = given->items * given->items, doubles = 2 * cells + given->items + 2 * given->most_pairs;
    Room *room = malloc(sizeof *room);
    double *all = malloc((doubles + 1) * sizeof *all);
    if (!room || !all) {
        free(room);
        free(all);
        return NULL;
    }
    room->joint = all;
    room->factor = all + cells;
    room->pull = all + 2 * cells;
    room->by_precision = room->pull + given->items;
    room->by_shift = room->by_precision + given->most_pairs;
    return room;
}

static void free_room(Room *room) {
    free(room->joint);
    free(room);
}

static int holds(const Py_buffer *buffer, size_t count, size_t size) {
    return count <= SIZE_MAX / size && (size_t)buffer->len == count * size;
}

static PyObject *refuse_arrays(void) {
    PyErr_SetString(PyExc_ValueError, "the arrays do not fit together");
    return NULL;
}

enum { STARTS, FIRST, SECOND, MARGIN, N, NODES, WEIGHTS, PRECISION, SHIFT, MEAN, COVARIANCE, N_BUFFERS };

static int fits(const Py_buffer *of, Given *given, Py_ssize_t items) {
    if (items < 1 || items > (1 << 20) || of[STARTS].len < (Py_ssize_t)sizeof(int64_t)) return 0;
    given->starts = of[STARTS].buf;
    given->first = of[FIRST].buf;
    given->second = of[SECOND].buf;
    given->items = (size_t)items;
    given->pools = (size_t)of[STARTS].len / sizeof(int64_t) - 1;
    given->pairs = (size_t)of[FIRST].len / sizeof(int64_t);
    size_t nodes = (size_t)of[NODES].len / sizeof(double), cells = given->items * given->items;
    if (given->pools && cells > SIZE_MAX / sizeof(double) / given->pools) return 0;
    if (!holds(&of[STARTS], given->pools + 1, 8) || nodes < 1 || nodes > MOST_NODES) return 0;
    for (int each = FIRST; each <= N; each++)
        if (!holds(&of[each], given->pairs, 8)) return 0;
    for (int each = PRECISION; each <= SHIFT; each++)
        if (!holds(&of[each], given->pairs, 8)) return 0;
    return holds(&of[NODES], nodes, 8) && holds(&of[WEIGHTS], nodes, 8) &&
           holds(&of[MEAN], given->pools * given->items, 8) && holds(&of[COVARIANCE], given->pools * cells, 8) &&
           are_pairs(given);
}

static void fit_all(const Given *given, Py_buffer *of, Room *room, const Integral *by, double penalty, double tolerance) {
    for (size_t at = 0; at < given->pools; at++) {
        size_t from = (size_t)given->starts[at], to = (size_t)given->starts[at + 1];
        Pool pool = {.first = given->first + from, .second = given->second + from,
                     .margin = (const double *)of[MARGIN].buf + from, .n = (const double *)of[N].buf + from,
                     .precision = (double *)of[PRECISION].buf + from, .shift = (double *)of[SHIFT].buf + from,
                     .mean = (double *)of[MEAN].buf + at * given->items,
                     .covariance = (double *)of[COVARIANCE].buf + at * given->items * given->items,
                     .pairs = to - from, .items = given->items, .judged = count_judged(given, from, to),
                     .penalty = penalty};
        fit(&pool, room, by, tolerance);
    }
}

static PyObject *py_fit_posteriors(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[N_BUFFERS];
    Py_ssize_t items;
    double penalty, tie_rate, tolerance;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*ndddw*w*w*w*", &of[STARTS], &of[FIRST], &of[SECOND], &of[MARGIN], &of[N],
                          &of[NODES], &of[WEIGHTS], &items, &penalty, &tie_rate, &tolerance, &of[PRECISION], &of[SHIFT],
                          &of[MEAN], &of[COVARIANCE]))
        return NULL;
    Given given;
    int is_fit = fits(of, &given, items);
    Room *room = is_fit ? make_room(&given) : NULL;
    if (room) {
        Integral by = {of[NODES].buf, of[WEIGHTS].buf, (size_t)of[NODES].len / sizeof(double), tie_rate};
        PyThreadState *thread = PyEval_SaveThread();
        fit_all(&given, of, room, &by, penalty, tolerance);
        PyEval_RestoreThread(thread);
        free_room(room);
    }
    for (int each = 0; each < N_BUFFERS; each++) PyBuffer_Release(&of[each]);
    if (!is_fit) return refuse_arrays();
    if (!room) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *py_count_best(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[4]; /* factor, centre, points, found */
    Py_ssize_t given;
    if (!PyArg_ParseTuple(args, "y*y*y*nw*", &of[0], &of[1], &of[2], &given, &of[3])) return NULL;
    size_t items = given > 0 && given <= (1 << 20) ? (size_t)given : 1;
    Draws draws = {.factor = of[0].buf, .centre = of[1].buf, .items = items, .found = of[3].buf,
                   .pools = (size_t)of[1].len / 8 / items};
    size_t points = (size_t)of[2].len / 8 / items;
    int is_fit = given == (Py_ssize_t)items && (!draws.pools || items <= SIZE_MAX / 8 / items / draws.pools) &&
                 holds(&of[0], draws.pools * items * items, 8) && holds(&of[1], draws.pools * items, 8) &&
                 holds(&of[2], points * items, 8) && holds(&of[3], draws.pools * items, 8);
    int has_memory = 1;
    if (is_fit) {
        PyThreadState *thread = PyEval_SaveThread();
        has_memory = count_all(&draws, of[2].buf, points);
        PyEval_RestoreThread(thread);
    }
    for (int each = 0; each < 4; each++) PyBuffer_Release(&of[each]);
    if (!is_fit) return refuse_arrays();
    if (!has_memory) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"fit_posteriors", py_fit_posteriors, METH_VARARGS,
     "fit_posteriors(starts, first, second, margin, n, nodes, weights, items, penalty, tie_rate, tolerance, precision, "
     "shift, mean, covariance): of all pools, from the distributions of their pairs, which are improved in place."},
    {"count_best", py_count_best, METH_VARARGS,
     "count_best(factor, centre, points, items, found): at how many points each item is the strongest."},
    {NULL, NULL, 0, NULL}};

static PyModuleDef_Slot slots[] = {{Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED}, {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_strengths", "Strengths of the items of many pools.", 0, methods, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__strengths(void) { return PyModuleDef_Init(&definition); }
