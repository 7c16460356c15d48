/* Values as pages of Parquet hold them: plain, by number in a dictionary, as differences.

   Nothing in a page is believed: every size is held against the bytes that are there, every number against its
   dictionary. Texts become views (columns.h): into the page, which is buffer 1, or its dictionary, which is buffer 0. */

#ifndef TOPRUNG_PAGES_H
#define TOPRUNG_PAGES_H

#include "columns.h"
#include "lines.h"
#include "unpack.h"

enum physical { INT_32 = 1, INT_64 = 2, FLOAT_32 = 4, FLOAT_64 = 5 }; /* as Parquet numbers them */

/* ---- numbers of few bits ---- */

/* The bits from `bit` on, of at most 64; the bytes that hold them are there. */
static uint64_t bits_at(const unsigned char *bytes, uint64_t bit, int width) {
    const unsigned char *p = bytes + bit / 8;
    int shift = (int)(bit % 8), n = (shift + width + 7) / 8;
    uint64_t low = 0;
    for (int i = 0; i < n && i < 8; i++) low |= (uint64_t)p[i] << 8 * i;
    low >>= shift;
    if (n > 8) low |= (uint64_t)p[8] << (64 - shift);
    return width == 64 ? low : low & ((1ULL << width) - 1);
}

static void unpack_bits(Packed from, int width, uint32_t *out, size_t n) {
    uint64_t bit = 0, mask = (1ULL << width) - 1;
    size_t i = 0;
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (uint64_t word; i < n && from.end - (from.at + bit / 8) >= 8; i++, bit += (uint64_t)width) {
        memcpy(&word, from.at + bit / 8, 8); /* at most 7 + 32 bits of it are needed */
        out[i] = (uint32_t)(word >> bit % 8 & mask);
    }
#endif
    for (; i < n; i++, bit += (uint64_t)width) out[i] = (uint32_t)bits_at(from.at, bit, width);
    (void)mask;
}

/* Numbers that are repeated or packed bit by bit, in runs. Returns 0 if there are fewer than n. */
static int take_runs(Packed from, int width, uint32_t *out, size_t n) {
    for (size_t done = 0; done < n;) {
        uint64_t head;
        if (!take_varint(&from, &head)) return 0;
        uint64_t count = head >> 1, size = head & 1 ? count * (uint64_t)width : (uint64_t)(width + 7) / 8;
        if (count > UINT32_MAX || size > (uint64_t)(from.end - from.at)) return 0;
        if (head & 1) {
            count = 8 * count < n - done ? 8 * count : n - done;
            unpack_bits((Packed){from.at, from.at + size}, width, out + done, (size_t)count);
        } else {
            count = count < n - done ? count : n - done;
            uint32_t value = (uint32_t)bits_at(from.at, 0, 8 * (int)size);
            for (uint64_t i = 0; i < count; i++) out[done + i] = value;
        }
        from.at += size;
        done += (size_t)count;
    }
    return 1;
}

/* ---- whole numbers as differences ---- */

static int64_t unfold(uint64_t folded) { return (int64_t)(folded >> 1 ^ (~(folded & 1) + 1)); }

typedef struct { uint64_t per_block, per_mini, n_mini, total; int64_t value; } Differences;

static int take_head(Packed *from, size_t n, Differences *head) {
    uint64_t first;
    if (!take_varint(from, &head->per_block) || !take_varint(from, &head->n_mini) || !take_varint(from, &head->total) ||
        !take_varint(from, &first))
        return 0;
    head->value = unfold(first);
    if (head->total != n || !head->n_mini || head->n_mini > 512 || head->per_block > 1 << 20) return 0;
    head->per_mini = head->per_block / head->n_mini;
    return head->per_mini && head->per_mini % 8 == 0;
}

/* One block of differences, each added to the number before it. */
static int take_block(Packed *from, Differences *so_far, int64_t *out, size_t n, size_t *done) {
    uint64_t folded;
    if (!take_varint(from, &folded) || so_far->n_mini > (uint64_t)(from->end - from->at)) return 0;
    const unsigned char *widths = from->at;
    from->at += so_far->n_mini;
    for (uint64_t mini = 0; mini < so_far->n_mini && *done < n; mini++) {
        uint64_t size = so_far->per_mini / 8 * widths[mini];
        if (widths[mini] > 64 || size > (uint64_t)(from->end - from->at)) return 0;
        for (uint64_t i = 0; i < so_far->per_mini && *done < n; i++) {
            uint64_t more = widths[mini] ? bits_at(from->at, i * widths[mini], widths[mini]) : 0;
            so_far->value = (int64_t)((uint64_t)so_far->value + (uint64_t)unfold(folded) + more);
            out[(*done)++] = so_far->value;
        }
        from->at += size;
    }
    return 1;
}

/* Moves *from behind the numbers. Returns 0 if they are not n. */
static int take_differences(Packed *from, int64_t *out, size_t n) {
    Differences so_far;
    size_t done = 0;
    if (!take_head(from, n, &so_far)) return 0;
    if (n) out[done++] = so_far.value;
    while (done < n)
        if (!take_block(from, &so_far, out, n, &done)) return 0;
    return 1;
}

/* ---- texts ---- */

static int is_plain_or_utf8(const char *at, size_t size) {
    uint64_t high = 0, word;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        memcpy(&word, at + i, 8);
        high |= word;
    }
    for (; i < size; i++) high |= (uint64_t)(unsigned char)at[i];
    return !(high & 0x8080808080808080ULL) || is_utf8(at, at + size);
}

/* The view of a text that begins so far into a buffer. */
static inline View view_of(const char *buffer, size_t offset, size_t size, int number) {
    View view = {.size = (int32_t)size};
    if (size <= sizeof view.of.inlined) {
        if (size) memcpy(view.of.inlined, buffer + offset, size);
        return view;
    }
    memcpy(view.of.far.prefix, buffer + offset, 4);
    view.of.far.buffer = number;
    view.of.far.offset = (int32_t)offset;
    return view;
}

/* Each text behind its size. */
static int plain_texts(const char *page, size_t page_size, View *views, size_t n, int number) {
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t size;
        if (page_size - at < 4) return 0;
        memcpy(&size, page + at, 4);
        at += 4;
        if (size > page_size - at || !is_plain_or_utf8(page + at, size)) return 0;
        views[i] = view_of(page, at, size, number);
        at += size;
    }
    return 1;
}

/* All sizes, then all texts; `sizes` is room for n numbers. */
static int difference_texts(const char *page, size_t page_size, int64_t *sizes, View *views, size_t n) {
    Packed from = {(const unsigned char *)page, (const unsigned char *)page + page_size};
    if (!take_differences(&from, sizes, n)) return 0;
    size_t at = (size_t)((const char *)from.at - page);
    for (size_t i = 0; i < n; i++) {
        if (sizes[i] < 0 || (uint64_t)sizes[i] > page_size - at) return 0;
        if (!is_plain_or_utf8(page + at, (size_t)sizes[i])) return 0;
        views[i] = view_of(page, at, (size_t)sizes[i], 1);
        at += (size_t)sizes[i];
    }
    return 1;
}

enum { LONGEST_WHOLE = 20 };

/* Whole numbers as texts, which other tools take ids for; `room` has 20 bytes for each. */
static void number_texts(const int64_t *numbers, size_t n, int is_unsigned, char *room, View *views) {
    for (size_t i = 0; i < n; i++) {
        char *end = room + LONGEST_WHOLE * (i + 1), *p = end;
        int is_negative = !is_unsigned && numbers[i] < 0;
        uint64_t left = is_negative ? ~(uint64_t)numbers[i] + 1 : (uint64_t)numbers[i];
        do *--p = (char)('0' + left % 10); while (left /= 10);
        if (is_negative) *--p = '-';
        views[i] = view_of(room, (size_t)(p - room), (size_t)(end - p), 1);
    }
}

/* ---- numbers, each as 64 bits: a whole number or a double ---- */

typedef struct { enum physical type; int is_unsigned, as_double; } Number;

static uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return bits;
}

static uint64_t whole_bits(Number number, int64_t value) {
    if (!number.as_double) return (uint64_t)value;
    return double_bits(number.is_unsigned ? (double)(uint64_t)value : (double)value);
}

static size_t size_of(Number number) { return number.type == INT_64 || number.type == FLOAT_64 ? 8 : 4; }

static int plain_numbers(Number number, const char *page, size_t page_size, uint64_t *out, size_t n) {
    size_t size = size_of(number);
    if (n > page_size / size) return 0;
    for (size_t i = 0; i < n; i++, page += size) {
        union { int32_t i32; uint32_t u32; int64_t i64; float f32; uint64_t bits; } raw;
        memcpy(&raw, page, size);
        if (number.type == FLOAT_64) out[i] = raw.bits;
        else if (number.type == FLOAT_32) out[i] = double_bits((double)raw.f32);
        else if (number.type == INT_64) out[i] = whole_bits(number, raw.i64);
        else out[i] = whole_bits(number, number.is_unsigned ? (int64_t)raw.u32 : (int64_t)raw.i32);
    }
    return 1;
}

static int difference_numbers(Number number, const char *page, size_t page_size, uint64_t *out, size_t n) {
    Packed from = {(const unsigned char *)page, (const unsigned char *)page + page_size};
    if (number.type != INT_32 && number.type != INT_64) return 0;
    if (!take_differences(&from, (int64_t *)out, n)) return 0;
    for (size_t i = 0; i < n; i++) {
        int64_t value = (int64_t)out[i];
        if (number.type == INT_32) value = number.is_unsigned ? (int64_t)(uint32_t)value : (int64_t)(int32_t)value;
        out[i] = whole_bits(number, value);
    }
    return 1;
}

#endif
