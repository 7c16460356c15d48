/* Computes the common measures of a run from where it put the labelled documents.

   NumPy's measures (measures/) are the reference and compute all others. Here one pass over the labels gives every
   measure asked for, so that an evaluation needs no NumPy, whose import takes longer than reading a small run. Sums
   are taken in the order of the ranks, as there, and are equal to the last bit.

   Only the stable ABI is used, and the interpreter lock is released while scoring. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct { int32_t rank, grade; } Found;

/* What a measure is asked with; without a cutoff it is larger than any rank. */
typedef struct { int64_t kind, rel, mth, cutoff; } Measure;

/* One query: the labelled documents that were retrieved, by rank; all its grades, best first. */
typedef struct { Found *found; int64_t n_found; int32_t *grades; int64_t n_labels; int64_t retrieved; } Query;

static double ratio(double numerator, double denominator) { return denominator != 0 ? numerator / denominator : 0; }

static int64_t count_found(const Query *query, int64_t rel, int64_t cutoff) {
    int64_t n = 0;
    for (int64_t i = 0; i < query->n_found && query->found[i].rank <= cutoff; i++) n += query->found[i].grade >= rel;
    return n;
}

static int64_t count_relevant(const Query *query, int64_t rel) {
    int64_t n = 0;
    while (n < query->n_labels && query->grades[n] >= rel) n++;
    return n;
}

/* ---- the measures, in the order of KINDS in compiled.py ---- */

static double reciprocal_rank(const Query *query, const Measure *asked) {
    int64_t place = 0;
    for (int64_t i = 0; i < query->n_found && query->found[i].rank <= asked->cutoff; i++)
        if (query->found[i].grade >= asked->rel && ++place == asked->mth) return 1.0 / query->found[i].rank;
    return 0;
}

static double gain(int32_t grade) { return grade > 0 ? grade : 0; }

static double discounted_gain(const Query *query, const Measure *asked) {
    double found = 0, ideal = 0;
    for (int64_t i = 0; i < query->n_found && query->found[i].rank <= asked->cutoff; i++)
        found += gain(query->found[i].grade) / log2(query->found[i].rank + 1.0);
    for (int64_t i = 0; i < query->n_labels && i < asked->cutoff && query->grades[i] > 0; i++)
        ideal += gain(query->grades[i]) / log2((double)(i + 1) + 1.0);
    return ratio(found, ideal);
}

static double average_precision(const Query *query, const Measure *asked) {
    double sum = 0;
    int64_t place = 0;
    for (int64_t i = 0; i < query->n_found && query->found[i].rank <= asked->cutoff; i++)
        if (query->found[i].grade >= asked->rel) sum += (double)++place / (double)query->found[i].rank;
    return ratio(sum, (double)count_relevant(query, asked->rel));
}

static double precision(const Query *query, const Measure *asked) {
    return (double)count_found(query, asked->rel, asked->cutoff) / (double)asked->cutoff;
}

static double recall(const Query *query, const Measure *asked) {
    return ratio((double)count_found(query, asked->rel, asked->cutoff), (double)count_relevant(query, asked->rel));
}

static double success(const Query *query, const Measure *asked) {
    return count_found(query, asked->rel, asked->cutoff) > 0;
}

static double judged(const Query *query, const Measure *asked) {
    int64_t shown = query->retrieved < asked->cutoff ? query->retrieved : asked->cutoff;
    return ratio((double)count_found(query, INT64_MIN, asked->cutoff), (double)shown);
}

/* The chance that a document of grade 0 to 4 satisfies is (2^grade - 1) / 2^4. */
static double expected_reciprocal_rank(const Query *query, const Measure *asked) {
    double expected = 0, goes_on = 1;
    for (int64_t i = 0; i < query->n_found && query->found[i].rank <= asked->cutoff; i++) {
        int32_t grade = query->found[i].grade < 0 ? 0 : query->found[i].grade > 4 ? 4 : query->found[i].grade;
        double stops = ((double)(1 << grade) - 1) / 16;
        expected += goes_on * stops / query->found[i].rank;
        goes_on *= 1 - stops;
    }
    return expected;
}

static double number_retrieved(const Query *query, const Measure *asked) {
    (void)asked;
    return (double)query->retrieved;
}

static double number_relevant(const Query *query, const Measure *asked) {
    return (double)count_relevant(query, asked->rel);
}

static double number_relevant_retrieved(const Query *query, const Measure *asked) {
    return (double)count_found(query, asked->rel, INT64_MAX);
}

typedef double (*Score)(const Query *, const Measure *);
static const Score scores[] = {reciprocal_rank,          discounted_gain,  average_precision, precision,
                               recall,                   success,          judged,            expected_reciprocal_rank,
                               number_retrieved,         number_relevant,  number_relevant_retrieved};
enum { N_KINDS = sizeof scores / sizeof *scores };

/* ---- one query after the other ---- */

typedef struct {
    int64_t n_queries, n_labels, n_scored, n_measures;
    const int64_t *starts, *index_of; /* index_of: a query's place among the scored ones, or -1 */
    const int32_t *grades, *rank, *retrieved;
    const Measure *measures;
    double *values; /* measures x scored queries */
} Task;

static int by_rank(const void *a, const void *b) {
    int32_t x = ((const Found *)a)->rank, y = ((const Found *)b)->rank;
    return (x > y) - (x < y);
}

static int by_grade_falling(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < y) - (x > y);
}

static void arrange(const Task *task, int64_t q, Query *query) {
    query->n_found = query->n_labels = 0;
    query->retrieved = task->retrieved[q];
    for (int64_t row = task->starts[q]; row < task->starts[q + 1]; row++) {
        query->grades[query->n_labels++] = task->grades[row];
        if (task->rank[row] > 0) query->found[query->n_found++] = (Found){task->rank[row], task->grades[row]};
    }
    if (query->n_found > 1) qsort(query->found, (size_t)query->n_found, sizeof(Found), by_rank);
    if (query->n_labels > 1) qsort(query->grades, (size_t)query->n_labels, sizeof(int32_t), by_grade_falling);
}

static void score_all(const Task *task, Query *query) {
    for (int64_t q = 0; q < task->n_queries; q++) {
        int64_t place = task->index_of[q];
        if (place < 0) continue;
        arrange(task, q, query);
        for (int64_t m = 0; m < task->n_measures; m++) {
            const Measure *asked = &task->measures[m];
            task->values[m * task->n_scored + place] = scores[asked->kind](query, asked);
        }
    }
}

/* ---- ties ---- */

typedef struct { int64_t row; int32_t first, grade; } Tied;

static int by_tie_then_grade(const void *a, const void *b) {
    const Tied *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    if (x->grade != y->grade) return x->grade > y->grade ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

/* Of the labelled documents of a tie the better grade stands first in `best` and last in `worst`. */
static void break_ties(const int64_t *starts, int64_t n_queries, const int32_t *grades, const int32_t *first,
                       const int32_t *last, int32_t *best, int32_t *worst, Tied *tied) {
    for (int64_t q = 0; q < n_queries; q++) {
        size_t n = 0;
        for (int64_t row = starts[q]; row < starts[q + 1]; row++) {
            best[row] = worst[row] = 0;
            if (first[row] > 0) tied[n++] = (Tied){row, first[row], grades[row]};
        }
        if (n > 1) qsort(tied, n, sizeof(Tied), by_tie_then_grade);
        for (size_t i = 0, start = 0; i < n; i++) {
            if (tied[i].first != tied[start].first) start = i;
            int64_t row = tied[i].row, index = (int64_t)(i - start);
            best[row] = (int32_t)(first[row] + index);
            worst[row] = (int32_t)(last[row] - index);
        }
    }
}

/* ---- Python's side ---- */

enum { MOST_BUFFERS = 7 };
typedef struct { Py_buffer views[MOST_BUFFERS]; int n; } Buffers;

static void release(Buffers *buffers) {
    for (int i = 0; i < buffers->n; i++) PyBuffer_Release(&buffers->views[i]);
}

/* Opens the arguments as contiguous buffers, the last `n_written` to be written. */
static int open_all(Buffers *buffers, PyObject *args, int n, int n_written) {
    buffers->n = 0;
    if (PyTuple_Size(args) != n) {
        PyErr_Format(PyExc_TypeError, "expected %d buffers", n);
        return 0;
    }
    for (int i = 0; i < n; i++) {
        int flags = i < n - n_written ? PyBUF_SIMPLE : PyBUF_WRITABLE;
        if (PyObject_GetBuffer(PyTuple_GetItem(args, i), &buffers->views[i], flags) < 0) {
            release(buffers);
            return 0;
        }
        buffers->n++;
    }
    return 1;
}

static int64_t count_of(const Py_buffer *view, size_t size) { return (int64_t)((size_t)view->len / size); }

static int starts_fit(const int64_t *starts, int64_t n_queries, int64_t n_labels) {
    if (n_queries < 0 || starts[0] != 0 || starts[n_queries] != n_labels) return 0;
    for (int64_t q = 0; q < n_queries; q++)
        if (starts[q] > starts[q + 1]) return 0;
    return 1;
}

static int64_t most_labels(const int64_t *starts, int64_t n_queries) {
    int64_t most = 1;
    for (int64_t q = 0; q < n_queries; q++)
        if (starts[q + 1] - starts[q] > most) most = starts[q + 1] - starts[q];
    return most;
}

static int task_fits(const Task *task, const Py_buffer *views) {
    if (count_of(&views[3], sizeof(int32_t)) != task->n_labels || count_of(&views[2], sizeof(int64_t)) != task->n_queries ||
        count_of(&views[4], sizeof(int32_t)) != task->n_queries || task->n_measures < 1 ||
        count_of(&views[6], sizeof(double)) != task->n_measures * task->n_scored ||
        !starts_fit(task->starts, task->n_queries, task->n_labels))
        return 0;
    for (int64_t q = 0; q < task->n_queries; q++)
        if (task->index_of[q] < -1 || task->index_of[q] >= task->n_scored) return 0;
    for (int64_t m = 0; m < task->n_measures; m++)
        if (task->measures[m].kind < 0 || task->measures[m].kind >= N_KINDS || task->measures[m].cutoff < 1) return 0;
    return 1;
}

static PyObject *finish(Buffers *buffers, int fits, int has_memory) {
    release(buffers);
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "the buffers do not fit together");
        return NULL;
    }
    if (!has_memory) return PyErr_NoMemory();
    Py_INCREF(Py_None);
    return Py_None;
}

PyDoc_STRVAR(score_doc,
"score(starts, grades, index_of, rank, retrieved, measures, values)\n--\n\n"
"Fill values, doubles of measures x scored queries; called by compiled.py only.\n\n"
"measures holds four int64 for each: kind, rel, mth, cutoff.");

static PyObject *py_score(PyObject *module, PyObject *args) {
    (void)module;
    Buffers buffers;
    if (!open_all(&buffers, args, 7, 1)) return NULL;
    const Py_buffer *views = buffers.views;
    Task task = {.n_queries = count_of(&views[0], sizeof(int64_t)) - 1, .n_labels = count_of(&views[1], sizeof(int32_t)),
                 .n_measures = count_of(&views[5], sizeof(Measure)), .starts = views[0].buf, .grades = views[1].buf,
                 .index_of = views[2].buf, .rank = views[3].buf, .retrieved = views[4].buf, .measures = views[5].buf,
                 .values = views[6].buf};
    task.n_scored = task.n_measures ? count_of(&views[6], sizeof(double)) / task.n_measures : 0;
    int fits = task_fits(&task, views), has_memory = 1;
    if (fits) {
        size_t most = (size_t)most_labels(task.starts, task.n_queries);
        Query query = {.found = malloc(most * sizeof(Found)), .grades = malloc(most * sizeof(int32_t))};
        has_memory = query.found && query.grades;
        Py_BEGIN_ALLOW_THREADS
        if (has_memory) score_all(&task, &query);
        Py_END_ALLOW_THREADS
        free(query.found);
        free(query.grades);
    }
    return finish(&buffers, fits, has_memory);
}

PyDoc_STRVAR(break_ties_doc,
"break_ties(starts, grades, tie_first, tie_last, best, worst)\n--\n\n"
"Fill the last two int32 buffers with ranks: every tie broken for, and against, the better grade.");

static PyObject *py_break_ties(PyObject *module, PyObject *args) {
    (void)module;
    Buffers buffers;
    if (!open_all(&buffers, args, 6, 2)) return NULL;
    const Py_buffer *views = buffers.views;
    const int64_t *starts = views[0].buf;
    int64_t n_queries = count_of(&views[0], sizeof(int64_t)) - 1, n_labels = count_of(&views[1], sizeof(int32_t));
    int fits = starts_fit(starts, n_queries, n_labels), has_memory = 1;
    for (int i = 2; i < 6; i++) fits = fits && count_of(&views[i], sizeof(int32_t)) == n_labels;
    if (fits) {
        Tied *tied = malloc((size_t)most_labels(starts, n_queries) * sizeof(Tied));
        has_memory = tied != NULL;
        Py_BEGIN_ALLOW_THREADS
        if (has_memory)
            break_ties(starts, n_queries, views[1].buf, views[2].buf, views[3].buf, views[4].buf, views[5].buf, tied);
        Py_END_ALLOW_THREADS
        free(tied);
    }
    return finish(&buffers, fits, has_memory);
}

static PyMethodDef methods[] = {{"score", py_score, METH_VARARGS, score_doc},
                                {"break_ties", py_break_ties, METH_VARARGS, break_ties_doc},
                                {NULL, NULL, 0, NULL}};
static PyModuleDef_Slot slots[] = {{Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED}, {0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_score", "Common measures of a run.", 0, methods, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__score(void) { return PyModuleDef_Init(&module); }
