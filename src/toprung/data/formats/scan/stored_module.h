/* What Python calls of `stored.h`. */

#ifndef TOPRUNG_STORED_MODULE_H
#define TOPRUNG_STORED_MODULE_H

#include "stored.h"

static PyObject *none_or_error(int fits) {
    if (!fits && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the arrays do not fit together");
    return fits ? Py_NewRef(Py_None) : NULL;
}

PyDoc_STRVAR(hash_column_doc, "hash_column(stream, hashes)\n--\n\n64 bits for each text of an Arrow stream.");

static PyObject *py_hash_column(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *stream;
    Py_buffer hashes;
    Column column = {0};
    if (!PyArg_ParseTuple(args, "Ow*", &stream, &hashes)) return NULL;
    int fits = column_read(&column, stream, "vu") &&
               hash_column(&column, hashes.buf, (int64_t)((size_t)hashes.len / sizeof(uint64_t)));
    column_release(&column);
    PyBuffer_Release(&hashes);
    return none_or_error(fits);
}

PyDoc_STRVAR(hash_packed_doc, "hash_packed(data, ends, hashes)\n--\n\nThe same for packed texts.");

static PyObject *py_hash_packed(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer data, ends, hashes;
    if (!PyArg_ParseTuple(args, "y*y*w*", &data, &ends, &hashes)) return NULL;
    size_t n = (size_t)ends.len / sizeof(int64_t);
    int fits = (size_t)hashes.len == n * sizeof(uint64_t) && hash_packed(data.buf, data.len, ends.buf, n, hashes.buf);
    PyBuffer_Release(&data);
    PyBuffer_Release(&ends);
    PyBuffer_Release(&hashes);
    return none_or_error(fits);
}

PyDoc_STRVAR(place_stored_doc,
"place_stored(hashes, starts, is_tied, ranks, query, wanted_hashes, wanted_rows, wanted_starts,\n"
"             rank, tie_first, tie_last, retrieved)\n--\n\n"
"Fill the last four int32 buffers from a stored run; ranks may be empty: then they count from 1.");

/* Whether all arrays are as long as they have to be, and no start or query leads out of them. */
static int stored_fits(const Py_buffer *of, const Stored *stored, const StoredPlaces *places) {
    Py_ssize_t docs = (Py_ssize_t)(places->n_docs * sizeof(int32_t));
    return (size_t)of[1].len == (stored->n_queries + 1) * sizeof(int64_t) &&
           (size_t)of[2].len == (stored->n_rows + 7) / 8 &&
           (of[3].len == 0 || (size_t)of[3].len == stored->n_rows * sizeof(int32_t)) &&
           (size_t)of[6].len == places->n_docs * sizeof(int64_t) &&
           (size_t)of[7].len == (places->n_queries + 1) * sizeof(int64_t) && of[8].len == docs && of[9].len == docs &&
           of[10].len == docs && are_rising(stored->starts, stored->n_queries, stored->n_rows) &&
           are_rising(places->starts, places->n_queries, places->n_docs) &&
           are_within(places->rows, places->n_docs, 0, places->n_docs) &&
           are_within(places->query, stored->n_queries, -1, places->n_queries);
}

static PyObject *py_place_stored(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[12];
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*y*w*w*w*w*", &of[0], &of[1], &of[2], &of[3], &of[4], &of[5], &of[6],
                          &of[7], &of[8], &of[9], &of[10], &of[11]))
        return NULL;
    Stored stored = {of[0].buf, of[1].buf, of[2].buf, of[3].len ? of[3].buf : NULL,
                     (size_t)of[0].len / sizeof(uint64_t), (size_t)of[4].len / sizeof(int64_t)};
    StoredPlaces places = {of[4].buf, of[5].buf, of[6].buf, of[7].buf, (size_t)of[11].len / sizeof(int32_t),
                           (size_t)of[5].len / sizeof(uint64_t), of[8].buf, of[9].buf, of[10].buf, of[11].buf};
    int fits = stored_fits(of, &stored, &places);
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        place_stored(&stored, &places);
        PyEval_RestoreThread(thread);
    }
    for (int i = 0; i < 12; i++) PyBuffer_Release(&of[i]);
    return none_or_error(fits);
}

#endif
