// Sort keys: bytes that sort as order() sorts the values. Each terminates itself, so several can
// follow one another in a key, and a prefix of them is a range.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly {

// Appends the sort key of a value. `descending` inverts the bytes, so that greater values come
// first. Fails with too_large if the key would exceed limits::indexed_bytes_max or the depth of a
// document; then `out` is unchanged.
Result<void> put_sort_key(Bytes& out, const Value& value, bool descending = false);
// Appends the key of null and missing in the order of order_null_greatest().
void put_greatest_null(Bytes& out, bool descending = false);
// Decodes a sort key, from the front. Numbers are decoded as the simplest equal number (2.0 as the
// integer 2), the greatest null as null. Fails with corrupt if the bytes are malformed; then `in`
// has failed, too.
Result<Value> take_sort_key(Reader& in, bool descending = false);
// The bytes of the next sort key, undecoded. If they are malformed, returns an empty text, and `in`
// has failed.
BytesView skip_sort_key(Reader& in, bool descending = false);

// The first byte of all sort keys of a kind (integers and reals share it): for bounds of ranges of
// one kind.
std::uint8_t sort_tag(Kind kind);

}  // namespace mayfly
