// The parsed form of a list or query, whichever way it was written.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dialect/centrali/queries/lower.h"
#include "dialect/centrali/queries/paging.h"
#include "dialect/centrali/records/references/expand.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/structures/structure.h"
#include "net/message.h"
#include "query/query.h"
#include "value/value.h"

namespace mayfly::centrali {

struct Wanted {
  ExprList conditions;
  std::vector<query::SortKey> order;  // empty: any stable order
  Paging paging;
  std::optional<Selection> selection;  // nothing: whole records
  ExpandTree expand;
  bool includes_total = false;
  bool includes_archived = false;
};

// Parses the query string of a GET: data.total[gte]=100&sort=-createdAt&page=2 … Every parameter
// that is no setting is a comparison. Fails with invalid, naming the parameter.
Result<Wanted> parse_flat(const net::Request& request, const Structure& structure);
// Parses the body of POST /records/query: {"where", "text", "sort", "page", "select"}, and the
// parameters of the flat form as members.
Result<Wanted> parse_canonical(const Object& body, const Structure& structure);

// Used by both forms. Both functions fail with invalid over limits::selected_fields_max.
Result<Selection> parse_selection(const std::vector<std::string>& names);
// The fields that a search reads, with or without "data."; without names, those of the structure.
Result<std::vector<NamedField>> parse_search_fields(const std::vector<std::string>& names,
                                                    const Structure& structure);

// The query for the documents, without its slice.
query::QueryPtr query_of(const Wanted& wanted, const Structure& structure, Instant now);

}  // namespace mayfly::centrali
