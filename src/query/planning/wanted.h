// By which fields an index would spare a query most of what it reads.
#pragma once

#include <optional>

#include "query/query.h"

namespace mayfly::query {

struct WantedFields {
  // Of the documents' bodies, the first field of the order, or the only field of which each
  // different value is asked for once. Not of a query within one partition, which is sorted: an
  // index holds those of all.
  std::optional<Field> order;
  // The only field of the bodies that conditions compare with something.
  std::optional<Field> filter;
  // Whether a condition asks for more than that the field of the order is there.
  bool asks_for_more = false;
};
WantedFields wanted_fields(const Query& asked);

// The only member of an object that is made of just one, or else the value itself: what equal
// values are equal in.
const ExprPtr& only_part(const ExprPtr& value);

}  // namespace mayfly::query
