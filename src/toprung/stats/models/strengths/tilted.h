/* A difference of two strengths by the votes on its pair and by what all other pairs say: an integral over a few nodes
   (propagation._Tilted). */

#ifndef TOPRUNG_TILTED_H
#define TOPRUNG_TILTED_H

#include "exponentials.h"

#define PEAK_STEPS 4          /* propagation.PEAK_STEPS */
#define LONGEST_STEP 2.0      /* propagation.LONGEST_STEP */
#define AT_PEAK 1e-8          /* the next step of Newton's would be lost in rounding */
#define BLOCK 64  /* pairs at once */

/* Some pairs of one pool: what their votes say, what all others say, and what both say together. */
typedef struct {
    double margin[BLOCK], n[BLOCK], centre[BLOCK], without[BLOCK], peak[BLOCK], width[BLOCK], moved[BLOCK];
    double half[BLOCK], narrow[BLOCK], at_peak[BLOCK], total[BLOCK], mean[BLOCK], variance[BLOCK];
    int is_once; /* whether each has one vote */
    /* half: of the margin; narrow: half of the precision of what all others say */
} Tilted;

typedef struct { const double *node, *weight; size_t count; double tie_rate; } Integral;

/* First and second derivative of log(2 cosh(x/2) + 2ν). */
INLINE void find_slopes(double x, double tie_rate, double *slope, double *bend) {
    double small = exp_of(fabs(x) * -0.5), total = 1.0 + small * (small + 2.0 * tie_rate);
    double sign = x > 0.0 ? 1.0 : 0.0;
    sign = x < 0.0 ? -1.0 : sign;
    double inverse = 1.0 / total;
    *slope = sign * (1.0 - small * small) * (0.5 * inverse);
    *bend = (1.0 + small * small) * (0.25 * inverse) - *slope * *slope;
}

INLINE void step_to_peaks(Tilted *of, size_t count, double tie_rate) {
    for (size_t i = 0; i < count; i++) {
        double n = of->n[i], narrow = 1.0 / of->without[i], slope, bend;
        find_slopes(of->peak[i], tie_rate, &slope, &bend);
        double uphill = of->margin[i] / 2.0 - n * slope - (of->peak[i] - of->centre[i]) * narrow;
        double by = uphill / (n * bend + narrow);
        by = by > LONGEST_STEP ? LONGEST_STEP : by;
        by = by < -LONGEST_STEP ? -LONGEST_STEP : by;
        of->peak[i] += by;
        of->moved[i] = by;
    }
}

static int have_moved(const Tilted *of, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(fabs(of->moved[i]) < AT_PEAK)) return 1;
    return 0;
}

/* What is integrated, as a logarithm: the votes on a pair at some lead, and what all others say of it. */
INLINE double log_mass(const Tilted *of, size_t i, double lead, double twice_tie_rate) {
    double half = fabs(lead) * -0.5, small = exp_of(half), off = lead - of->centre[i];
    double said = (half - log_of(1.0 + small * (small + twice_tie_rate))) * of->n[i] + of->half[i] * lead;
    return said - off * off * of->narrow[i];
}

/* How wide each peak is, and how high. */
INLINE void measure_peaks(Tilted *of, size_t count, double tie_rate) {
    for (size_t i = 0; i < count; i++) {
        double slope, bend;
        find_slopes(of->peak[i], tie_rate, &slope, &bend);
        of->half[i] = of->margin[i] / 2.0;
        of->narrow[i] = 0.5 / of->without[i];
        of->width[i] = 1.0 / sqrt(of->n[i] * bend + 1.0 / of->without[i]);
        of->at_peak[i] = log_mass(of, i, of->peak[i], 2.0 * tie_rate);
        of->total[i] = of->mean[i] = of->variance[i] = 0.0;
    }
}

/* Add what is integrated at one node, relative to the peak: `mean` and `variance` are sums until the end. */
INLINE void add_mass(Tilted *of, size_t i, double mass, double off) {
    of->total[i] += mass;
    of->mean[i] += mass * off;
    of->variance[i] += mass * off * off;
}

INLINE void add_node(Tilted *of, size_t count, double node, double weight, double tie_rate) {
    for (size_t i = 0; i < count; i++) {
        double off = of->width[i] * node;
        double mass = log_mass(of, i, of->peak[i] + off, 2.0 * tie_rate) - of->at_peak[i] + node * node / 2.0;
        add_mass(of, i, exp_of(mass) * weight, off);
    }
}

/* The same of pairs with one vote each, which take no logarithm. */
INLINE void add_node_of_one(Tilted *of, size_t count, double node, double weight, double tie_rate) {
    for (size_t i = 0; i < count; i++) {
        double off = of->width[i] * node, lead = of->peak[i] + off, from_centre = lead - of->centre[i];
        double half = fabs(lead) * -0.5, small = exp_of(half);
        double mass = half + of->half[i] * lead - from_centre * from_centre * of->narrow[i];
        mass = exp_of(mass - of->at_peak[i] + node * node / 2.0) / (1.0 + small * (small + 2.0 * tie_rate));
        add_mass(of, i, mass * weight, off);
    }
}

/* Mean and variance of each difference. Nodes lie around its peak, as wide as it is. */
WIDE static void tilt(Tilted *of, size_t count, const Integral *by) {
    for (int step = 0; step < PEAK_STEPS; step++) {
        step_to_peaks(of, count, by->tie_rate);
        if (!have_moved(of, count)) break;
    }
    measure_peaks(of, count, by->tie_rate);
    for (size_t k = 0; k < by->count; k++)
        if (of->is_once) add_node_of_one(of, count, by->node[k], by->weight[k], by->tie_rate);
        else add_node(of, count, by->node[k], by->weight[k], by->tie_rate);
    for (size_t i = 0; i < count; i++) {
        double off = of->mean[i] / of->total[i];
        of->mean[i] = of->peak[i] + off;
        of->variance[i] = of->variance[i] / of->total[i] - off * off;
    }
}

#endif
