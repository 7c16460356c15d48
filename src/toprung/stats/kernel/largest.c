/* Simultaneous tests of all pairs by the largest resampled t, where each pair keeps its observed standard error.

   In every resample the largest of (d_i − d_j) · scale_ij is wanted over the tests that are still open, and of these
   largest, over all resamples, one order statistic: the critical value. Nearly all pairs can be ruled out without
   looking at them. Runs are taken in tiles; how far apart two tiles lie in a resample, times their largest scale, bounds
   all their pairs, and a pair matters only if it may exceed both the largest found so far in this resample and the
   order statistic of what is found so far in all. What is left is looked at in single precision, with a margin for its
   rounding, and what may then still exceed is computed as Python computes it. So the result is exact. */

#include "kernel.h"

#define TILE 64
#define SEEDS 12          /* runs from either end whose pairs are tried first */
#define MARGIN 2e-6       /* more than single precision loses in a product of three rounded factors */
#define BOTH_WAYS 1u      /* lowest bit of a scale: the test counts both ways; else its sign tells which */

typedef struct {
    size_t runs, resamples, tiles, n;
    const double *mean, *resampled, *variance;
    const uint8_t *marks;
    double usual;
    double unit;           /* the largest distance of a resampled mean; single-precision distances are in it */
    double rounding;       /* what a distance may be off by in double precision and rounded means, in units */
    double *best, *bound;  /* of each resample: the largest found, and what the largest is at most */
    int64_t *where;        /* which test that is: twice the pair, and 1 for the second run; -1 if none */
    float *distance;       /* tile × resample × run in tile: resampled less observed mean, in units */
    float *high, *low;     /* tile × resample */
    uint8_t *is_open;      /* whether the largest of a resample must be searched */
} Search;

typedef struct { float scale[TILE * TILE]; float row_largest[TILE]; float largest; } Tile;

static inline double error_of(const Search *s, size_t pair) {
    return sqrt((s->variance[pair] + s->usual) / (double)s->n);
}

/* As Python does it: the difference less the observed one, rounded, times one over its standard error. */
static inline double resampled_t(const Search *s, size_t earlier, size_t later, size_t resample) {
    double error = error_of(s, pair_at(earlier, later)), scale = error > 0 ? 1.0 / error : 0.0;
    double moved = s->resampled[earlier * s->resamples + resample] - s->resampled[later * s->resamples + resample];
    moved -= round_mean(s->mean[earlier] - s->mean[later]);
    return round_mean(moved) * scale;
}

static void try_pair(Search *s, size_t earlier, size_t later, size_t resample) {
    size_t pair = pair_at(earlier, later);
    uint8_t marks = s->marks[pair];
    if (!marks) return;
    double t = resampled_t(s, earlier, later, resample);
    if ((marks & FIRST_MAY_BE_BETTER) && t > s->best[resample]) {
        s->best[resample] = t;
        s->where[resample] = (int64_t)(2 * pair);
    }
    if ((marks & SECOND_MAY_BE_BETTER) && -t > s->best[resample]) {
        s->best[resample] = -t;
        s->where[resample] = (int64_t)(2 * pair + 1);
    }
}

/* ---- the distances of runs from their observed means ---- */

static int measure_unit(Search *s) {
    double size = 0;
    s->unit = 0;
    for (size_t run = 0; run < s->runs; run++)
        for (size_t b = 0; b < s->resamples; b++) {
            double mean = s->resampled[run * s->resamples + b], distance = fabs(mean - s->mean[run]);
            if (!isfinite(distance)) return 0;
            if (distance > s->unit) s->unit = distance;
            if (fabs(mean) > size) size = fabs(mean);
        }
    if (!(s->unit > 1e-12) || !(s->unit < 1e100)) return 0;
    s->rounding = (3 / MEAN_UNIT + 8 * 2.3e-16 * size) / s->unit + 4 * 6e-8;
    return 1;
}

static void fill_distances(Search *s) {
    for (size_t tile = 0; tile < s->tiles; tile++)
        for (size_t l = 0; l < TILE; l++) {
            size_t run = tile * TILE + l;
            float *to = s->distance + tile * s->resamples * TILE + l;
            for (size_t b = 0; b < s->resamples; b++, to += TILE)
                *to = run < s->runs ? (float)((s->resampled[run * s->resamples + b] - s->mean[run]) / s->unit) : 0.0f;
        }
    for (size_t i = 0; i < s->tiles * s->resamples; i++) { /* a run that does not exist counts as 0: only wider */
        float high = s->distance[i * TILE], low = high;
        for (size_t l = 1; l < TILE; l++) {
            float d = s->distance[i * TILE + l];
            if (d > high) high = d;
            if (d < low) low = d;
        }
        s->high[i] = high;
        s->low[i] = low;
    }
}

/* ---- tiles of scales ---- */

static inline float sign_scale(float scale, uint8_t marks) {
    uint32_t bits;
    memcpy(&bits, &scale, 4);
    bits = (bits & ~BOTH_WAYS) | (marks == (FIRST_MAY_BE_BETTER | SECOND_MAY_BE_BETTER) ? BOTH_WAYS : 0);
    bits |= marks == SECOND_MAY_BE_BETTER ? 0x80000000u : 0;
    bits = marks ? bits : 0;
    memcpy(&scale, &bits, 4);
    return scale;
}

/* The scales of a later run with up to TILE earlier ones. `factor` turns a variance into units of distance squared. */
WIDE static void fill_row(const double *variance, const uint8_t *marks, size_t count, double usual, double factor,
                          float *scale) {
    for (size_t l = 0; l < count; l++) {
        float squared = (float)((variance[l] + usual) * factor);
        scale[l] = sign_scale(squared > 0 ? 1.0f / sqrtf(squared) : 0.0f, marks[l]);
    }
    for (size_t l = count; l < TILE; l++) scale[l] = 0.0f;
}

static void fill_tile(const Search *s, size_t earlier_tile, size_t later_tile, Tile *tile) {
    double factor = 1 / ((double)s->n * s->unit * s->unit);
    tile->largest = 0;
    for (size_t r = 0; r < TILE; r++) {
        size_t later = later_tile * TILE + r, from = earlier_tile * TILE;
        size_t count = later < s->runs && later > from ? later - from : 0;
        if (count > TILE) count = TILE;
        size_t pair = count ? pair_at(from, later) : 0;
        float *scale = tile->scale + r * TILE, largest = 0;
        fill_row(s->variance + pair, s->marks + pair, count, s->usual, factor, scale);
        for (size_t l = 0; l < TILE; l++) largest = fabsf(scale[l]) > largest ? fabsf(scale[l]) : largest;
        tile->row_largest[r] = largest;
        if (largest > tile->largest) tile->largest = largest;
    }
}

/* Whether single precision can hold every scale, and hold it apart from 0. */
static int scales_fit(const Search *s) {
    double factor = 1 / ((double)s->n * s->unit * s->unit);
    size_t pairs = pair_count(s->runs);
    for (size_t pair = 0; pair < pairs; pair++) {
        double squared = (s->variance[pair] + s->usual) * factor;
        if (!(squared == 0 || (squared > 1e-24 && squared < 1e24))) return 0;
    }
    return 1;
}

/* ---- looking at the pairs of two tiles in one resample ---- */

static inline int32_t test_value(float earlier, float later, float scale) {
    float t = (earlier - later) * scale;
    uint32_t bits, scale_bits;
    memcpy(&bits, &t, 4);
    memcpy(&scale_bits, &scale, 4);
    return (int32_t)(bits & ~(scale_bits << 31)); /* both ways: the sign is taken off */
}

typedef struct { float value; int32_t bits; } Limit; /* numbers above 0 compare as their bits do */

static Limit limit_of(double found, double slack) {
    double at_least = (found - slack) * (1 - MARGIN);
    Limit limit = {-1.0f, INT32_MIN};
    if (at_least > 1e-30) {
        limit.value = (float)at_least;
        memcpy(&limit.bits, &limit.value, 4);
    }
    return limit;
}

/* The rows (later runs) of a tile in which some test may exceed the limit. */
WIDE static size_t find_rows(const float *earlier, const float *later, const Tile *tile, float high, float low,
                             Limit limit, uint8_t *rows) {
    float may_be[TILE];
    size_t count = 0;
    for (size_t r = 0; r < TILE; r++) {
        float up = high - later[r], down = later[r] - low;
        may_be[r] = (up > down ? up : down) * tile->row_largest[r];
    }
    for (size_t r = 0; r < TILE; r++) {
        if (!(may_be[r] > limit.value)) continue;
        const float *scale = tile->scale + r * TILE;
        int32_t any = 0;
        for (size_t l = 0; l < TILE; l++) any |= test_value(earlier[l], later[r], scale[l]) > limit.bits;
        if (any) rows[count++] = (uint8_t)r;
    }
    return count;
}

static void try_rows(Search *s, size_t earlier_tile, size_t later_tile, size_t resample, const Tile *tile,
                     double least, double slack, const uint8_t *rows, size_t count) {
    const float *earlier = s->distance + (earlier_tile * s->resamples + resample) * TILE;
    const float *later = s->distance + (later_tile * s->resamples + resample) * TILE;
    for (size_t k = 0; k < count; k++) {
        size_t r = rows[k], j = later_tile * TILE + r;
        for (size_t l = 0; l < TILE; l++) {
            double found = s->best[resample] > least ? s->best[resample] : least;
            if (test_value(earlier[l], later[r], tile->scale[r * TILE + l]) <= limit_of(found, slack).bits) continue;
            size_t i = earlier_tile * TILE + l;
            if (i < j && j < s->runs) try_pair(s, i, j, resample);
        }
    }
}

static void search_tile(Search *s, size_t earlier_tile, size_t later_tile, const Tile *tile, double least) {
    double slack = tile->largest * s->rounding;
    uint8_t rows[TILE];
    for (size_t b = 0; b < s->resamples; b++) {
        if (!s->is_open[b]) continue;
        size_t at_earlier = earlier_tile * s->resamples + b, at_later = later_tile * s->resamples + b;
        float up = s->high[at_earlier] - s->low[at_later], down = s->high[at_later] - s->low[at_earlier];
        double found = s->best[b] > least ? s->best[b] : least;
        Limit limit = limit_of(found, slack);
        if (!((up > down ? up : down) * tile->largest > limit.value)) continue;
        size_t count = find_rows(s->distance + at_earlier * TILE, s->distance + at_later * TILE, tile,
                                 s->high[at_earlier], s->low[at_earlier], limit, rows);
        if (count) try_rows(s, earlier_tile, later_tile, b, tile, least, slack, rows, count);
    }
}

/* ---- the whole search ---- */

static void note_extreme(float *kept, size_t *runs, float value, size_t run) { /* kept is falling */
    if (!(value > kept[SEEDS - 1])) return;
    size_t at = SEEDS - 1;
    for (; at > 0 && value > kept[at - 1]; at--) {
        kept[at] = kept[at - 1];
        runs[at] = runs[at - 1];
    }
    kept[at] = value;
    runs[at] = run;
}

/* The runs farthest up against those farthest down: where the largest is likely to be. */
static void seed_resample(Search *s, size_t resample) {
    float high[SEEDS], low[SEEDS];
    size_t up[SEEDS] = {0}, down[SEEDS] = {0};
    for (size_t k = 0; k < SEEDS; k++) high[k] = low[k] = -INFINITY;
    for (size_t run = 0; run < s->runs; run++) {
        float d = s->distance[(run / TILE * s->resamples + resample) * TILE + run % TILE];
        note_extreme(high, up, d, run);
        note_extreme(low, down, -d, run);
    }
    for (size_t a = 0; a < SEEDS; a++)
        for (size_t b = 0; b < SEEDS; b++)
            if (up[a] != down[b]) try_pair(s, up[a] < down[b] ? up[a] : down[b], up[a] < down[b] ? down[b] : up[a], resample);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double order_statistic(const double *values, size_t count, size_t place, double *room) {
    memcpy(room, values, count * sizeof(double));
    qsort(room, count, sizeof(double), by_size);
    return room[place - 1];
}

/* Keeps what is known from a search among more tests: a largest that is still open is the largest still. */
static void begin_search(Search *s) {
    for (size_t b = 0; b < s->resamples; b++) {
        int64_t where = s->where[b];
        int still = where >= 0 && (s->marks[where / 2] & (where % 2 ? SECOND_MAY_BE_BETTER : FIRST_MAY_BE_BETTER));
        if (!still) {
            s->best[b] = 0;
            s->where[b] = -1;
        }
        s->is_open[b] = !(still && s->best[b] == s->bound[b]);
        if (s->is_open[b]) seed_resample(s, b);
    }
}

static double search_all(Search *s, size_t place, double *room, Tile *tile) {
    begin_search(s);
    double least = order_statistic(s->best, s->resamples, place, room);
    for (size_t later = 0; later < s->tiles; later++) {
        for (size_t earlier = 0; earlier <= later; earlier++) {
            fill_tile(s, earlier, later, tile);
            if (tile->largest > 0) search_tile(s, earlier, later, tile, least);
        }
        least = order_statistic(s->best, s->resamples, place, room);
    }
    for (size_t b = 0; b < s->resamples; b++)
        if (s->is_open[b]) s->bound[b] = s->best[b] > least ? s->best[b] : least;
    return least;
}

/* NaN where single precision cannot hold the numbers; -1 where memory is short. */
static double run_search(Search *s, size_t place) {
    size_t cells = s->tiles * s->resamples;
    if (!measure_unit(s) || !scales_fit(s)) return NAN;
    s->distance = malloc(cells * TILE * sizeof(float));
    s->high = malloc(cells * sizeof(float));
    s->low = malloc(cells * sizeof(float));
    s->is_open = malloc(s->resamples);
    double *room = malloc(s->resamples * sizeof(double));
    Tile *tile = malloc(sizeof(Tile));
    double found = -1;
    if (s->distance && s->high && s->low && s->is_open && room && tile) {
        fill_distances(s);
        found = search_all(s, place, room, tile);
    }
    free(s->distance); free(s->high); free(s->low); free(s->is_open); free(room); free(tile);
    return found;
}

static int tests_exist(const int64_t *where, size_t count, size_t pairs) {
    for (size_t i = 0; i < count; i++)
        if (where[i] < -1 || (where[i] >= 0 && (size_t)where[i] / 2 >= pairs)) return 0;
    return 1;
}

PyObject *py_largest_scaled(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[7]; /* mean, resampled, variance, marks, best, bound, where */
    double usual;
    Py_ssize_t n, place;
    if (!PyArg_ParseTuple(args, "y*y*y*dny*nw*w*w*", &of[0], &of[1], &of[2], &usual, &n, &of[3], &place, &of[4], &of[5],
                          &of[6]))
        return NULL;
    size_t runs = (size_t)of[0].len / sizeof(double), resamples = (size_t)of[4].len / sizeof(double);
    int fits = runs && runs < UINT32_MAX && resamples && resamples < UINT32_MAX && n > 0 && place > 0 &&
               (size_t)place <= resamples && holds(&of[0], runs, sizeof(double)) &&
               holds(&of[1], runs * resamples, sizeof(double)) && holds(&of[2], pair_count(runs), sizeof(double)) &&
               holds(&of[3], pair_count(runs), 1) && holds(&of[4], resamples, sizeof(double)) &&
               holds(&of[5], resamples, sizeof(double)) && holds(&of[6], resamples, sizeof(int64_t)) &&
               tests_exist(of[6].buf, resamples, pair_count(runs));
    double found = 0;
    if (fits) {
        Search search = {.runs = runs, .resamples = resamples, .tiles = (runs + TILE - 1) / TILE, .n = (size_t)n,
                         .mean = of[0].buf, .resampled = of[1].buf, .variance = of[2].buf, .marks = of[3].buf,
                         .usual = usual, .best = of[4].buf, .bound = of[5].buf, .where = of[6].buf};
        PyThreadState *thread = PyEval_SaveThread();
        found = run_search(&search, (size_t)place);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 7);
    if (!fits) return refuse_arrays();
    if (found == -1) return PyErr_NoMemory();
    return PyFloat_FromDouble(found);
}
