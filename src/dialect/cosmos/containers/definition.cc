#include "dialect/cosmos/containers/definition.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "dialect/cosmos/containers/computed.h"
#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/containers/policies/indexing.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/ttl/ttl.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

constexpr std::size_t hierarchical_paths_max = 3;
constexpr std::size_t unique_keys_max = 10;
constexpr std::size_t unique_paths_max = 16;
constexpr std::string_view system_key_path = "/_partitionKey";

// Members that are stored and shown as sent.
constexpr std::string_view kept_as_they_are[] = {"analyticalStorageTtl", "computedProperties",
                                                 "vectorEmbeddingPolicy", "fullTextPolicy",
                                                 "clientEncryptionPolicy"};

PartitionKey system_key() {
  PartitionKey key;
  key.paths.push_back(Path::of(system_key_path.substr(1)));
  key.is_system = true;
  return key;
}

Object shown_system_key() {
  return Object{{"paths", Array{Value(system_key_path)}}, {"kind", "Hash"}, {"systemKey", true}};
}

Object shown_conflicts() {
  return Object{{"mode", "LastWriterWins"},
                {"conflictResolutionPath", "/_ts"},
                {"conflictResolutionProcedure", ""}};
}

Error wrong_key(std::string message) {
  return bad_request(std::move(message), "partitionKey");
}

Result<void> take_kind(const Value& kind, PartitionKey& key) {
  if (kind.is_missing()) return {};
  const std::string_view name = kind.is(Kind::text) ? std::string_view(kind.text()) : "";
  key.is_hierarchical = name == "MultiHash";
  if (key.is_hierarchical || name == "Hash") return {};
  return tl::unexpected(wrong_key("The kind of a partition key is Hash or MultiHash."));
}

Result<void> take_version(const Value& version, PartitionKey& key) {
  if (version.is_missing()) return {};
  const bool is_known =
      version.is(Kind::integer) && (version.integer() == 1 || version.integer() == 2);
  if (!is_known) return tl::unexpected(wrong_key("The version of a partition key is 1 or 2."));
  key.version = static_cast<int>(version.integer());
  return {};
}

Result<PartitionKey> parse_key(const Value& sent, const KeyDefaults& defaults) {
  if (!sent.is(Kind::object))
    return tl::unexpected(wrong_key("The partition key must be an object."));
  if (sent.member("systemKey").is_true()) return system_key();
  PartitionKey key;
  TRY(take_kind(sent.member("kind"), key));
  key.version = key.is_hierarchical ? 2 : defaults.key_version;
  TRY(take_version(sent.member("version"), key));
  const Value paths = sent.member("paths");
  if (!paths.is(Kind::array) || paths.array().empty()) {
    return tl::unexpected(wrong_key("The partition key definition must have an array of paths."));
  }
  const std::size_t most = key.is_hierarchical ? hierarchical_paths_max : 1;
  if (paths.array().size() > most) {
    return tl::unexpected(wrong_key(
        fmt::format("Too many partition key paths: the partition key definition has {}; it may "
                    "have {}.",
                    paths.array().size(), most)));
  }
  for (const Value& path : paths.array()) {
    if (!path.is(Kind::text))
      return tl::unexpected(wrong_key("A partition key path must be a text."));
    key.paths.push_back(TRY(parse_key_path(path.text())));
  }
  return key;
}

Object shown_key(const Value& sent, const PartitionKey& key) {
  if (key.is_system) return shown_system_key();
  return Object{{"paths", sent.member("paths")},
                {"kind", key.is_hierarchical ? "MultiHash" : "Hash"},
                {"version", key.version}};
}

Result<std::vector<std::vector<Path>>> parse_unique_keys(const Value& policy) {
  std::vector<std::vector<Path>> keys;
  const Value sent = policy.member("uniqueKeys");
  if (sent.is_missing() || sent.is_null()) return keys;
  if (!sent.is(Kind::array)) {
    return tl::unexpected(bad_request("Unique keys are an array.", "uniqueKeyPolicy"));
  }
  if (sent.array().size() > unique_keys_max) {
    return tl::unexpected(
        bad_request("A container has at most 10 unique keys.", "uniqueKeyPolicy"));
  }
  for (const Value& key : sent.array()) {
    const Value paths = key.member("paths");
    if (!paths.is(Kind::array) || paths.array().empty() ||
        paths.array().size() > unique_paths_max) {
      return tl::unexpected(bad_request("A unique key has 1 to 16 paths.", "uniqueKeyPolicy"));
    }
    std::vector<Path> parsed;
    for (const Value& path : paths.array()) {
      if (!path.is(Kind::text)) {
        return tl::unexpected(
            bad_request("A path of a unique key must be a text.", "uniqueKeyPolicy"));
      }
      parsed.push_back(TRY(parse_key_path(path.text())));
    }
    keys.push_back(std::move(parsed));
  }
  return keys;
}

Result<void> take_ttl(const Value& body, const Object& indexing, Definition& definition) {
  definition.default_lifetime = TRY(parse_default_ttl(body.member("defaultTtl")));
  const bool has_default = !std::holds_alternative<Unset>(definition.default_lifetime);
  if (has_default && is_unindexed(indexing)) {
    return tl::unexpected(
        bad_request("Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the "
                    "collection",
                    "indexingPolicy"));
  }
  const Value path = body.member("ttlPropertyPath");
  if (path.is_missing() || path.is_null()) return {};
  if (!path.is(Kind::text) || !has_default) {
    return tl::unexpected(
        bad_request("'ttlPropertyPath' is one path, and needs a 'defaultTtl'.", "ttlPropertyPath"));
  }
  definition.ttl_path = TRY(parse_key_path(path.text()));
  definition.shown.set("ttlPropertyPath", path);
  return {};
}

// It is shown as sent; there is no analytical store.
Result<void> check_analytical_ttl(const Value& seconds) {
  if (seconds.is_missing() || seconds.is_null()) return {};
  const bool is_ttl = seconds.is(Kind::integer) && seconds.integer() >= -1 &&
                      seconds.integer() <= limits::ttl_seconds_max;
  if (is_ttl) return {};
  return tl::unexpected(bad_request("'analyticalStorageTtl' is a number of seconds, 0 or -1.",
                                    "analyticalStorageTtl"));
}

Result<void> take_change_feed(const Value& body, Definition& definition) {
  const Value policy = body.member("changeFeedPolicy");
  if (!policy.is(Kind::object)) return {};
  const Value minutes = policy.member("retentionDuration");
  if (!minutes.is_missing()) {
    if (!minutes.is(Kind::integer) || minutes.integer() < 0 ||
        minutes.integer() > limits::ttl_seconds_max / 60) {
      return tl::unexpected(
          bad_request("'retentionDuration' is a number of minutes.", "changeFeedPolicy"));
    }
    definition.keep_feed_for = Span::seconds(minutes.integer() * 60);
  }
  definition.shown.set("changeFeedPolicy", policy);
  return {};
}

std::string conflict_mode(const Object& shown) {
  const Value* policy = shown.find("conflictResolutionPolicy");
  const Value mode = policy == nullptr ? Value() : policy->member("mode");
  return mode.is(Kind::text) ? mode.text() : "LastWriterWins";
}

Result<void> check_conflicts(const Value& policy) {
  const Value mode = policy.member("mode");
  const bool is_known = mode.is(Kind::text) && (equal_in_any_case(mode.text(), "LastWriterWins") ||
                                                equal_in_any_case(mode.text(), "Custom"));
  if (!policy.is(Kind::object) || mode.is_missing() || is_known) return {};
  return tl::unexpected(bad_request("The mode of conflict resolution is LastWriterWins or Custom.",
                                    "conflictResolutionPolicy"));
}

Result<void> take_members(const Value& body, Definition& definition) {
  Object indexing = TRY(complete_indexing_policy(body.member("indexingPolicy")));
  definition.shown.set("indexingPolicy", indexing);
  const Value unique = body.member("uniqueKeyPolicy");
  definition.unique_keys = TRY(parse_unique_keys(unique));
  if (unique.is(Kind::object)) definition.shown.set("uniqueKeyPolicy", unique);
  const Value conflicts = body.member("conflictResolutionPolicy");
  TRY(check_conflicts(conflicts));
  definition.shown.set("conflictResolutionPolicy",
                       conflicts.is(Kind::object) ? conflicts : Value(shown_conflicts()));
  const Value spatial = body.member("geospatialConfig");
  definition.shown.set("geospatialConfig",
                       spatial.is(Kind::object) ? spatial : Value(Object{{"type", "Geography"}}));
  TRY(take_ttl(body, indexing, definition));
  TRY(check_analytical_ttl(body.member("analyticalStorageTtl")));
  TRY(take_change_feed(body, definition));
  TRY(check_computed_properties(body.member("computedProperties")));
  for (const std::string_view name : kept_as_they_are) {
    Value value = body.member(name);
    if (!value.is_missing() && !value.is_null()) definition.shown.set(name, std::move(value));
  }
  return {};
}

Result<void> check_paths(const Definition& definition, std::string_view policy,
                         std::string_view list) {
  const Value* found = definition.shown.find(policy);
  const Value paths = found == nullptr ? Value() : found->member(list);
  if (!paths.is(Kind::array) || paths.array().size() <= limits::policy_paths_max) return {};
  return tl::unexpected(bad_request(fmt::format("The {} of the {} have more than {} paths.", list,
                                                policy, limits::policy_paths_max),
                                    std::string(policy)));
}

}  // namespace

Result<void> check_size(const Definition& definition) {
  for (const std::string_view list :
       {"includedPaths", "excludedPaths", "compositeIndexes", "spatialIndexes"}) {
    TRY(check_paths(definition, "indexingPolicy", list));
  }
  TRY(check_paths(definition, "clientEncryptionPolicy", "includedPaths"));
  if (render_json(definition.shown).size() <= limits::container_definition_bytes_max) return {};
  return tl::unexpected(
      bad_request(fmt::format("The definition of a container has at most {} bytes of JSON.",
                              limits::container_definition_bytes_max)));
}

Result<Definition> parse_definition(const Value& body, const KeyDefaults& defaults) {
  Definition definition;
  const Value id = body.member("id");
  if (id.is(Kind::text)) definition.id = id.text();
  const Value key = body.member("partitionKey");
  if (key.is_missing() || key.is_null()) {
    if (!defaults.may_lack_key)
      return tl::unexpected(wrong_key("The partition key definition is missing."));
    definition.key = system_key();
  } else {
    definition.key = TRY(parse_key(key, defaults));
  }
  definition.shown.set("partitionKey", shown_key(key, definition.key));
  TRY(take_members(body, definition));
  return definition;
}

Result<Definition> read_definition(std::string_view kept) {
  Value shown = TRY(parse_json(kept));
  // The default is stored in the policy. The path was accepted with a default.
  const bool has_path = !shown.member("ttlPropertyPath").is_missing();
  if (has_path) shown.mutable_object().set("defaultTtl", -1);
  return parse_definition(shown, {.may_lack_key = true});
}

Definition plain_definition() {
  return *parse_definition(Object(), {.may_lack_key = true});
}

BodyRules body_rules_of(const Definition& definition) {
  return {.partition = definition.key.paths,
          .may_lack_partition = definition.key.is_system,
          .specifies_lifetime = true,
          .lifetime_start = definition.ttl_path};
}

Result<void> check_replacement(const Definition& before, const Definition& after) {
  for (const std::string_view name :
       {"partitionKey", "uniqueKeyPolicy", "clientEncryptionPolicy"}) {
    const Value* old_value = before.shown.find(name);
    const Value* new_value = after.shown.find(name);
    const std::string was = old_value == nullptr ? "" : render_json(*old_value);
    const std::string is = new_value == nullptr ? "" : render_json(*new_value);
    if (was == is || (name == "uniqueKeyPolicy" && after.unique_keys == before.unique_keys))
      continue;
    return tl::unexpected(bad_request(fmt::format("The {} of a container cannot be changed.", name),
                                      std::string(name)));
  }
  const std::string was = conflict_mode(before.shown);
  if (equal_in_any_case(was, conflict_mode(after.shown))) return {};
  return tl::unexpected(bad_request("The mode of conflict resolution cannot be changed.",
                                    "conflictResolutionPolicy"));
}

}  // namespace mayfly::cosmos
