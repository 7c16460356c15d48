/* Python's way to the notes on queries. */

#ifndef TOPRUNG_NOTES_MODULE_H
#define TOPRUNG_NOTES_MODULE_H

#include "whole_text.h"

PyDoc_STRVAR(note_queries_doc,
"note_queries(data, columns)\n--\n\n"
"Check the run in data. Returns (outcome, notes): for each query seven 64-bit numbers, which are the bytes where its id\n"
"begins and ends, its first line, its rows, how many of them share their score, the highest rank that was written, and\n"
"whether the ranks contradict the scores.");

static PyObject *py_note_queries(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer data;
    int columns;
    if (!PyArg_ParseTuple(args, "y*i", &data, &columns)) return NULL;
    TextRun text = {.layout = (enum layout)columns, .begin = data.buf, .end = (const char *)data.buf + data.len};
    Notes notes = {.text = data.buf};
    Scan scan = {.by_rank = columns == MSMARCO, .has_ranks = 1, .notes = &notes};
    int outcome = NO_MEMORY, fits = is_layout(columns);
    if (fits && prepare(&scan, NULL, NULL)) {
        scan.thread = PyEval_SaveThread();
        outcome = data.len ? scan_text(&scan, &text) : OK;
        PyEval_RestoreThread(scan.thread);
    }
    release(&scan);
    PyBuffer_Release(&data);
    PyObject *found = NULL;
    if (fits && outcome == NO_MEMORY) PyErr_NoMemory();
    else if (fits)
        found = Py_BuildValue("iy#", outcome, notes.n ? (const char *)notes.of : "", (Py_ssize_t)(notes.n * sizeof(Note)));
    free(notes.of);
    return found;
}

#endif
