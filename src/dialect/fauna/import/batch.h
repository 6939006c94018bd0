// Documents of an export, written in one transaction.
//
// A document is written as it was: its id, its ttl and its references stay, whatever the
// collection says of ttls. What has died by now is counted and not written; what is there
// and equal stays as it is, so that an import that is repeated changes nothing; what differs is
// replaced. Its `ts` is the instant of the import: a version cannot be written into the past.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dialect/fauna/query.h"

namespace mayfly::fauna {

// What follows a document that cannot be written.
enum class OnRefusal : std::uint8_t { stop, skip };

struct ImportOptions {
  OnRefusal on_refusal = OnRefusal::stop;
  std::string ts_field = {};  // which keeps the `ts` of the export; empty: none does
};

struct RefusedDocument {
  std::size_t number = 0;  // of the batch's documents, from 0
  std::string reason;
};

struct ImportReport {
  std::uint64_t created = 0;
  std::uint64_t replaced = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t expired = 0;
  std::vector<RefusedDocument> refused = {};  // by number
  std::vector<std::string> collections = {};  // that were missing and have been made
};

// `lines`: a document each, in JSON. Fails with too_large over limits::import_documents_max; what
// is wrong with one document is no failure, but a refusal: with OnRefusal::stop it is the only one,
// and nothing from it on is written.
Result<ImportReport> import_documents(const net::Request& request, const SharedServices& shared,
                                      const Principal& who, const ImportOptions& options);

}  // namespace mayfly::fauna
