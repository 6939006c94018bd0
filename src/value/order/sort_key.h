// Sort keys: bytes whose order is order(). Each ends itself, so several can follow one another in a
// key and a prefix of them is a range.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly {

// Appends the sort key of a value. `descending` inverts the bytes, so that greater values come
// first. Fails with too_large where it would be longer than limits::indexed_bytes_max.
Result<void> put_sort_key(Bytes& out, const Value& value, bool descending = false);
// Appends the key of null and of what is missing as order_null_greatest() has them.
void put_greatest_null(Bytes& out, bool descending = false);
// Reads one back, from the front. Numbers come back as what they compare equal to (2.0 as the
// integer 2), the greatest null as null.
Result<Value> take_sort_key(Reader& in, bool descending = false);
// The bytes of the next sort key, undecoded. Empty, and `in` failed, where they are malformed.
BytesView skip_sort_key(Reader& in, bool descending = false);

// The one-byte prefix that all sort keys of a kind share (integers and reals share one): bounds of
// typed ranges.
std::uint8_t sort_tag(Kind kind);

}  // namespace mayfly
