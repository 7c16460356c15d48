/* Reads a ranked run restricted to wanted rows: strict parse, order and look-up in one pass.

   Given the bytes of a run and the documents wanted of each query, it fills in, per query, how many
   documents were retrieved and, per wanted document, its rank and the first and last rank of its tie
   group. Everything else about the run is only checked. Parsing is nearly all the work of an evaluation,
   so this one loop is compiled; `line_parser.py` says the same in Python and is what it is tested against.

   Only the stable ABI is used, and the interpreter lock is released while scanning. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum layout { TREC = 6, MSMARCO = 3 }; /* the value is the number of columns */
enum outcome { OK, BAD_LINE, DUPLICATE_DOC, DUPLICATE_RANK, INTERLEAVED, NO_MEMORY };

typedef struct { const char *at; size_t size; } Text;

/* ---- a hash table of texts, emptied in constant time by moving to the next epoch ---- */

typedef struct { uint64_t hash; Text text; uint32_t epoch; uint32_t item; } Slot;
typedef struct { Slot *slots; size_t mask, used; uint32_t epoch; } Table;

static uint64_t hash_seed; /* random per process, so that no file can be made to collide */

static inline uint64_t mix(uint64_t h) {
    h ^= h >> 32; h *= 0xd6e8feb86659fd93ULL;
    h ^= h >> 29; h *= 0xa0761d6478bd642fULL;
    return h ^ (h >> 32);
}

/* Up to eight bytes as one number, with loads of fixed size only. */
static inline uint64_t load_short(const char *p, size_t n) {
    uint32_t head, tail;
    if (n >= 4) {
        memcpy(&head, p, 4);
        memcpy(&tail, p + n - 4, 4);
        return (uint64_t)head << 32 | tail;
    }
    if (n == 0) return 0;
    return (uint64_t)(unsigned char)p[0] << 16 | (uint64_t)(unsigned char)p[n / 2] << 8 | (unsigned char)p[n - 1];
}

static inline uint64_t hash_text(Text text) {
    uint64_t h = hash_seed + text.size, word;
    const char *p = text.at;
    size_t left = text.size;
    for (; left > 8; p += 8, left -= 8) {
        memcpy(&word, p, 8);
        h = mix(h ^ word);
    }
    return mix(h ^ load_short(p, left));
}

static inline int same_text(Text a, Text b) {
    return a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

static int table_init(Table *table, size_t expected) {
    size_t size = 16;
    while (size < 2 * expected) size *= 2;
    *table = (Table){calloc(size, sizeof(Slot)), size - 1, 0, 1};
    return table->slots != NULL;
}

static void table_clear(Table *table) {
    table->used = 0;
    if (++table->epoch == 0) { /* wrapped round: old stamps could look current */
        memset(table->slots, 0, (table->mask + 1) * sizeof(Slot));
        table->epoch = 1;
    }
}

static inline Slot *table_find(const Table *table, uint64_t hash, Text text) {
    size_t i = hash & table->mask;
    for (;; i = (i + 1) & table->mask) {
        Slot *slot = &table->slots[i];
        if (slot->epoch != table->epoch) return slot; /* free */
        if (slot->hash == hash && same_text(slot->text, text)) return slot;
    }
}

static inline int slot_is_taken(const Table *table, const Slot *slot) { return slot->epoch == table->epoch; }

static int table_grow(Table *table) {
    Table bigger;
    if (!table_init(&bigger, table->mask + 1)) return 0;
    for (size_t i = 0; i <= table->mask; i++) {
        const Slot *old = &table->slots[i];
        if (!slot_is_taken(table, old)) continue;
        Slot *slot = table_find(&bigger, old->hash, old->text);
        *slot = *old;
        slot->epoch = bigger.epoch;
    }
    bigger.used = table->used;
    free(table->slots);
    *table = bigger;
    return 1;
}

/* Returns the slot of the text; *is_new says whether it was added with this item. NULL: no memory. */
static inline Slot *table_add(Table *table, uint64_t hash, Text text, uint32_t item, int *is_new) {
    if (2 * table->used > table->mask && !table_grow(table)) return NULL;
    Slot *slot = table_find(table, hash, text);
    *is_new = !slot_is_taken(table, slot);
    if (*is_new) {
        *slot = (Slot){hash, text, table->epoch, item};
        table->used++;
    }
    return slot;
}

/* ---- what is wanted, and what is found ---- */

typedef struct { double score; Text doc; int64_t rank, line; int64_t wanted; } Row;

typedef struct {
    enum layout layout;
    int float32_ties;
    const char *begin, *end;

    /* wanted documents: row w is the text doc_ends[w-1] .. doc_ends[w]; query q owns rows starts[q] .. */
    const char *docs;
    const int64_t *doc_ends, *starts;
    Table queries;            /* wanted query -> q */
    int32_t *rank, *tie_first, *tie_last, *retrieved;
    int32_t *rank_32_bit;     /* where 32-bit scores would put the wanted, if elsewhere; else 0 */

    /* the query being read */
    Row *rows;
    size_t n_rows, room;
    int64_t query;            /* index among the wanted, or -1 */
    int is_sorted;
    Table wanted, seen_docs, seen_ranks;

    /* every query met so far, in order of appearance */
    Table seen_queries;

    int64_t total_rows, unknown_queries, contradicting_queries;
    int64_t error_line, earlier_line;
    const char *error_at;     /* first byte of the offending line */
    PyThreadState *thread;    /* held while the interpreter lock is released */
} Scan;

static Text wanted_doc(const Scan *scan, int64_t row) {
    int64_t from = row ? scan->doc_ends[row - 1] : 0;
    return (Text){scan->docs + from, (size_t)(scan->doc_ends[row] - from)};
}

/* ---- numbers ---- */

static inline int is_digit(char c) { return c >= '0' && c <= '9'; }

static int parse_rank(Text text, int64_t *value) {
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

#ifdef __SIZEOF_INT128__
/* digits / 10^k, correctly rounded: an exact integer quotient of at least 65 bits, then round half to even. */
static double divide_by_power_of_ten(uint64_t digits, int k) {
    static const uint64_t powers_of_five[28] = {
        1ULL, 5ULL, 25ULL, 125ULL, 625ULL, 3125ULL, 15625ULL, 78125ULL, 390625ULL, 1953125ULL, 9765625ULL,
        48828125ULL, 244140625ULL, 1220703125ULL, 6103515625ULL, 30517578125ULL, 152587890625ULL,
        762939453125ULL, 3814697265625ULL, 19073486328125ULL, 95367431640625ULL, 476837158203125ULL,
        2384185791015625ULL, 11920928955078125ULL, 59604644775390625ULL, 298023223876953125ULL,
        1490116119384765625ULL, 7450580596923828125ULL};
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
    return ldexp((double)mantissa, drop - 64 - lead - k);
}
#endif

/* The rare number the quick ways do not cover goes to Python's own correctly rounded parser. */
static double parse_with_python(Scan *scan, Text text) {
    double value = NAN;
    PyEval_RestoreThread(scan->thread);
    PyObject *copy = PyBytes_FromStringAndSize(text.at, (Py_ssize_t)text.size);
    if (copy != NULL) {
        value = PyOS_string_to_double(PyBytes_AsString(copy), NULL, NULL);
        Py_DECREF(copy);
    }
    PyErr_Clear(); /* the grammar was checked before; what is left can only be reported as a bad line */
    scan->thread = PyEval_SaveThread();
    return value;
}

/* [+-] digits [. digits] [e [+-] digits], at least one digit; the value must be finite. */
static int parse_score(Scan *scan, Text text, double *value) {
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
    else if (significant > 19 || written >= 100000) number = fabs(parse_with_python(scan, text));
    else if (digits <= (1ULL << 53) && exponent >= -22 && exponent <= 22)
        number = exponent < 0 ? (double)digits / powers_of_ten[-exponent] : (double)digits * powers_of_ten[exponent];
#ifdef __SIZEOF_INT128__
    else if (exponent <= 0 && exponent >= -27) number = divide_by_power_of_ten(digits, (int)-exponent);
#endif
    else number = fabs(parse_with_python(scan, text));
    *value = negative ? -number : number;
    return isfinite(number);
}

/* ---- text ---- */

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

/* A line's columns, and what it probably shares with the next: the head before the document (query, Q0) and
   the tail behind the score (tag, line end). Equal bytes need not be looked at again. */
typedef struct { Text columns[TREC], head, tail; } Line;

static inline int starts_with(const char *p, const char *end, Text text) {
    return text.size && (size_t)(end - p) >= text.size && memcmp(p, text.at, text.size) == 0;
}

/* Splits the line at *at into its columns and moves *at behind it. Returns 0 for a line to be refused. */
static inline int split_line(const Scan *scan, const char **at, Line *line) {
    const char *p = *at, *end = scan->end, *begin = p, *tail = NULL;
    int n_columns = (int)scan->layout, doc_column = scan->layout == TREC ? 2 : 1;
    int n = 0, is_ascii = 1, is_clean = 1;
    if (starts_with(p, end, line->head)) {
        n = doc_column;
        p += line->head.size;
    }
    for (;;) {
        if (n == TREC - 1) {
            tail = p;
            if (starts_with(p, end, line->tail)) {
                *at = p + line->tail.size;
                return is_clean && n_columns == TREC && (is_ascii || is_utf8(begin, p));
            }
        }
        while (p < end && (*p == ' ' || *p == '\t')) p++;
        const char *start = p;
        unsigned char high = 0;
        while (p < end && (unsigned char)*p > ' ') high |= (unsigned char)*p++;
        if (high >= 0x80) is_ascii = 0;
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
    if (!is_clean || n != n_columns || (!is_ascii && !is_utf8(begin, p))) return 0;
    line->tail = tail && p < end ? (Text){tail, (size_t)(*at - tail)} : (Text){NULL, 0};
    return 1;
}

/* ---- one query ---- */

static int by_score_falling(const void *a, const void *b) {
    double x = ((const Row *)a)->score, y = ((const Row *)b)->score;
    return (x < y) - (x > y);
}

static int by_doc_falling(const void *a, const void *b) {
    Text x = ((const Row *)a)->doc, y = ((const Row *)b)->doc;
    int order = memcmp(y.at, x.at, x.size < y.size ? x.size : y.size);
    return order ? order : (y.size > x.size) - (y.size < x.size);
}

static int begin_query(Scan *scan, Text query) {
    scan->n_rows = 0;
    scan->is_sorted = 1;
    table_clear(&scan->seen_docs);
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
        if (!table_add(&scan->wanted, hash_text(doc), doc, (uint32_t)w, &is_new)) return NO_MEMORY;
    }
    return OK;
}

static int refuse(Scan *scan, enum outcome outcome, const char *line_at, int64_t line, int64_t earlier) {
    scan->error_at = line_at;
    scan->error_line = line;
    scan->earlier_line = earlier;
    return outcome;
}

static inline int add_row(Scan *scan, const Text *columns, const char *line_at, int64_t line) {
    Row row = {.line = line, .wanted = -1};
    int is_new;
    row.doc = columns[scan->layout == TREC ? 2 : 1];
    if (scan->layout == TREC) {
        if (!parse_rank(columns[3], &row.rank) || !parse_score(scan, columns[4], &row.score))
            return refuse(scan, BAD_LINE, line_at, line, 0);
        if (scan->float32_ties) row.score = (float)row.score;
    } else {
        if (!parse_rank(columns[2], &row.rank) || row.rank < 1 || row.rank > INT32_MAX)
            return refuse(scan, BAD_LINE, line_at, line, 0);
        row.score = -(double)row.rank;
    }
    uint64_t hash = hash_text(row.doc);
    Slot *slot = table_add(&scan->seen_docs, hash, row.doc, (uint32_t)scan->n_rows, &is_new);
    if (!slot) return NO_MEMORY;
    if (!is_new) return refuse(scan, DUPLICATE_DOC, line_at, line, scan->rows[slot->item].line);
    if (scan->layout == MSMARCO) {
        slot = table_add(&scan->seen_ranks, mix(hash_seed ^ (uint64_t)row.rank), (Text){"", 0}, (uint32_t)scan->n_rows, &is_new);
        if (!slot) return NO_MEMORY;
        if (!is_new) return refuse(scan, DUPLICATE_RANK, line_at, line, scan->rows[slot->item].line);
    }
    if (scan->query >= 0) {
        slot = table_find(&scan->wanted, hash, row.doc);
        if (slot_is_taken(&scan->wanted, slot)) row.wanted = slot->item;
    }
    if (scan->n_rows == scan->room) {
        Row *more = realloc(scan->rows, 2 * scan->room * sizeof(Row));
        if (!more) return NO_MEMORY;
        scan->rows = more;
        scan->room *= 2;
    }
    if (scan->n_rows && scan->rows[scan->n_rows - 1].score < row.score) scan->is_sorted = 0;
    scan->rows[scan->n_rows++] = row;
    return OK;
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

/* Orders the query's rows and writes down where the wanted ones stand. */
static void end_query(Scan *scan) {
    Row *rows = scan->rows;
    size_t n = scan->n_rows;
    int64_t highest_above = INT64_MIN; /* the largest rank number written above the present tie group */
    int contradicts = 0, has_32_bit_ties = 0;
    if (!scan->is_sorted) qsort(rows, n, sizeof(Row), by_score_falling);
    for (size_t first = 0, after; first < n; first = after) {
        int has_wanted = 0;
        int64_t lowest = INT64_MAX, highest = INT64_MIN;
        for (after = first; after < n && rows[after].score == rows[first].score; after++) {
            has_wanted |= rows[after].wanted >= 0;
            if (rows[after].rank < lowest) lowest = rows[after].rank;
            if (rows[after].rank > highest) highest = rows[after].rank;
        }
        contradicts |= lowest <= highest_above;
        if (highest > highest_above) highest_above = highest;
        has_32_bit_ties |= after < n && (float)rows[after].score == (float)rows[first].score;
        if (!has_wanted) continue;
        if (after - first > 1) qsort(rows + first, after - first, sizeof(Row), by_doc_falling);
        for (size_t i = first; i < after; i++) {
            int64_t w = rows[i].wanted;
            if (w < 0) continue;
            int is_trec = scan->layout == TREC; /* MS MARCO: the number written is the rank, gaps included */
            scan->rank[w] = is_trec ? (int32_t)(i + 1) : (int32_t)rows[i].rank;
            scan->tie_first[w] = is_trec ? (int32_t)(first + 1) : scan->rank[w];
            scan->tie_last[w] = is_trec ? (int32_t)after : scan->rank[w];
        }
    }
    scan->contradicting_queries += contradicts;
    scan->total_rows += (int64_t)n;
    if (scan->query < 0) return;
    scan->retrieved[scan->query] = (int32_t)n;
    if (has_32_bit_ties && scan->layout == TREC) note_32_bit_ties(scan);
}

/* ---- the whole file ---- */

/* Inside py_scan, whose many buffers are kept too, the loop would lack registers: a tenth slower with gcc 12. */
#ifdef __GNUC__
#define ON_ITS_OWN __attribute__((noinline))
#else
#define ON_ITS_OWN
#endif

/* Reads the lines of one query after the other. INTERLEAVED if a query comes back: the caller has another reader. */
ON_ITS_OWN static int scan_file(Scan *scan) {
    Line line = {0};
    Text query = {NULL, 0};
    int64_t number = 0;
    int outcome, is_new;
    for (const char *p = scan->begin, *at; p < scan->end;) {
        at = p;
        number++;
        if (!split_line(scan, &p, &line)) return refuse(scan, BAD_LINE, at, number, 0);
        if (!query.at || !same_text(line.columns[0], query)) {
            if (query.at) end_query(scan);
            query = line.columns[0];
            if (!table_add(&scan->seen_queries, hash_text(query), query, 0, &is_new)) return NO_MEMORY;
            if (!is_new) return INTERLEAVED;
            if ((outcome = begin_query(scan, query)) != OK) return outcome;
        }
        if ((outcome = add_row(scan, line.columns, at, number)) != OK) return outcome;
    }
    end_query(scan);
    return OK;
}

/* ---- Python's side ---- */

static int prepare(Scan *scan, const char *queries, const int64_t *query_ends, size_t n_queries) {
    scan->room = 1024;
    scan->rows = malloc(scan->room * sizeof(Row));
    if (!scan->rows || !table_init(&scan->queries, n_queries) || !table_init(&scan->wanted, 16) ||
        !table_init(&scan->seen_docs, scan->room) || !table_init(&scan->seen_ranks, scan->room) ||
        !table_init(&scan->seen_queries, n_queries))
        return 0;
    for (size_t q = 0; q < n_queries; q++) {
        int64_t from = q ? query_ends[q - 1] : 0;
        Text text = {queries + from, (size_t)(query_ends[q] - from)};
        int is_new;
        if (!table_add(&scan->queries, hash_text(text), text, (uint32_t)q, &is_new)) return 0;
    }
    return 1;
}

static void release(Scan *scan) {
    free(scan->rows);
    free(scan->queries.slots);
    free(scan->wanted.slots);
    free(scan->seen_docs.slots);
    free(scan->seen_ranks.slots);
    free(scan->seen_queries.slots);
}

PyDoc_STRVAR(scan_doc,
"scan(data, columns, float32_ties, queries, query_ends, docs, doc_ends, starts,\n"
"     rank, tie_first, tie_last, retrieved, rank_32_bit)\n--\n\n"
"Fill the last five int32 buffers from the run in data; called by compiled.py only.\n\n"
"Returns (outcome, rows, unknown queries, queries whose rank column contradicts,\n"
"refused line, earlier line it repeats, byte offset of the refused line).");

static PyObject *py_scan(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer data, queries, query_ends, docs, doc_ends, starts, rank, tie_first, tie_last, retrieved, rank_32_bit;
    int columns, float32_ties;
    if (!PyArg_ParseTuple(args, "y*ipy*y*y*y*y*w*w*w*w*w*", &data, &columns, &float32_ties, &queries, &query_ends,
                          &docs, &doc_ends, &starts, &rank, &tie_first, &tie_last, &retrieved, &rank_32_bit))
        return NULL;
    Scan scan = {.layout = (enum layout)columns, .float32_ties = float32_ties, .begin = data.buf,
                 .end = (const char *)data.buf + data.len, .docs = docs.buf, .doc_ends = doc_ends.buf,
                 .starts = starts.buf, .rank = rank.buf, .tie_first = tie_first.buf, .tie_last = tie_last.buf,
                 .retrieved = retrieved.buf, .rank_32_bit = rank_32_bit.buf};
    size_t n_queries = (size_t)query_ends.len / sizeof(int64_t);
    size_t n_docs = (size_t)doc_ends.len / sizeof(int64_t), rows = n_docs * sizeof(int32_t);
    int fits = (columns == TREC || columns == MSMARCO) && (size_t)starts.len == (n_queries + 1) * sizeof(int64_t) &&
               (size_t)rank.len == rows && (size_t)tie_first.len == rows && (size_t)tie_last.len == rows &&
               (size_t)rank_32_bit.len == rows && (size_t)retrieved.len == n_queries * sizeof(int32_t) &&
               scan.starts[n_queries] == (int64_t)n_docs;
    int outcome = NO_MEMORY;
    if (fits) {
        scan.thread = PyEval_SaveThread();
        if (prepare(&scan, queries.buf, query_ends.buf, n_queries)) outcome = scan_file(&scan);
        release(&scan);
        PyEval_RestoreThread(scan.thread);
    }

    Py_ssize_t offset = scan.error_at ? scan.error_at - scan.begin : 0;
    Py_buffer *buffers[] = {&data, &queries, &query_ends, &docs, &doc_ends, &starts, &rank, &tie_first,
                            &tie_last, &retrieved, &rank_32_bit};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) PyBuffer_Release(buffers[i]);
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not fit together");
        return NULL;
    }
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    return Py_BuildValue("iLLLLLn", outcome, (long long)scan.total_rows, (long long)scan.unknown_queries,
                         (long long)scan.contradicting_queries,
                         (long long)scan.error_line, (long long)scan.earlier_line, offset);
}

static PyMethodDef methods[] = {{"scan", py_scan, METH_VARARGS, scan_doc}, {NULL, NULL, 0, NULL}};

static int set_seed(PyObject *module) {
    (void)module;
    PyObject *text = PyUnicode_FromString("toprung"); /* its hash is as random as Python's own for this process */
    if (!text) return -1;
    Py_hash_t seed = PyObject_Hash(text);
    Py_DECREF(text);
    hash_seed = (uint64_t)seed * 0x9e3779b97f4a7c15ULL;
    return seed == -1 ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)set_seed},
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
    {0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_scan", "Strict, restricted reading of runs.", 0, methods, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__scan(void) { return PyModuleDef_Init(&module); }
