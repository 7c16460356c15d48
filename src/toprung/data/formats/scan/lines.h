/* Lines of a text run, taken apart into their columns. */

#ifndef TOPRUNG_LINES_H
#define TOPRUNG_LINES_H

#include "texts.h"

#if defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#define HAS_BYTES_AT_ONCE 1
#endif

enum layout { TREC = 6, MSMARCO = 3 }; /* the value is the number of columns */

/* Returns 0 with an exception set for a number of columns that no layout has. */
static int is_layout(int columns) {
    if (columns == TREC || columns == MSMARCO) return 1;
    PyErr_SetString(PyExc_ValueError, "columns: neither 6 nor 3");
    return 0;
}

static int is_utf8(const char *at, const char *end) {
    const unsigned char *p = (const unsigned char *)at, *stop = (const unsigned char *)end;
    while (p < stop) {
        unsigned c = *p++;
        if (c < 0x80) continue;
        int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        if (c < 0xc2 || c > 0xf4 || stop - p < more) return 0;
        if ((c == 0xe0 && *p < 0xa0) || (c == 0xed && *p > 0x9f) || (c == 0xf0 && *p < 0x90) || (c == 0xf4 && *p > 0x8f))
            return 0; /* over-long, surrogate, beyond U+10FFFF */
        for (; more; more--, p++)
            if ((*p & 0xc0) != 0x80) return 0;
    }
    return 1;
}

/* The first byte from p on that is a blank or a control character; *high gathers the bits of those before it. */
static inline const char *end_of_column(const char *p, const char *end, uint64_t *high) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = 0x0101010101010101ULL, tops = 0x8080808080808080ULL;
    while (end - p >= 8) { /* eight bytes at once: the lowest marked one is the first below '!' */
        uint64_t word;
        memcpy(&word, p, 8);
        uint64_t low = (word - ones * '!') & ~word & tops;
        if (low) {
            int n = __builtin_ctzll(low) / 8;
            *high |= word & tops & ((1ULL << 8 * n) - 1);
            return p + n;
        }
        *high |= word & tops;
        p += 8;
    }
#endif
    for (; p < end && (unsigned char)*p > ' '; p++) *high |= (unsigned char)*p & 0x80;
    return p;
}

/* A line's columns, and what it probably shares with the next: the head before the document (query, Q0) and
   the tail behind the score (tag, line end). Equal bytes need not be looked at again. A usual line is one of a TREC
   run in ASCII, with one blank between document, rank and score. */
typedef struct { Text columns[TREC], head, tail; int has_same_head, is_usual; } Line;

static inline int is_usual(const Line *line, uint64_t high) {
    const Text *doc = &line->columns[2];
    return !high && doc[0].at + doc[0].size + 1 == doc[1].at && doc[1].at + doc[1].size + 1 == doc[2].at;
}

static inline int starts_with(const char *p, const char *end, Text text) {
    return text.size && (size_t)(end - p) >= text.size && same_bytes(p, text.at, text.size);
}

#ifdef HAS_BYTES_AT_ONCE
enum { AT_ONCE = 64 };

/* Which of the 64 bytes at p are blanks or control characters, one bit for each; *high has those beyond ASCII. */
static inline uint64_t blanks_at(const char *p, uint64_t *high) {
    uint64_t low = 0;
    *high = 0;
    for (int i = 0; i < AT_ONCE; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(p + i));
        *high |= (uint64_t)(uint32_t)_mm_movemask_epi8(bytes) << i;
        low |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmplt_epi8(bytes, _mm_set1_epi8('!'))) << i;
    }
    return low & ~*high;
}

static inline int is_blank(char c) { return c == ' ' || c == '\t'; }

/* A usual line behind its head, with the tail of the line above. Returns the byte behind it, or NULL for any other, of
   which nothing is said. */
static inline const char *split_usual(const char *p, const char *end, Line *line) {
    uint64_t high;
    if (end - p < AT_ONCE || !line->tail.size) return NULL;
    uint64_t first = blanks_at(p, &high), second = first & (first - 1), third = second & (second - 1);
    if (!third || high) return NULL;
    int doc = __builtin_ctzll(first), rank = __builtin_ctzll(second), score = __builtin_ctzll(third);
    if (!doc || rank == doc + 1 || score == rank + 1 || !is_blank(p[doc]) || !is_blank(p[rank])) return NULL;
    if (!starts_with(p + score, end, line->tail)) return NULL;
    line->columns[2] = (Text){p, (size_t)doc};
    line->columns[3] = (Text){p + doc + 1, (size_t)(rank - doc - 1)};
    line->columns[4] = (Text){p + rank + 1, (size_t)(score - rank - 1)};
    return p + score + line->tail.size;
}
#endif

/* Splits the line at *at into its columns and moves *at behind it. Returns 0 for a line to be refused. */
static inline int split_line(enum layout layout, const char **at, const char *end, Line *line) {
    const char *p = *at, *begin = p, *tail = NULL;
    int n_columns = (int)layout, doc_column = layout == TREC ? 2 : 1;
    int n = 0, is_clean = 1;
    uint64_t high = 0;
    line->has_same_head = starts_with(p, end, line->head);
    if (line->has_same_head) {
        n = doc_column;
        p += line->head.size;
#ifdef HAS_BYTES_AT_ONCE
        const char *behind = line->is_usual ? split_usual(p, end, line) : NULL;
        if (behind) {
            *at = behind;
            return 1;
        }
#endif
    }
    for (;;) {
        if (n == TREC - 1) {
            tail = p;
            if (starts_with(p, end, line->tail)) {
                *at = p + line->tail.size;
                line->is_usual = is_usual(line, high);
                return is_clean && n_columns == TREC && (!high || is_utf8(begin, p));
            }
        }
        while (p < end && (*p == ' ' || *p == '\t')) p++;
        const char *start = p;
        p = end_of_column(p, end, &high);
        if (p > start) {
            if (n == doc_column) line->head = (Text){begin, (size_t)(start - begin)};
            if (n < n_columns) line->columns[n] = (Text){start, (size_t)(p - start)};
            n++;
        }
        if (p == end || *p == '\n') break;
        if (*p == ' ' || *p == '\t') continue;
        int ends_line = *p == '\r' && (p + 1 == end || p[1] == '\n');
        if (!ends_line) is_clean = 0; /* a control character */
        p++;
    }
    *at = p < end ? p + 1 : end;
    if (!is_clean || n != n_columns || (high && !is_utf8(begin, p))) return 0;
    line->is_usual = layout == TREC && is_usual(line, high);
    line->tail = tail && p < end ? (Text){tail, (size_t)(*at - tail)} : (Text){NULL, 0};
    return 1;
}

static size_t count_lines(const char *at, const char *end) {
    size_t n = at < end && end[-1] != '\n';
    while (at < end) { /* in blocks, whose short counts are vectorised better */
        const char *stop = end - at > 4096 ? at + 4096 : end;
        unsigned in_block = 0;
        for (; at < stop; at++) in_block += *at == '\n';
        n += in_block;
    }
    return n;
}

#endif
