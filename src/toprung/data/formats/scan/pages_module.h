/* What Python calls of pages.h; pages.py says when. Each returns False for a page that is not what it says. */

#ifndef TOPRUNG_PAGES_MODULE_H
#define TOPRUNG_PAGES_MODULE_H

#include "export.h"
#include "pages.h"

enum { SNAPPY = 1, LZ4_RAW = 7 }; /* as Parquet numbers them */

static void release_all(Py_buffer *of, int n) {
    for (int i = 0; i < n; i++) PyBuffer_Release(&of[i]);
}

PyDoc_STRVAR(unpack_doc, "unpack(codec, packed, unpacked)\n--\n\nFill the second buffer with what the first unpacks to.");

static PyObject *py_unpack(PyObject *module, PyObject *args) {
    (void)module;
    int codec, fits = 0;
    Py_buffer of[2];
    if (!PyArg_ParseTuple(args, "iy*w*", &codec, &of[0], &of[1])) return NULL;
    Packed from = {of[0].buf, (const unsigned char *)of[0].buf + of[0].len};
    Unpacked to = {of[1].buf, of[1].buf, (unsigned char *)of[1].buf + of[1].len};
    PyThreadState *thread = PyEval_SaveThread();
    if (codec == SNAPPY) fits = unpack_snappy(from, to);
    else if (codec == LZ4_RAW) fits = unpack_lz4(from, to);
    PyEval_RestoreThread(thread);
    release_all(of, 2);
    return PyBool_FromLong(fits);
}

PyDoc_STRVAR(count_present_doc,
"count_present(levels, n)\n--\n\nHow many of n values are there, by their levels of one bit; -1 for levels that are cut short.");

static PyObject *py_count_present(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer levels;
    Py_ssize_t n, count = -1;
    if (!PyArg_ParseTuple(args, "y*n", &levels, &n)) return NULL;
    uint32_t *room = n >= 0 ? malloc(((size_t)n + 1) * sizeof(uint32_t)) : NULL;
    if (room && take_runs((Packed){levels.buf, (const unsigned char *)levels.buf + levels.len}, 1, room, (size_t)n)) {
        count = 0;
        for (Py_ssize_t i = 0; i < n; i++) count += room[i] == 1;
    }
    PyBuffer_Release(&levels);
    if (!room) return PyErr_NoMemory();
    free(room);
    return PyLong_FromSsize_t(count);
}

PyDoc_STRVAR(page_texts_doc,
"page_texts(page, are_differences, number, views)\n--\n\nFill the views with the texts of a page, which is this buffer.");

static PyObject *py_page_texts(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[2];
    int are_differences, number, fits = 0;
    if (!PyArg_ParseTuple(args, "y*piw*", &of[0], &are_differences, &number, &of[1])) return NULL;
    size_t n = (size_t)of[1].len / sizeof(View);
    int64_t *sizes = are_differences ? malloc((n + 1) * sizeof(int64_t)) : NULL;
    PyThreadState *thread = PyEval_SaveThread();
    if (of[0].len <= INT32_MAX && n <= (size_t)of[0].len) /* offsets have 31 bits */
        fits = sizes ? difference_texts(of[0].buf, (size_t)of[0].len, sizes, of[1].buf, n)
                     : !are_differences && plain_texts(of[0].buf, (size_t)of[0].len, of[1].buf, n, number);
    PyEval_RestoreThread(thread);
    free(sizes);
    release_all(of, 2);
    return PyBool_FromLong(fits);
}

PyDoc_STRVAR(page_numbers_doc,
"page_numbers(page, are_differences, type, is_unsigned, as_double, numbers)\n--\n\nFill 64-bit numbers from a page.");

static PyObject *py_page_numbers(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[2];
    int are_differences, type;
    Number number;
    if (!PyArg_ParseTuple(args, "y*pippw*", &of[0], &are_differences, &type, &number.is_unsigned, &number.as_double, &of[1]))
        return NULL;
    number.type = (enum physical)type;
    size_t n = (size_t)of[1].len / sizeof(uint64_t), size = (size_t)of[0].len;
    PyThreadState *thread = PyEval_SaveThread();
    int fits = are_differences ? difference_numbers(number, of[0].buf, size, of[1].buf, n)
                               : plain_numbers(number, of[0].buf, size, of[1].buf, n);
    PyEval_RestoreThread(thread);
    release_all(of, 2);
    return PyBool_FromLong(fits);
}

/* Copies the values whose numbers a page gives. Returns the bytes of their texts, or -1. */
static int64_t pick_values(const Py_buffer *page, const Py_buffer *dictionary, size_t size, const Py_buffer *values) {
    size_t n = (size_t)values->len / size, n_known = (size_t)dictionary->len / size;
    const unsigned char *bytes = page->buf;
    int64_t total = 0;
    if (!n) return 0;
    if (page->len < 1 || bytes[0] > 32) return -1;
    uint32_t *which = malloc(n * sizeof(uint32_t));
    if (!which || !take_runs((Packed){bytes + 1, bytes + page->len}, bytes[0], which, n)) total = -1;
    for (size_t i = 0; i < n && total >= 0; i++) {
        if (which[i] >= n_known) total = -1;
        else if (size == sizeof(View)) {
            View view = ((const View *)dictionary->buf)[which[i]];
            ((View *)values->buf)[i] = view;
            total += view.size;
        } else ((uint64_t *)values->buf)[i] = ((const uint64_t *)dictionary->buf)[which[i]];
    }
    free(which);
    return total;
}

PyDoc_STRVAR(pick_doc,
"pick(page, dictionary, are_texts, values)\n--\n\n"
"Fill values from a dictionary by the numbers of a page. Returns how many bytes their texts have, -1 for a bad page.");

static PyObject *py_pick(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[3];
    int are_texts;
    if (!PyArg_ParseTuple(args, "y*y*pw*", &of[0], &of[1], &are_texts, &of[2])) return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    int64_t total = pick_values(&of[0], &of[1], are_texts ? sizeof(View) : sizeof(uint64_t), &of[2]);
    PyEval_RestoreThread(thread);
    release_all(of, 3);
    return PyLong_FromLongLong(total);
}

PyDoc_STRVAR(number_texts_doc,
"number_texts(numbers, is_unsigned, room, views)\n--\n\nFill the views with numbers as texts; 20 bytes of room for each.");

static PyObject *py_number_texts(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[3];
    int is_unsigned;
    if (!PyArg_ParseTuple(args, "y*pw*w*", &of[0], &is_unsigned, &of[1], &of[2])) return NULL;
    size_t n = (size_t)of[0].len / sizeof(int64_t);
    int fits = of[1].len <= INT32_MAX && (size_t)of[1].len == LONGEST_WHOLE * n && (size_t)of[2].len == sizeof(View) * n;
    if (fits) number_texts(of[0].buf, n, is_unsigned, of[1].buf, of[2].buf);
    release_all(of, 3);
    return PyBool_FromLong(fits);
}

/* ---- a page as an Arrow array ---- */

enum { PAGE_BUFFERS = 3 }; /* the values, the dictionary, the page */

typedef struct { Py_buffer of[PAGE_BUFFERS]; int64_t sizes[2]; const void *buffers[5]; } HeldPage;

static void release_page(struct ArrowArray *array) {
    HeldPage *held = array->private_data;
    PyGILState_STATE lock = PyGILState_Ensure();
    release_all(held->of, PAGE_BUFFERS);
    PyGILState_Release(lock);
    free(held);
    array->release = NULL;
}

/* Takes (values, dictionary, page, first, n): rows from the first on. Returns 0 with an exception set. */
static int hold_page(PyObject *page, int are_texts, struct ArrowArray *array) {
    Py_ssize_t first, n;
    HeldPage *held = calloc(1, sizeof *held);
    if (!held) return PyErr_NoMemory() != NULL;
    if (!PyArg_ParseTuple(page, "y*y*y*nn", &held->of[0], &held->of[1], &held->of[2], &first, &n)) {
        free(held);
        return 0;
    }
    Py_ssize_t room = held->of[0].len / (Py_ssize_t)(are_texts ? sizeof(View) : sizeof(uint64_t));
    held->sizes[0] = held->of[1].len;
    held->sizes[1] = held->of[2].len;
    held->buffers[1] = held->of[0].buf;
    held->buffers[2] = held->of[1].buf;
    held->buffers[3] = held->of[2].buf;
    held->buffers[4] = held->sizes;
    *array = (struct ArrowArray){.length = n, .offset = first, .n_buffers = are_texts ? 5 : 2, .buffers = held->buffers,
                                 .release = release_page, .private_data = held};
    if (first >= 0 && n >= 0 && first <= room && n <= room - first) return 1;
    array->release(array);
    PyErr_SetString(PyExc_ValueError, "rows that the page does not have");
    return 0;
}

PyDoc_STRVAR(page_array_doc,
"page_array(page, are_texts, are_doubles)\n--\n\nA page as the two capsules of an Arrow array, of which nothing is copied.");

static PyObject *py_page_array(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *page;
    int are_texts, are_doubles;
    if (!PyArg_ParseTuple(args, "O!pp", &PyTuple_Type, &page, &are_texts, &are_doubles)) return NULL;
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    struct ArrowArray *array = calloc(1, sizeof *array);
    if (!schema || !array || !hold_page(page, are_texts, array)) {
        free(schema);
        free(array);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    *schema = (struct ArrowSchema){.format = are_texts ? "vu" : are_doubles ? "g" : "l", .name = "", .release = release_format};
    return to_capsules(schema, array);
}

/* Holds a tuple of pages as the chunks of a column. Returns 0 with or without an exception set. */
static int column_of_pages(Column *column, PyObject *pages, int are_texts) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(pages); i++) {
        struct ArrowArray chunk = {0};
        PyObject *page = PyTuple_GetItem(pages, i);
        if (!PyTuple_Check(page) || !hold_page(page, are_texts, &chunk)) return 0;
        if (!column_add(column, chunk)) {
            chunk.release(&chunk);
            return 0;
        }
    }
    return 1;
}

#endif
