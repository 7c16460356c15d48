/* Ranks and scores as people write them, read strictly and rounded correctly. */

#ifndef TOPRUNG_NUMBERS_H
#define TOPRUNG_NUMBERS_H

#include "texts.h"

static inline int is_digit(char c) { return c >= '0' && c <= '9'; }

#ifdef __SIZEOF_INT128__
static const uint64_t powers_of_five[28] = {
    1ULL, 5ULL, 25ULL, 125ULL, 625ULL, 3125ULL, 15625ULL, 78125ULL, 390625ULL, 1953125ULL, 9765625ULL,
    48828125ULL, 244140625ULL, 1220703125ULL, 6103515625ULL, 30517578125ULL, 152587890625ULL,
    762939453125ULL, 3814697265625ULL, 19073486328125ULL, 95367431640625ULL, 476837158203125ULL,
    2384185791015625ULL, 11920928955078125ULL, 59604644775390625ULL, 298023223876953125ULL,
    1490116119384765625ULL, 7450580596923828125ULL};

/* The largest whole numbers below 2^(63 + b) / 5^k, where 5^k has b bits: they have 64. */
static const uint64_t reciprocals[28] = {
    0xffffffffffffffffULL, 0xccccccccccccccccULL, 0xa3d70a3d70a3d70aULL, 0x83126e978d4fdf3bULL, 0xd1b71758e219652bULL,
    0xa7c5ac471b478423ULL, 0x8637bd05af6c69b5ULL, 0xd6bf94d5e57a42bcULL, 0xabcc77118461cefcULL, 0x89705f4136b4a597ULL,
    0xdbe6fecebdedd5beULL, 0xafebff0bcb24aafeULL, 0x8cbccc096f5088cbULL, 0xe12e13424bb40e13ULL, 0xb424dc35095cd80fULL,
    0x901d7cf73ab0acd9ULL, 0xe69594bec44de15bULL, 0xb877aa3236a4b449ULL, 0x9392ee8e921d5d07ULL, 0xec1e4a7db69561a5ULL,
    0xbce5086492111aeaULL, 0x971da05074da7beeULL, 0xf1c90080baf72cb1ULL, 0xc16d9a0095928a27ULL, 0x9abe14cd44753b52ULL,
    0xf79687aed3eec551ULL, 0xc612062576589ddaULL, 0x9e74d1b791e07e48ULL};

/* number * 2^power, neither of which is too large or small. */
static inline double times_power_of_two(uint64_t number, int power) {
    uint64_t bits = (uint64_t)(1023 + power) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return (double)number * scale;
}

/* digits / 10^k, correctly rounded: an exact integer quotient of at least 65 bits, then round half to even. */
static ON_ITS_OWN double divide_exactly(uint64_t digits, int k) {
    int lead = __builtin_clzll(digits);
    unsigned __int128 numerator = (unsigned __int128)(digits << lead) << 64;
    unsigned __int128 quotient = numerator / powers_of_five[k];
    int is_inexact = quotient * powers_of_five[k] != numerator;
    int bits = 128 - __builtin_clzll((uint64_t)(quotient >> 64)); /* the high half is never 0 here */
    int drop = bits - 53;
    uint64_t mantissa = (uint64_t)(quotient >> drop);
    unsigned __int128 rest = quotient & (((unsigned __int128)1 << drop) - 1);
    unsigned __int128 half = (unsigned __int128)1 << (drop - 1);
    if (rest > half || (rest == half && (is_inexact || (mantissa & 1)))) mantissa++;
    return times_power_of_two(mantissa, drop - 64 - lead - k); /* a normal number, as the quotient is */
}

/* The same by one product with the reciprocal, as Lemire (2021) reads numbers. The quotient lies between its upper half
   and two more; only where half of a last place lies there too, once in 500 to 1,000 numbers, it takes the division. */
static inline double divide_by_power_of_ten(uint64_t digits, int k) {
    int lead = __builtin_clzll(digits);
    uint64_t quotient = (uint64_t)(((unsigned __int128)(digits << lead) * reciprocals[k]) >> 64);
    int drop = quotient >> 63 ? 11 : 10;
    uint64_t rest = quotient & ((1ULL << drop) - 1), half = 1ULL << (drop - 1);
    if (rest == half || rest + 1 == half) return divide_exactly(digits, k);
    int bits = 64 - __builtin_clzll(powers_of_five[k]);
    return times_power_of_two((quotient >> drop) + (rest > half), drop + 1 - bits - lead - k);
}
#endif

/* ---- eight digits at once, where eight bytes can be loaded ---- */

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HAS_DIGITS_AT_ONCE 1

static const uint64_t whole_powers[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/* The number that n digits at p are, n from 1 to 8; *are_digits is kept only if they all are. */
static inline uint64_t digits_at(const char *p, int n, int *are_digits) {
    const uint64_t zeros = 0x3030303030303030ULL;
    uint64_t word;
    memcpy(&word, p, 8);
    word = word << (64 - 8 * n) | zeros >> 4 * n >> 4 * n; /* leading zeros before the digits */
    *are_digits &= !(((word + 0x4646464646464646ULL) | (word - zeros)) & 0x8080808080808080ULL);
    word = (word & 0x0f0f0f0f0f0f0f0fULL) * 2561 >> 8;
    word = (word & 0x00ff00ff00ff00ffULL) * 6553601 >> 16;
    return (word & 0x0000ffff0000ffffULL) * 42949672960001ULL >> 32;
}

/* The same with 9 to 18 digits behind the point, as programs write a number that they computed; 19 in all, at most. */
static inline int parse_long_score(const char *p, int n, ptrdiff_t n_after, int negative, double *value) {
#ifdef __SIZEOF_INT128__
    int are_digits = 1;
    const char *after = p + n + 1;
    if (n + n_after > 19) return 0;
    uint64_t digits = digits_at(p, n, &are_digits);
    ptrdiff_t left = n_after;
    for (; left >= 8; left -= 8, after += 8) digits = digits * 100000000 + digits_at(after, 8, &are_digits);
    if (left) digits = digits * whole_powers[left] + digits_at(after, (int)left, &are_digits);
    if (!are_digits) return 0;
    double number = digits ? divide_by_power_of_ten(digits, (int)n_after) : 0.0;
    *value = negative ? -number : number;
    return 1;
#else
    (void)p, (void)n, (void)n_after, (void)negative, (void)value;
    return 0;
#endif
}

/* A score of the usual form, [-] 1 to 8 digits . 1 to 8 digits: a whole number of at most 16 digits over a power of
   ten, which one division rounds correctly up to 2^53. Returns 0 for any other form. */
static inline int parse_usual_score(Text text, const char *readable, double *value) {
    static const double powers[9] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    const char *p = text.at, *end = p + text.size;
    int negative = *p == '-', are_digits = 1, n = 1;
    p += negative;
    if (readable - end < 9) return 0;
    while (n <= 8 && p[n] != '.') n++; /* stops before the end or behind it, in bytes that can be read */
    ptrdiff_t n_after = end - p - n - 1;
    if (n > 8 || n_after < 1) return 0;
    if (n_after > 8) return parse_long_score(p, n, n_after, negative, value);
    uint64_t digits = digits_at(p, n, &are_digits) * whole_powers[n_after] + digits_at(p + n + 1, (int)n_after, &are_digits);
    if (!are_digits || digits > 1ULL << 53) return 0;
    double number = (double)digits / powers[n_after];
    *value = negative ? -number : number;
    return 1;
}
#endif

static int parse_any_rank(Text text, int64_t *value) {
    const char *p = text.at, *end = p + text.size;
    int negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end) return 0;
    if (end - p > 18) { /* only leading zeros make a number this long */
        while (end - p > 18 && *p == '0') p++;
        if (end - p > 18) return 0;
    }
    int64_t number = 0;
    for (; p < end; p++) {
        if (!is_digit(*p)) return 0;
        number = 10 * number + (*p - '0');
    }
    *value = negative ? -number : number;
    return 1;
}

/* [+-] digits, of at most 18 digits without leading zeros. Bytes before `readable` may be looked at. */
static inline int parse_rank(Text text, const char *readable, int64_t *value) {
#ifdef HAS_DIGITS_AT_ONCE
    int are_digits = 1;
    if (text.size - 1 < 8 && readable - text.at >= 8) {
        *value = (int64_t)digits_at(text.at, (int)text.size, &are_digits);
        if (are_digits) return 1;
    }
#endif
    (void)readable;
    return parse_any_rank(text, value);
}

/* The rare number the quick ways do not cover goes to Python's own correctly rounded parser. */
static double parse_with_python(PyThreadState **thread, Text text) {
    double value = NAN;
    PyEval_RestoreThread(*thread);
    PyObject *copy = PyBytes_FromStringAndSize(text.at, (Py_ssize_t)text.size);
    if (copy != NULL) {
        value = PyOS_string_to_double(PyBytes_AsString(copy), NULL, NULL);
        Py_DECREF(copy);
    }
    PyErr_Clear(); /* the grammar was checked before; what is left can only be reported as a bad line */
    *thread = PyEval_SaveThread();
    return value;
}

/* [+-] digits [. digits] [e [+-] digits], at least one digit; the value must be finite. */
static int parse_any_score(PyThreadState **thread, Text text, double *value) {
    static const double powers_of_ten[23] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
                                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *p = text.at, *end = p + text.size;
    int negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;

    uint64_t digits = 0; /* wraps round beyond 19 digits; then it is not used */
    const char *first = p;
    while (p < end && *p == '0') p++;
    const char *whole = p;
    for (; p < end && is_digit(*p); p++) digits = 10 * digits + (uint64_t)(*p - '0');
    ptrdiff_t significant = p - whole, exponent = 0;
    int any = p > first, written = 0, written_sign = 1;
    if (p < end && *p == '.') {
        const char *point = ++p;
        if (!significant) while (p < end && *p == '0') p++;
        const char *fraction = p;
        for (; p < end && is_digit(*p); p++) digits = 10 * digits + (uint64_t)(*p - '0');
        significant += p - fraction;
        exponent = point - p;
        any |= p > point;
    }
    if (!any) return 0;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '-' || *p == '+')) written_sign = *p++ == '-' ? -1 : 1;
        if (p == end) return 0;
        for (; p < end && is_digit(*p); p++)
            if (written < 100000) written = 10 * written + (*p - '0');
    }
    if (p != end) return 0;
    exponent += written_sign * written;

    double number;
    if (significant == 0) number = 0.0;
    else if (significant > 19 || written >= 100000) number = fabs(parse_with_python(thread, text));
    else if (digits <= (1ULL << 53) && exponent >= -22 && exponent <= 22)
        number = exponent < 0 ? (double)digits / powers_of_ten[-exponent] : (double)digits * powers_of_ten[exponent];
#ifdef __SIZEOF_INT128__
    else if (exponent <= 0 && exponent >= -27) number = divide_by_power_of_ten(digits, (int)-exponent);
#endif
    else number = fabs(parse_with_python(thread, text));
    *value = negative ? -number : number;
    return isfinite(number);
}

/* Bytes before `readable` may be looked at. */
static inline int parse_score(PyThreadState **thread, Text text, const char *readable, double *value) {
#ifdef HAS_DIGITS_AT_ONCE
    if (parse_usual_score(text, readable, value)) return 1;
#endif
    (void)readable;
    return parse_any_score(thread, text, value);
}

#endif
