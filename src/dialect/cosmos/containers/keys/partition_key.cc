#include "dialect/cosmos/containers/keys/partition_key.h"

#include <algorithm>

#include "base/limits.h"
#include "dialect/cosmos/errors.h"
#include "value/json/json.h"
#include "value/json/writer.h"

namespace mayfly::cosmos {
namespace {

bool is_scalar(const Value& value) {
  return !value.is(Kind::array) && !value.is(Kind::object);
}

bool is_all_missing(const PartitionValues& values) {
  return std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_missing(); });
}

}  // namespace

PartitionValues values_in(const PartitionKey& key, const Value& body) {
  PartitionValues values;
  for (const Path& path : key.paths) {
    Value value = at(body, path);
    values.push_back(is_scalar(value) ? std::move(value) : Value());
  }
  if (key.is_system && is_all_missing(values)) values.clear();
  return values;
}

Result<PartitionValues> parse_partition_values(std::string_view header) {
  const auto wrong = [header](const std::string& why) {
    return fail(Code::invalid, "Partition key " + std::string(header) + " is invalid" + why,
                "x-ms-documentdb-partitionkey");
  };
  const auto parsed = parse_json(header);
  if (!parsed || !parsed->is(Kind::array)) return wrong(".");
  if (parsed->array().size() > limits::partition_key_components_max) {
    return wrong(": it has too many components.");
  }
  PartitionValues values;
  for (const Value& value : parsed->array()) {
    const bool is_missing = value.is(Kind::object) && value.object().empty();
    if (!is_missing && !is_scalar(value)) return wrong(".");
    values.push_back(is_missing ? Value() : value);
  }
  return values;
}

std::string render_partition_values(const PartitionValues& values) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const Value& value : values) {
    if (value.is_missing()) {
      json.raw("{}");
    } else {
      json.value(value);
    }
  }
  json.end_array();
  return text;
}

bool is_whole(const PartitionKey& key, const PartitionValues& values) {
  return values.size() == key.paths.size() || (key.is_system && values.empty());
}

Bytes routing_of(const PartitionKey& key, const PartitionValues& values) {
  return mayfly::routing_of(values, key.is_system);
}

}  // namespace mayfly::cosmos
