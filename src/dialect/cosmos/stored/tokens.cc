#include "dialect/cosmos/stored/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/crypto/crypto.h"
#include "dialect/cosmos/attachments/media_location.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/headers/http_date.h"
#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/requests/routes.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/stored/resource_location.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

constexpr std::int64_t seconds_default = 3'600;
constexpr std::int64_t seconds_min = 10;
constexpr std::int64_t seconds_max = 18'000;
constexpr std::string_view key_member = "resourcePartitionKey";
constexpr std::string_view seconds_header = "x-ms-documentdb-expiry-seconds";

std::optional<std::int64_t> requested_seconds(const CosmosCall& call) {
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

// A link to media has neither names nor a partition key, so its attachment is looked up.
Result<void> check_grant_of_media(const Grant& grant, const ResourceLocation& granted,
                                  CosmosCall& call) {
  View view = call.database().view();
  const auto media = find_media(call, call.address.name_of(ResourceKind::media), view);
  if (!media) return tl::unexpected(not_allowed());
  const AttachmentOwner& owner = media->owner;
  const Attachment& attachment = media->attachment;
  const std::vector<ResourceKind> kinds{ResourceKind::database, ResourceKind::container,
                                        ResourceKind::document, ResourceKind::attachment};
  const DocumentKey& document = owner.life.document;
  const auto place_by = [&](const std::string& name) -> ResourceLocation {
    return {owner.container->database,
            owner.container,
            {{.kind = ResourceKind::document, .name = document.id, .routing = document.routing},
             {.kind = ResourceKind::attachment, .name = name}},
            kinds};
  };
  const bool is_covered =
      TRY(covers(granted, place_by(attachment.id), call)) ||
      TRY(covers(granted, place_by(render_rid(owner.rid_of(attachment))), call));
  if (!is_covered) return tl::unexpected(not_allowed());
  call.principal.existed_at = grant.existed_at;
  TRY(check_same_resource(call, owner.life.created_at));
  return check_granted_partition(call, owner.container->definition.key,
                                 owner.life.document.routing);
}

// Whether these values begin with the granted ones. A prefix of a hierarchical key covers all keys
// below it.
bool begins_with(const PartitionValues& values, const PartitionValues& granted) {
  if (granted.empty() || granted.size() > values.size()) return false;
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(granted.size());
  return render_partition_values({values.begin(), end}) == render_partition_values(granted);
}

// A token for a partition writes only documents in it.
Result<void> check_partition_key(const Grant& grant, const CosmosCall& call, const Route& route) {
  if (!grant.partition_key || route.token_check == TokenCheck::by_action) return {};
  if (route.token_check != TokenCheck::by_key) {
    return writes(route) ? Result<void>(tl::unexpected(not_allowed())) : Result<void>();
  }
  const std::string_view header = call.header(partition_key_header);
  if (header.empty()) return tl::unexpected(not_allowed());
  const auto asked = TRY(parse_partition_values(header));
  if (begins_with(asked, TRY(parse_partition_values(*grant.partition_key)))) return {};
  return tl::unexpected(not_allowed());
}

// Whether the request reads only the definition or the ranges of the container of the granted
// resource. Clients read both before the resource itself.
bool reads_own_container(const ResourceLocation& granted, const ResourceLocation& asked,
                         const CosmosCall& call) {
  const ResourceKind kind = call.address.kind;
  const bool is_definition = kind == ResourceKind::container && !call.address.is_feed;
  if (call.request.method != "GET" || !(is_definition || kind == ResourceKind::partition_range)) {
    return false;
  }
  return granted.container != nullptr && asked.container != nullptr &&
         granted.container->collection->id == asked.container->collection->id;
}

// Whether a permission is bound to the document or script that its link names now. Without a
// partition key it covers the current documents of that name in all partitions.
Result<bool> is_bound_to_resource(const CosmosCall& call, ResourceLocation location,
                                  const Value& permission) {
  if (!location.container || location.below.empty()) return false;
  LocationStep& first = location.below.front();
  if (first.kind == ResourceKind::document && !first.is_rid) {
    const Value key = permission.member(key_member);
    PartitionValues values;
    if (!key.is_missing()) values = TRY(parse_partition_values(render_json(key)));
    const PartitionKey& container_key = location.container->definition.key;
    if (!is_whole(container_key, values)) return true;
    first.routing = routing_of(container_key, values);
  }
  return TRY(creation_of(std::move(location), call)).has_value();
}

// The requested resource must have existed when the token was issued.
Result<void> check_granted_resource(const Grant& grant, const ResourceLocation& granted,
                                    const ResourceLocation& asked, CosmosCall& call) {
  if (!grant.existed_at || granted.below.empty()) return {};
  call.principal.existed_at = grant.existed_at;
  const auto created_at = TRY(creation_of(asked, call));
  return created_at ? check_same_resource(call, *created_at) : Result<void>();
}

// The place that the link of a permission names now; nothing if there is none.
std::optional<ResourceLocation> granted_location(const CosmosCall& call, const Catalog& catalog,
                                                 const std::string& resource) {
  const auto link = parse_link(resource);
  return link ? location_of(call, catalog, *link) : std::nullopt;
}

}  // namespace

std::string issue_token(const CosmosCall& call, const Value& permission) {
  // Each commit advances the clock by at least a microsecond; a token expires at a whole
  // millisecond.
  constexpr std::int64_t unit = 1'000;
  const Instant asked =
      call.database().now() + Span::seconds(requested_seconds(call).value_or(seconds_default));
  const Instant until{asked.micros - asked.micros % unit};
  Object claims{{"resource", permission.member("resource")},
                {"mode", permission.member("permissionMode")},
                {"until", until.micros}};
  const Value key = permission.member(key_member);
  if (!key.is_missing()) claims.set("key", render_json(key));
  const Value resource = permission.member("resource");
  const auto location = resource.is(Kind::text)
                            ? granted_location(call, *call.database().catalog(), resource.text())
                            : std::nullopt;
  if (location) claims.set("rid", render_rid(location->rid()));
  // If it cannot be read now, the token is bound, too.
  if (location && is_bound_to_resource(call, *location, permission).value_or(true)) {
    claims.set("there", call.database().now().micros);
  }
  const auto signed_claims = sign_jwt(render_json(claims), call.keys.resource_token_key());
  return "type=resource&ver=1.0&sig=" + signed_claims.value_or("");
}

Result<void> check_granted_key(const CosmosCall& call, const Catalog& catalog,
                               const Value& permission) {
  const Value key = permission.member(key_member);
  if (key.is_missing()) return {};
  const auto values = parse_partition_values(render_json(key));
  const auto location = granted_location(call, catalog, permission.member("resource").text());
  const std::size_t most = location && location->container
                               ? location->container->definition.key.paths.size()
                               : limits::partition_key_components_max;
  if (values && !values->empty() && values->size() <= most) return {};
  return tl::unexpected(bad_request(
      "The partition key of a permission is an array of values for the key of its container.",
      std::string(key_member)));
}

Result<void> check_token_seconds(const CosmosCall& call) {
  if (requested_seconds(call)) return {};
  return tl::unexpected(wrong_header(seconds_header, call.header(seconds_header)));
}

Result<Grant> verify_token(std::string_view signature, const AccountKeys& keys, Instant now) {
  const std::string claims_text = TRY(verify_jwt(signature, keys.resource_token_key()));
  const Value claims = TRY(parse_json(claims_text));
  const Value resource = claims.member("resource");
  const Value mode = claims.member("mode");
  const Value until = claims.member("until");
  if (!resource.is(Kind::text) || !mode.is(Kind::text) || !until.is(Kind::integer)) {
    return fail(Code::unauthenticated, "The token is not one of this account's.");
  }
  Grant grant{.resource = resource.text(),
              .may_write = equal_in_any_case(mode.text(), "All"),
              .until = Instant{until.integer()}};
  const Value key = claims.member("key");
  if (key.is(Kind::text)) grant.partition_key = key.text();
  const Value rid = claims.member("rid");
  if (rid.is(Kind::text)) grant.rid = parse_rid(rid.text());
  const Value there = claims.member("there");
  if (there.is(Kind::integer)) grant.existed_at = Instant{there.integer()};
  if (now >= grant.until) {
    return fail(
        Code::forbidden,
        fmt::format("The authorization token is not valid at the current time. Please create "
                    "another token and retry (token expiry time: {}, current server time: "
                    "{}).",
                    render_http_date(grant.until), render_http_date(now)));
  }
  return grant;
}

Result<void> check_grant(const Grant& grant, CosmosCall& call, const Route& route) {
  const ResourceKind kind = call.address.kind;
  if (route.token_check == TokenCheck::refused) return tl::unexpected(not_allowed());
  if (writes(route) && !grant.may_write) return tl::unexpected(not_allowed());
  call.principal.may_write = grant.may_write;
  if (kind == ResourceKind::account) return {};  // clients read the locations
  const CatalogPtr catalog = call.database().catalog();
  const auto granted = granted_location(call, *catalog, grant.resource);
  const bool is_still_there = granted && (!grant.rid || granted->rid().starts_with(*grant.rid));
  if (!is_still_there) return tl::unexpected(not_allowed());
  if (grant.rid) call.address.granted = granted->rid();
  if (kind == ResourceKind::media) return check_grant_of_media(grant, *granted, call);
  const auto asked = location_of(call, *catalog, call.address);
  if (!asked) return tl::unexpected(not_allowed());
  if (TRY(covers(*granted, *asked, call))) {
    TRY(check_granted_resource(grant, *granted, *asked, call));
    return check_partition_key(grant, call, route);
  }
  if (!reads_own_container(*granted, *asked, call)) return tl::unexpected(not_allowed());
  call.principal.sees_definition_only = true;
  return {};
}

Result<void> check_same_resource(const CosmosCall& call, Instant created_at) {
  const auto& at = call.principal.existed_at;
  if (!at || created_at <= *at) return {};
  return tl::unexpected(not_allowed());
}

Result<void> check_granted_partition(const CosmosCall& call, const PartitionKey& key,
                                     BytesView routing) {
  if (!call.principal.resource_token) return {};
  const Bytes& key_that_signs = call.keys.resource_token_key();
  const Value claims =
      TRY(parse_json(TRY(verify_jwt(*call.principal.resource_token, key_that_signs))));
  const Value granted = claims.member("key");
  if (!granted.is(Kind::text)) return {};
  const auto values = TRY(parse_partition_values(granted.text()));
  if (values.empty()) return tl::unexpected(not_allowed());
  const Bytes own = routing_of(key, values);
  const bool is_beginning = values.size() < key.paths.size() && routing.starts_with(own);
  if (is_beginning || (is_whole(key, values) && routing == own)) return {};
  return tl::unexpected(not_allowed());
}

}  // namespace mayfly::cosmos
