/* How often is each item the strongest of its pool, at points of the normal distribution? (strength_posterior.p_best) */

#ifndef TOPRUNG_BEST_H
#define TOPRUNG_BEST_H

#include "exponentials.h"

/* Four numbers side by side, and what is so of each: all bits, or none. */
typedef double Doubles __attribute__((vector_size(32)));
typedef double AnyDoubles __attribute__((vector_size(32), aligned(8), may_alias)); /* wherever they stand */
typedef int64_t Flags __attribute__((vector_size(32)));
#define VECTORS 4
#define CHUNK (4 * VECTORS) /* points at once: as many as stay in registers */

/* The pools of a call, and the points, filled up with NaN to whole chunks: it is never the largest. */
typedef struct { const double *factor, *centre, *points; size_t pools, items, stride; double *found; } Draws;
typedef struct { Doubles drawn[VECTORS]; Flags times; } Item;

/* The strengths of one item at a chunk of points. */
INLINE void draw(Item *restrict item, const double *factor, double centre, size_t n, const double *points, size_t stride) {
    Doubles sum[VECTORS] = {{0.0}};
    for (size_t j = 0; j < n; j++) {
        Doubles by = {factor[j], factor[j], factor[j], factor[j]};
        const AnyDoubles *point = (const AnyDoubles *)(points + j * stride);
        for (int v = 0; v < VECTORS; v++) sum[v] += by * point[v];
    }
    for (int v = 0; v < VECTORS; v++) item->drawn[v] = sum[v] + centre;
}

/* Who is the strongest of a pool at a chunk of points? Equals both count. Items that do not count are not drawn. */
INLINE void count_chunk(const Draws *of, const double *factor, const double *centre, size_t from, Item *items) {
    Doubles best[VECTORS];
    for (int v = 0; v < VECTORS; v++) best[v] = (Doubles){-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < of->items; i++) {
        if (centre[i] == -INFINITY) continue;
        draw(&items[i], factor + i * of->items, centre[i], i + 1, of->points + from, of->stride);
        for (int v = 0; v < VECTORS; v++) {
            Flags is_more = items[i].drawn[v] > best[v];
            best[v] = (Doubles)(((Flags)items[i].drawn[v] & is_more) | ((Flags)best[v] & ~is_more));
        }
    }
    for (size_t i = 0; i < of->items; i++)
        for (int v = 0; v < VECTORS && centre[i] != -INFINITY; v++) items[i].times -= items[i].drawn[v] == best[v];
}

WIDE static void count_pool(const Draws *of, size_t pool, Item *items) {
    const double *factor = of->factor + pool * of->items * of->items, *centre = of->centre + pool * of->items;
    for (size_t i = 0; i < of->items; i++) items[i].times = (Flags){0, 0, 0, 0};
    for (size_t from = 0; from < of->stride; from += CHUNK) count_chunk(of, factor, centre, from, items);
    for (size_t i = 0; i < of->items; i++) {
        Flags times = items[i].times;
        of->found[pool * of->items + i] = (double)(times[0] + times[1] + times[2] + times[3]);
    }
}

static double *fill_up(const double *points, size_t items, size_t count, size_t stride) {
    double *filled = malloc((items * stride + 1) * sizeof *filled);
    for (size_t i = 0; filled && i < items; i++) {
        memcpy(filled + i * stride, points + i * count, count * sizeof *filled);
        for (size_t p = count; p < stride; p++) filled[i * stride + p] = NAN;
    }
    return filled;
}

/* Memory for items, which vectors need to begin at a multiple of their size. */
static Item *make_items(size_t items, void **whole) {
    *whole = malloc((items + 1) * sizeof(Item));
    return *whole ? (Item *)(((uintptr_t)*whole + sizeof(Doubles) - 1) / sizeof(Doubles) * sizeof(Doubles)) : NULL;
}

static int count_all(Draws *of, const double *points, size_t count) {
    void *whole;
    of->stride = (count + CHUNK - 1) / CHUNK * CHUNK;
    double *filled = fill_up(points, of->items, count, of->stride);
    Item *items = make_items(of->items, &whole);
    of->points = filled;
    for (size_t pool = 0; filled && items && pool < of->pools; pool++) count_pool(of, pool, items);
    free(filled);
    free(whole);
    return filled && items;
}

#endif
