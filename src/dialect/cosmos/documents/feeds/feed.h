// Pages of rows: their size, and the position at which they continue.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/resources/resource.h"
#include "query/run.h"

namespace mayfly::cosmos {

// A paged list: the resources of one kind of an owner, or the rows of a query over them.
struct List {
  ResourceKind kind;
  BytesView owner_rid;  // empty: of the account
};

// The continuation of a list after a page. It never expires, as in the service.
std::string continuation_of(const CosmosCall& call, const List& list, const query::Bookmark& next);
// Fails with invalid if the text is not a continuation of this list.
Result<query::Bookmark> open_continuation(const CosmosCall& call, const List& list,
                                          std::string_view continuation);

Error wrong_continuation();

// The page size of x-ms-max-item-count. Fails with invalid, as does the next function.
Result<query::RunOptions> page_size_of(const CosmosCall& call);
// The page size, and the position of x-ms-continuation.
Result<query::RunOptions> paging_of(const CosmosCall& call, const List& list);
void add_continuation(const CosmosCall& call, const List& list, const query::RowsPage& page,
                      net::Response& response);
// The same for lists where an exactly full page has a continuation, and an empty page follows it.
void add_continuation_of_full_page(const CosmosCall& call, const List& list,
                                   const query::RowsPage& page, net::Response& response);

// The query for the living documents of a container within the restriction.
query::QueryPtr documents_of(const Container& container, const Lens& lens,
                             const Restriction& restriction);
// The same for `documents`, which are rows of the container: those within the restriction.
query::QueryPtr restricted(query::QueryPtr documents, const Container& container,
                           const Restriction& restriction);

// The order of documents if the request names none; always ascending.
enum class DocumentOrder : std::uint8_t {
  of_creation,
  of_keys,    // by the hashes of their keys, so range after range, and by creation within each key
  of_values,  // by the only property of a DISTINCT; for other queries, the container's order
};
DocumentOrder order_of(const Container& container);
// Both of_creation and of_keys list the documents of one partition by creation. of_values counts as
// of_creation: the lowering of a query makes that order itself (sql/lowering/query.cc).
query::QueryPtr in_order(query::QueryPtr documents, DocumentOrder order, const PartitionKey& key);

}  // namespace mayfly::cosmos
