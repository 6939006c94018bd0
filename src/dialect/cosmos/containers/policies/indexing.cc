#include "dialect/cosmos/containers/policies/indexing.h"

#include <algorithm>

#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/headers/text.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view etag_path = "/\"_etag\"/?";
constexpr std::string_view root_path = "/*";
constexpr std::string_view root_path_of_old = "/";  // the spelling of clients of the first versions
constexpr std::size_t composite_paths_max = 8;

Object path_row(std::string_view path) {
  return Object{{"path", path}};
}

Result<std::string> mode_of(const Object& policy) {
  const Value* mode = policy.find("indexingMode");
  if (mode == nullptr) return std::string("consistent");
  if (mode->is(Kind::text)) {
    std::string name = to_lower(mode->text());
    if (name == "consistent" || name == "lazy" || name == "none") return name;
  }
  return tl::unexpected(
      bad_request("The indexing mode must be one of consistent, lazy and none.", "indexingMode"));
}

// Rows {"path": …}; the other members stay as they are.
Result<Array> path_rows(const Object& policy, std::string_view name) {
  const Value* rows = policy.find(name);
  if (rows == nullptr || rows->is_null()) return Array();
  if (!rows->is(Kind::array)) {
    return tl::unexpected(bad_request(std::string(name) + " must be an array.", std::string(name)));
  }
  for (const Value& row : rows->array()) {
    const Value path = row.member("path");
    if (!path.is(Kind::text) || !path.text().starts_with('/')) {
      return tl::unexpected(bad_request("The indexing path '" + render_json(path) +
                                            "' could not be accepted, failed near position '0'.",
                                        std::string(name)));
    }
  }
  return rows->array();
}

bool has_path(const Array& rows, std::string_view path) {
  return std::any_of(rows.begin(), rows.end(), [path](const Value& row) {
    const Value own = row.member("path");
    return own.is(Kind::text) && own.text() == path;
  });
}

bool has_root(const Array& rows) {
  return has_path(rows, root_path) || has_path(rows, root_path_of_old);
}

Result<Value> complete_order(const Value& row) {
  Object complete = row.is(Kind::object) ? row.object() : Object();
  const Value path = row.member("path");
  if (!path.is(Kind::text) || !path.text().starts_with('/') ||
      path.text().find('*') != std::string::npos) {
    return tl::unexpected(
        bad_request("A path of a composite index must name one property.", "compositeIndexes"));
  }
  const Value order = row.member("order");
  const bool is_known =
      order.is_missing() ||
      (order.is(Kind::text) && (order.text() == "ascending" || order.text() == "descending"));
  if (!is_known) {
    return tl::unexpected(bad_request(
        "The order of a composite index's path is ascending or descending.", "compositeIndexes"));
  }
  if (order.is_missing()) complete.set("order", "ascending");
  return Value(std::move(complete));
}

Result<Array> composite_rows(const Object& policy) {
  const Value* composites = policy.find("compositeIndexes");
  Array complete;
  if (composites == nullptr || composites->is_null()) return complete;
  if (!composites->is(Kind::array)) {
    return tl::unexpected(bad_request("compositeIndexes must be an array.", "compositeIndexes"));
  }
  for (const Value& composite : composites->array()) {
    const bool fits = composite.is(Kind::array) && composite.array().size() >= 2 &&
                      composite.array().size() <= composite_paths_max;
    if (!fits) {
      return tl::unexpected(
          bad_request("A composite index has two to eight paths.", "compositeIndexes"));
    }
    Array rows;
    for (const Value& row : composite.array()) rows.push_back(TRY(complete_order(row)));
    complete.emplace_back(std::move(rows));
  }
  return complete;
}

Object default_policy() {
  return Object{{"indexingMode", "consistent"},
                {"automatic", true},
                {"includedPaths", Array{path_row(root_path)}},
                {"excludedPaths", Array{path_row(etag_path)}}};
}

Result<Object> unindexed_policy(const Object& sent, const Array& included) {
  const Value* automatic = sent.find("automatic");
  if (automatic != nullptr && automatic->is_true()) {
    return tl::unexpected(
        bad_request("The indexing mode none goes with \"automatic\": false only.", "automatic"));
  }
  if (!included.empty()) {
    return tl::unexpected(
        bad_request("Paths cannot be included where the indexing mode is none.", "includedPaths"));
  }
  return Object{{"indexingMode", "none"},
                {"automatic", false},
                {"includedPaths", Array()},
                {"excludedPaths", Array()}};
}

// The kinds of indexes of a path, as in the last version with kinds: both ranges, and the spatial
// kinds that were sent.
Value kinds_of(const Value& given) {
  const auto range_of_kind = [](const char* type) {
    return Value(Object{{"kind", "Range"}, {"dataType", type}, {"precision", -1}});
  };
  Array kinds{range_of_kind("Number"), range_of_kind("String")};
  if (!given.is(Kind::array)) return Value(std::move(kinds));
  for (const Value& one : given.array()) {
    const Value kind = one.member("kind");
    if (kind.is(Kind::text) && kind.text() == "Spatial") kinds.push_back(one);
  }
  return Value(std::move(kinds));
}

Value included_path_for(const Value& row, Client client) {
  Value path = row;
  if (client == Client::of_2017) {
    path.mutable_object().set("indexes", kinds_of(row.member("indexes")));
  } else {
    path.mutable_object().remove("indexes");
  }
  return path;
}

// Every spatial index has all spatial types.
Value spatial_index_for(const Value& row) {
  Value index = row;
  if (!index.is(Kind::object)) return index;
  index.mutable_object().set("types", Array{"Point", "LineString", "Polygon", "MultiPolygon"});
  return index;
}

std::string path_of(const Value& row) {
  const Value text = row.member("path");
  return text.is(Kind::text) ? text.text() : std::string();
}

// "/a/?" and "/a/*" without the wildcard.
std::string_view stem_of(std::string_view path) {
  if (path.ends_with("/?") || path.ends_with("/*")) path.remove_suffix(2);
  return path;
}

// How precisely one of the rows matches the path; 0 if none does.
std::size_t precision(const Value& rows, std::string_view path) {
  std::size_t best = 0;
  if (!rows.is(Kind::array)) return best;
  for (const Value& row : rows.array()) {
    const std::string own = path_of(row);
    const std::string stem = plain_key_path(stem_of(own));
    const bool is_exact = stem == path;
    const bool is_below = own.ends_with("/*") && path.starts_with(stem) &&
                          (path.size() == stem.size() || path[stem.size()] == '/');
    if (is_exact || is_below)
      best = std::max(best, 2 * stem.size() + (own.ends_with("/?") ? 2 : 1));
  }
  return best;
}

}  // namespace

bool is_included(const Value& policy, std::string_view path) {
  return precision(policy.member("excludedPaths"), path) <=
         precision(policy.member("includedPaths"), path);
}

bool is_included_by_name(const Value& policy, std::string_view path) {
  const Value rows = policy.member("includedPaths");
  return rows.is(Kind::array) && std::ranges::any_of(rows.array(), [path](const Value& row) {
           const std::string own = path_of(row);
           return own.ends_with("/?") && plain_key_path(stem_of(own)) == path;
         });
}

Value policy_for(const Value& policy, Client client) {
  Value made = policy;
  const Value included = policy.member("includedPaths");
  if (included.is(Kind::array)) {
    Array paths;
    for (const Value& row : included.array()) paths.push_back(included_path_for(row, client));
    made.mutable_object().set("includedPaths", std::move(paths));
  }
  const Value spatial = policy.member("spatialIndexes");
  if (client == Client::of_2018 && spatial.is(Kind::array)) {
    Array indexes;
    for (const Value& row : spatial.array()) indexes.push_back(spatial_index_for(row));
    made.mutable_object().set("spatialIndexes", std::move(indexes));
  }
  return made;
}

bool is_unindexed(const Object& policy) {
  const Value* mode = policy.find("indexingMode");
  return mode != nullptr && mode->is(Kind::text) && mode->text() == "none";
}

Result<Object> complete_indexing_policy(const Value& sent) {
  if (sent.is_missing() || sent.is_null()) return default_policy();
  if (!sent.is(Kind::object)) {
    return tl::unexpected(bad_request("The indexing policy must be an object.", "indexingPolicy"));
  }
  Object policy = sent.object();
  const std::string mode = TRY(mode_of(policy));
  Array included = TRY(path_rows(policy, "includedPaths"));
  Array excluded = TRY(path_rows(policy, "excludedPaths"));
  if (mode == "none") return unindexed_policy(policy, included);
  if (included.empty() && !has_root(excluded)) included.push_back(path_row(root_path));
  if (!has_root(included) && !has_root(excluded)) {
    return tl::unexpected(bad_request(
        "The special mandatory indexing path \"/\" is not provided in any of the path type sets. "
        "Please provide this path in one of the sets.",
        "indexingPolicy"));
  }
  if (!has_path(excluded, etag_path)) excluded.push_back(path_row(etag_path));
  policy.set("indexingMode", mode);
  if (policy.find("automatic") == nullptr) policy.set("automatic", true);
  policy.set("includedPaths", std::move(included));
  policy.set("excludedPaths", std::move(excluded));
  Array composites = TRY(composite_rows(policy));
  if (!composites.empty()) policy.set("compositeIndexes", std::move(composites));
  return policy;
}

}  // namespace mayfly::cosmos
