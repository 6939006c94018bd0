// One document as a line of an export:
//
//   {"id":"a","expires_at":"2026-10-01T00:00:00Z","author":"ann","created_at":"…","data":{…}}
//
// At most one of "expires_at", "never": true, "inherit": true, "after" and "ttl" says when it ends;
// where none does, the collection it is written to decides. "author" and "created_at" may be
// missing. In a collection with partitions "partition" is the document's. "hold": {"reason", "by"}
// is a hold that lies on the document; what says when it ends waits for the release.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly::app {

// How a document that follows its collection's default, or every write of it, is written down.
enum class Following { with_its_end, as_following };

// Appends the line of a document as a list of the native API shows it with its lifetime's kind.
// Fails with internal where it is none.
Result<void> append_line(const Value& document, Following following, std::string& out);

// A line as it is to be written.
struct DocumentLine {
  std::string operation;              // of a transaction: a put to the collection
  std::optional<Instant> expires_at;  // where it says one, and no hold keeps the document
  struct Hold {
    std::string id;
    std::string partition;  // JSON; empty: none is named
    std::string body;       // of the request that sets it
    std::string by;
  };
  std::optional<Hold> hold;  // to be set once the document is there
};
// `now`: of the server; a held document whose end has passed is written without one. Fails with
// invalid or too_large; the message says what is wrong with the line.
Result<DocumentLine> parse_line(std::string_view line, std::string_view collection, Instant now);

}  // namespace mayfly::app
