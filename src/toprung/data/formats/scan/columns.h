/* A run as columns in memory: texts and numbers as Arrow lays them out, batch after batch.

   A column is given as a capsule of Arrow's C stream interface, or as pages of a Parquet file. Chunks are held until their batch has been read; of a
   query that goes on in the next batch, the documents are copied. */

#ifndef TOPRUNG_COLUMNS_H
#define TOPRUNG_COLUMNS_H

#include "arrow.h"
#include "copies.h"
#include "mixed.h"

/* ---- one column ---- */

enum { QUERY, DOC, NUMBER, N_COLUMNS };

typedef struct { struct ArrowArray *chunks; size_t n_chunks, room, chunk; int64_t at, rows; } Column;

/* Sixteen bytes stand for a text: its size, then the text itself or where in which buffer it lies. */
typedef struct { int32_t size; union { char inlined[12]; struct { char prefix[4]; int32_t buffer, offset; } far; } of; } View;

static int column_of_pages(Column *column, PyObject *pages, int are_texts); /* in pages_module.h */

static void column_release(Column *column) {
    for (size_t i = 0; i < column->n_chunks; i++) column->chunks[i].release(&column->chunks[i]);
    free(column->chunks);
    *column = (Column){0};
}

static int column_add(Column *column, struct ArrowArray chunk) {
    if (column->n_chunks == column->room) {
        size_t room = column->room ? 2 * column->room : 4;
        struct ArrowArray *more = realloc(column->chunks, room * sizeof(struct ArrowArray));
        if (!more) return 0;
        column->chunks = more;
        column->room = room;
    }
    column->chunks[column->n_chunks++] = chunk;
    column->rows += chunk.length;
    return 1;
}

static int has_format(struct ArrowArrayStream *stream, const char *format) {
    struct ArrowSchema schema = {0};
    if (stream->get_schema(stream, &schema) != 0) return 0;
    int is_it = strcmp(schema.format, format) == 0;
    if (schema.release) schema.release(&schema);
    return is_it;
}

static int fits_format(const struct ArrowArray *chunk, int is_text) {
    return chunk->length >= 0 && chunk->offset >= 0 && chunk->null_count == 0 && chunk->n_buffers >= (is_text ? 3 : 2);
}

/* Holds all chunks of a stream of this format ("vu": texts, "g": doubles, "l": 64-bit integers), none missing. */
static int column_read(Column *column, PyObject *capsule, const char *format) {
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (!stream || !stream->release) return 0;
    if (!has_format(stream, format)) return 0;
    for (;;) {
        struct ArrowArray chunk = {0};
        if (stream->get_next(stream, &chunk) != 0) return 0;
        if (!chunk.release) return 1;
        if (!fits_format(&chunk, *format == 'v') || !column_add(column, chunk)) {
            chunk.release(&chunk);
            return 0;
        }
    }
}

/* Moves on to a chunk that has rows left. There is one: batches are as long in all columns. */
static inline const struct ArrowArray *chunk_of(Column *column) {
    while (column->at == column->chunks[column->chunk].length) {
        column->chunk++;
        column->at = 0;
    }
    return &column->chunks[column->chunk];
}

static inline int next_text(Column *column, Text *text) {
    const struct ArrowArray *chunk = chunk_of(column);
    const View *view = (const View *)chunk->buffers[1] + chunk->offset + column->at++;
    text->size = (size_t)view->size;
    text->at = view->of.inlined;
    if (view->size <= (int32_t)sizeof view->of.inlined) return view->size >= 0;
    int64_t buffer = 2 + (int64_t)view->of.far.buffer; /* behind the validity, the views; before the sizes */
    if (buffer < 2 || buffer >= chunk->n_buffers - 1 || view->of.far.offset < 0) return 0;
    const int64_t *sizes = chunk->buffers[chunk->n_buffers - 1];
    if ((int64_t)view->of.far.offset + view->size > sizes[buffer - 2]) return 0;
    text->at = (const char *)chunk->buffers[buffer] + view->of.far.offset;
    return 1;
}

static inline double next_double(Column *column) {
    const struct ArrowArray *chunk = chunk_of(column);
    return ((const double *)chunk->buffers[1])[chunk->offset + column->at++];
}

static inline int64_t next_whole(Column *column) {
    const struct ArrowArray *chunk = chunk_of(column);
    return ((const int64_t *)chunk->buffers[1])[chunk->offset + column->at++];
}

/* ---- all batches ---- */

typedef struct {
    Column columns[N_COLUMNS];
    Text query;
    size_t n_kept;            /* rows of the present query whose documents were copied */
    Copies *docs, *queries;   /* of the present query; of all seen queries */
} ColumnRun;

static void run_release(ColumnRun *run) {
    for (int i = 0; i < N_COLUMNS; i++) column_release(&run->columns[i]);
    copies_release(&run->docs);
    copies_release(&run->queries);
}

/* The next row of the batch; 0 for one that no run may have. */
static inline int next_row(const Scan *scan, ColumnRun *run, Text *query, Row *row) {
    if (!next_text(&run->columns[QUERY], query) || !next_text(&run->columns[DOC], &row->doc)) return 0;
    if (scan->by_rank) {
        row->rank = next_whole(&run->columns[NUMBER]);
        row->score = -(double)row->rank;
        return row->rank >= 1 && row->rank <= INT32_MAX;
    }
    double score = next_double(&run->columns[NUMBER]);
    row->score = scan->float32_ties ? (float)score : score;
    return isfinite(score);
}

/* Another query than that of the row above: its text is copied, since it is remembered to the end. */
static int change_query(Scan *scan, ColumnRun *run, Text query) {
    int is_new;
    if (run->query.at && end_query(scan) != OK) return NO_MEMORY;
    copies_release(&run->docs);
    run->n_kept = 0;
    run->query = query;
    uint64_t hash = hash_text(query);
    if (slot_is_taken(&scan->seen_queries, table_find(&scan->seen_queries, hash, query))) return INTERLEAVED;
    if (!copy_text(&run->queries, &run->query)) return NO_MEMORY;
    if (!table_add(&scan->seen_queries, hash, run->query, 0, &is_new)) return NO_MEMORY;
    return begin_query(scan, run->query);
}

ON_ITS_OWN static int scan_batch(Scan *scan, ColumnRun *run) {
    Row row = {0};
    Text query;
    int outcome;
    for (int64_t left = run->columns[DOC].rows; left; left--) {
        if (!next_row(scan, run, &query, &row)) return BAD_LINE;
        if (!run->query.at || !same_text(query, run->query))
            if ((outcome = change_query(scan, run, query)) != OK) return outcome;
        if ((outcome = add_row(scan, row)) != OK) return outcome;
    }
    if (!copy_docs(&run->docs, scan->rows + run->n_kept, scan->n_rows - run->n_kept)) return NO_MEMORY;
    run->n_kept = scan->n_rows;
    return OK;
}

/* A batch of rows whose queries are mixed, which has to be the only one. */
static int scan_mixed_batch(Scan *scan, ColumnRun *run) {
    Gathered all = {0};
    Row row = {0};
    Text query;
    size_t refused, earlier;
    int outcome = OK;
    for (int64_t left = run->columns[DOC].rows; left && outcome == OK; left--) {
        if (!next_row(scan, run, &query, &row)) outcome = BAD_LINE;
        else if (!gather_row(scan, &all, query, row)) outcome = NO_MEMORY;
    }
    if (outcome == OK) outcome = read_gathered(scan, &all, &refused, &earlier);
    gathered_release(&all);
    return outcome;
}

/* Holds a column: a capsule of Arrow, or a tuple of pages. */
static int take_column(Column *column, PyObject *source, const char *format) {
    if (PyTuple_Check(source)) return column_of_pages(column, source, *format == 'v');
    return column_read(column, source, format);
}

/* Holds the columns of a batch, a tuple of three. Returns 0 if they do not fit together. */
static int take_batch(ColumnRun *run, PyObject *batch, int by_rank) {
    static const char *const formats[N_COLUMNS] = {"vu", "vu", "g"};
    if (!PyTuple_Check(batch) || PyTuple_Size(batch) != N_COLUMNS) return 0;
    for (int i = 0; i < N_COLUMNS; i++) {
        const char *format = i == NUMBER && by_rank ? "l" : formats[i];
        column_release(&run->columns[i]);
        if (!take_column(&run->columns[i], PyTuple_GetItem(batch, i), format)) return 0;
        if (run->columns[i].rows != run->columns[0].rows) return 0;
    }
    return 1;
}

/* Reads all batches of an iterator; mixed: there is only one, and its queries are not together. */
static int scan_batches(Scan *scan, ColumnRun *run, PyObject *batches, int mixed) {
    int outcome = OK;
    PyObject *batch;
    while (outcome == OK && (batch = PyIter_Next(batches))) {
        int fits = take_batch(run, batch, scan->by_rank);
        Py_DECREF(batch);
        if (!fits) return BAD_LINE;
        scan->thread = PyEval_SaveThread();
        outcome = mixed ? scan_mixed_batch(scan, run) : scan_batch(scan, run);
        PyEval_RestoreThread(scan->thread);
    }
    if (outcome == OK && !mixed && run->query.at) outcome = end_query(scan);
    return outcome;
}

#endif
