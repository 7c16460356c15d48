/* A run as a dict of dicts, {query: {document: score}}, read where it lies. */

#ifndef TOPRUNG_DICTS_H
#define TOPRUNG_DICTS_H

#include "kept.h"

/* The bytes of a str, which Python keeps with it. Returns 0 for anything else. */
static int to_text(PyObject *object, Text *text) {
    Py_ssize_t size;
    if (!PyUnicode_CheckExact(object) || !(text->at = PyUnicode_AsUTF8AndSize(object, &size))) {
        PyErr_Clear();
        return 0;
    }
    text->size = (size_t)size;
    return 1;
}

static int scan_documents(Scan *scan, PyObject *docs) {
    PyObject *doc, *score;
    Py_ssize_t at = 0;
    Row row = {0};
    int outcome = OK;
    while (outcome == OK && PyDict_Next(docs, &at, &doc, &score)) {
        if (!PyFloat_CheckExact(score) || !to_text(doc, &row.doc)) return BAD_LINE;
        row.score = PyFloat_AsDouble(score);
        if (!isfinite(row.score)) return BAD_LINE;
        if (scan->float32_ties) row.score = (float)row.score;
        outcome = add_row(scan, row);
    }
    return outcome;
}

/* BAD_LINE for whatever is not made of dicts, texts and finite floats: Python says what is wrong, if anything is. */
static int scan_dict(Scan *scan, PyObject *run) {
    PyObject *query_id, *docs;
    Py_ssize_t at = 0;
    Text query;
    int outcome = OK;
    while (outcome == OK && PyDict_Next(run, &at, &query_id, &docs)) {
        if (!PyDict_Check(docs) || !to_text(query_id, &query)) return BAD_LINE;
        if (PyDict_Size(docs) == 0) continue;
        outcome = begin_query(scan, query);
        if (outcome == OK) outcome = scan_documents(scan, docs);
        if (outcome == OK) outcome = end_query(scan);
    }
    return outcome;
}

#endif
