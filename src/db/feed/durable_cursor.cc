#include "db/feed/durable_cursor.h"

#include "db/private_table.h"

namespace mayfly {

// REACHES DISK: the names of the members.
Result<DurableCursor> DurableCursor::decode(const Document& document) {
  const Value body = document.body.unpack();
  const Value after = body.member("after"), done = body.member("done");
  if (!after.is(Kind::time)) return not_as_written("after");
  if (!done.is(Kind::integer) || done.integer() < 0) return not_as_written("done");
  return DurableCursor{after.time(), static_cast<std::size_t>(done.integer())};
}

}  // namespace mayfly
