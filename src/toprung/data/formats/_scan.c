/* Reads a ranked run restricted to wanted rows: strict parse, order and look-up in one pass.

   Given a run and the documents wanted of each query, it fills in, per query, how many documents were retrieved and,
   per wanted document, its rank and the first and last rank of its tie group. Everything else about the run is only
   checked. Parsing is nearly all the work of an evaluation, so these loops are compiled; `line_parser.py` says the same
   in Python and is what they are tested against.

   Only the stable ABI is used, and the interpreter lock is released while scanning. The parts are in `scan/`. */

#include "scan/columns.h"
#include "scan/dicts.h"
#include "scan/export.h"
#include "scan/notes_module.h"
#include "scan/pages_module.h"
#include "scan/stored_module.h"

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

/* What both scans of a text are given: the text, its layout, and where to write. False with an error set. */
static int take_text(PyObject *args, Py_buffer *data, Places *places, Scan *scan, TextRun *text) {
    int columns;
    PyObject *first = PyTuple_GetSlice(args, 0, 3);
    if (!first) return 0;
    int is_parsed = PyArg_ParseTuple(first, "y*ip", data, &columns, &scan->float32_ties);
    Py_DECREF(first);
    if (!is_parsed) return 0;
    if (!is_layout(columns) || !take_places(args, 3, places, scan)) {
        PyBuffer_Release(data);
        return 0;
    }
    *text = (TextRun){.layout = (enum layout)columns, .begin = data->buf, .end = (const char *)data->buf + data->len};
    scan->by_rank = columns == MSMARCO;
    return 1;
}

PyDoc_STRVAR(scan_doc,
"scan(data, columns, float32_ties, queries, query_ends, docs, doc_ends, starts,\n"
"     rank, tie_first, tie_last, retrieved, rank_32_bit)\n--\n\n"
"Fill the last five int32 buffers from the run in data; called by compiled.py only.\n\n"
"Returns (outcome, rows, unknown queries, queries whose rank column contradicts,\n"
"refused line, earlier line it repeats, byte offset of the refused line).");

static PyObject *py_scan(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer data;
    Places places;
    int outcome;
    Scan scan = {.has_ranks = 1};
    TextRun text = {0};
    if (!take_text(args, &data, &places, &scan, &text)) return NULL;
    scan.thread = PyEval_SaveThread();
    outcome = scan_text(&scan, &text);
    release(&scan);
    PyEval_RestoreThread(scan.thread);
    Py_ssize_t offset = text.error_at ? text.error_at - text.begin : 0;
    PyBuffer_Release(&data);
    places_release(&places);
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    return Py_BuildValue("iLLLLLn", outcome, (long long)scan.total_rows, (long long)scan.unknown_queries,
                         (long long)scan.contradicting_queries, (long long)text.error_line, (long long)text.earlier_line,
                         offset);
}

PyDoc_STRVAR(scan_part_doc,
"scan_part(data, columns, float32_ties, queries, query_ends, docs, doc_ends, starts,\n"
"          rank, tie_first, tie_last, retrieved, rank_32_bit)\n--\n\n"
"The same from a part of a run whose other parts are scanned elsewhere, into the same buffers: what a query of another\n"
"part has there is left alone. Queries that are not together are refused.\n\n"
"Returns (outcome, rows, unknown queries, queries whose rank column contradicts, 64-bit hashes of its queries).");

static PyObject *py_scan_part(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer data;
    Places places;
    Scan scan = {.has_ranks = 1};
    TextRun text = {0};
    if (!take_text(args, &data, &places, &scan, &text)) return NULL;
    scan.thread = PyEval_SaveThread();
    int outcome = scan_grouped(&scan, &text);
    PyEval_RestoreThread(scan.thread);
    PyObject *hashes = outcome == NO_MEMORY ? PyErr_NoMemory() : hashes_of_queries(&scan);
    release(&scan);
    PyBuffer_Release(&data);
    places_release(&places);
    if (!hashes) return NULL;
    return Py_BuildValue("iLLLN", outcome, (long long)scan.total_rows, (long long)scan.unknown_queries,
                         (long long)scan.contradicting_queries, hashes);
}

PyDoc_STRVAR(scan_pieces_doc,
"scan_pieces(pieces, columns, float32_ties, queries, query_ends, docs, doc_ends, starts,\n"
"            rank, tie_first, tie_last, retrieved, rank_32_bit)\n--\n\n"
"The same from an iterator of bytes that end where lines do, of which one is held at a time.\n\n"
"Returns (outcome, rows, unknown queries, queries whose rank column contradicts).");

static PyObject *py_scan_pieces(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *pieces;
    Places places;
    int columns;
    Scan scan = {.has_ranks = 1};
    PyObject *first = PyTuple_GetSlice(args, 0, 3);
    if (!first) return NULL;
    int is_parsed = PyArg_ParseTuple(first, "Oip", &pieces, &columns, &scan.float32_ties);
    Py_DECREF(first);
    if (!is_parsed || !is_layout(columns) || !take_places(args, 3, &places, &scan)) return NULL;
    scan.by_rank = columns == MSMARCO;
    int outcome = scan_pieces(&scan, (enum layout)columns, pieces);
    release(&scan);
    places_release(&places);
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    if (PyErr_Occurred()) return NULL;
    return Py_BuildValue("iLLL", outcome, (long long)scan.total_rows, (long long)scan.unknown_queries,
                         (long long)scan.contradicting_queries);
}

PyDoc_STRVAR(scan_columns_doc,
"scan_columns(batches, by_rank, mixed, float32_ties, queries, query_ends, docs, doc_ends, starts,\n"
"             rank, tie_first, tie_last, retrieved, rank_32_bit)\n--\n\n"
"The same from an iterator of batches: the texts query_id and doc_id and the doubles score, or the\n"
"64-bit integers rank, as Arrow streams or tuples of pages; mixed: one batch, whose queries are not together.\n\n"
"Returns (outcome, rows, unknown queries).");

static PyObject *py_scan_columns(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *batches;
    Places places;
    int mixed;
    Scan scan = {0};
    ColumnRun run = {0};
    PyObject *first = PyTuple_GetSlice(args, 0, 4);
    if (!first) return NULL;
    int is_parsed = PyArg_ParseTuple(first, "Oppp", &batches, &scan.by_rank, &mixed, &scan.float32_ties);
    Py_DECREF(first);
    if (!is_parsed || !take_places(args, 4, &places, &scan)) return NULL;
    int outcome = scan_batches(&scan, &run, batches, mixed);
    run_release(&run);
    release(&scan);
    places_release(&places);
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    if (PyErr_Occurred()) return NULL;
    return Py_BuildValue("iLL", outcome, (long long)scan.total_rows, (long long)scan.unknown_queries);
}

PyDoc_STRVAR(scan_dict_doc,
"scan_dict(run, float32_ties, queries, query_ends, docs, doc_ends, starts,\n"
"          rank, tie_first, tie_last, retrieved, rank_32_bit)\n--\n\n"
"The same from a dict of dicts of floats.\n\nReturns (outcome, rows, unknown queries).");

static PyObject *py_scan_dict(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *run;
    Places places;
    Scan scan = {0};
    PyObject *first = PyTuple_GetSlice(args, 0, 2);
    if (!first) return NULL;
    int is_parsed = PyArg_ParseTuple(first, "O!p", &PyDict_Type, &run, &scan.float32_ties);
    Py_DECREF(first);
    if (!is_parsed || !take_places(args, 2, &places, &scan)) return NULL;
    int outcome = scan_dict(&scan, run);
    release(&scan);
    places_release(&places);
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    return Py_BuildValue("iLL", outcome, (long long)scan.total_rows, (long long)scan.unknown_queries);
}

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

PyDoc_STRVAR(texts_doc,
"texts(starts, data)\n--\n\n"
"Texts in UTF-8 as the two capsules of an Arrow array: text i lies between starts[i] and starts[i + 1].");

static PyObject *py_texts(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer starts, data;
    if (!PyArg_ParseTuple(args, "y*y*", &starts, &data)) return NULL;
    return export_texts(starts, data);
}

static PyMethodDef methods[] = {
    {"scan_dict", py_scan_dict, METH_VARARGS, scan_dict_doc},
    {"read", py_read, METH_VARARGS, read_doc},
    {"note_queries", py_note_queries, METH_VARARGS, note_queries_doc},
    {"count_lines", py_count_lines, METH_VARARGS, count_lines_doc},
    {"texts", py_texts, METH_VARARGS, texts_doc},
    {"scan", py_scan, METH_VARARGS, scan_doc},
    {"scan_part", py_scan_part, METH_VARARGS, scan_part_doc},
    {"scan_pieces", py_scan_pieces, METH_VARARGS, scan_pieces_doc},
    {"scan_columns", py_scan_columns, METH_VARARGS, scan_columns_doc},
    {"unpack", py_unpack, METH_VARARGS, unpack_doc},
    {"count_present", py_count_present, METH_VARARGS, count_present_doc},
    {"page_texts", py_page_texts, METH_VARARGS, page_texts_doc},
    {"page_numbers", py_page_numbers, METH_VARARGS, page_numbers_doc},
    {"pick", py_pick, METH_VARARGS, pick_doc},
    {"number_texts", py_number_texts, METH_VARARGS, number_texts_doc},
    {"page_array", py_page_array, METH_VARARGS, page_array_doc},
    {"hash_column", py_hash_column, METH_VARARGS, hash_column_doc},
    {"hash_packed", py_hash_packed, METH_VARARGS, hash_packed_doc},
    {"place_stored", py_place_stored, METH_VARARGS, place_stored_doc},
    {NULL, NULL, 0, NULL}};

static int set_seed(PyObject *module) {
    (void)module;
    PyObject *text = PyUnicode_FromString("toprung"); /* its hash is as random as Python's own for this process */
    if (!text) return -1;
    Py_hash_t seed = PyObject_Hash(text);
    Py_DECREF(text);
    hash_seed = (uint64_t)seed * 0x9e3779b97f4a7c15ULL;
    return seed == -1 ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)set_seed},
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
    {0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_scan", "Strict, restricted reading of runs.", 0, methods, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__scan(void) { return PyModuleDef_Init(&module); }
