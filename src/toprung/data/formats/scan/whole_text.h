/* A run as text, from its first line to its last. */

#ifndef TOPRUNG_WHOLE_TEXT_H
#define TOPRUNG_WHOLE_TEXT_H

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

/* Reads the lines of one query after the other. INTERLEAVED if a query comes back. */
ON_ITS_OWN static int scan_grouped(Scan *scan, TextRun *text) {
    Line line = {0};
    Text query = {NULL, 0};
    Row row = {0};
    int64_t number = 0, first = 1; /* lines are numbered from 1; the query begins on the first */
    int outcome, is_new;
    for (const char *p = text->begin, *at; p < text->end;) {
        at = p;
        number++;
        if (!split_line(text->layout, &p, text->end, &line)) return refuse(text, BAD_LINE, at, number, 0);
        if (!line.has_same_head && (!query.at || !same_text(line.columns[0], query))) {
            if (query.at) end_query(scan);
            query = line.columns[0];
            first = number;
            if (!table_add(&scan->seen_queries, hash_text(query), query, 0, &is_new)) return NO_MEMORY;
            if (!is_new) return INTERLEAVED;
            if ((outcome = begin_query(scan, query)) != OK) return outcome;
        }
        if (!parse_row(scan, text, line.columns, &row)) return refuse(text, BAD_LINE, at, number, 0);
        outcome = add_row(scan, row);
        if (outcome != OK) return refuse(text, outcome, at, number, first + (int64_t)scan->earlier);
    }
    end_query(scan);
    return OK;
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

#endif
