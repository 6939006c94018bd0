#include "dialect/cosmos/stored/tokens.h"

#include <charconv>

#include "base/crypto.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/errors.h"
#include "value/json.h"

namespace mayfly::cosmos {
namespace {

constexpr std::int64_t seconds_default = 3'600;
constexpr std::int64_t seconds_min = 10;
constexpr std::int64_t seconds_max = 18'000;
constexpr std::string_view seconds_header = "x-ms-documentdb-expiry-seconds";

std::optional<std::int64_t> asked_seconds(const Call& call) {
  const std::string_view text = call.header(seconds_header);
  if (text.empty()) return seconds_default;
  std::int64_t seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  if (!is_whole || seconds < seconds_min || seconds > seconds_max) return std::nullopt;
  return seconds;
}

Error not_allowed() {
  return {Code::forbidden,
          "Insufficient permissions provided in the authorization header for the corresponding "
          "request. Please retry with another authorization header."};
}

// What tells a thing whichever way it is named: the ids of what it is, and its own name.
struct Place {
  DatabaseInfoPtr database;
  CollectionPtr collection;
  std::string document;
};

std::optional<Place> place_of(const Call& call, const Address& address) {
  const CatalogPtr catalog = call.database().catalog();
  Place place;
  auto database = Containers::find_database(*catalog, address);
  if (!database) return std::nullopt;
  place.database = *database;
  if (address.name_of(ResourceKind::container).empty()) return place;
  const auto container = call.containers.find(*catalog, address);
  if (!container) return std::nullopt;
  place.collection = (*container)->collection;
  place.document = address.name_of(ResourceKind::document);
  return place;
}

bool covers(const Place& granted, const Place& asked) {
  if (granted.database->id != asked.database->id) return false;
  if (granted.collection == nullptr) return true;
  if (asked.collection == nullptr || granted.collection->id != asked.collection->id) return false;
  return granted.document.empty() || granted.document == asked.document;
}

}  // namespace

std::string issue_token(const Call& call, const Value& permission) {
  const Instant until =
      call.database().now() + Span::seconds(asked_seconds(call).value_or(seconds_default));
  Object claims{{"resource", permission.member("resource")},
                {"mode", permission.member("permissionMode")},
                {"until", until.micros}};
  const Value key = permission.member("resourcePartitionKey");
  if (key.is(Kind::array)) claims.set("key", render_json(key));
  const auto signed_claims = sign_jwt(render_json(claims), call.services.credentials.signing_key);
  return "type=resource&ver=1.0&sig=" + signed_claims.value_or("");
}

Result<void> check_token_seconds(const Call& call) {
  if (asked_seconds(call)) return {};
  return tl::unexpected(
      bad_request("The expiry of a token is 10 to 18000 seconds.", std::string(seconds_header)));
}

Result<Grant> verify_token(std::string_view signature, const Credentials& credentials,
                           Instant now) {
  const std::string claims_text = TRY(verify_jwt(signature, credentials.signing_key));
  const Value claims = TRY(parse_json(claims_text));
  const Value resource = claims.member("resource");
  const Value mode = claims.member("mode");
  const Value until = claims.member("until");
  if (!resource.is(Kind::text) || !mode.is(Kind::text) || !until.is(Kind::integer)) {
    return fail(Code::unauthenticated, "The token is not one of this account's.");
  }
  Grant grant{.resource = resource.text(),
              .may_write = mode.text() == "All",
              .until = Instant{until.integer()}};
  const Value key = claims.member("key");
  if (key.is(Kind::text)) grant.partition_key = key.text();
  if (now >= grant.until) {
    return fail(Code::forbidden, "The authorization token has expired.");
  }
  return grant;
}

Result<void> check_grant(const Grant& grant, const Call& call, bool is_write) {
  if (is_write && !grant.may_write) return tl::unexpected(not_allowed());
  if (call.address.kind == ResourceKind::account) return {};  // clients look for the locations
  const auto link = parse_link(grant.resource);
  const auto granted = link ? place_of(call, *link) : std::nullopt;
  const auto asked = place_of(call, call.address);
  if (!granted || !asked || !covers(*granted, *asked)) return tl::unexpected(not_allowed());
  const bool executes = call.address.kind == ResourceKind::stored_procedure &&
                        !call.address.is_feed && call.request.method == "POST";
  const bool is_of_partition = call.address.kind == ResourceKind::document || executes;
  if (!grant.partition_key || !is_of_partition) return {};
  const auto own = TRY(parse_partition_values(*grant.partition_key));
  const std::string_view header = call.header(partition_key_header);
  const bool is_same =
      !header.empty() &&
      render_partition_values(TRY(parse_partition_values(header))) == render_partition_values(own);
  if (!is_same) return tl::unexpected(not_allowed());
  return {};
}

}  // namespace mayfly::cosmos
