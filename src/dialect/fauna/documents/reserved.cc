#include "dialect/fauna/documents/reserved.h"

#include <algorithm>

namespace mayfly::fauna {
namespace {

constexpr std::string_view reserved[] = {"id",          "coll",   "ts",      "data",
                                         "delete",      "update", "replace", "updateData",
                                         "replaceData", "exists"};

}  // namespace

bool is_reserved(std::string_view field) {
  return std::find(std::begin(reserved), std::end(reserved), field) != std::end(reserved);
}

bool hides_field(std::string_view field) {
  return field == "ttl" || is_reserved(field);
}

bool is_secret(const SystemCollection& of, std::string_view field) {
  if (of.name == "Credential") return field == "hash";
  return (of.name == "Key" || of.name == "Token") && field == "hashed_secret";
}

}  // namespace mayfly::fauna
