/* Runs that a board keeps: 64 bits for each document, in ranking order, among which the wanted ones are looked for. */

#ifndef TOPRUNG_STORED_H
#define TOPRUNG_STORED_H

#include "columns.h"

typedef struct {
    const uint64_t *hashes;   /* of each row */
    const int64_t *starts;    /* of each query, and the end */
    const uint8_t *is_tied;   /* a bit for each row: it is as good as the row above */
    const int32_t *ranks;     /* as written; NULL where they count from 1 */
    size_t n_rows, n_queries;
} Stored;

typedef struct {
    const int64_t *query;     /* for each query of the run, which of the labels it is, or -1 */
    const uint64_t *hashes;   /* of the wanted documents, rising within a query */
    const int64_t *rows;      /* which row of the labels each is */
    const int64_t *starts;    /* of each query of the labels, and the end */
    size_t n_queries, n_docs;
    int32_t *rank, *tie_first, *tie_last, *retrieved;
} StoredPlaces;

static int are_rising(const int64_t *starts, size_t n, size_t last) {
    if (starts[0] != 0 || starts[n] != (int64_t)last) return 0;
    for (size_t i = 0; i < n; i++)
        if (starts[i] > starts[i + 1]) return 0;
    return 1;
}

static int are_within(const int64_t *numbers, size_t n, int64_t least, size_t below) {
    for (size_t i = 0; i < n; i++)
        if (numbers[i] < least || numbers[i] >= (int64_t)below) return 0;
    return 1;
}

static inline int is_tied(const Stored *stored, int64_t row) { return stored->is_tied[row >> 3] >> (row & 7) & 1; }

static int32_t rank_of(const Stored *stored, int64_t row, int64_t first) {
    return stored->ranks ? stored->ranks[row] : (int32_t)(row - first + 1);
}

static void note_found(const Stored *stored, StoredPlaces *places, int64_t at, int64_t row, int64_t first, int64_t end) {
    int64_t top = row, bottom = row, w = places->rows[at];
    while (top > first && is_tied(stored, top)) top--;
    while (bottom + 1 < end && is_tied(stored, bottom + 1)) bottom++;
    places->rank[w] = rank_of(stored, row, first);
    places->tie_first[w] = rank_of(stored, top, first);
    places->tie_last[w] = rank_of(stored, bottom, first);
}

enum { FEW = 4, KINDS = 4096 };

/* Looks for each wanted document in turn: the least work where they are few. */
static void find_few(const Stored *stored, StoredPlaces *places, int64_t q, int64_t first, int64_t end) {
    for (int64_t w = places->starts[q]; w < places->starts[q + 1]; w++) {
        uint64_t hash = places->hashes[w];
        int64_t row = first;
        while (row < end && stored->hashes[row] != hash) row++;
        if (row < end) note_found(stored, places, w, row, first, end);
    }
}

static int64_t first_not_below(const uint64_t *hashes, int64_t from, int64_t to, uint64_t hash) {
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (hashes[middle] < hash) from = middle + 1;
        else to = middle;
    }
    return from;
}

/* Goes through the rows once; of 4,096 kinds of hashes, only those that are wanted are looked at. */
static void find_many(const Stored *stored, StoredPlaces *places, int64_t q, int64_t first, int64_t end) {
    uint64_t kinds[KINDS / 64] = {0};
    for (int64_t w = places->starts[q]; w < places->starts[q + 1]; w++) {
        uint64_t kind = places->hashes[w] % KINDS;
        kinds[kind / 64] |= 1ULL << kind % 64;
    }
    for (int64_t row = first; row < end; row++) {
        uint64_t hash = stored->hashes[row], kind = hash % KINDS;
        if (!(kinds[kind / 64] >> kind % 64 & 1)) continue;
        int64_t w = first_not_below(places->hashes, places->starts[q], places->starts[q + 1], hash);
        if (w < places->starts[q + 1] && places->hashes[w] == hash) note_found(stored, places, w, row, first, end);
    }
}

static void place_stored(const Stored *stored, StoredPlaces *places) {
    for (size_t s = 0; s < stored->n_queries; s++) {
        int64_t q = places->query[s], first = stored->starts[s], end = stored->starts[s + 1];
        if (q < 0) continue;
        places->retrieved[q] = (int32_t)(end - first);
        if (places->starts[q + 1] - places->starts[q] <= FEW) find_few(stored, places, q, first, end);
        else find_many(stored, places, q, first, end);
    }
}

/* Hashes the texts of a column. Returns 0 if it is not one of texts, or not of so many. */
static int hash_column(Column *column, uint64_t *hashes, int64_t n) {
    Text text;
    if (column->rows != n) return 0;
    for (int64_t i = 0; i < n; i++) {
        if (!next_text(column, &text)) return 0;
        hashes[i] = hash_stored(text);
    }
    return 1;
}

/* The same for packed texts. Returns 0 where an end lies before its beginning or behind the data. */
static int hash_packed(const char *data, int64_t size, const int64_t *ends, size_t n, uint64_t *hashes) {
    int64_t from = 0;
    for (size_t i = 0; i < n; i++) {
        if (ends[i] < from || ends[i] > size) return 0;
        hashes[i] = hash_stored((Text){data + from, (size_t)(ends[i] - from)});
        from = ends[i];
    }
    return 1;
}

#endif
