// The bodies of bulk and batch requests: up to limits::bulk_records_max records.
#pragma once

#include <string>
#include <vector>

#include "dialect/centrali/limits.h"
#include "dialect/centrali/records/write.h"

namespace mayfly::centrali {

enum class BulkKind { create, patch, remove };

// One of the records, or the reason why it could not be read; a batch reports each reason.
struct BulkItem {
  Result<RecordInput> sent;
  std::string structure;  // as the item, or else the request, names it; empty: neither does
};

struct BulkRequest {
  std::vector<BulkItem> items;
  std::string
      misspelt;  // the misspelt member of the body or of the first record with one (misspelt.h)
  bool stops_on_error = false;  // batches only
};

// {"structureId", "records": [{"data", "id"?, "metadata"?, "ttlSeconds"?, …}]}; for a patch also
// {"ids": […], "data": {…}}, for a removal {"ids": […]} or ids=a,b in the query string; or the
// array alone. When records are created, an item without a member "data" is the data itself. Fails
// with invalid if the body has another form, or has no or too many records.
Result<BulkRequest> parse_bulk(const CentraliCall& call, BulkKind kind);

// Carries out the request for one record. Returns nothing for a removal.
Result<std::optional<WrittenRecord>> write_item(CentraliCall& call, Transaction& transaction,
                                                BulkKind kind, const BulkItem& item, Removal how);

}  // namespace mayfly::centrali
