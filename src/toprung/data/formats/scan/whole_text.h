/* A run as text, from its first line to its last. */

#ifndef TOPRUNG_WHOLE_TEXT_H
#define TOPRUNG_WHOLE_TEXT_H

#include "copies.h"
#include "lines.h"
#include "mixed.h"
#include "numbers.h"

typedef struct {
    enum layout layout;
    const char *begin, *end;
    int64_t error_line, earlier_line;
    const char *error_at;     /* first byte of the refused line */
} TextRun;

static int refuse(TextRun *text, enum outcome outcome, const char *line_at, int64_t line, int64_t earlier) {
    text->error_at = line_at;
    text->error_line = line;
    text->earlier_line = earlier;
    return outcome;
}

static inline int parse_row(Scan *scan, const TextRun *text, const Text *columns, Row *row) {
    if (text->layout == TREC) {
        row->doc = columns[2];
        if (!parse_rank(columns[3], text->end, &row->rank) ||
            !parse_score(&scan->thread, columns[4], text->end, &row->score))
            return 0;
        if (scan->float32_ties) row->score = (float)row->score;
        return 1;
    }
    row->doc = columns[1];
    if (!parse_rank(columns[2], text->end, &row->rank) || row->rank < 1 || row->rank > INT32_MAX) return 0;
    row->score = -(double)row->rank;
    return 1;
}

/* How far the lines of one query after the other have been read. */
typedef struct {
    Line line;                /* the last one */
    Text query;
    int64_t number, first;    /* lines are numbered from 1; the query begins on the first */
    int is_in_pieces;         /* then texts that are still needed are copied when a piece ends */
    size_t n_kept;            /* rows of the present query whose documents were copied */
    Copies *docs, *queries, *ends;
} Progress;

static void progress_release(Progress *progress) {
    copies_release(&progress->docs);
    copies_release(&progress->queries);
    copies_release(&progress->ends);
}

/* Another query than that of the line above. INTERLEAVED if it comes back. */
static int change_text_query(Scan *scan, Progress *so_far, Text query, int64_t number) {
    int is_new;
    if (so_far->query.at && end_query(scan) != OK) return NO_MEMORY;
    if (so_far->is_in_pieces) {
        copies_release(&so_far->docs);
        so_far->n_kept = 0;
        if (!copy_text(&so_far->queries, &query)) return NO_MEMORY;
    }
    so_far->query = query;
    so_far->first = scan->first_line = number;
    if (!table_add(&scan->seen_queries, hash_text(query), query, 0, &is_new)) return NO_MEMORY;
    return is_new ? begin_query(scan, query) : INTERLEAVED;
}

/* Reads lines whose queries are together. */
ON_ITS_OWN static int scan_lines(Scan *scan, TextRun *text, Progress *so_far) {
    Line line = so_far->line;
    Row row = {0};
    int64_t number = so_far->number;
    int outcome;
    for (const char *p = text->begin, *at; p < text->end;) {
        at = p;
        number++;
        if (!split_line(text->layout, &p, text->end, &line)) return refuse(text, BAD_LINE, at, number, 0);
        if (!line.has_same_head && (!so_far->query.at || !same_text(line.columns[0], so_far->query)))
            if ((outcome = change_text_query(scan, so_far, line.columns[0], number)) != OK) return outcome;
        if (!parse_row(scan, text, line.columns, &row)) return refuse(text, BAD_LINE, at, number, 0);
        outcome = add_row(scan, row);
        if (outcome != OK) return refuse(text, outcome, at, number, so_far->first + (int64_t)scan->earlier);
    }
    so_far->line = line;
    so_far->number = number;
    return OK;
}

/* Copies what the next piece needs of this one: the query's documents, and the head and tail of its last line. */
static int keep_for_next(Scan *scan, Progress *so_far) {
    Copies *before = so_far->ends;
    so_far->ends = NULL;
    int is_kept = copy_text(&so_far->ends, &so_far->line.head) && copy_text(&so_far->ends, &so_far->line.tail) &&
                  copy_docs(&so_far->docs, scan->rows + so_far->n_kept, scan->n_rows - so_far->n_kept);
    copies_release(&before);
    so_far->n_kept = scan->n_rows;
    return is_kept ? OK : NO_MEMORY;
}

static int scan_grouped(Scan *scan, TextRun *text) {
    Progress so_far = {0};
    int outcome = scan_lines(scan, text, &so_far);
    return outcome == OK ? end_query(scan) : outcome;
}

/* Keeps the rows up to the first line that cannot be read, if there is one. */
ON_ITS_OWN static int gather_lines(Scan *scan, TextRun *text, Gathered *all) {
    Line line = {0};
    Row row = {0};
    for (const char *p = text->begin, *at; p < text->end;) {
        at = p;
        if (!split_line(text->layout, &p, text->end, &line) || !parse_row(scan, text, line.columns, &row))
            return refuse(text, BAD_LINE, at, (int64_t)all->n + 1, 0);
        if (!gather_row(scan, all, line.columns[0], row)) return NO_MEMORY;
    }
    return OK;
}

static const char *line_of(const TextRun *text, const char *at) {
    while (at > text->begin && at[-1] != '\n') at--;
    return at;
}

/* Reads lines whose queries are mixed. What it refuses is the first faulty line of the file, as everywhere. */
static int scan_mixed(Scan *scan, TextRun *text) {
    Gathered all = {0};
    size_t refused, earlier;
    start_over(scan);
    int outcome = gather_lines(scan, text, &all);
    if (outcome != NO_MEMORY) {
        int repeated = read_gathered(scan, &all, &refused, &earlier);
        if (repeated == NO_MEMORY) outcome = NO_MEMORY;
        else if (repeated != OK) /* it stands above any line that could not be read */
            outcome = refuse(text, repeated, line_of(text, all.rows[refused].doc.at), (int64_t)refused + 1, (int64_t)earlier + 1);
    }
    gathered_release(&all);
    return outcome;
}

static int scan_text(Scan *scan, TextRun *text) {
    int outcome = scan_grouped(scan, text);
    return outcome == INTERLEAVED ? scan_mixed(scan, text) : outcome;
}

/* The hashes of all queries that were met, by which two parts of a run are told to share one. NULL: no memory. */
static PyObject *hashes_of_queries(const Scan *scan) {
    const Table *seen = &scan->seen_queries;
    PyObject *hashes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(seen->used * sizeof(uint64_t)));
    char *to = hashes ? PyBytes_AsString(hashes) : NULL;
    for (size_t i = 0; to && i <= seen->mask; i++)
        if (slot_is_taken(seen, &seen->slots[i])) {
            Text query = seen->slots[i].text; /* texts of other sizes may share the hash of the table */
            uint64_t hash = mix(seen->slots[i].hash + 0x9e3779b97f4a7c15ULL * (uint64_t)query.size);
            memcpy(to, &hash, sizeof hash);
            to += sizeof hash;
        }
    return hashes;
}

/* Reads the pieces of an iterator, which end where lines do. Whatever it refuses is to be read as a whole. */
static int scan_pieces(Scan *scan, enum layout layout, PyObject *pieces) {
    Progress so_far = {.is_in_pieces = 1};
    PyObject *piece;
    int outcome = OK;
    while (outcome == OK && (piece = PyIter_Next(pieces))) {
        char *bytes;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(piece, &bytes, &size) == 0) {
            TextRun text = {.layout = layout, .begin = bytes, .end = bytes + size};
            scan->thread = PyEval_SaveThread();
            outcome = scan_lines(scan, &text, &so_far);
            if (outcome == OK) outcome = keep_for_next(scan, &so_far);
            PyEval_RestoreThread(scan->thread);
        }
        Py_DECREF(piece);
        if (PyErr_Occurred()) break;
    }
    if (outcome == OK && so_far.query.at) outcome = end_query(scan);
    progress_release(&so_far);
    return outcome;
}

#endif
