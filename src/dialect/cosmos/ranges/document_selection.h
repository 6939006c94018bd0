// Continuing pages after the key range of the previous page has split (docs/decisions/0035).
#pragma once

#include <functional>

#include "dialect/cosmos/documents/feeds/feed.h"

namespace mayfly::cosmos {

// The order and restriction of a request's documents, beside its query text.
struct DocumentSelection {
  DocumentOrder order;
  Restriction restriction;
};
using MakeQuery = std::function<Result<query::QueryPtr>(const DocumentSelection&)>;

// The selection of a request with the current key ranges.
DocumentSelection selection_of(const Container& container, const Restriction& restriction);

// Answers `requested`, which is `make_query` of the current selection. A bookmark from before a
// split continues at its position. Fails as query::answer does.
Result<query::RowsPage> answer_or_continue(const query::QueryPtr& requested,
                                           const MakeQuery& make_query, const Container& container,
                                           const Restriction& restriction, View& view,
                                           query::RunOptions options);

// Whether the answer failed because the bookmark belongs to another query.
bool is_of_another_query(const Result<query::RowsPage>& page, const query::QueryPtr& requested,
                         const query::RunOptions& options);

// The key range with all documents of the restriction; null pointer if they may be in several. The
// second: the key range of a document. Both point into the container.
const KeyRange* range_of(const Container& container, const Restriction& restriction);
const KeyRange* range_of(const Container& container, const Packed& body);

}  // namespace mayfly::cosmos
