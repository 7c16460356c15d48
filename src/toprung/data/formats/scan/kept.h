/* A whole run, kept in ranking order: where `read_run` wants every row and not only where some documents stand. Or of
   each row no more than the hash of its document, where runs are only compared. */

#ifndef TOPRUNG_KEPT_H
#define TOPRUNG_KEPT_H

#include "order.h"

/* Arrays that the caller made, with room for all rows, queries and texts there can be; or, of a text that comes in
   pieces, arrays that grow, and the ids of queries beside them. */
struct Kept {
    size_t n_rows, row_room, n_queries, query_room, doc_bytes, byte_room;
    int64_t depth;            /* the last rank that is kept */
    double *scores;
    int32_t *ranks;
    int64_t *doc_starts, *starts; /* both with the end behind the last */
    int64_t *query_spans;     /* of each query, where in the text its id begins and ends */
    char *docs;
    const char *text;
    int grows;
    int is_hashed;            /* then of each row there is this alone; such arrays grow */
    uint64_t *hashes;
    char *queries;            /* then the spans lie in here */
    size_t query_bytes, query_byte_room;
};

static int grow(void **array, size_t count, size_t size) {
    void *grown = realloc(*array, count * size);
    if (grown) *array = grown;
    return grown != NULL;
}

enum { FIRST_ROWS = 1 << 12, FIRST_BYTES = 1 << 16 };

static int grow_rows(Kept *kept) {
    size_t room = kept->row_room ? 2 * kept->row_room : FIRST_ROWS;
    int is_grown = kept->is_hashed ? grow((void **)&kept->hashes, room, sizeof(uint64_t))
                                   : grow((void **)&kept->scores, room, sizeof(double)) &&
                                         grow((void **)&kept->ranks, room, sizeof(int32_t)) &&
                                         grow((void **)&kept->doc_starts, room + 1, sizeof(int64_t));
    if (is_grown) kept->row_room = room;
    return is_grown;
}

static int grow_queries(Kept *kept) {
    size_t room = kept->query_room ? 2 * kept->query_room : FIRST_ROWS;
    if (!grow((void **)&kept->starts, room + 1, sizeof(int64_t)) ||
        !grow((void **)&kept->query_spans, 2 * room, sizeof(int64_t)))
        return 0;
    kept->query_room = room;
    return 1;
}

/* Room for so many bytes more behind those that are used. */
static int grow_bytes(char **bytes, size_t used, size_t *room, size_t more) {
    size_t wanted = *room ? *room : FIRST_BYTES;
    while (wanted - used < more) wanted *= 2;
    if (!grow((void **)bytes, wanted, 1)) return 0;
    *room = wanted;
    return 1;
}

static int begin_growing(Kept *kept) {
    if (!grow_rows(kept) || !grow_queries(kept) || !grow_bytes(&kept->docs, 0, &kept->byte_room, 0) ||
        !grow_bytes(&kept->queries, 0, &kept->query_byte_room, 0))
        return 0;
    kept->starts[0] = 0;
    if (!kept->is_hashed) kept->doc_starts[0] = 0;
    return 1;
}

static void grown_release(Kept *kept) {
    free(kept->hashes);
    free(kept->scores);
    free(kept->ranks);
    free(kept->doc_starts);
    free(kept->docs);
    free(kept->starts);
    free(kept->query_spans);
    free(kept->queries);
}

static int has_row_room(Kept *kept, size_t bytes) {
    if (kept->n_rows == kept->row_room && !(kept->grows && grow_rows(kept))) return 0;
    return bytes <= kept->byte_room - kept->doc_bytes ||
           (kept->grows && grow_bytes(&kept->docs, kept->doc_bytes, &kept->byte_room, bytes));
}

static int has_query_room(Kept *kept, size_t bytes) {
    if (kept->n_queries == kept->query_room && !(kept->grows && grow_queries(kept))) return 0;
    return !kept->grows || bytes <= kept->query_byte_room - kept->query_bytes ||
           grow_bytes(&kept->queries, kept->query_bytes, &kept->query_byte_room, bytes);
}

static void forget_kept(Kept *kept) { kept->n_rows = kept->n_queries = kept->doc_bytes = kept->query_bytes = 0; }

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

static int keep_hash(Kept *kept, Text doc) {
    if (!has_row_room(kept, 0)) return NO_MEMORY;
    kept->hashes[kept->n_rows++] = hash_stored(doc);
    return OK;
}

static int keep_row(Kept *kept, const Row *row, int32_t rank) {
    if (kept->is_hashed) return keep_hash(kept, row->doc);
    if (!has_row_room(kept, row->doc.size)) return NO_MEMORY;
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
    if (!has_query_room(kept, query.size)) return NO_MEMORY;
    int64_t at = kept->grows ? (int64_t)kept->query_bytes : query.at - kept->text;
    if (kept->grows) {
        copy_short(kept->queries + kept->query_bytes, query);
        kept->query_bytes += query.size;
    }
    kept->query_spans[2 * kept->n_queries] = at;
    kept->query_spans[2 * kept->n_queries + 1] = at + (int64_t)query.size;
    kept->starts[++kept->n_queries] = (int64_t)kept->n_rows;
    return OK;
}

#endif
