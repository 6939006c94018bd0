// The line of an export for one document:
//
//   {"id":"a","expires_at":"2026-10-01T00:00:00Z","author":"ann","created_at":"…","data":{…}}
//
// At most one of "expires_at", "never": true, "inherit": true, "after" and "ttl" says when it ends;
// without any of them the collection it is written to decides. "author" and "created_at" may be
// missing. In a collection with partitions "partition" is the document's. "hold": {"reason", "by"}
// is a hold on the document; its end applies after the release.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly::app {

// How the line of a document that follows its collection's default, or expires after each write,
// says its end.
enum class Following { with_its_end, as_following };

// Appends the line of a document, given as an item of a list of the native API with the kind of its
// lifetime. Fails with internal if it is not such an item.
Result<void> append_line(const Value& document, Following following, std::string& out);

// A parsed line, ready to be written.
struct DocumentLine {
  std::string operation;              // operation of a transaction: a put to the collection
  std::optional<Instant> expires_at;  // set if the line has one and there is no hold
  struct Hold {
    std::string id;
    std::string partition;  // JSON; empty: the line has none
    std::string body;       // of the request that sets the hold
    std::string by;
  };
  std::optional<Hold> hold;  // to be set once the document is written
};
// `now`: the server's time. A held document whose end has passed is written without an end. Fails
// with invalid or too_large; the message says what is wrong with the line.
Result<DocumentLine> parse_line(std::string_view line, std::string_view collection, Instant now);

}  // namespace mayfly::app
