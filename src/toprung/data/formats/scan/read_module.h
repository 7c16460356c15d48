/* Rows of a run in ranking order, as Python asks for them: of a text that is there, or that comes in pieces. */

#ifndef TOPRUNG_READ_MODULE_H
#define TOPRUNG_READ_MODULE_H

#include "places.h"
#include "whole_text.h"

PyDoc_STRVAR(read_doc,
"read(data, columns, depth, scores, ranks, doc_starts, docs, starts, query_spans[, queries, query_ends, docs,\n"
"     doc_ends, starts, rank, tie_first, tie_last, retrieved, rank_32_bit])\n--\n\n"
"Fill the buffers with the rows of the run in data, in ranking order, down to rank depth; query_spans\n"
"says between which bytes of data each query's id lies. With the others as in scan, these are filled too.\n\n"
"Returns (outcome, rows, queries, bytes of documents, all rows, unknown queries, queries whose rank\n"
"column contradicts, refused line, earlier line it repeats, byte offset of the refused line).");

/* Returns 0 where the arrays are not as long as one another. */
static int take_arrays(const Py_buffer *of, const char *text, Kept *kept) {
    *kept = (Kept){.depth = kept->depth, .scores = of[0].buf, .ranks = of[1].buf, .doc_starts = of[2].buf,
                   .docs = of[3].buf, .starts = of[4].buf, .query_spans = of[5].buf, .text = text,
                   .row_room = (size_t)of[0].len / sizeof(double), .byte_room = (size_t)of[3].len,
                   .query_room = (size_t)of[5].len / (2 * sizeof(int64_t))};
    if ((size_t)of[1].len != kept->row_room * sizeof(int32_t) ||
        (size_t)of[2].len != (kept->row_room + 1) * sizeof(int64_t) ||
        (size_t)of[4].len != (kept->query_room + 1) * sizeof(int64_t))
        return 0;
    kept->doc_starts[0] = kept->starts[0] = 0;
    return 1;
}

enum { READ_ARGUMENTS = 9 }; /* without those of `scan` behind them */

/* Makes a scan ready that keeps rows, and places what is wanted if anything is. Returns 0 with an exception set. */
static int prepare_read(PyObject *args, Places *places, Scan *scan) {
    if (PyTuple_Size(args) > READ_ARGUMENTS) return take_places(args, READ_ARGUMENTS, places, scan);
    if (prepare(scan, NULL, NULL)) return 1;
    release(scan);
    PyErr_NoMemory();
    return 0;
}

static PyObject *py_read(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer data, of[6];
    Places places;
    int columns, outcome = NO_MEMORY;
    Kept kept;
    PyObject *first = PyTuple_GetSlice(args, 0, READ_ARGUMENTS);
    if (!first) return NULL;
    int is_parsed = PyArg_ParseTuple(first, "y*iLw*w*w*w*w*w*", &data, &columns, &kept.depth, &of[0], &of[1], &of[2],
                                     &of[3], &of[4], &of[5]);
    Py_DECREF(first);
    if (!is_parsed) return NULL;
    TextRun text = {.layout = (enum layout)columns, .begin = data.buf, .end = (const char *)data.buf + data.len};
    Scan scan = {.by_rank = columns == MSMARCO, .has_ranks = 1, .kept = &kept};
    int fits = is_layout(columns) && take_arrays(of, data.buf, &kept);
    if (fits && prepare_read(args, &places, &scan)) {
        scan.thread = PyEval_SaveThread();
        outcome = scan_text(&scan, &text);
        release(&scan);
        PyEval_RestoreThread(scan.thread);
        if (PyTuple_Size(args) > READ_ARGUMENTS) places_release(&places);
    }
    Py_ssize_t offset = text.error_at ? text.error_at - text.begin : 0;
    PyBuffer_Release(&data);
    for (int i = 0; i < 6; i++) PyBuffer_Release(&of[i]);
    if (!fits && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the arrays do not fit together");
    if (PyErr_Occurred()) return NULL;
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    return Py_BuildValue("innnLLLLLn", outcome, (Py_ssize_t)kept.n_rows, (Py_ssize_t)kept.n_queries,
                         (Py_ssize_t)kept.doc_bytes, (long long)scan.total_rows, (long long)scan.unknown_queries,
                         (long long)scan.contradicting_queries, (long long)text.error_line,
                         (long long)text.earlier_line, offset);
}

PyDoc_STRVAR(read_pieces_doc,
"read_pieces(pieces, columns, depth, queries, query_ends, docs, doc_ends, starts,\n"
"            rank, tie_first, tie_last, retrieved, rank_32_bit)\n--\n\n"
"The same from an iterator of bytes that end where lines do, of which one is held at a time.\n\n"
"Returns (outcome, all rows, unknown queries, queries whose rank column contradicts) and, as bytes, (scores,\n"
"ranks, doc_starts, docs), starts, query_spans and the ids of queries, which the spans lie in.");

/* Of the rows that were kept: scores, ranks, doc_starts and docs. */
static PyObject *rows_of(const Kept *kept) {
    return Py_BuildValue("y#y#y#y#", (char *)kept->scores, (Py_ssize_t)(kept->n_rows * sizeof(double)),
                         (char *)kept->ranks, (Py_ssize_t)(kept->n_rows * sizeof(int32_t)), (char *)kept->doc_starts,
                         (Py_ssize_t)((kept->n_rows + 1) * sizeof(int64_t)), kept->docs, (Py_ssize_t)kept->doc_bytes);
}

/* Of the rows that were kept: hashes of their documents. */
static PyObject *hashes_of_rows(const Kept *kept) {
    return Py_BuildValue("(y#)", (char *)kept->hashes, (Py_ssize_t)(kept->n_rows * sizeof(uint64_t)));
}

static PyObject *keep_pieces(PyObject *args, Kept kept, PyObject *(*by_row)(const Kept *)) {
    PyObject *pieces;
    Places places;
    int columns = 0;
    PyObject *first = PyTuple_GetSlice(args, 0, 3);
    if (!first) return NULL;
    int is_parsed = PyArg_ParseTuple(first, "OiL", &pieces, &columns, &kept.depth);
    Py_DECREF(first);
    Scan scan = {.by_rank = columns == MSMARCO, .has_ranks = 1, .kept = &kept};
    if (!is_parsed || !is_layout(columns) || !take_places(args, 3, &places, &scan)) return NULL;
    int outcome = begin_growing(&kept) ? scan_pieces(&scan, (enum layout)columns, pieces) : NO_MEMORY;
    release(&scan);
    places_release(&places);
    PyObject *found = NULL;
    if (outcome == NO_MEMORY) PyErr_NoMemory();
    else if (!PyErr_Occurred())
        found = Py_BuildValue(
            "iLLLNy#y#y#", outcome, (long long)scan.total_rows, (long long)scan.unknown_queries,
            (long long)scan.contradicting_queries, by_row(&kept), (char *)kept.starts,
            (Py_ssize_t)((kept.n_queries + 1) * sizeof(int64_t)), (char *)kept.query_spans,
            (Py_ssize_t)(2 * kept.n_queries * sizeof(int64_t)), kept.queries, (Py_ssize_t)kept.query_bytes);
    grown_release(&kept);
    return found;
}

static PyObject *py_read_pieces(PyObject *module, PyObject *args) {
    (void)module;
    return keep_pieces(args, (Kept){.grows = 1}, rows_of);
}

PyDoc_STRVAR(hash_pieces_doc,
"hash_pieces(pieces, columns, depth, queries, query_ends, docs, doc_ends, starts,\n"
"            rank, tie_first, tie_last, retrieved, rank_32_bit)\n--\n\n"
"The same, but of each row there is one array alone: 64 bits for its document, as hash_packed gives them.");

static PyObject *py_hash_pieces(PyObject *module, PyObject *args) {
    (void)module;
    return keep_pieces(args, (Kept){.grows = 1, .is_hashed = 1}, hashes_of_rows);
}

PyDoc_STRVAR(count_lines_doc, "count_lines(data)\n--\n\nHow many lines there are; the last one need not end.");

static PyObject *py_count_lines(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer data;
    if (!PyArg_ParseTuple(args, "y*", &data)) return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    size_t n = count_lines(data.buf, (const char *)data.buf + data.len);
    PyEval_RestoreThread(thread);
    PyBuffer_Release(&data);
    return PyLong_FromSize_t(n);
}

#endif
