// The state of one collection's ledger, in a row of its own. There is none if the collection was
// made by a version without ledgers.
//
//   state  := 00                     its slots are being made out of the documents
//           | 01 through(i64)        its slots hold the changes of all commits up to this one
#pragma once

#include <optional>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/result.h"

namespace mayfly::ledger {

inline Bytes state_being_made() {
  return Bytes(1, '\0');
}

inline Bytes encode_state(Instant through) {
  Bytes value(1, '\x01');
  put_i64(value, through.micros);
  return value;
}

// Nothing if the slots are not complete. Fails with corrupt.
inline Result<std::optional<Instant>> decode_state(BytesView value) {
  Reader in(value);
  if (in.u8() == 0) return std::nullopt;
  const Instant through{in.i64()};
  if (!in.done()) return fail(Code::corrupt, "the state of a ledger of ends is damaged");
  return through;
}

}  // namespace mayfly::ledger
