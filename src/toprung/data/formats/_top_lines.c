/* Which lines of a run can hold the first documents of a query? Leaves the others out.

   For reports that look at the first ten documents of many long runs. The text was checked before; here nothing is
   refused. A line is kept if it may be wanted: of each query the first `depth` lines, and every later one whose score is
   not clearly below all of these. Whoever reads the lines that are left orders them, so that keeping too many costs time
   and changes nothing. Where ranks decide, lines of higher ranks are left out.

   Only the stable ABI is used, and the interpreter lock is released while reading. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum layout { TREC = 6, MSMARCO = 3 }; /* the value is the number of columns */

typedef struct { const char *at; size_t size; } Text;

static inline int is_blank(char c) { return (unsigned char)c <= ' '; } /* ids hold no control characters */
static inline int is_digit(char c) { return c >= '0' && c <= '9'; }

/* The column that ends before *end, from `begin` on; moves *end before it. Empty where there is none. */
static Text last_column(const char *begin, const char **end) {
    const char *p = *end;
    while (p > begin && is_blank(p[-1])) p--;
    const char *after = p;
    while (p > begin && !is_blank(p[-1])) p--;
    *end = p;
    return (Text){p, (size_t)(after - p)};
}

static Text first_column(const char *p, const char *end) {
    while (p < end && is_blank(*p)) p++;
    const char *start = p;
    while (p < end && !is_blank(*p)) p++;
    return (Text){start, (size_t)(p - start)};
}

/* The digits up to a point or the end as one number; counts those behind the nineteenth, which are left out. */
static const char *read_digits(const char *p, const char *end, uint64_t *digits, long *dropped) {
    for (; p < end && is_digit(*p); p++) {
        if (*digits < 1000000000000000000ULL) *digits = 10 * *digits + (uint64_t)(*p - '0');
        else ++*dropped;
    }
    return p;
}

static double scale(uint64_t digits, long exponent) {
    static const double powers_of_ten[23] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
                                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (exponent >= 0 && exponent <= 22) return (double)digits * powers_of_ten[exponent];
    if (exponent < 0 && exponent >= -22) return (double)digits / powers_of_ten[-exponent];
    return digits ? (double)digits * pow(10.0, (double)exponent) : 0.0;
}

/* The score, right to about fifteen digits; NaN, which is below nothing, for what is no number. */
static double roughly(Text text) {
    const char *p = text.at, *end = p + text.size;
    int negative = p < end && *p == '-';
    uint64_t digits = 0;
    long exponent = 0, written = 0, sign = 1, dropped = 0;
    if (p < end && (*p == '-' || *p == '+')) p++;
    p = read_digits(p, end, &digits, &dropped);
    if (p < end && *p == '.') {
        const char *point = ++p;
        p = read_digits(p, end, &digits, &dropped);
        exponent = (long)(point - p);
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '-' || *p == '+')) sign = *p++ == '-' ? -1 : 1;
        for (; p < end && is_digit(*p); p++)
            if (written < 100000) written = 10 * written + (*p - '0');
    }
    if (p != end || text.size == 0) return NAN;
    double number = scale(digits, exponent + dropped + sign * written);
    return negative ? -number : number;
}

/* Whether a rank is surely beyond the depth. */
static int is_beyond(Text text, long depth) {
    long rank = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (!is_digit(text.at[i])) return 0;
        if (rank <= depth) rank = 10 * rank + (text.at[i] - '0');
    }
    return rank > depth;
}

typedef struct { Text query; long n_lines; double lowest; } Query; /* the query being read */

/* A little less than the lowest score, by more than a score is read wrongly. */
static double clearly_below(double lowest) { return lowest - 1e-9 * fabs(lowest); }

static int may_be_wanted(Query *query, enum layout layout, long depth, const char *line, const char *end) {
    Text last = last_column(line, &end);
    if (layout == MSMARCO) return !is_beyond(last, depth);
    double score = roughly(last_column(line, &end));
    if (query->n_lines++ >= depth) return !(score < clearly_below(query->lowest));
    if (score < query->lowest || isnan(score)) query->lowest = score; /* once NaN it stays: nothing is below it */
    return 1;
}

static int is_of(const Query *query, const char *line, const char *end) {
    size_t size = query->query.size;
    return size && (size_t)(end - line) > size && memcmp(line, query->query.at, size) == 0 && is_blank(line[size]);
}

/* Copies the lines that may be wanted; returns how many bytes they are. */
static size_t copy_lines(const char *p, const char *end, enum layout layout, long depth, char *kept) {
    Query query = {{NULL, 0}, 0, INFINITY};
    size_t size = 0;
    while (p < end) {
        const char *line_end = memchr(p, '\n', (size_t)(end - p)), *next = line_end ? line_end + 1 : end;
        if (!line_end) line_end = end;
        if (!is_of(&query, p, line_end)) query = (Query){first_column(p, line_end), 0, INFINITY};
        if (may_be_wanted(&query, layout, depth, p, line_end)) {
            memcpy(kept + size, p, (size_t)(next - p));
            size += (size_t)(next - p);
        }
        p = next;
    }
    return size;
}

PyDoc_STRVAR(top_lines_doc,
"top_lines(data, columns, depth)\n--\n\n"
"The lines of a run without those that cannot be among the first of their query.");

static PyObject *py_top_lines(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer data;
    int columns;
    long depth;
    if (!PyArg_ParseTuple(args, "y*il", &data, &columns, &depth)) return NULL;
    if ((columns != TREC && columns != MSMARCO) || depth < 1 || depth > 1000000) {
        PyBuffer_Release(&data);
        PyErr_SetString(PyExc_ValueError, "expected 6 or 3 columns, and a depth from 1 to 1,000,000");
        return NULL;
    }
    char *kept = malloc(data.len ? (size_t)data.len : 1);
    size_t size = 0;
    if (kept) {
        PyThreadState *thread = PyEval_SaveThread();
        const char *begin = data.buf;
        size = copy_lines(begin, begin + data.len, (enum layout)columns, depth, kept);
        PyEval_RestoreThread(thread);
    }
    PyObject *found = kept ? PyBytes_FromStringAndSize(kept, (Py_ssize_t)size) : PyErr_NoMemory();
    free(kept);
    PyBuffer_Release(&data);
    return found;
}

static PyMethodDef methods[] = {{"top_lines", py_top_lines, METH_VARARGS, top_lines_doc}, {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot slots[] = {
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
    {0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_top_lines", "The first documents of runs.", 0, methods, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__top_lines(void) { return PyModuleDef_Init(&module); }
