/* Packed texts handed over as an Arrow array: whoever takes it lets go of the buffers. */

#ifndef TOPRUNG_EXPORT_H
#define TOPRUNG_EXPORT_H

#include "arrow.h"

typedef struct { Py_buffer starts, bytes; const void *buffers[3]; } Exported;

static void release_texts(struct ArrowArray *array) {
    Exported *exported = array->private_data;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyBuffer_Release(&exported->starts);
    PyBuffer_Release(&exported->bytes);
    PyGILState_Release(lock);
    free(exported);
    array->release = NULL;
}

static void release_format(struct ArrowSchema *schema) { schema->release = NULL; }

static void free_array(PyObject *capsule) {
    struct ArrowArray *array = PyCapsule_GetPointer(capsule, "arrow_array");
    if (array->release) array->release(array);
    free(array);
}

static void free_schema(PyObject *capsule) {
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (schema->release) schema->release(schema);
    free(schema);
}

/* Text i lies between starts[i] and starts[i + 1]: they must not fall, and end within the bytes. */
static int are_starts(const Py_buffer *starts, int64_t n_bytes) {
    const int64_t *at = starts->buf;
    Py_ssize_t n = starts->len / (Py_ssize_t)sizeof(int64_t);
    if (n < 1 || at[0] != 0 || at[n - 1] > n_bytes) return 0;
    for (Py_ssize_t i = 1; i < n; i++)
        if (at[i] < at[i - 1]) return 0;
    return 1;
}

static PyObject *to_capsules(struct ArrowSchema *schema, struct ArrowArray *array) {
    PyObject *first = PyCapsule_New(schema, "arrow_schema", free_schema);
    PyObject *second = first ? PyCapsule_New(array, "arrow_array", free_array) : NULL;
    PyObject *both = second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

/* Takes over the two buffers. NULL with an exception set. */
static PyObject *export_texts(Py_buffer starts, Py_buffer bytes) {
    Exported *exported = malloc(sizeof *exported);
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    struct ArrowArray *array = calloc(1, sizeof *array);
    if (!exported || !schema || !array || !are_starts(&starts, bytes.len)) {
        if (exported && schema && array) PyErr_SetString(PyExc_ValueError, "the starts do not fit the texts");
        else PyErr_NoMemory();
        free(exported);
        free(schema);
        free(array);
        PyBuffer_Release(&starts);
        PyBuffer_Release(&bytes);
        return NULL;
    }
    *exported = (Exported){starts, bytes, {NULL, starts.buf, bytes.buf}};
    *schema = (struct ArrowSchema){.format = "U", .name = "", .release = release_format};
    *array = (struct ArrowArray){.length = starts.len / (Py_ssize_t)sizeof(int64_t) - 1, .n_buffers = 3,
                                 .buffers = exported->buffers, .release = release_texts, .private_data = exported};
    return to_capsules(schema, array);
}

#endif
