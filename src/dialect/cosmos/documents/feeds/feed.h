// Pages of rows: how large, and where they go on.
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

// The resources of a kind that one owner has, or the rows of a query of them, as pages.
struct List {
  ResourceKind kind;
  BytesView owner_rid;  // empty: of the account
};

// How a list goes on behind a page. Such a text is good for ever, as the service's are.
std::string continuation_of(const Call& call, const List& list, const query::Bookmark& next);
// Fails with invalid: it is no text that this list has given.
Result<query::Bookmark> open_continuation(const Call& call, const List& list,
                                          std::string_view continuation);

Error wrong_continuation();

// From x-ms-max-item-count alone. Fails with invalid, as the next.
Result<query::RunOptions> page_size_of(const Call& call);
// And from x-ms-continuation.
Result<query::RunOptions> paging_of(const Call& call, const List& list);
void add_continuation(const Call& call, const List& list, const query::RowsPage& page,
                      net::Response& response);
// The same where a page that is exactly full does not say whether it is the last: an empty one
// comes behind it.
void add_continuation_of_full_page(const Call& call, const List& list, const query::RowsPage& page,
                                   net::Response& response);

// The living documents of a container that the request is restricted to.
query::QueryPtr documents_of(const Container& container, const Lens& lens,
                             const Restriction& restriction);
// Those of other rows, documents of the container, that lie within the restriction.
query::QueryPtr restricted(query::QueryPtr documents, const Container& container,
                           const Restriction& restriction);

// The order of documents that ask for none, the first first.
enum class DocumentOrder : std::uint8_t {
  of_creation,
  of_keys,    // by the hashes of their keys, so range after range, and by creation in each key
  of_values,  // by the only property of a DISTINCT; of other queries, the container's own
};
DocumentOrder order_of(const Container& container);
// Documents of one partition are in order of creation in either.
query::QueryPtr in_order(query::QueryPtr documents, DocumentOrder order, const PartitionKey& key);

}  // namespace mayfly::cosmos
