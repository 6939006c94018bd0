// Writing one record within a transaction: creations, patches and removals, whichever request they
// come from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/write/transaction.h"
#include "dialect/centrali/call.h"
#include "dialect/centrali/lifetimes/requested.h"
#include "dialect/centrali/records/find.h"
#include "dialect/centrali/structures/directory.h"

namespace mayfly::centrali {

// What a request sends for one record.
struct RecordInput {
  Value data;                     // missing if it is not sent
  std::optional<Bytes> facet;     // the metadata
  std::optional<std::string> id;  // chosen by the client
  RequestedLifetime lifetime;
  std::string misspelt;  // a member that looks like a lifetime; empty: none (misspelt.h)

  bool is_empty_input() const { return data.is_missing() && !facet && !lifetime.is_set(); }
};
// The record of a request for one record. Parameters of the query string take precedence over
// members of the body.
Result<RecordInput> parse_record_input(const net::Request& request, const Object& body);
// One record of many. Its own members take precedence over those for all.
Result<RecordInput> parse_item_input(const Object& item, const RequestedLifetime& for_all);

struct WrittenRecord {
  StructurePtr structure;
  DocumentKey key;
};

// All fail with invalid if the data does not conform to the structure, with the reasons in
// call.details.
Result<WrittenRecord> create(CentraliCall& call, Transaction& transaction,
                             const StructurePtr& structure, const RecordInput& sent);
Result<WrittenRecord> patch(CentraliCall& call, Transaction& transaction, const FoundRecord& found,
                            const RecordInput& sent);
Result<WrittenRecord> replace(CentraliCall& call, Transaction& transaction,
                              const FoundRecord& found, const RecordInput& sent);
Result<WrittenRecord> restore(CentraliCall& call, Transaction& transaction, const std::string& id);
// Moves the record to the archive, or erases it and its archived version. Fails with not_found.
enum class Removal { archive, final };
Result<void> remove(CentraliCall& call, Transaction& transaction, const std::string& id,
                    Removal how, const std::string& in_body = "");

// Writes what the call writes beside a record (CentraliCall::extra_write).
Result<void> run_extra_write(const CentraliCall& call, Transaction& transaction);

// Finds the living record where the request says, or anywhere in the workspace. `in_body` is the
// structure that the body names for it. Fails with not_found.
Result<FoundRecord> find_in(CentraliCall& call, Transaction& transaction, const std::string& id,
                            const std::string& in_body = "");
// The structure that the path, the body or the query string names. Fails with invalid.
Result<std::string> structure_named(const CentraliCall& call, const Object& body);
// Reads the parameter `hard`, and its names in other versions of clients.
Result<Removal> removal_of(const net::Request& request);

// Appends the written record, as it is after the commit. Returns the document.
std::optional<Document> render_written(const CentraliCall& call, const Transaction& transaction,
                                       const WrittenRecord& written, std::string& out);
// Adds a hint if the record has expired by its own lifetime at its write. That is allowed, but most
// often a mistake of the client.
void hint_at_expired(const Document& document, net::Response& response);

}  // namespace mayfly::centrali
