#include "dialect/cosmos/account/offers.h"

#include <charconv>

#include "db/private_table.h"
#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/queries/resources.h"
#include "dialect/cosmos/ranges/split.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/stored/stored.h"
#include "value/json/json.h"
#include "value/json/writer.h"
#include "value/order/order.h"
#include "value/packed/packed.h"

namespace mayfly::cosmos {
namespace {

constexpr std::int64_t throughput_default = 400;
constexpr std::int64_t throughput_step = 100;
constexpr std::int64_t throughput_max = 1'000'000;  // the maximum of the service
constexpr std::string_view stored_id = "offer";
constexpr std::string_view type_member = "offerType";

// The offer types that clients of the first versions send instead of a throughput.
struct OfferType {
  std::string_view name;
  std::int64_t units;
};
constexpr OfferType types[] = {{"S1", 250}, {"S2", 1'000}, {"S3", 2'500}};

Error wrong_throughput() {
  return bad_request(
      "The offer should have valid throughput values between 400 and 1000000 inclusive in "
      "increments of 100.",
      "offerThroughput");
}

Result<Value> manual(std::int64_t units) {
  const bool is_within = units >= throughput_default && units <= throughput_max;
  if (!is_within || units % throughput_step != 0) {
    return tl::unexpected(wrong_throughput());
  }
  return Value(Object{{"offerThroughput", units}});
}

Result<Value> automatic(const Value& settings) {
  const Value most = settings.member("maxThroughput");
  constexpr std::int64_t step = 10 * throughput_step;
  const bool is_within =
      most.is(Kind::integer) && most.integer() >= step && most.integer() <= throughput_max;
  if (!is_within || most.integer() % step != 0) {
    return tl::unexpected(
        bad_request("The offer should have valid throughput values between 1000 and 1000000 "
                    "inclusive in increments of 1000.",
                    "maxThroughput"));
  }
  Object kept{{"maxThroughput", most.integer()}};
  const Value upgrade = settings.member("autoUpgradePolicy");
  if (upgrade.is(Kind::object)) kept.append("autoUpgradePolicy", upgrade);
  return Value(Object{{"offerThroughput", most.integer() / 10},
                      {"offerAutopilotSettings", std::move(kept)}});
}

// A requested throughput, stored beside the other resources of a database.
struct StoredOffer {
  Object content;
  Instant changed_at;

  static PrivateSpec table() { return {.name = resources_name}; }
  static Result<StoredOffer> decode(const Document& document) {
    const Value body = document.body.unpack();
    if (!body.is(Kind::object)) return not_as_written("content");
    return StoredOffer{body.object(), document.version.written_at};
  }
  Result<Value> encode() const { return Value(content); }
};

DocumentKey offer_key(BytesView resource_rid) {
  return stored_key(ResourceKind::offer, resource_rid, std::string(stored_id));
}

struct Offer {
  std::uint32_t number = 0;  // the catalog's number of its resource
  Bytes resource_rid;
  std::string resource;  // the self link of its resource
  Object content;
  Instant changed_at;
  DatabaseInfoPtr database;
  std::optional<CollectionId> container = {};  // nothing: it is the offer of the database
};

Result<std::optional<StoredOffer>> stored_offer(const DatabaseInfo& database,
                                                BytesView resource_rid, View& view) {
  const auto offers = PrivateTable<StoredOffer>::find(view.catalog(), database.id);
  return offers.get(view, offer_key(resource_rid));
}

Result<std::vector<Offer>> offers_of(CosmosCall& call, View& view) {
  std::vector<Offer> offers;
  for (const DatabaseInfoPtr& database : view.catalog().databases()) {
    const Bytes rid = database_rid(database->id);
    const auto shared = TRY(stored_offer(*database, rid, view));
    if (shared) {
      offers.push_back({database->id, rid, "dbs/" + render_rid(rid) + '/', shared->content,
                        shared->changed_at, database});
    }
    for (const CollectionPtr& collection : view.catalog().collections(database->id)) {
      const ContainerPtr container = TRY(call.containers.of(database, collection));
      const auto own = TRY(stored_offer(*database, container->rid, view));
      if (!own && shared) continue;
      Object content = own ? own->content : TRY(manual(throughput_default)).object();
      offers.push_back({collection->id, container->rid, container->self_link(), std::move(content),
                        own ? own->changed_at : collection->created_at, database, collection->id});
    }
  }
  return offers;
}

void render_offer(const Offer& offer, std::string& out) {
  const Bytes rid = offer_rid(offer.number);
  const std::string id = render_rid(rid);
  Object content = offer.content;
  const Value* found = content.find("offerThroughput");
  const Value units = found == nullptr ? Value() : *found;
  const Value* asked_type = content.find(type_member);
  const Value type = asked_type == nullptr ? Value("Invalid") : *asked_type;
  content.remove(type_member);
  content.set("offerIsRUPerMinuteThroughputEnabled", false);
  content.set("offerMinimumThroughputParameters",
              Object{{"maxThroughputEverProvisioned", units}, {"maxConsumedStorageEverInKB", 0}});
  JsonWriter json(out);
  json.begin_object();
  json.member("resource", offer.resource);
  json.member("offerResourceId", render_rid(offer.resource_rid));
  json.member("offerType", type);
  json.member("offerVersion", "V2");
  json.member("content", content);
  json.member("id", id);
  render_system_properties(
      {.rid = rid, .self = "offers/" + id + '/', .changed_at = offer.changed_at}, json);
  json.end_object();
}

Result<Offer> find_offer(CosmosCall& call, View& view) {
  const std::string& name = call.address.name_of(ResourceKind::offer);
  const auto rid = parse_rid(name);
  const auto number = rid ? offer_of(*rid) : std::nullopt;
  if (!number) {
    return tl::unexpected(bad_request("Failed to parse the value '" + name + "' as ResourceId."));
  }
  for (Offer& offer : TRY(offers_of(call, view))) {
    if (offer.number == *number) return std::move(offer);
  }
  return tl::unexpected(no_such_resource());
}

// The offer before the request changes anything. The view ends here, so that it delays nothing.
Result<Offer> current_offer(CosmosCall& call) {
  View view = call.database().view();
  return find_offer(call, view);
}

// Checks that an offer named in the body is that of the path.
Result<void> check_identity(const CosmosCall& call, const Value& body) {
  const Value named = call.address.name_of(ResourceKind::offer);
  const bool names_any = !body.member("id").is_missing() || !body.member("_rid").is_missing();
  for (const std::string_view member : {"id", "_rid"}) {
    const Value stated = body.member(member);
    const bool fits = (stated.is_missing() && names_any) || same(stated, named);
    if (!fits) {
      return tl::unexpected(
          bad_request("One of the input values is invalid.", std::string(member)));
    }
  }
  return {};
}

net::Response describe(const Offer& offer) {
  std::string body;
  render_offer(offer, body);
  return one_resource(200, std::move(body), etag_of(offer.changed_at));
}

}  // namespace

Result<Value> requested_throughput(const CosmosCall& call) {
  const std::string_view type = call.header("x-ms-offer-type");
  for (const OfferType& known : types) {
    if (known.name == type) {
      return Value(
          Object{{"offerThroughput", known.units}, {std::string(type_member), Value(known.name)}});
    }
  }
  const std::string_view units = call.header("x-ms-offer-throughput");
  const std::string_view settings = call.header("x-ms-cosmos-offer-autopilot-settings");
  if (!units.empty() && !settings.empty()) {
    return tl::unexpected(bad_request("Throughput is given by hand or automatically, not both."));
  }
  if (!settings.empty()) return automatic(TRY(parse_json(settings)));
  if (units.empty()) return Value();
  std::int64_t number = 0;
  const auto read = std::from_chars(units.data(), units.data() + units.size(), number);
  if (read.ec != std::errc() || read.ptr != units.data() + units.size()) {
    return tl::unexpected(wrong_throughput());
  }
  return manual(number);
}

std::int64_t units_of(const Value& content) {
  const Value most = content.member("offerAutopilotSettings").member("maxThroughput");
  if (most.is(Kind::integer)) return most.integer();
  const Value units = content.member("offerThroughput");
  return units.is(Kind::integer) ? units.integer() : 0;
}

Result<void> store_throughput(CosmosCall& call, const DatabaseInfo& database,
                              BytesView resource_rid, Value content) {
  const auto offers = TRY(PrivateTable<StoredOffer>::ensure(call.database(), database.id));
  TRY(call.database().transact([&](Transaction& transaction) {
    return offers.put(transaction, offer_key(resource_rid), {content.object(), {}});
  }));
  return {};
}

namespace {

// The same if the offer still meets the request's condition: other requests may have changed it
// since this one began. The container then has the key ranges that the offer needs. If it fails,
// nothing has changed: with stale, or with not_found if the database or container has been dropped.
Result<void> replace_throughput(CosmosCall& call, const Offer& before, const Value& content) {
  const auto offers = TRY(PrivateTable<StoredOffer>::ensure(call.database(), before.database->id));
  const DocumentKey key = offer_key(before.resource_rid);
  const auto replace = [&](Transaction& transaction) -> Result<void> {
    const Catalog& catalog = transaction.view().catalog();
    const bool is_there = before.container ? catalog.collection(*before.container) != nullptr
                                           : catalog.database(before.database->id) != nullptr;
    if (!is_there) return tl::unexpected(no_such_resource());
    const auto stored = TRY(offers.get(transaction.view(), key));
    const Instant changed_at = stored ? stored->changed_at : before.changed_at;
    if (!is_met(call.header("if-match"), changed_at)) return tl::unexpected(condition_failed());
    return offers.put(transaction, key, {content.object(), {}});
  };
  if (before.container) return split_ranges(call, *before.container, units_of(content), replace);
  TRY(call.database().transact(replace));
  return {};
}

}  // namespace

Result<net::Response> list_offers(CosmosCall& call) {
  View view = call.database().view();
  Feed feed(ResourceKind::offer, {});
  for (const Offer& offer : TRY(offers_of(call, view))) render_offer(offer, feed.next());
  return feed.finish();
}

Result<net::Response> query_offers(CosmosCall& call) {
  View view = call.database().view();
  std::vector<std::string> rendered;
  for (const Offer& offer : TRY(offers_of(call, view)))
    render_offer(offer, rendered.emplace_back());
  return query_resources(call, ResourceKind::offer, {}, rendered, view);
}

Result<net::Response> read_offer(CosmosCall& call) {
  View view = call.database().view();
  return describe(TRY(find_offer(call, view)));
}

Result<net::Response> replace_offer(CosmosCall& call) {
  const Value body = TRY(parse_json(call.request.body));
  TRY(check_identity(call, body));
  const Value content = body.member("content");
  if (!content.is(Kind::object)) {
    return tl::unexpected(
        bad_request("The required field Content is missing in Offer version v2.", "content"));
  }
  const Value settings = content.member("offerAutopilotSettings");
  const Value units = content.member("offerThroughput");
  const bool is_automatic = settings.member("maxThroughput").is(Kind::integer);
  if (!is_automatic && !units.is(Kind::integer)) return tl::unexpected(wrong_throughput());
  const Value kept = is_automatic ? TRY(automatic(settings)) : TRY(manual(units.integer()));
  const Offer before = TRY(current_offer(call));
  if (!is_met(call.header("if-match"), before.changed_at)) {
    return tl::unexpected(condition_failed());
  }
  TRY(replace_throughput(call, before, kept));
  return read_offer(call);
}

}  // namespace mayfly::cosmos
