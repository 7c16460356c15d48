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
#include "scan/read_module.h"
#include "scan/stored_module.h"

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
    {"read_pieces", py_read_pieces, METH_VARARGS, read_pieces_doc},
    {"hash_pieces", py_hash_pieces, METH_VARARGS, hash_pieces_doc},
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
