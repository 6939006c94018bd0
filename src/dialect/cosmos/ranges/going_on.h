// Pages that go on although the key range of the page before has split (docs/decisions/0035).
#pragma once

#include <functional>

#include "dialect/cosmos/documents/feeds/feed.h"

namespace mayfly::cosmos {

// What the documents of a request are asked by, beside its text.
struct Reading {
  DocumentOrder order;
  Restriction restriction;
};
using Ask = std::function<Result<query::QueryPtr>(const Reading&)>;

// That of a request now.
Reading reading_of(const Container& container, const Restriction& restriction);

// Answers `wanted`, which is `ask` of that reading. A bookmark of a page from before a split goes
// on where it stood. Fails as query::answer does.
Result<query::RowsPage> answer_or_go_on(const query::QueryPtr& wanted, const Ask& ask,
                                        const Container& container, const Restriction& restriction,
                                        View& view, query::RunOptions options);

// Whether the answer failed because the bookmark is of another query than this.
bool is_of_another_query(const Result<query::RowsPage>& page, const query::QueryPtr& wanted,
                         const query::RunOptions& options);

// The key range that all documents of the restriction lie in; null pointer where several hold some.
const KeyRange* range_of(const Container& container, const Restriction& restriction);
const KeyRange* range_of(const Container& container, const Packed& body);

}  // namespace mayfly::cosmos
