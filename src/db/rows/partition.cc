#include "db/rows/partition.h"

#include <algorithm>

#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "value/json/json.h"
#include "value/order/sort_key.h"

namespace mayfly {
namespace {

constexpr char digest_tag = '\xFE';
constexpr std::size_t digest_bytes = 32;
constexpr std::string_view digest_member = "sha256";
constexpr std::string_view field_name = "partition";
constexpr std::size_t component_bytes_max =
    limits::routing_bytes_max / limits::partition_key_components_max;

bool is_scalar(const Value& value) {
  return !value.is(Kind::array) && !value.is(Kind::object);
}

Bytes component_of(const Value& value) {
  if (value.is(Kind::object)) {
    const Value digest = value.member(digest_member);
    return digest_tag + decode_hex(digest.text()).value_or(Bytes());
  }
  Bytes bytes;
  if (put_sort_key(bytes, value) && bytes.size() <= component_bytes_max) return bytes;
  return digest_tag + sha256(render_json(value));
}

bool is_all_missing(const PartitionValues& values) {
  return std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_missing(); });
}

tl::unexpected<Error> no_partition(std::string message) {
  return fail(Code::invalid, std::move(message), std::string(field_name));
}

Result<Value> parse_component(const Value& value) {
  if (is_scalar(value)) return value;
  if (value.is(Kind::object) && value.object().empty()) return Value();
  const Value digest = value.is(Kind::object) ? value.member(digest_member) : Value();
  const Bytes bytes = digest.is(Kind::text) ? decode_hex(digest.text()).value_or(Bytes()) : Bytes();
  if (bytes.size() == digest_bytes && value.object().size() == 1) return value;
  return no_partition("a value of a partition key is no array, and no object but {}");
}

}  // namespace

PartitionValues partition_values_in(const BodyRules& rules, const Packed& body) {
  PartitionValues values;
  for (const Path& path : rules.partition) {
    Value value = body.at(path);
    values.push_back(is_scalar(value) ? std::move(value) : Value());
  }
  return values;
}

Bytes routing_of(const PartitionValues& values, bool may_lack) {
  if (may_lack && is_all_missing(values)) return {};
  Bytes routing;
  for (const Value& value : values) routing += component_of(value);
  return routing;
}

std::optional<PartitionValues> values_in_routing(BytesView routing, std::size_t count) {
  PartitionValues values;
  for (Reader in(routing); in.ok() && !in.done();) {
    if (in.rest().front() == digest_tag) return std::nullopt;
    auto value = take_sort_key(in);
    if (!value || value->is_missing()) return std::nullopt;
    values.push_back(*std::move(value));
  }
  return values.size() == count ? std::optional(std::move(values)) : std::nullopt;
}

Result<DocumentKey> key_in_partition(const BodyRules& rules, const DocumentKey& key,
                                     const Packed& body) {
  if (!rules.is_partitioned()) return key;
  Bytes routing = routing_of(partition_values_in(rules, body), rules.may_lack_partition);
  if (!key.routing.empty() && key.routing != routing) {
    return no_partition("the partition key in the body is not that of the document: " +
                        render_partition(routing) + " instead of " + render_partition(key.routing));
  }
  return DocumentKey{std::move(routing), key.id};
}

std::string render_partition(BytesView routing) {
  Array values;
  for (Reader in(routing); in.ok() && !in.done();) {
    if (in.rest().front() == digest_tag) {
      in.take(1);
      values.push_back(Object{{std::string(digest_member), encode_hex(in.take(digest_bytes))}});
      continue;
    }
    auto value = take_sort_key(in);
    if (!value) break;
    values.push_back(value->is_missing() ? Value(Object()) : *std::move(value));
  }
  return render_json(Value(std::move(values)));
}

Result<Bytes> parse_partition(const BodyRules& rules, const Value& values) {
  if (!rules.is_partitioned()) return no_partition("the collection has no partitions");
  if (!values.is(Kind::array)) {
    return no_partition("a partition is an array of the values of its key");
  }
  const bool names_none = rules.may_lack_partition && values.array().empty();
  if (values.array().size() != rules.partition.size() && !names_none) {
    return no_partition("the partition key of the collection has " +
                        std::to_string(rules.partition.size()) + " values");
  }
  PartitionValues parsed;
  for (const Value& value : values.array()) parsed.push_back(TRY(parse_component(value)));
  return routing_of(parsed, rules.may_lack_partition);
}

}  // namespace mayfly
