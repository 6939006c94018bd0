#include "dialect/cosmos/stored/tokens.h"

#include <algorithm>
#include <charconv>

#include "base/crypto.h"
#include "dialect/cosmos/attachments/place.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/rid.h"
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

// A thing by the ids of what it lies in, which are the same whichever way those are named, and from
// there on by names or rids.
struct Place {
  DatabaseInfoPtr database;
  ContainerPtr container;            // null pointer: it is none, and lies in none
  std::vector<Address::Part> below;  // what leads on to it
  std::vector<ResourceKind> kinds;   // from the database down; of a feed its own is the last
};

std::optional<Place> place_of(const Call& call, const Address& address) {
  const CatalogPtr catalog = call.database().catalog();
  Place place;
  auto database = Containers::find_database(*catalog, address);
  if (!database) return std::nullopt;
  place.database = *database;
  if (!address.name_of(ResourceKind::container).empty()) {
    const auto container = call.containers.find(*catalog, address);
    if (!container) return std::nullopt;
    place.container = *container;
  }
  for (const Address::Part& part : address.parts) {
    place.kinds.push_back(part.kind);
    const bool is_found =
        part.kind == ResourceKind::database || part.kind == ResourceKind::container;
    if (!is_found) place.below.push_back(part);
  }
  if (address.is_feed) place.kinds.push_back(address.kind);
  return place;
}

bool is_same(const Address::Part& a, const Address::Part& b) {
  return a.kind == b.kind && a.name == b.name;
}

// Whether what is asked for is what was granted, or lies in it. In a feed lies what it lists, but
// not the rest of what it is the feed of.
bool covers(const Place& granted, const Place& asked) {
  if (granted.database->id != asked.database->id) return false;
  if (granted.container != nullptr) {
    const bool lies_there = asked.container != nullptr &&
                            granted.container->collection->id == asked.container->collection->id;
    if (!lies_there) return false;
  }
  const bool goes_the_same_way =
      granted.kinds.size() <= asked.kinds.size() &&
      std::equal(granted.kinds.begin(), granted.kinds.end(), asked.kinds.begin());
  if (!goes_the_same_way) return false;
  return granted.below.size() <= asked.below.size() &&
         std::equal(granted.below.begin(), granted.below.end(), asked.below.begin(), is_same);
}

// A link to media tells neither names nor a partition key: its attachment does.
Result<void> check_grant_of_media(const Place& granted, Call& call) {
  View view = call.database().view();
  const auto media = find_media(call, call.address.name_of(ResourceKind::media), view);
  if (!media) return tl::unexpected(not_allowed());
  const auto& [owner, attachment] = *media;
  const std::vector<ResourceKind> kinds{ResourceKind::database, ResourceKind::container,
                                        ResourceKind::document, ResourceKind::attachment};
  const Place by_names{
      owner.container->database,
      owner.container,
      {{ResourceKind::document, owner.life.document.id}, {ResourceKind::attachment, attachment.id}},
      kinds};
  const Place by_rids{owner.container->database,
                      owner.container,
                      {{ResourceKind::document, render_rid(owner.rid)},
                       {ResourceKind::attachment, render_rid(owner.rid_of(attachment))}},
                      kinds};
  if (!covers(granted, by_names) && !covers(granted, by_rids)) {
    return tl::unexpected(not_allowed());
  }
  return check_granted_partition(call, owner.container->definition.key,
                                 owner.life.document.routing);
}

// Of a partition nothing is written but what lies in it.
Result<void> check_partition_key(const Grant& grant, const Call& call, bool is_write) {
  const ResourceKind kind = call.address.kind;
  const bool executes = kind == ResourceKind::stored_procedure && !call.address.is_feed &&
                        call.request.method == "POST";
  const bool is_of_partition = kind == ResourceKind::document || kind == ResourceKind::attachment ||
                               executes || call.address.is_partition_removal;
  if (!grant.partition_key) return {};
  if (!is_of_partition && is_write) return tl::unexpected(not_allowed());
  if (!is_of_partition) return {};
  const auto own = TRY(parse_partition_values(*grant.partition_key));
  const std::string_view header = call.header(partition_key_header);
  const bool is_same_key =
      !header.empty() &&
      render_partition_values(TRY(parse_partition_values(header))) == render_partition_values(own);
  if (is_same_key) return {};
  return tl::unexpected(not_allowed());
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

Result<void> check_grant(const Grant& grant, Call& call, bool is_write) {
  if (is_write && !grant.may_write) return tl::unexpected(not_allowed());
  if (call.address.kind == ResourceKind::account) return {};  // clients look for the locations
  const auto link = parse_link(grant.resource);
  const auto granted = link ? place_of(call, *link) : std::nullopt;
  if (!granted) return tl::unexpected(not_allowed());
  if (call.address.kind == ResourceKind::media) return check_grant_of_media(*granted, call);
  const auto asked = place_of(call, call.address);
  if (!asked || !covers(*granted, *asked)) return tl::unexpected(not_allowed());
  return check_partition_key(grant, call, is_write);
}

Result<void> check_granted_partition(const Call& call, const PartitionKey& key, BytesView routing) {
  if (!call.principal.resource_token) return {};
  const std::string& key_that_signs = call.services.credentials.signing_key;
  const Value claims =
      TRY(parse_json(TRY(verify_jwt(*call.principal.resource_token, key_that_signs))));
  const Value granted = claims.member("key");
  if (!granted.is(Kind::text)) return {};
  const auto values = TRY(parse_partition_values(granted.text()));
  if (is_whole(key, values) && routing_of(key, values) == routing) return {};
  return tl::unexpected(not_allowed());
}

}  // namespace mayfly::cosmos
