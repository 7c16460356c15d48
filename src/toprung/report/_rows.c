/* Writes many rows that end with a number: a row for each text, with the same cells before it, as CSV.

   Numbers are written as Python writes them, in the fewest digits that give the same number back. That takes most of
   the time, and many are alike (1.0, 0.5, 0.0), so what was written last is kept by the bits of the number.

   Only the stable ABI is used. The interpreter lock is held: Python's own writer of numbers needs it. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 4096, LONGEST = 32 }; /* the longest is -2.2250738585072014e-308 */

typedef struct { uint64_t bits; size_t size; char text[LONGEST]; } Written;
typedef struct { char *at; size_t size, room; } Text;

static int add(Text *text, const char *from, size_t size) {
    if (!size) return 1;
    if (text->room - text->size < size) {
        size_t room = 2 * text->room + size;
        char *more = realloc(text->at, room);
        if (!more) return 0;
        text->at = more;
        text->room = room;
    }
    memcpy(text->at + text->size, from, size);
    text->size += size;
    return 1;
}

/* The number as text, written or kept; NULL where there is no memory. */
static const Written *write_number(Written *kept, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    Written *slot = &kept[(bits * 0x9e3779b97f4a7c15ULL) >> 52];
    if (slot->size && slot->bits == bits) return slot;
    char *text = PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    if (!text) return NULL;
    size_t size = strlen(text);
    if (size <= LONGEST) {
        memcpy(slot->text, text, size);
        slot->size = size;
        slot->bits = bits;
    }
    PyMem_Free(text);
    return size <= LONGEST ? slot : NULL;
}

static int write_rows(Text *text, Written *kept, const Py_buffer *before, const char *cells, const int64_t *ends,
                      const double *numbers, int64_t n) {
    for (int64_t i = 0, from = 0; i < n; from = ends[i++]) {
        if (isnan(numbers[i])) continue;
        const Written *number = write_number(kept, numbers[i]);
        if (!number || !add(text, before->buf, (size_t)before->len) ||
            !add(text, cells + from, (size_t)(ends[i] - from)) || !add(text, ",", 1) ||
            !add(text, number->text, number->size) || !add(text, "\n", 1))
            return 0;
    }
    return 1;
}

static int ends_fit(const int64_t *ends, int64_t n, int64_t size) {
    int64_t from = 0;
    for (int64_t i = 0; i < n; from = ends[i++])
        if (ends[i] < from) return 0;
    return from <= size;
}

PyDoc_STRVAR(write_doc,
"write(before, cells, ends, numbers)\n--\n\n"
"Rows of CSV as bytes: before, a cell, a comma, a number. Cell i ends before byte ends[i] of cells; rows whose\n"
"number is NaN are left out. Called by csv_rows.py only.");

static PyObject *py_write(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer before, cells, ends, numbers;
    if (!PyArg_ParseTuple(args, "y*y*y*y*", &before, &cells, &ends, &numbers)) return NULL;
    int64_t n = (int64_t)((size_t)ends.len / sizeof(int64_t));
    int fits = (size_t)numbers.len == (size_t)n * sizeof(double) && ends_fit(ends.buf, n, cells.len);
    PyObject *written = NULL;
    if (fits) {
        Written *kept = calloc(KEPT, sizeof(Written));
        Text text = {NULL, 0, 0};
        if (kept && write_rows(&text, kept, &before, cells.buf, ends.buf, numbers.buf, n))
            written = PyBytes_FromStringAndSize(text.at, (Py_ssize_t)text.size);
        else if (!PyErr_Occurred())
            PyErr_NoMemory();
        free(kept);
        free(text.at);
    } else {
        PyErr_SetString(PyExc_ValueError, "the buffers do not fit together");
    }
    Py_buffer *buffers[] = {&before, &cells, &ends, &numbers};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) PyBuffer_Release(buffers[i]);
    return written;
}

static PyMethodDef methods[] = {{"write", py_write, METH_VARARGS, write_doc}, {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot slots[] = {{Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED}, {0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_rows", "Many rows of CSV that end with a number.", 0, methods, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__rows(void) { return PyModuleDef_Init(&module); }
