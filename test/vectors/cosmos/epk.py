"""The place of a partition key among all keys (version 2), computed independently of the server's code.

A component is hashed as one byte for its kind and its value: a number as a little-endian double, a string as UTF-8 and
FF. MurmurHash3 (x64, 128 bits, seed 0) gives 16 bytes; in reverse, without their two highest bits, they are the place.
"""

import struct

MASK = (1 << 64) - 1
C1, C2 = 0x87C37B91114253D5, 0x4CF5AD432745937F


def rotated(x, bits):
    return ((x << bits) | (x >> (64 - bits))) & MASK


def mixed(x):
    x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCD & MASK
    x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53 & MASK
    return x ^ (x >> 33)


def murmur3(data):
    h1 = h2 = 0
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        k1, k2 = struct.unpack_from("<QQ", data, at)
        h1 ^= rotated(k1 * C1 & MASK, 31) * C2 & MASK
        h1 = ((rotated(h1, 27) + h2) * 5 + 0x52DCE729) & MASK
        h2 ^= rotated(k2 * C2 & MASK, 33) * C1 & MASK
        h2 = ((rotated(h2, 31) + h1) * 5 + 0x38495AB5) & MASK
    tail = data[whole:]
    k1, k2 = int.from_bytes(tail[:8], "little"), int.from_bytes(tail[8:], "little")
    h2 ^= rotated(k2 * C2 & MASK, 33) * C1 & MASK
    h1 ^= rotated(k1 * C1 & MASK, 31) * C2 & MASK
    h1, h2 = h1 ^ len(data), h2 ^ len(data)
    h1 = (h1 + h2) & MASK
    h2 = (h2 + h1) & MASK
    h1, h2 = mixed(h1), mixed(h2)
    h1 = (h1 + h2) & MASK
    h2 = (h2 + h1) & MASK
    return struct.pack("<QQ", h1, h2)


def encoded(component):
    if component is None:
        return b"\x01"
    if component is False:
        return b"\x02"
    if component is True:
        return b"\x03"
    if isinstance(component, str):
        return b"\x08" + component.encode() + b"\xff"
    return b"\x05" + struct.pack("<d", component)


def epk(component):
    place = bytearray(reversed(murmur3(encoded(component))))
    place[0] &= 0x3F
    return place.hex().upper()


def range_of(key, paths):
    """What a key, whole or the first components of it, covers: as the server writes it."""
    if not key:
        return "[,FF)"
    places = "".join(epk(component) for component in key)
    return f"[{places},{places}]" if len(key) == paths else f"[{places},{places}FF)"
