// The bodies of bulk and batch requests: up to limits::bulk_records_max records.
#pragma once

#include <string>
#include <vector>

#include "dialect/centrali/limits.h"
#include "dialect/centrali/records/write.h"

namespace mayfly::centrali {

enum class ManyKind { create, patch, remove };

// One of the records, as far as it could be read: a batch tells of each that could not.
struct Item {
  Result<Sent> sent;
  std::string structure;  // what the item, or else the request, calls it; empty: nothing does
};

struct Many {
  std::vector<Item> items;
  std::string misspelt;         // in the body or in the first record that has one (misspelt.h)
  bool stops_on_error = false;  // of a batch
};

// {"structureId", "records": [{"data", "id"?, "metadata"?, "ttlSeconds"?, …}]}; for a patch also
// {"ids": […], "data": {…}}, for a removal {"ids": […]} or ids=a,b in the query string; or the
// array alone. A record to create without a member "data" is the data itself. Fails with invalid
// where the body is none of these or has no or too many records.
Result<Many> parse_many(const Call& call, ManyKind kind);

// Does to one record what the request asks for. Gives nothing for a removal.
Result<std::optional<Written>> do_item(Call& call, Transaction& transaction, ManyKind kind,
                                       const Item& item, Removal how);

}  // namespace mayfly::centrali
