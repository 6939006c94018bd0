// A filter is evaluated to a set with every key for which it can be true. An AND is the
// intersection of sets, an OR their union, and any other expression the set of all keys.
#include "dialect/cosmos/plan/key_ranges.h"

#include <algorithm>
#include <cstdlib>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/functions/names.h"
#include "value/order/order.h"

namespace mayfly::cosmos {
namespace {

using sql::ScalarPtr;

// A value for each path; none: any value.
using Key = std::vector<std::optional<Value>>;
using Keys = std::vector<Key>;

// The number that one IN can list. Beyond it the set counts as all keys, to bound the work.
constexpr std::size_t keys_max = limits::sql_in_items_max;

std::optional<Key> intersection(const Key& a, const Key& b) {
  Key both = a;
  for (std::size_t i = 0; i < both.size(); ++i) {
    if (!both[i]) {
      both[i] = b[i];
    } else if (b[i] && !same(*both[i], *b[i])) {
      return std::nullopt;
    }
  }
  return both;
}

Keys intersection(const Keys& a, const Keys& b) {
  if (a.size() * b.size() > keys_max) return a.size() < b.size() ? a : b;
  Keys both;
  for (const Key& one : a) {
    for (const Key& other : b) {
      if (auto key = intersection(one, other)) both.push_back(*std::move(key));
    }
  }
  return both;
}

// The text that a pattern without wildcards matches.
std::optional<std::string> text_of_pattern(const std::string& pattern, const std::string& escape) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string_view rest = std::string_view(pattern).substr(i);
    if (!escape.empty() && rest.starts_with(escape) && rest.size() > escape.size()) {
      i += escape.size();
    } else if (rest.front() == '%' || rest.front() == '_' || rest.front() == '[') {
      return std::nullopt;
    }
    text += pattern[i];
  }
  return text;
}

class FilterReader {
 public:
  FilterReader(std::optional<std::string> document, const sql::QueryInput& input,
               const PartitionKey& key, Instant now)
      : document_(std::move(document)), asked_(input), key_(key), now_(now) {}

  Keys all() const { return {Key(key_.paths.size())}; }

  // The keys of the documents for which the filter can be true.
  Keys keys_of(const ScalarPtr& filter) const {
    if (const auto value = constant(filter)) return value->is_true() ? all() : Keys();
    if (const auto path = path_of(*filter)) return with(*path, {Value(true)});
    if (const auto* logical = filter->as<sql::Logical>()) return keys_of(*logical);
    if (const auto* binary = filter->as<sql::Binary>()) return keys_of(*binary);
    if (const auto* in = filter->as<sql::In>()) return keys_of(*in);
    if (const auto* like = filter->as<sql::Like>()) return keys_of(*like);
    if (const auto* call = filter->as<sql::ScalarCall>()) return keys_of(*call);
    const auto* unary = filter->as<sql::Unary>();
    if (unary == nullptr || unary->op != sql::UnaryOperator::logical_not) return all();
    const auto path = path_of(*unary->operand);
    return path ? with(*path, {Value(false)}) : all();
  }

 private:
  std::optional<Value> constant(const ScalarPtr& scalar) const {
    return sql::constant_of(scalar, asked_, now_);
  }

  // The index of the key's path that the expression is; nothing if it is none.
  std::optional<std::size_t> path_of(const sql::Scalar& scalar) const {
    if (!document_) return std::nullopt;
    Path path;
    const sql::Scalar* at = &scalar;
    while (at->as<sql::Name>() == nullptr) {
      const std::optional<std::string> name = implied_name(*at);
      if (!name) return std::nullopt;
      path.steps.emplace_back(*name);
      const auto* member = at->as<sql::Member>();
      at = member != nullptr ? member->of.get() : at->as<sql::Index>()->of.get();
    }
    if (at->as<sql::Name>()->name != *document_) return std::nullopt;
    std::reverse(path.steps.begin(), path.steps.end());
    const auto found = std::find(key_.paths.begin(), key_.paths.end(), path);
    if (found == key_.paths.end()) return std::nullopt;
    return static_cast<std::size_t>(found - key_.paths.begin());
  }

  // The set of keys with one of these values at the path.
  Keys with(std::size_t path, const std::vector<Value>& values) const {
    Keys keys;
    for (const Value& value : values) {
      Key key(key_.paths.size());
      key[path] = hashed_component(value);
      keys.push_back(std::move(key));
    }
    return keys;
  }

  Keys keys_of(const sql::Logical& logical) const {
    const bool is_and = logical.op == sql::LogicalOperator::logical_and;
    Keys keys = is_and ? all() : Keys();
    for (const ScalarPtr& operand : logical.operands) {
      Keys more = keys_of(operand);
      if (is_and) {
        keys = intersection(keys, more);
      } else {
        keys.insert(keys.end(), more.begin(), more.end());
      }
      if (keys.size() > keys_max) return all();
    }
    return keys;
  }

  Keys keys_of(const sql::Binary& binary) const {
    if (binary.op != sql::BinaryOperator::equal) return all();
    auto value = constant(binary.right);
    const ScalarPtr& other = value ? binary.left : binary.right;
    if (!value) value = constant(binary.left);
    if (!value) return all();
    if (value->is_missing()) return {};  // nothing is equal to undefined
    if (const auto path = path_of(*other)) return with(*path, {*value});
    const auto* call = other->as<sql::ScalarCall>();
    if (call == nullptr || !is_call_of(*call, "ABS") || !value->is_number()) return all();
    const auto path = path_of(*call->arguments.front());
    if (!path) return all();
    const double size = std::abs(value->number());
    return with(*path, {Value(size), Value(-size)});
  }

  Keys keys_of(const sql::In& in) const {
    const auto path = path_of(*in.value);
    if (in.is_negated || !path) return all();
    std::vector<Value> values;
    for (const ScalarPtr& item : in.items) {
      auto value = constant(item);
      if (!value) return all();
      if (!value->is_missing()) values.push_back(*std::move(value));
    }
    return with(*path, values);
  }

  Keys keys_of(const sql::Like& like) const {
    const auto path = path_of(*like.value);
    const auto pattern = constant(like.pattern);
    if (like.is_negated || !path || !pattern || !pattern->is(Kind::text)) return all();
    const auto text = text_of_pattern(pattern->text(), like.escape.value_or(""));
    return text ? with(*path, {Value(*text)}) : all();
  }

  Keys keys_of(const sql::ScalarCall& call) const {
    if (call.is_user_defined || call.arguments.empty()) return all();
    if (is_call_of(call, "ARRAY_CONTAINS")) return keys_in_array(call);
    const auto path = path_of(*call.arguments.front());
    if (!path) return all();
    if (is_call_of(call, "IS_NULL")) return with(*path, {Value(nullptr)});
    if (is_call_of(call, "IS_BOOL")) return with(*path, {Value(false), Value(true)});
    return all();
  }

  // ARRAY_CONTAINS([1, 2, 3], c.key)
  Keys keys_in_array(const sql::ScalarCall& call) const {
    const auto list = constant(call.arguments[0]);
    const auto path = path_of(*call.arguments[1]);
    const bool may_be_partial = call.arguments.size() > 2;
    if (may_be_partial || !path || !list || !list->is(Kind::array)) return all();
    return list->array().size() > keys_max
               ? all()
               : with(*path, {list->array().begin(), list->array().end()});
  }

  static bool is_call_of(const sql::ScalarCall& call, std::string_view name) {
    const sql::NamedFunction* function = sql::find_name(call.name);
    return !call.is_user_defined && function != nullptr && function->name == name;
  }

  std::optional<std::string> document_;
  const sql::QueryInput& asked_;
  const PartitionKey& key_;
  Instant now_;
};

// The EPKs of a key whose first values are known.
EpkRange range_of(const Key& key, KeyHash hash) {
  PartitionValues values;
  for (const std::optional<Value>& value : key) {
    if (!value) break;
    values.push_back(*value);
  }
  return epk_range_of(values, hash, key.size());
}

}  // namespace

bool is_one_key(const std::vector<EpkRange>& ranges) {
  return ranges.size() == 1 && !ranges.front().min.empty() &&
         ranges.front().min == ranges.front().max;
}

std::vector<EpkRange> merged(std::vector<EpkRange> ranges) {
  if (ranges.empty()) return {{"", "", true}};
  std::sort(ranges.begin(), ranges.end(),
            [](const EpkRange& a, const EpkRange& b) { return a.min < b.min; });
  std::vector<EpkRange> apart;
  for (EpkRange& range : ranges) {
    if (apart.empty() || !apart.back().contains(range.min)) {
      apart.push_back(std::move(range));
    } else if (range.max > apart.back().max) {
      apart.back().max = std::move(range.max);
      apart.back().is_max_inclusive = range.is_max_inclusive;
    } else if (range.max == apart.back().max) {
      apart.back().is_max_inclusive = apart.back().is_max_inclusive || range.is_max_inclusive;
    }
  }
  return apart;
}

std::vector<EpkRange> key_ranges(const sql::Query& query, const sql::QueryInput& input,
                                 const PartitionKey& key, Instant now) {
  if (query.from.empty()) return merged({});
  const FilterReader reader(sql::document_name(query), input, key, now);
  std::vector<EpkRange> ranges;
  for (const Key& one : query.where ? reader.keys_of(query.where) : reader.all()) {
    ranges.push_back(range_of(one, hash_of(key)));
  }
  return merged(std::move(ranges));
}

}  // namespace mayfly::cosmos
