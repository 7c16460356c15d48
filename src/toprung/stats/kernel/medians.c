/* What is usual in each resample: the median over all judged pairs, column by column of pairs × resamples.

   Most of it is found in one pass: a sample of the rows tells between which numbers the median of a column surely
   lies, and only what lies there is looked at closely. Where that fails, bits are counted from the highest down. */

#include "kernel.h"

typedef struct { const float *values; const uint8_t *chosen; size_t rows, columns, n_chosen; } Columns;

/* ---- bits from the highest down, as numbers from 0 on are ordered ---- */

#define COLUMNS 16 /* a cache line of single precision */
#define BITS 11
#define BINS (1u << BITS)

static inline uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float number_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Count how many numbers of each column begin as `found` does, in the bits `above`, by their next bits. */
static void count_bits(const Columns *of, size_t from, size_t width, int shift, uint32_t above, const uint32_t *found,
                       uint32_t counts[COLUMNS][BINS]) {
    memset(counts, 0, COLUMNS * BINS * sizeof(uint32_t));
    for (size_t row = 0; row < of->rows; row++) {
        if (!of->chosen[row]) continue;
        const float *values = of->values + row * of->columns + from;
        for (size_t c = 0; c < width; c++) {
            uint32_t bits = bits_of(values[c]);
            if ((bits & above) == found[c]) counts[c][bits >> shift & (BINS - 1)]++;
        }
    }
}

/* The smallest number above what was found in each column. */
static void find_next(const Columns *of, size_t from, size_t width, const uint32_t *found, uint32_t *next) {
    for (size_t c = 0; c < width; c++) next[c] = UINT32_MAX;
    for (size_t row = 0; row < of->rows; row++) {
        if (!of->chosen[row]) continue;
        const float *values = of->values + row * of->columns + from;
        for (size_t c = 0; c < width; c++) {
            uint32_t bits = bits_of(values[c]);
            if (bits > found[c] && bits < next[c]) next[c] = bits;
        }
    }
}

static void find_medians(const Columns *of, size_t from, size_t width, uint32_t counts[COLUMNS][BINS], float *median) {
    static const int shifts[] = {21, 10, 0};
    static const uint32_t above[] = {0, ~0u << 21, ~0u << 10}; /* what the steps before have found */
    uint32_t found[COLUMNS] = {0}, next[COLUMNS];
    size_t place[COLUMNS], same[COLUMNS];
    for (size_t c = 0; c < width; c++) place[c] = (of->n_chosen - 1) / 2;
    for (size_t step = 0; step < 3; step++) {
        count_bits(of, from, width, shifts[step], above[step], found, counts);
        for (size_t c = 0; c < width; c++) {
            uint32_t bin = 0;
            while (bin < BINS - 1 && place[c] >= counts[c][bin]) place[c] -= counts[c][bin++];
            found[c] |= bin << shifts[step];
            same[c] = counts[c][bin];
        }
    }
    int is_even = of->n_chosen % 2 == 0;
    if (is_even) find_next(of, from, width, found, next);
    for (size_t c = 0; c < width; c++) {
        float low = number_of(found[c]), high = low;
        if (is_even && place[c] + 1 >= same[c]) high = number_of(next[c]);
        median[from + c] = is_even ? (low + high) / 2 : low;
    }
}

/* ---- between two numbers that a sample tells, in one pass ---- */

#define PANEL 256  /* columns: what is known of them stays in the nearest cache */
#define SAMPLED 1024
#define MARGIN 80  /* places in the sample: five standard errors of where its median lies */

typedef struct {
    float low[PANEL], high[PANEL];
    uint32_t below[PANEL], inside[PANEL], room;
    float *held; /* PANEL × (room + 1): what lies between the two */
} Brackets;

/* The number with `place` others before it (Wirth 1976); none behind it is smaller then, none before it larger. */
static float select_number(float *numbers, ptrdiff_t count, ptrdiff_t place) {
    ptrdiff_t from = 0, to = count - 1;
    while (from < to) {
        float middle = numbers[place];
        ptrdiff_t left = from, right = to;
        do {
            while (numbers[left] < middle) left++;
            while (middle < numbers[right]) right--;
            if (left > right) break;
            float held = numbers[left];
            numbers[left++] = numbers[right];
            numbers[right--] = held;
        } while (left <= right);
        if (right < place) from = left;
        if (place < left) to = right;
    }
    return numbers[place];
}

/* Chosen rows, evenly from first to last. */
static void sample_rows(const Columns *of, size_t *rows) {
    for (size_t row = 0, seen = 0, taken = 0; row < of->rows && taken < SAMPLED; row++) {
        if (!of->chosen[row]) continue;
        if (seen++ * SAMPLED >= taken * of->n_chosen) rows[taken++] = row;
    }
}

static void find_brackets(const Columns *of, const size_t *rows, size_t from, size_t width, Brackets *found) {
    float sample[SAMPLED];
    for (size_t c = 0; c < width; c++) {
        for (size_t i = 0; i < SAMPLED; i++) sample[i] = of->values[rows[i] * of->columns + from + c];
        found->low[c] = select_number(sample, SAMPLED, SAMPLED / 2 - MARGIN);
        found->high[c] = select_number(sample, SAMPLED, SAMPLED / 2 + MARGIN);
        found->below[c] = found->inside[c] = 0;
    }
}

WIDE static void count_below(const float *values, size_t width, Brackets *found) {
    for (size_t c = 0; c < width; c++) found->below[c] += values[c] < found->low[c];
}

static void fill_brackets(const Columns *of, size_t from, size_t width, Brackets *found) {
    size_t room = found->room;
    for (size_t row = 0; row < of->rows; row++) {
        if (!of->chosen[row]) continue;
        const float *values = of->values + row * of->columns + from;
        count_below(values, width, found);
        for (size_t c = 0; c < width; c++) {
            uint32_t place = found->inside[c];
            found->held[c * (room + 1) + place] = values[c]; /* written over if it does not count */
            found->inside[c] = place + ((values[c] >= found->low[c]) & (values[c] <= found->high[c]) & (place < room));
        }
    }
}

/* Whether the medians of these columns lie where the sample told; if not, nothing is found. */
static int medians_between(const Columns *of, size_t from, size_t width, Brackets *found, float *median) {
    size_t place = (of->n_chosen - 1) / 2, is_even = of->n_chosen % 2 == 0;
    for (size_t c = 0; c < width; c++)
        if (found->inside[c] == found->room || place < found->below[c] ||
            place + is_even >= found->below[c] + found->inside[c])
            return 0;
    for (size_t c = 0; c < width; c++) {
        float *held = found->held + c * ((size_t)found->room + 1);
        size_t at = place - found->below[c];
        float low = select_number(held, (ptrdiff_t)found->inside[c], (ptrdiff_t)at), high = low;
        if (is_even) {
            high = held[at + 1];
            for (size_t i = at + 2; i < found->inside[c]; i++) high = held[i] < high ? held[i] : high;
        }
        median[from + c] = is_even ? (low + high) / 2 : low;
    }
    return 1;
}

typedef struct { uint32_t (*counts)[BINS]; Brackets *brackets; size_t *rows; } Workspace;

static int has_sample(const Columns *of) { return of->n_chosen >= 2 * SAMPLED; }

static void find_all(const Columns *of, const Workspace *with, float *median) {
    if (has_sample(of)) sample_rows(of, with->rows);
    for (size_t from = 0; from < of->columns; from += PANEL) {
        size_t width = of->columns - from < PANEL ? of->columns - from : PANEL;
        if (has_sample(of)) {
            find_brackets(of, with->rows, from, width, with->brackets);
            fill_brackets(of, from, width, with->brackets);
            if (medians_between(of, from, width, with->brackets, median)) continue;
        }
        for (size_t part = 0; part < width; part += COLUMNS)
            find_medians(of, from + part, width - part < COLUMNS ? width - part : COLUMNS, with->counts, median);
    }
}

static void free_workspace(Workspace *with) {
    if (with->brackets) free(with->brackets->held);
    free(with->brackets);
    free(with->rows);
    free(with->counts);
}

/* Whether there was memory for it. */
static int make_workspace(const Columns *of, Workspace *with) {
    with->counts = malloc(COLUMNS * BINS * sizeof(uint32_t));
    with->rows = calloc(SAMPLED, sizeof(size_t));
    with->brackets = calloc(1, sizeof(Brackets));
    if (with->brackets) {
        with->brackets->room = (uint32_t)(of->n_chosen / 2); /* a bracket holds a sixth; where many are equal, bits are counted */
        with->brackets->held = malloc(PANEL * ((size_t)with->brackets->room + 1) * sizeof(float));
    }
    return with->counts && with->rows && with->brackets && with->brackets->held;
}

/* Whether all are numbers from 0 on; infinity is. */
static int are_ordered(const Columns *of) {
    for (size_t row = 0; row < of->rows; row++) {
        if (!of->chosen[row]) continue;
        uint32_t worst = 0;
        for (size_t c = 0; c < of->columns; c++) worst |= bits_of(of->values[row * of->columns + c]) > 0x7f800000u;
        if (worst) return 0;
    }
    return 1;
}

PyObject *py_column_medians(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer of[3]; /* values, chosen, medians */
    if (!PyArg_ParseTuple(args, "y*y*w*", &of[0], &of[1], &of[2])) return NULL;
    Columns columns = {of[0].buf, of[1].buf, (size_t)of[1].len, (size_t)of[2].len / sizeof(float), 0};
    int fits = columns.columns < UINT32_MAX && columns.rows < UINT32_MAX && holds(&of[2], columns.columns, sizeof(float)) &&
               holds(&of[0], columns.rows * columns.columns, sizeof(float));
    int has_memory = 1, found = 0;
    if (fits) {
        PyThreadState *thread = PyEval_SaveThread();
        Workspace with = {0};
        for (size_t row = 0; row < columns.rows; row++) columns.n_chosen += columns.chosen[row] != 0;
        found = columns.n_chosen > 0 && are_ordered(&columns);
        has_memory = !found || make_workspace(&columns, &with);
        if (found && has_memory) find_all(&columns, &with, of[2].buf);
        free_workspace(&with);
        PyEval_RestoreThread(thread);
    }
    release_all(of, 3);
    if (!fits) return refuse_arrays();
    if (!has_memory) return PyErr_NoMemory();
    return PyBool_FromLong(found);
}
