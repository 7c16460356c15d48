/* Snappy and LZ4 blocks, unpacked into room of the size that was announced: no more, no less. */

#ifndef TOPRUNG_UNPACK_H
#define TOPRUNG_UNPACK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct { const unsigned char *at, *end; } Packed;
typedef struct { unsigned char *begin, *at, *end; } Unpacked;

/* A number in groups of seven bits, the lowest first. Returns 0 if it does not end, or has more than 64 bits. */
static int take_varint(Packed *from, uint64_t *number) {
    *number = 0;
    for (int shift = 0; shift < 64 && from->at < from->end; shift += 7) {
        unsigned char byte = *from->at++;
        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return 1;
    }
    return 0;
}

static int take_literal(Packed *from, Unpacked *to, size_t size) {
    if (size > (size_t)(from->end - from->at) || size > (size_t)(to->end - to->at)) return 0;
    memcpy(to->at, from->at, size);
    from->at += size;
    to->at += size;
    return 1;
}

/* Says again what was said `back` bytes ago; the two may overlap. */
static int take_copy(Unpacked *to, size_t back, size_t size) {
    if (!back || back > (size_t)(to->at - to->begin) || size > (size_t)(to->end - to->at)) return 0;
    const unsigned char *said = to->at - back;
    if (back >= size) memcpy(to->at, said, size);
    else
        for (size_t i = 0; i < size; i++) to->at[i] = said[i];
    to->at += size;
    return 1;
}

/* So many bytes as one number, the lowest first. */
static int take_bytes(Packed *from, int n, size_t *number) {
    if (from->end - from->at < n) return 0;
    *number = 0;
    for (int i = 0; i < n; i++) *number |= (size_t)from->at[i] << 8 * i;
    from->at += n;
    return 1;
}

static int take_snappy(Packed *from, Unpacked *to) {
    unsigned tag = *from->at++;
    size_t size = tag >> 2, back;
    if ((tag & 3) == 0) {
        if (size >= 60 && !take_bytes(from, (int)size - 59, &size)) return 0;
        return take_literal(from, to, size + 1);
    }
    if ((tag & 3) == 1) {
        if (!take_bytes(from, 1, &back)) return 0;
        return take_copy(to, (size_t)(tag >> 5) << 8 | back, (size & 7) + 4);
    }
    return take_bytes(from, (tag & 3) == 2 ? 2 : 4, &back) && take_copy(to, back, size + 1);
}

static int unpack_snappy(Packed from, Unpacked to) {
    uint64_t size;
    if (!take_varint(&from, &size) || size != (uint64_t)(to.end - to.begin)) return 0;
    while (from.at < from.end)
        if (!take_snappy(&from, &to)) return 0;
    return to.at == to.end;
}

/* A size that goes on in further bytes while they are 255. */
static int take_lz4_size(Packed *from, size_t *size) {
    if (*size != 15) return 1;
    for (;;) {
        if (from->at == from->end) return 0;
        unsigned char more = *from->at++;
        *size += more;
        if (more != 255) return 1;
    }
}

static int unpack_lz4(Packed from, Unpacked to) {
    while (from.at < from.end) {
        unsigned tag = *from.at++;
        size_t literal = tag >> 4, copy = tag & 15, back;
        if (!take_lz4_size(&from, &literal) || !take_literal(&from, &to, literal)) return 0;
        if (from.at == from.end) break; /* the last one has nothing to repeat */
        if (!take_bytes(&from, 2, &back) || !take_lz4_size(&from, &copy) || !take_copy(&to, back, copy + 4)) return 0;
    }
    return to.at == to.end;
}

#endif
