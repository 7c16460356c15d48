/* What Python gives a scan: the documents wanted, and the arrays in which is written where they stand. */

#ifndef TOPRUNG_PLACES_H
#define TOPRUNG_PLACES_H

#include "lines.h"
#include "queries.h"

enum { N_BUFFERS = 10 };

/* What a run is scanned for and where it is written down: the last ten arguments of each scan. */
typedef struct { Py_buffer of[N_BUFFERS]; } Places;

static void places_release(Places *places) {
    for (int i = 0; i < N_BUFFERS; i++) PyBuffer_Release(&places->of[i]);
}

static int fit_together(const Scan *scan, const Places *places) {
    const Py_buffer *of = places->of;
    Py_ssize_t rows = (Py_ssize_t)(scan->n_docs * sizeof(int32_t));
    return (size_t)of[4].len == (scan->n_queries + 1) * sizeof(int64_t) && of[5].len == rows && of[6].len == rows &&
           of[7].len == rows && (size_t)of[8].len == scan->n_queries * sizeof(int32_t) && of[9].len == rows &&
           scan->starts[scan->n_queries] == (int64_t)scan->n_docs;
}

/* Makes a scan ready from the arguments behind the first `from`. Returns 0 with an exception set. */
static int take_places(PyObject *args, Py_ssize_t from, Places *places, Scan *scan) {
    Py_buffer *of = places->of;
    PyObject *last = PyTuple_GetSlice(args, from, PyTuple_Size(args));
    if (!last) return 0;
    int is_parsed = PyArg_ParseTuple(last, "y*y*y*y*y*w*w*w*w*w*", &of[0], &of[1], &of[2], &of[3], &of[4], &of[5],
                                     &of[6], &of[7], &of[8], &of[9]);
    Py_DECREF(last);
    if (!is_parsed) return 0;
    scan->docs = of[2].buf; scan->doc_ends = of[3].buf; scan->starts = of[4].buf;
    scan->rank = of[5].buf; scan->tie_first = of[6].buf; scan->tie_last = of[7].buf;
    scan->retrieved = of[8].buf; scan->rank_32_bit = of[9].buf;
    scan->n_queries = (size_t)of[1].len / sizeof(int64_t);
    scan->n_docs = (size_t)of[3].len / sizeof(int64_t);
    if (!fit_together(scan, places)) PyErr_SetString(PyExc_ValueError, "the arrays do not fit together");
    else if (!prepare(scan, of[0].buf, of[1].buf)) PyErr_NoMemory();
    else return 1;
    release(scan);
    places_release(places);
    return 0;
}

#endif
