// Imports documents of an export in one transaction. Missing collections are created before it,
// each in a transaction of its own, and stay if the import fails.
//
// A document keeps its id, its ttl and its references, whatever the collection's rules for ttls.
// Expired documents are counted and not written. Documents that exist already and are equal stay
// unchanged, so that repeating an import changes nothing; different ones are replaced. `ts` becomes
// the instant of the import, because a version cannot be written into the past.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dialect/fauna/query.h"

namespace mayfly::fauna {

// What to do when a document cannot be written.
enum class OnRefusal : std::uint8_t { stop, skip };

struct ImportOptions {
  OnRefusal on_refusal = OnRefusal::stop;
  std::string ts_field = {};  // the field that keeps the `ts` of the export; empty: none
};

struct RefusedDocument {
  std::size_t number = 0;  // position in the batch, from 0
  std::string reason;
};

struct ImportReport {
  std::uint64_t created = 0;
  std::uint64_t replaced = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t expired = 0;
  std::vector<RefusedDocument> refused = {};  // by number
  std::vector<std::string> collections = {};  // missing ones that were created
};

// The body has one document per line, in JSON. Fails with too_large over
// limits::import_documents_max. An invalid document does not fail the request but is reported as
// refused. With OnRefusal::stop the first refused document ends the import, and neither it nor
// later ones are written.
Result<ImportReport> import_documents(const net::Request& request, const SharedServices& shared,
                                      const Principal& principal, const ImportOptions& options);

}  // namespace mayfly::fauna
