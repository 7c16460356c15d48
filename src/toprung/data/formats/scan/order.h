/* A query whose rows are all there: their order, and where the wanted documents stand in it. */

#ifndef TOPRUNG_ORDER_H
#define TOPRUNG_ORDER_H

#include "queries.h"

static int keep_query(Scan *scan, Kept *kept);          /* in kept.h */
static int note_query(const Scan *scan, Notes *notes); /* in notes.h */

static int by_score_falling(const void *a, const void *b) {
    double x = ((const Row *)a)->score, y = ((const Row *)b)->score;
    return (x < y) - (x > y);
}

static int by_doc_falling(const void *a, const void *b) {
    Text x = ((const Row *)a)->doc, y = ((const Row *)b)->doc;
    int order = memcmp(y.at, x.at, x.size < y.size ? x.size : y.size);
    return order ? order : (y.size > x.size) - (y.size < x.size);
}

/* Scores that differ as 64-bit numbers may tie as 32-bit ones. Writes down which of the wanted rows, in order
   already, would then stand elsewhere. */
static void note_32_bit_ties(Scan *scan) {
    Row *rows = scan->rows;
    size_t n = scan->n_rows;
    for (size_t first = 0, after; first < n; first = after) {
        int has_wanted = 0;
        float score = (float)rows[first].score;
        for (after = first; after < n && (float)rows[after].score == score; after++) has_wanted |= rows[after].wanted >= 0;
        if (!has_wanted || rows[after - 1].score == rows[first].score) continue;
        qsort(rows + first, after - first, sizeof(Row), by_doc_falling);
        for (size_t i = first; i < after; i++) {
            int64_t w = rows[i].wanted;
            if (w >= 0 && scan->rank[w] != (int32_t)(i + 1)) scan->rank_32_bit[w] = (int32_t)(i + 1);
        }
    }
}

static void note_group(Scan *scan, size_t first, size_t after) {
    Row *rows = scan->rows;
    if (after - first > 1) qsort(rows + first, after - first, sizeof(Row), by_doc_falling);
    for (size_t i = first; i < after; i++) {
        int64_t w = rows[i].wanted;
        if (w < 0) continue;
        int by_rank = scan->by_rank; /* the number written is the rank, gaps included */
        scan->rank[w] = by_rank ? (int32_t)rows[i].rank : (int32_t)(i + 1);
        scan->tie_first[w] = by_rank ? scan->rank[w] : (int32_t)(first + 1);
        scan->tie_last[w] = by_rank ? scan->rank[w] : (int32_t)after;
    }
}

/* Orders the query's rows and writes down where the wanted ones stand. Returns whether 32-bit scores may put them
   elsewhere. */
static int place_wanted(Scan *scan) {
    Row *rows = scan->rows;
    size_t n = scan->n_rows;
    int64_t highest_above = INT64_MIN; /* the largest rank number written above the present tie group */
    int contradicts = 0, has_32_bit_ties = 0;
    scan->n_tied = 0;
    if (!scan->is_sorted) qsort(rows, n, sizeof(Row), by_score_falling);
    for (size_t first = 0, after; first < n; first = after) {
        int has_wanted = 0;
        int64_t lowest = INT64_MAX, highest = INT64_MIN;
        for (after = first; after < n && rows[after].score == rows[first].score; after++) {
            has_wanted |= rows[after].wanted >= 0;
            if (rows[after].rank < lowest) lowest = rows[after].rank;
            if (rows[after].rank > highest) highest = rows[after].rank;
        }
        if (after - first > 1) scan->n_tied += after - first;
        contradicts |= lowest <= highest_above;
        if (highest > highest_above) highest_above = highest;
        has_32_bit_ties |= after < n && (float)rows[after].score == (float)rows[first].score;
        if (has_wanted) note_group(scan, first, after);
    }
    scan->highest_rank = highest_above;
    scan->contradicts = contradicts && scan->has_ranks;
    scan->contradicting_queries += scan->contradicts;
    scan->total_rows += (int64_t)n;
    if (scan->query < 0) return 0;
    scan->retrieved[scan->query] = (int32_t)n;
    return has_32_bit_ties && !scan->by_rank;
}

/* The query has no more rows. NO_MEMORY where they were to be kept, or it to be noted, and there is no room. */
static int end_query(Scan *scan) {
    int has_32_bit_ties = place_wanted(scan);
    int outcome = scan->kept ? keep_query(scan, scan->kept) : OK;
    if (outcome == OK && scan->notes) outcome = note_query(scan, scan->notes);
    if (has_32_bit_ties) note_32_bit_ties(scan); /* last, for it puts rows into another order */
    return outcome;
}

#endif
