/* The strengths in one pool: the sites of its pairs, sweep by sweep, until all have come to rest (propagation._fit). */

#ifndef TOPRUNG_SITES_H
#define TOPRUNG_SITES_H

#include "tilted.h"

#define MOST_SWEEPS 100       /* propagation.MOST_SWEEPS */
#define DAMPED_FROM 10        /* propagation.DAMPED_FROM */
#define LEAST_PRECISION 1e-10 /* propagation.LEAST_PRECISION */
#define LANES 8   /* pairs are filled up to as many */

/* One pool: its judged pairs, their normal distributions, and the strengths they make together. */
typedef struct {
    const int64_t *first, *second;
    const double *margin, *n;
    double *precision, *shift, *mean, *covariance;
    size_t pairs, items, judged; /* items from `judged` on are in no pair */
    double penalty;
} Pool;

typedef struct { double *joint, *factor, *pull, *by_precision, *by_shift; Tilted tilted; } Room;

/* The inverse of a symmetric matrix by its Cholesky factor, which is left inverted in `factor`; n rows of n. */
static void invert(const double *joint, double *factor, double *inverse, size_t n, size_t stride) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = joint[i * n + j];
            for (size_t k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
            factor[i * n + j] = i == j ? sqrt(sum) : sum / factor[j * n + j];
        }
    for (size_t j = 0; j < n; j++) { /* column by column: what is above has been inverted already */
        factor[j * n + j] = 1.0 / factor[j * n + j];
        for (size_t i = j + 1; i < n; i++) {
            double sum = 0.0;
            for (size_t k = j; k < i; k++) sum -= factor[i * n + k] * factor[k * n + j];
            factor[i * n + j] = sum / factor[i * n + i];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t k = i; k < n; k++) sum += factor[k * n + i] * factor[k * n + j];
            inverse[i * stride + j] = inverse[j * stride + i] = sum;
        }
}

/* The normal distribution of the strengths that the prior and all pairs make together. */
static void join(const Pool *of, Room *in) {
    size_t m = of->judged;
    memset(in->joint, 0, m * m * sizeof *in->joint);
    memset(in->pull, 0, m * sizeof *in->pull);
    for (size_t i = 0; i < m; i++) in->joint[i * m + i] = of->penalty;
    for (size_t k = 0; k < of->pairs; k++) {
        size_t a = (size_t)of->first[k], b = (size_t)of->second[k];
        in->joint[a * m + b] = in->joint[b * m + a] = -of->precision[k];
        in->joint[a * m + a] += of->precision[k];
        in->joint[b * m + b] += of->precision[k];
        in->pull[a] += of->shift[k];
        in->pull[b] -= of->shift[k];
    }
    invert(in->joint, in->factor, of->covariance, m, of->items);
    for (size_t i = 0; i < m; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < m; j++) sum += of->covariance[i * of->items + j] * in->pull[j];
        of->mean[i] = sum;
    }
}

/* Of some pairs what all but each itself say; they are filled up with pairs of no meaning. */
static void leave_out(const Pool *of, Tilted *to, size_t from, size_t count, size_t filled) {
    for (size_t i = 0; i < filled; i++) {
        to->margin[i] = to->centre[i] = to->peak[i] = 0.0;
        to->n[i] = to->without[i] = 1.0;
    }
    to->is_once = 1;
    for (size_t i = 0; i < count; i++) {
        size_t k = from + i, a = (size_t)of->first[k], b = (size_t)of->second[k], row = of->items;
        const double *covariance = of->covariance;
        double lead = of->mean[a] - of->mean[b];
        double variance = covariance[a * row + a] + covariance[b * row + b] - 2.0 * covariance[a * row + b];
        double rest = 1.0 / variance - of->precision[k];
        to->margin[i] = of->margin[k];
        to->n[i] = of->n[k];
        to->is_once &= of->n[k] == 1.0;
        to->without[i] = 1.0 / (rest > LEAST_PRECISION ? rest : LEAST_PRECISION);
        to->centre[i] = to->without[i] * (lead / variance - of->shift[k]);
        to->peak[i] = lead;
    }
}

/* How far the distribution of each pair is from what it should be; whether one is off by the tolerance. */
static int find_steps(const Pool *of, Room *in, const Integral *by, double tolerance) {
    int is_moving = 0;
    for (size_t from = 0; from < of->pairs; from += BLOCK) {
        size_t count = of->pairs - from < BLOCK ? of->pairs - from : BLOCK;
        size_t filled = (count + LANES - 1) / LANES * LANES;
        Tilted *tilted = &in->tilted;
        leave_out(of, tilted, from, count, filled);
        tilt(tilted, filled, by);
        for (size_t i = 0; i < count; i++) {
            double narrow = 1.0 / tilted->without[i], more = 1.0 / tilted->variance[i] - narrow;
            double wanted = more > 0.0 ? more : 0.0;
            double a = wanted - of->precision[from + i];
            double b = tilted->mean[i] * (wanted + narrow) - tilted->centre[i] / tilted->without[i] - of->shift[from + i];
            in->by_precision[from + i] = a;
            in->by_shift[from + i] = b;
            is_moving |= fabs(a) >= tolerance || fabs(b) >= tolerance;
        }
    }
    return is_moving;
}

static void fit(const Pool *of, Room *in, const Integral *by, double tolerance) {
    memset(of->mean, 0, of->items * sizeof *of->mean);
    memset(of->covariance, 0, of->items * of->items * sizeof *of->covariance);
    for (size_t i = of->judged; i < of->items; i++) of->covariance[i * of->items + i] = 1.0 / of->penalty;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double pace = sweep < DAMPED_FROM ? 1.0 : 0.5;
        join(of, in);
        if (!find_steps(of, in, by, tolerance)) return;
        for (size_t k = 0; k < of->pairs; k++) {
            of->precision[k] += pace * in->by_precision[k];
            of->shift[k] += pace * in->by_shift[k];
        }
    }
}

#endif
