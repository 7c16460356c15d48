/* A whole run, kept in ranking order: where `read_run` wants every row and not only where some documents stand. */

#ifndef TOPRUNG_KEPT_H
#define TOPRUNG_KEPT_H

#include "order.h"

/* Arrays that the caller made, with room for all rows, queries and texts there can be. */
struct Kept {
    size_t n_rows, row_room, n_queries, query_room, doc_bytes, byte_room;
    int64_t depth;            /* the last rank that is kept */
    double *scores;
    int32_t *ranks;
    int64_t *doc_starts, *starts; /* both with the end behind the last */
    int64_t *query_spans;     /* of each query, where in the text its id begins and ends */
    char *docs;
    const char *text;
};

static void forget_kept(Kept *kept) { kept->n_rows = kept->n_queries = kept->doc_bytes = 0; }

static void sort_ties(Row *rows, size_t n) {
    for (size_t first = 0, after; first < n; first = after) {
        for (after = first + 1; after < n && rows[after].score == rows[first].score; after++) {}
        if (after - first > 1) qsort(rows + first, after - first, sizeof(Row), by_doc_falling);
    }
}

/* As memcpy, without a call for most ids. */
static inline void copy_short(char *to, Text text) {
    uint64_t head, tail;
    if (text.size < 8 || text.size > 16) {
        for (size_t i = 0; text.size < 8 && i < text.size; i++) to[i] = text.at[i];
        if (text.size > 16) memcpy(to, text.at, text.size);
        return;
    }
    memcpy(&head, text.at, 8);
    memcpy(&tail, text.at + text.size - 8, 8);
    memcpy(to, &head, 8);
    memcpy(to + text.size - 8, &tail, 8);
}

static int keep_row(Kept *kept, const Row *row, int32_t rank) {
    if (kept->n_rows == kept->row_room || row->doc.size > kept->byte_room - kept->doc_bytes) return NO_MEMORY;
    kept->scores[kept->n_rows] = row->score;
    kept->ranks[kept->n_rows] = rank;
    copy_short(kept->docs + kept->doc_bytes, row->doc);
    kept->doc_bytes += row->doc.size;
    kept->doc_starts[++kept->n_rows] = (int64_t)kept->doc_bytes;
    return OK;
}

/* Keeps the rows of a query that has ended, and its id if any row is kept. NO_MEMORY if the arrays have no room. */
static int keep_query(Scan *scan, Kept *kept) {
    Text query = scan->query_id;
    size_t before = kept->n_rows;
    if (!scan->by_rank) sort_ties(scan->rows, scan->n_rows);
    for (size_t i = 0; i < scan->n_rows; i++) {
        int64_t rank = scan->by_rank ? scan->rows[i].rank : (int64_t)i + 1;
        if (rank > kept->depth) break;
        if (keep_row(kept, &scan->rows[i], (int32_t)rank) != OK) return NO_MEMORY;
    }
    if (kept->n_rows == before) return OK;
    if (kept->n_queries == kept->query_room) return NO_MEMORY;
    kept->query_spans[2 * kept->n_queries] = query.at - kept->text;
    kept->query_spans[2 * kept->n_queries + 1] = query.at - kept->text + (int64_t)query.size;
    kept->starts[++kept->n_queries] = (int64_t)kept->n_rows;
    return OK;
}

#endif
