#include "dialect/cosmos/containers/keys/epk.h"

#include <algorithm>

namespace mayfly::cosmos {

EpkRange in_both(const EpkRange& a, const EpkRange& b) {
  const bool ends_with_a = a.max < b.max || (a.max == b.max && !a.is_max_inclusive);
  const EpkRange& end = ends_with_a ? a : b;
  return {std::max(a.min, b.min), end.max, end.is_max_inclusive};
}

KeyHash hash_of(const PartitionKey& key) {
  if (key.is_hierarchical) return KeyHash::multi;
  return key.version == 1 ? KeyHash::v1 : KeyHash::v2;
}

std::string epk_of(const PartitionValues& values, KeyHash hash) {
  return key_hash(version_of(hash), values);
}

std::string epk_of_document(const PartitionKey& key, const Packed& body) {
  PartitionValues values;
  for (const Path& path : key.paths) values.push_back(body.at(path));
  return epk_of(values, hash_of(key));
}

ExprPtr epk_expression(const PartitionKey& key) {
  ExprList arguments{expr::literal(Value(static_cast<std::int64_t>(version_of(hash_of(key)))))};
  for (const Path& path : key.paths) arguments.push_back(expr::field({Part::body, path}));
  return expr::call("key_hash", std::move(arguments));
}

ExprPtr is_within(const EpkRange& range, const PartitionKey& key) {
  const ExprPtr epk = epk_expression(key);
  ExprList bounds;
  if (!range.min.empty()) {
    bounds.push_back(expr::call("greater_or_equal", {epk, expr::literal(Value(range.min))}));
  }
  if (range.max < epk_max) {
    const std::string_view bound = range.is_max_inclusive ? "less_or_equal" : "less";
    bounds.push_back(expr::call(bound, {epk, expr::literal(Value(range.max))}));
  }
  return expr::all_of(std::move(bounds));
}

EpkRange epk_range_of(const PartitionValues& values, KeyHash hash, std::size_t paths) {
  if (values.empty()) return {"", std::string(epk_max), false};
  const std::string epk = epk_of(values, hash);
  if (values.size() < paths) return {epk, epk + std::string(epk_max), false};
  return {epk, epk, true};
}

}  // namespace mayfly::cosmos
