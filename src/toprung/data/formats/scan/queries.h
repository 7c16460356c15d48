/* One query after the other: its rows, no document twice, and which of them are wanted. */

#ifndef TOPRUNG_QUERIES_H
#define TOPRUNG_QUERIES_H

#include "texts.h"

enum outcome { OK, BAD_LINE, DUPLICATE_DOC, DUPLICATE_RANK, INTERLEAVED, NO_MEMORY };

typedef struct { double score; Text doc; int64_t rank, wanted; } Row;

/* Which of a query's rows holds a document. A slot has 32 bits of the document's hash above 32 bits that number the
   row; rows are numbered on from query to query, so that a number below the query's first one marks a free slot. */
typedef struct { uint64_t *slots; size_t mask; uint32_t first; } RowSet;

typedef struct Scan Scan;
typedef struct Kept Kept;
typedef struct Notes Notes;
static void forget_kept(Kept *kept);    /* in kept.h */
static void forget_notes(Notes *notes); /* in notes.h */

struct Scan {
    int by_rank;              /* the rank written decides (MS MARCO); else the score does */
    int has_ranks;            /* ranks were written beside the scores, and may contradict them */
    int float32_ties;

    /* wanted documents: row w is the text doc_ends[w-1] .. doc_ends[w]; query q owns rows starts[q] .. */
    const char *docs;
    const int64_t *doc_ends, *starts;
    size_t n_queries, n_docs;
    Table queries;            /* wanted query -> q */
    int32_t *rank, *tie_first, *tie_last, *retrieved;
    int32_t *rank_32_bit;     /* where 32-bit scores would put the wanted, if elsewhere; else 0 */

    /* the query being read */
    Row *rows;
    size_t n_rows, room;
    int64_t query;            /* index among the wanted, or -1 */
    int is_sorted;
    RowSet seen_docs;
    Table wanted, seen_ranks;
    uint64_t wanted_bits;     /* of 64 kinds of hashes, which the wanted documents have */
    size_t earlier;           /* the row that a refused one repeats */
    Text query_id;
    int64_t first_line;       /* of a text */
    size_t n_tied;            /* rows that share their score with another */
    int64_t highest_rank;     /* that was written */
    int contradicts;          /* whether the ranks written do */

    Table seen_queries;       /* every query met so far */
    Kept *kept;               /* where all rows are kept, if they are */
    Notes *notes;             /* where something is noted of every query, if it is */

    int64_t total_rows, unknown_queries, contradicting_queries;
    PyThreadState *thread;    /* held while the interpreter lock is released */
};

/* ---- the documents of the query being read ---- */

static int set_init(RowSet *set, size_t size) {
    *set = (RowSet){calloc(size, sizeof(uint64_t)), size - 1, 1};
    return set->slots != NULL;
}

static inline int is_free(const RowSet *set, uint64_t slot) { return (uint32_t)slot < set->first; }

static inline size_t row_of(const RowSet *set, uint64_t slot) { return (uint32_t)slot - set->first; }

/* A set of twice the size; the documents are hashed again. */
static int set_grow(RowSet *set, const Row *rows, size_t n_rows) {
    RowSet bigger;
    if (!set_init(&bigger, 2 * (set->mask + 1))) return 0;
    for (size_t row = 0; row < n_rows; row++) {
        uint64_t hash = hash_text(rows[row].doc);
        size_t i = hash & bigger.mask;
        while (!is_free(&bigger, bigger.slots[i])) i = (i + 1) & bigger.mask;
        bigger.slots[i] = hash >> 32 << 32 | (uint32_t)(bigger.first + row);
    }
    free(set->slots);
    *set = bigger;
    return 1;
}

/* Forgets the rows of a query; slots are cleared only when the numbers have run out. */
static void set_clear(RowSet *set, size_t n_rows) {
    if (n_rows < (UINT32_MAX >> 1) - set->first) {
        set->first += (uint32_t)n_rows;
        return;
    }
    memset(set->slots, 0, (set->mask + 1) * sizeof(uint64_t));
    set->first = 1;
}

/* Adds the next row's document. OK, DUPLICATE_DOC or NO_MEMORY. */
static inline int set_add(Scan *scan, uint64_t hash, Text doc) {
    RowSet *set = &scan->seen_docs;
    size_t row = scan->n_rows;
    if (row >= UINT32_MAX >> 1) return NO_MEMORY; /* half of the numbers are kept for what comes before */
    if (2 * row > set->mask && !set_grow(set, scan->rows, row)) return NO_MEMORY;
    size_t i = hash & set->mask;
    for (; !is_free(set, set->slots[i]); i = (i + 1) & set->mask) {
        size_t other = row_of(set, set->slots[i]);
        if (set->slots[i] >> 32 == hash >> 32 && same_text(scan->rows[other].doc, doc)) {
            scan->earlier = other;
            return DUPLICATE_DOC;
        }
    }
    set->slots[i] = hash >> 32 << 32 | (uint32_t)(set->first + row);
    return OK;
}

/* ---- reading a query ---- */

static Text wanted_doc(const Scan *scan, int64_t row) {
    int64_t from = row ? scan->doc_ends[row - 1] : 0;
    return (Text){scan->docs + from, (size_t)(scan->doc_ends[row] - from)};
}

static inline uint64_t kind_of(uint64_t hash) { return 1ULL << (hash >> 58); }

static int begin_query(Scan *scan, Text query) {
    scan->query_id = query;
    set_clear(&scan->seen_docs, scan->n_rows);
    scan->n_rows = 0;
    scan->is_sorted = 1;
    scan->wanted_bits = 0;
    table_clear(&scan->seen_ranks);
    table_clear(&scan->wanted);
    Slot *slot = table_find(&scan->queries, hash_text(query), query);
    scan->query = slot_is_taken(&scan->queries, slot) ? (int64_t)slot->item : -1;
    if (scan->query < 0) {
        scan->unknown_queries++;
        return OK;
    }
    for (int64_t w = scan->starts[scan->query]; w < scan->starts[scan->query + 1]; w++) {
        int is_new;
        Text doc = wanted_doc(scan, w);
        uint64_t hash = hash_text(doc);
        scan->wanted_bits |= kind_of(hash);
        if (!table_add(&scan->wanted, hash, doc, (uint32_t)w, &is_new)) return NO_MEMORY;
    }
    return OK;
}

static int add_rank(Scan *scan, int64_t rank) {
    int is_new;
    Slot *slot = table_add(&scan->seen_ranks, mix(hash_seed ^ (uint64_t)rank), (Text){"", 0}, (uint32_t)scan->n_rows, &is_new);
    if (!slot) return NO_MEMORY;
    if (is_new) return OK;
    scan->earlier = slot->item;
    return DUPLICATE_RANK;
}

static int make_room(Scan *scan) {
    Row *more = realloc(scan->rows, 2 * scan->room * sizeof(Row));
    if (!more) return NO_MEMORY;
    scan->rows = more;
    scan->room *= 2;
    return OK;
}

/* Takes the query's next row, whose document has this hash. OK, DUPLICATE_DOC, DUPLICATE_RANK or NO_MEMORY. */
static inline int add_hashed_row(Scan *scan, Row row, uint64_t hash) {
    int outcome = set_add(scan, hash, row.doc);
    if (outcome == OK && scan->by_rank) outcome = add_rank(scan, row.rank);
    if (outcome == OK && scan->n_rows == scan->room) outcome = make_room(scan);
    if (outcome != OK) return outcome;
    row.wanted = -1;
    if (scan->wanted_bits & kind_of(hash)) {
        Slot *slot = table_find(&scan->wanted, hash, row.doc);
        if (slot_is_taken(&scan->wanted, slot)) row.wanted = slot->item;
    }
    if (scan->n_rows && scan->rows[scan->n_rows - 1].score < row.score) scan->is_sorted = 0;
    scan->rows[scan->n_rows++] = row;
    return OK;
}

static inline int add_row(Scan *scan, Row row) { return add_hashed_row(scan, row, hash_text(row.doc)); }

/* ---- from the first query to the last ---- */

static int prepare(Scan *scan, const char *queries, const int64_t *query_ends) {
    scan->room = 1024;
    scan->rows = malloc(scan->room * sizeof(Row));
    if (!scan->rows || !table_init(&scan->queries, scan->n_queries) || !table_init(&scan->wanted, 16) ||
        !set_init(&scan->seen_docs, 2 * scan->room) || !table_init(&scan->seen_ranks, 16) ||
        !table_init(&scan->seen_queries, scan->n_queries))
        return 0;
    for (size_t q = 0; q < scan->n_queries; q++) {
        int64_t from = q ? query_ends[q - 1] : 0;
        Text text = {queries + from, (size_t)(query_ends[q] - from)};
        int is_new;
        if (!table_add(&scan->queries, hash_text(text), text, (uint32_t)q, &is_new)) return 0;
    }
    return 1;
}

/* Back to where nothing was read yet. */
static void start_over(Scan *scan) {
    size_t rows = scan->n_docs * sizeof(int32_t);
    table_clear(&scan->seen_queries);
    scan->total_rows = scan->unknown_queries = scan->contradicting_queries = 0;
    if (scan->kept) forget_kept(scan->kept);
    if (scan->notes) forget_notes(scan->notes);
    if (!scan->n_queries) return; /* nothing is wanted */
    memset(scan->rank, 0, rows);
    memset(scan->tie_first, 0, rows);
    memset(scan->tie_last, 0, rows);
    memset(scan->rank_32_bit, 0, rows);
    memset(scan->retrieved, 0, scan->n_queries * sizeof(int32_t));
}

static void release(Scan *scan) {
    free(scan->rows);
    free(scan->queries.slots);
    free(scan->wanted.slots);
    free(scan->seen_docs.slots);
    free(scan->seen_ranks.slots);
    free(scan->seen_queries.slots);
}

#endif
