/* Rows whose queries are not together: all are gathered, brought together by counting, and read query by query. */

#ifndef TOPRUNG_MIXED_H
#define TOPRUNG_MIXED_H

#include "kept.h"
#include "notes.h"

typedef struct {
    Row *rows;                /* in the order of the file; in place of what is wanted, the hash of the document */
    uint32_t *query;          /* of each row, numbered as they appear */
    size_t n, room;
    Text *queries;
    size_t n_queries, query_room;
} Gathered;

/* Rows of a query stand far from one another: they are asked for some steps before they are needed. */
enum { AHEAD = 8 };
#ifdef __GNUC__
#define PREFETCH(at) __builtin_prefetch(at)
#else
#define PREFETCH(at) ((void)(at))
#endif

static void gathered_release(Gathered *all) {
    free(all->rows);
    free(all->query);
    free(all->queries);
}

static int gathered_grow(Gathered *all) {
    size_t room = all->room ? 2 * all->room : 4096;
    Row *rows = realloc(all->rows, room * sizeof(Row));
    if (!rows) return 0;
    all->rows = rows;
    uint32_t *query = realloc(all->query, room * sizeof(uint32_t));
    if (!query) return 0;
    all->query = query;
    all->room = room;
    return 1;
}

static int gather_query(Gathered *all, Text query) {
    if (all->n_queries == UINT32_MAX) return 0;
    if (all->n_queries == all->query_room) {
        size_t room = all->query_room ? 2 * all->query_room : 64;
        Text *more = realloc(all->queries, room * sizeof(Text));
        if (!more) return 0;
        all->queries = more;
        all->query_room = room;
    }
    all->queries[all->n_queries++] = query;
    return 1;
}

/* Keeps a row for later. Returns 0 where there is no memory. */
static inline int gather_row(Scan *scan, Gathered *all, Text query, Row row) {
    uint32_t number = all->n ? all->query[all->n - 1] : 0;
    if (!all->n || !same_text(all->queries[number], query)) {
        int is_new;
        Slot *slot = table_add(&scan->seen_queries, hash_text(query), query, (uint32_t)all->n_queries, &is_new);
        if (!slot || (is_new && !gather_query(all, query))) return 0;
        number = slot->item;
    }
    if (all->n == all->room && !gathered_grow(all)) return 0;
    row.wanted = (int64_t)hash_text(row.doc); /* now, while the text is at hand */
    all->rows[all->n] = row;
    all->query[all->n++] = number;
    return 1;
}

/* The places of all rows, those of a query together and in the order of the file; ends[q]: where a query ends. */
static void sort_by_query(const Gathered *all, size_t *ends, size_t *places) {
    size_t before = 0;
    for (size_t i = 0; i < all->n; i++) ends[all->query[i]]++;
    for (size_t q = 0; q < all->n_queries; q++) {
        size_t size = ends[q];
        ends[q] = before;
        before += size;
    }
    for (size_t i = 0; i < all->n; i++) places[ends[all->query[i]]++] = i;
}

/* Reads one query up to the row before *refused. A repeated document or rank becomes the refused row. */
static int read_gathered_query(Scan *scan, const Gathered *all, Text query, const size_t *places, size_t n,
                               size_t *refused, size_t *earlier) {
    int outcome = begin_query(scan, query);
    scan->first_line = (int64_t)places[0] + 1;
    for (size_t i = 0; i < n && outcome == OK && places[i] < *refused; i++) {
        if (i + AHEAD < n) PREFETCH(&all->rows[places[i + AHEAD]]);
        const Row *row = &all->rows[places[i]];
        outcome = add_hashed_row(scan, *row, (uint64_t)row->wanted);
        if (outcome == DUPLICATE_DOC || outcome == DUPLICATE_RANK) {
            *refused = places[i];
            *earlier = places[scan->earlier];
        }
    }
    return outcome == OK ? end_query(scan) : outcome;
}

/* Reads all that was gathered. The first row of the file that repeats another is *refused, the other *earlier. */
static int read_gathered(Scan *scan, const Gathered *all, size_t *refused, size_t *earlier) {
    size_t *ends = calloc(all->n_queries + 1, sizeof(size_t)), *places = malloc((all->n + 1) * sizeof(size_t));
    int outcome = ends && places ? OK : NO_MEMORY;
    *refused = SIZE_MAX;
    if (outcome == OK) sort_by_query(all, ends, places);
    for (size_t q = 0; q < all->n_queries && outcome != NO_MEMORY; q++) {
        size_t from = q ? ends[q - 1] : 0;
        int of_query = read_gathered_query(scan, all, all->queries[q], places + from, ends[q] - from, refused, earlier);
        if (of_query != OK) outcome = of_query;
    }
    free(ends);
    free(places);
    return outcome;
}

#endif
