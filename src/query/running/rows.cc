#include "query/running/rows.h"

#include <map>

#include "base/check.h"
#include "base/crypto/crypto.h"
#include "expr/render.h"
#include "value/order/sort_key.h"

namespace mayfly::query {
namespace {

// Whether the documents come in an order of unique keys. A list may name one key twice.
bool is_ordered(const Access& access) {
  const auto* points = std::get_if<Points>(&access.path);
  return points == nullptr || points->are_sorted;
}

// Whether the key of the document and the items of Unnests identify a row.
bool has_identity(const Query& query) {
  if (const auto* access = query.as<Access>()) return is_ordered(*access);
  const bool keeps = query.as<Filter>() || query.as<Project>() || query.as<Unnest>() ||
                     query.as<Slice>() || query.as<Sort>();
  return keeps && has_identity(*inputs_of(query)[0]);
}

// The nodes between the root and a node. A bookmark has room for one Slice and one Distinct, and
// for the items of Unnests only if documents have an order.
struct Above {
  bool slice = false;
  bool unnest = false;
  bool distinct = false;
};

bool has_position(const Query& query, Above above) {
  if (const auto* access = query.as<Access>()) return is_ordered(*access) || !above.unnest;
  if (const auto* sort = query.as<Sort>()) {
    return !above.unnest && (sorted_groups(*sort) != nullptr || has_identity(*sort->input));
  }
  if (query.as<Group>()) return !above.unnest;
  const std::vector<QueryPtr> inputs = inputs_of(query);
  if (inputs.size() != 1) return false;
  if (query.as<Filter>() || query.as<Project>()) return has_position(*inputs[0], above);
  const bool is_counted = query.as<Concat>() || (query.as<Slice>() && above.slice) ||
                          (query.as<Distinct>() && (above.distinct || above.unnest));
  if (is_counted) return false;
  above.slice = above.slice || query.as<Slice>();
  above.unnest = above.unnest || query.as<Unnest>();
  above.distinct = above.distinct || query.as<Distinct>();
  return has_position(*inputs[0], above);
}

}  // namespace

Bytes identity_of(const Value& value) {
  Bytes whole;
  if (value.is(Kind::array)) {
    whole = "a";
    for (const Value& item : value.array()) whole += sha256(identity_of(item));
  } else if (value.is(Kind::object)) {
    whole = "o";
    std::map<std::string_view, const Value*> members;
    for (const auto& [name, member] : value.object()) {
      if (!member.is_missing()) members.emplace(name, &member);
    }
    for (const auto& [name, member] : members) {
      whole += sha256(name) + sha256(identity_of(*member));
    }
  } else if (put_sort_key(whole, value)) {
    return whole;
  } else {
    whole = "s" + render_literal(value);
  }
  return sha256(whole);
}

const Group* sorted_groups(const Sort& sort) {
  const Query* input = sort.input.get();
  while (const auto* filter = input->as<Filter>()) input = filter->input.get();
  return input->as<Group>();
}

bool has_position(const Query& root) {
  return has_position(root, Above());
}

RowsPtr open_rows(const Scan&, Context, Demand) {
  CHECK(!"a planned query has no Scan");
  return nullptr;
}
RowsPtr open_rows(const Lookup&, Context, Demand) {
  CHECK(!"a planned query has no Lookup");
  return nullptr;
}

RowsPtr open(const Query& query, Context context, Demand demand) {
  return std::visit([&](const auto& node) { return open_rows(node, context, demand); }, query.node);
}

}  // namespace mayfly::query
