// Writing one record within a transaction: what a creation, a patch or a removal does, whichever
// request asked for it.
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

// What a request says of one record.
struct Sent {
  Value data;                     // missing where it says nothing of it
  std::optional<Bytes> facet;     // the metadata
  std::optional<std::string> id;  // that a client chooses
  AskedLifetime lifetime;
  std::string misspelt;  // a member that looks like a lifetime; empty: none (misspelt.h)

  bool says_nothing() const { return data.is_missing() && !facet && !lifetime.is_given(); }
};
// One record is the whole request: parameters of the query string win over members of the body.
Result<Sent> parse_sent(const net::Request& request, const Object& body);
// One of many: its own members win over what is said for all.
Result<Sent> parse_item(const Object& item, const AskedLifetime& for_all);

struct Written {
  StructurePtr structure;
  DocumentKey key;
};

// All fail with invalid where the data does not keep to the structure, with the reasons in
// call.details.
Result<Written> create(Call& call, Transaction& transaction, const StructurePtr& structure,
                       const Sent& sent);
Result<Written> patch(Call& call, Transaction& transaction, const Found& found, const Sent& sent);
Result<Written> replace(Call& call, Transaction& transaction, const Found& found, const Sent& sent);
Result<Written> restore(Call& call, Transaction& transaction, const std::string& id);
// To the archive, or for good with what the archive has of it. Fails with not_found.
enum class Removal { archive, final };
Result<void> remove(Call& call, Transaction& transaction, const std::string& id, Removal how,
                    const std::string& in_body = "");

// What the call writes beside a record.
Result<void> write_beside(const Call& call, Transaction& transaction);

// The living record, where the request says or anywhere in the workspace. `in_body` is the
// structure that the body names for it. Fails with not_found.
Result<Found> find_in(Call& call, Transaction& transaction, const std::string& id,
                      const std::string& in_body = "");
// The structure that the path, the body or the query string names. Fails with invalid.
Result<std::string> structure_named(const Call& call, const Object& body);
// `hard`, also as clients of other versions call it.
Result<Removal> removal_of(const net::Request& request);

// Appends what has been written, as it is after the commit. Gives the document.
std::optional<Document> render_written(const Call& call, const Transaction& transaction,
                                       const Written& written, std::string& out);
// A record that is written with its end behind it is the client's right, and most often its
// mistake.
void hint_at_death(const Document& document, net::Response& response);

}  // namespace mayfly::centrali
