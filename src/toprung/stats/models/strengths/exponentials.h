/* exp and log of several numbers at once: no branch and no table, so that a compiler makes vectors of loops.
   Both are right but for the last bit. */

#ifndef TOPRUNG_EXPONENTIALS_H
#define TOPRUNG_EXPONENTIALS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Loops over many numbers are compiled twice, as in stats/kernel: lanes never share a sum. */
#if defined(WIDE) /* said by whoever compiles it */
#elif defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif
#ifdef __GNUC__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif


INLINE double from_bits(int64_t bits) { double x; memcpy(&x, &bits, sizeof x); return x; }
INLINE int64_t to_bits(double x) { int64_t bits; memcpy(&bits, &x, sizeof bits); return bits; }

#define ROUNDER 0x1.8p52 /* added and taken away again, it leaves a whole number */
#define LOG2_HIGH 0x1.62e42feep-1
#define LOG2_LOW 0x1.a39ef35793c76p-33

/* e to the power of x, for x up to 700; below -700 it stays what it is there. */
INLINE double exp_of(double x) {
    x = x < -700.0 ? -700.0 : x;
    double shifted = x * 1.4426950408889634 + ROUNDER, whole = shifted - ROUNDER;
    double r = (x - whole * LOG2_HIGH) - whole * LOG2_LOW;
    double r2 = r * r, r4 = r2 * r2; /* in parts that do not wait for each other */
    double low = (1.0 + r) + (1.0 / 2.0 + r * (1.0 / 6.0)) * r2;
    double middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + (1.0 / 720.0 + r * (1.0 / 5040.0)) * r2;
    double high = (1.0 / 40320.0 + r * (1.0 / 362880.0)) + (1.0 / 3628800.0 + r * (1.0 / 39916800.0)) * r2;
    high += (1.0 / 479001600.0 + r * (1.0 / 6227020800.0)) * r4;
    double p = low + (middle + high * r4) * r4;
    return p * from_bits((int64_t)((uint64_t)(to_bits(shifted) + 1023) << 52));
}

/* The logarithm of x, for x from 1. */
INLINE double log_of(double x) {
    int64_t bits = to_bits(x);
    double m = from_bits((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
    double e = from_bits((int64_t)((uint64_t)bits >> 52) | 0x4330000000000000) - (0x1p52 + 1023.0);
    double half = m > 1.4142135623730951 ? 0.5 : 1.0, one = m > 1.4142135623730951 ? 1.0 : 0.0;
    m *= half;
    e += one;
    double f = (m - 1.0) / (m + 1.0), s = f * f;
    double s2 = s * s, s4 = s2 * s2;
    double low = (1.0 / 3.0 + s * (1.0 / 5.0)) + (1.0 / 7.0 + s * (1.0 / 9.0)) * s2;
    double middle = (1.0 / 11.0 + s * (1.0 / 13.0)) + (1.0 / 15.0 + s * (1.0 / 17.0)) * s2;
    double high = (1.0 / 19.0 + s * (1.0 / 21.0)) + (1.0 / 23.0) * s2;
    double p = low + (middle + high * s4) * s4;
    return e * LOG2_HIGH + (2.0 * f + (2.0 * f * s * p + e * LOG2_LOW));
}

#endif
