#include "dialect/cosmos/containers/indexes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "dialect/common/collections/new_indexes.h"
#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/containers/policies/indexing.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view policy_prefix = "policy ";
constexpr std::string_view scalar_suffix = "/?";
constexpr std::size_t digest_digits = 32;

struct PolicyIndex {
  IndexSpec spec;
  PolicyRow row;
};

Array rows_of(const Value& policy, std::string_view name) {
  const Value rows = policy.member(name);
  return rows.is(Kind::array) ? rows.array() : Array();
}

// The property of a path without wildcards; nothing if it is not one.
std::optional<Field> field_of(std::string_view path) {
  auto parsed = parse_key_path(path);
  if (!parsed) return std::nullopt;
  const auto* first = std::get_if<std::string>(&parsed->steps.front());
  if (first == nullptr || *first == "id" || first->starts_with('_')) return std::nullopt;
  return Field{Part::body, *std::move(parsed)};
}

// The name contains all fields, so indexes of the same name are the same.
std::string name_of(const std::vector<IndexField>& fields) {
  std::string all;
  for (const IndexField& indexed : fields) {
    all += (all.empty() ? "" : ", ") + indexed.field.render();
    if (indexed.is_descending) all += " descending";
  }
  std::string name = std::string(policy_prefix) + all;
  if (check_name(name, "index", "name")) return name;
  return std::string(policy_prefix) + '#' + encode_hex(sha256(all)).substr(0, digest_digits);
}

// After the paths comes the order of rows that are equal in them, in the direction of the first
// path. Entries of the same instant are always by ascending key. So the first path ascends, and a
// query in the opposite order reads backwards.
IndexSpec spec_of(std::vector<IndexField> fields) {
  if (fields.front().is_descending) {
    for (IndexField& indexed : fields) indexed.is_descending = !indexed.is_descending;
  }
  std::string name = name_of(fields);
  fields.push_back({Field::metadata("created_at")});
  return {.name = std::move(name), .fields = std::move(fields), .entries = Entries::cut};
}

std::optional<PolicyIndex> index_of_path(const Value& row) {
  const Value text = row.member("path");
  if (!text.is(Kind::text) || !text.text().ends_with(scalar_suffix)) return std::nullopt;
  std::string_view stem = text.text();
  stem.remove_suffix(scalar_suffix.size());
  auto field = field_of(stem);
  if (!field) return std::nullopt;
  return PolicyIndex{spec_of({IndexField{*std::move(field)}}), {text.text(), {}}};
}

std::optional<PolicyIndex> index_of_composite(const Value& composite) {
  if (!composite.is(Kind::array)) return std::nullopt;
  std::vector<IndexField> fields;
  for (const Value& row : composite.array()) {
    const Value path = row.member("path");
    auto field = path.is(Kind::text) ? field_of(path.text()) : std::nullopt;
    if (!field) return std::nullopt;
    const Value order = row.member("order");
    fields.push_back({*std::move(field), order.is(Kind::text) && order.text() == "descending"});
  }
  if (fields.empty()) return std::nullopt;
  return PolicyIndex{spec_of(std::move(fields)), {"", composite.array()}};
}

std::vector<PolicyIndex> policy_indexes(const Definition& definition) {
  std::vector<PolicyIndex> indexes;
  const auto add = [&indexes](std::optional<PolicyIndex> made) {
    if (!made) return;
    const auto is_it = [&](const PolicyIndex& other) { return other.spec.name == made->spec.name; };
    if (std::none_of(indexes.begin(), indexes.end(), is_it)) indexes.push_back(*std::move(made));
  };
  const Value* policy = definition.shown.find("indexingPolicy");
  if (policy == nullptr) return indexes;
  for (const Value& row : rows_of(*policy, "includedPaths")) add(index_of_path(row));
  for (const Value& row : rows_of(*policy, "compositeIndexes")) add(index_of_composite(row));
  return indexes;
}

bool is_of_policy(const Index& index) {
  return index.entries == Entries::cut && is_name_of_policy_index(index.name);
}

// Whether the index is of one property that the policy includes. A query or an earlier policy has
// requested it.
bool is_still_included(const Index& index, const Definition& desired) {
  return index.fields.size() == 2 && !index.is_of_definition &&
         index_of_field(desired, index.fields.front().field).has_value();
}

bool has_name_of(const std::vector<IndexSpec>& specs, const Index& index) {
  const auto is_it = [&](const IndexSpec& spec) { return spec.name == index.name; };
  return std::any_of(specs.begin(), specs.end(), is_it);
}

// Makes the index ready. Another request that replaces the container may have created it already,
// and the job of requested indexes may drop the index that this has helped to fill. It belongs to
// the definition once that is written.
Result<void> make_ready(Database& database, CollectionId id, const IndexSpec& spec,
                        NewIndexes& created) {
  for (int attempt = 0; attempt < limits::commit_attempts_max; ++attempt) {
    auto made = created.create(spec);
    if (made) return {};
    Error last = std::move(made).error();
    const CollectionPtr now = database.catalog()->collection(id);
    const Index* found = now ? now->find_index(spec.name) : nullptr;
    if (found != nullptr && found->is_ready && has_content(*found, spec)) return {};
    const bool is_being_filled = found != nullptr && !found->is_ready;
    const bool is_lost =
        last.code == Code::not_found || (last.code == Code::exists && is_being_filled);
    if (!now || !is_lost || (found != nullptr && !has_content(*found, spec))) {
      return tl::unexpected(std::move(last));
    }
  }
  return fail(Code::contended, "The container is being changed by other requests.");
}

// The index of a unique key begins with the partition key, so its partitions are separate.
IndexSpec unique_index_of(const std::vector<Path>& key, const Definition& definition,
                          std::size_t number) {
  IndexSpec index{.name = fmt::format("unique key {}", number), .unique = Uniqueness::of_routing};
  if (!definition.key.is_system) {
    for (const Path& path : definition.key.paths) index.fields.push_back({{Part::body, path}});
  }
  for (const Path& path : key) index.fields.push_back({{Part::body, path}});
  return index;
}

// The index of keys by their hashes, and of the documents of each by creation. A key has at most
// three paths, so the expression is within the bounds of stored expressions.
IndexSpec index_of_ranges(const PartitionKey& key) {
  IndexField place;
  place.computed = StoredExpression::of(epk_expression(key)).value();
  return {.name = "by key hash", .fields = {std::move(place), {Field::metadata("created_at")}}};
}

}  // namespace

std::vector<IndexSpec> indexes_of(const Definition& definition) {
  std::vector<IndexSpec> indexes{
      {.name = "by creation", .fields = {{Field::metadata("created_at")}}},
      {.name = "by writing", .fields = {{Field::metadata("written_at")}}}};
  for (const std::vector<Path>& key : definition.unique_keys) {
    indexes.push_back(unique_index_of(key, definition, indexes.size() - 1));
  }
  if (!definition.ranges.is_one()) indexes.push_back(index_of_ranges(definition.key));
  for (PolicyIndex& of_policy : policy_indexes(definition)) {
    if (indexes.size() == limits::indexes_per_collection_max) break;
    indexes.push_back(std::move(of_policy.spec));
  }
  for (IndexSpec& index : indexes) index.is_of_definition = true;
  return indexes;
}

Result<std::vector<IndexSpec>> change_indexes(Database& database, const Collection& collection,
                                              const Definition& desired, NewIndexes& created) {
  const std::vector<IndexSpec> specs = indexes_of(desired);
  TRY(check_content(collection, specs));
  std::size_t room = limits::indexes_per_collection_max - collection.indexes.size();
  for (const Index& index : collection.indexes) {
    if (!is_of_policy(index) || has_name_of(specs, index)) continue;
    if (is_still_included(index, desired)) continue;
    const auto dropped = database.drop_any_index(collection.id, index.name);
    const bool is_gone = dropped || dropped.error().code == Code::not_found;
    if (!is_gone) return tl::unexpected(dropped.error());
    ++room;
  }
  std::vector<IndexSpec> present;
  for (const IndexSpec& spec : specs) {
    const Index* found = collection.find_index(spec.name);
    const bool is_needed = spec.unique != Uniqueness::none;
    if (found == nullptr && room == 0 && !is_needed) continue;
    if (found == nullptr || !found->is_ready) {
      TRY(make_ready(database, collection.id, spec, created));
    }
    if (found == nullptr && room > 0) --room;
    present.push_back(spec);
  }
  return present;
}

std::optional<IndexSpec> index_of_field(const Definition& definition, const Field& field) {
  if (field.part != Part::body) return std::nullopt;
  const std::string path = render_key_path(field.path);
  const auto own = field_of(path);
  const Value* policy = definition.shown.find("indexingPolicy");
  if (!own || !(*own == field) || policy == nullptr) return std::nullopt;
  if (is_unindexed(policy->object()) || !is_included(*policy, path)) return std::nullopt;
  return spec_of({IndexField{field}});
}

bool is_name_of_policy_index(std::string_view name) {
  return name.starts_with(policy_prefix);
}

std::optional<PolicyRow> policy_row_of(const Definition& definition, std::string_view index_name) {
  for (PolicyIndex& index : policy_indexes(definition)) {
    if (index.spec.name == index_name) return std::move(index.row);
  }
  return std::nullopt;
}

}  // namespace mayfly::cosmos
