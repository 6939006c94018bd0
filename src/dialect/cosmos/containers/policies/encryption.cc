#include "dialect/cosmos/containers/policies/encryption.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dialect/cosmos/errors.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view policy_name = "clientEncryptionPolicy";

tl::unexpected<Error> wrong_policy(std::string message) {
  return tl::unexpected(bad_request(std::move(message), std::string(policy_name)));
}

bool is_text(const Value& value) {
  return value.is(Kind::text) && !value.text().empty();
}

// Whether documents are looked up by the property: the id, or the first step of a path of the
// partition key.
bool finds_documents(std::string_view name, const PartitionKey& key) {
  return name == "id" || std::any_of(key.paths.begin(), key.paths.end(), [name](const Path& path) {
           const auto* first = std::get_if<std::string>(&path.steps.front());
           return first != nullptr && *first == name;
         });
}

// Checks a row of the policy. Returns its property.
Result<std::string> check_included(const Value& row, bool may_find, const PartitionKey& key) {
  const Value path = row.member("path");
  const bool is_property = is_text(path) && path.text().starts_with('/') &&
                           path.text().size() > 1 && path.text().find('/', 1) == std::string::npos;
  if (!is_property) return wrong_policy("An encrypted path names one property, as in \"/name\".");
  if (!is_text(row.member("clientEncryptionKeyId"))) {
    return wrong_policy("An encrypted path needs a clientEncryptionKeyId.");
  }
  const Value algorithm = row.member("encryptionAlgorithm");
  if (!is_text(algorithm) || algorithm.text() != encryption_algorithm) {
    return wrong_policy(fmt::format("The encryptionAlgorithm is {}.", encryption_algorithm));
  }
  const Value type = row.member("encryptionType");
  const bool is_deterministic = is_text(type) && type.text() == "Deterministic";
  if (!is_deterministic && !(is_text(type) && type.text() == "Randomized")) {
    return wrong_policy("The encryptionType is Deterministic or Randomized.");
  }
  const std::string name = path.text().substr(1);
  if (!finds_documents(name, key)) return name;
  if (!may_find) {
    return wrong_policy(fmt::format(
        "Path {} is the id or of the partition key: policyFormatVersion 1 cannot encrypt it.",
        path.text()));
  }
  if (is_deterministic) return name;
  return wrong_policy(fmt::format(
      "Path {} is the id or of the partition key: its encryptionType must be Deterministic.",
      path.text()));
}

}  // namespace

Result<void> check_encryption_policy(const Value& policy, const PartitionKey& key) {
  if (policy.is_missing() || policy.is_null()) return {};
  if (!policy.is(Kind::object)) return wrong_policy("The encryption policy must be an object.");
  const Value version = policy.member("policyFormatVersion");
  const bool is_first = version.is(Kind::integer) && version.integer() == 1;
  const bool is_second = version.is(Kind::integer) && version.integer() == 2;
  if (!version.is_missing() && !is_first && !is_second) {
    return wrong_policy("The policyFormatVersion is 1 or 2.");
  }
  const Value included = policy.member("includedPaths");
  if (!included.is(Kind::array)) return wrong_policy("The includedPaths must be an array.");
  std::set<std::string> names;
  for (const Value& row : included.array()) {
    const std::string name = TRY(check_included(row, is_second, key));
    if (!names.insert(name).second) {
      return wrong_policy(fmt::format("Path /{} is encrypted twice.", name));
    }
  }
  return {};
}

}  // namespace mayfly::cosmos
