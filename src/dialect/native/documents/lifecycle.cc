// The end of documents: moving it, holding documents, forecasts, and the record of purges.
#include "base/limits.h"
#include "db/ledger/forecast.h"
#include "db/purge/purge_log.h"
#include "db/rows/records.h"
#include "dialect/common/requests/meter.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/native/actions.h"
#include "dialect/native/collections/promises.h"
#include "dialect/native/documents/envelope.h"
#include "dialect/native/documents/write.h"
#include "dialect/native/limits.h"
#include "value/json/json.h"
#include "value/json/writer.h"

namespace mayfly::native {
namespace {

// What ends a document; for a held one, what applies after its release.
struct Ending {
  Lifetime lifetime;
  Instant death;
};

Result<Ending> ending_of(const Document& document, const Policy& policy) {
  if (document.hold.empty()) return Ending{document.version.lifetime, document.death};
  const records::Hold hold = TRY(records::decode_hold(document.hold));
  const Instant counted_from =
      hold.counted_from.is_never() ? document.version.written_at : hold.counted_from;
  return Ending{hold.lifetime, death_of(counted_from, hold.lifetime, policy)};
}

// The lifetime with which a touched document ends no earlier than it would have.
Result<LifetimeChange> moved_forward(const Document& document, const LifetimeChange& asked,
                                     const Collection& collection, Instant now) {
  if (const Lifetime* lifetime = std::get_if<Lifetime>(&asked)) {
    const Ending ending = TRY(ending_of(document, collection.policy));
    const Instant death = death_of(now, *lifetime, collection.policy);
    return death >= ending.death ? asked : LifetimeChange(ending.lifetime);
  }
  if (!document.hold.empty()) return Keep{};
  const At* at = std::get_if<At>(&document.version.lifetime);
  if (at == nullptr) return LifetimeChange(document.version.lifetime);
  // As long again as its lifetime was when it was written.
  const Span given = at->instant - document.version.written_at;
  return LifetimeChange(Lifetime(At{std::max(at->instant, now + given)}));
}

Value value_of(const Deaths& deaths) {
  return Object{{"documents", Value(static_cast<std::int64_t>(deaths.documents))},
                {"exact", Value(deaths.is_exact)}};
}

Result<HoldOptions> read_hold(const NativeCall& call) {
  const Object body = TRY(parse_optional_object(call.request.body));
  MemberReader members(body);
  HoldOptions options;
  options.by = TRY(author_of(call));
  options.reason = TRY(members.text("reason")).value_or(std::string());
  TRY(members.finish());
  return options;
}

}  // namespace

Result<net::Response> touch_document(NativeCall& call) {
  TRY(check(DocumentKey::of(call["id"])));
  const DocumentWriteOptions asked = TRY(read_write(call));
  return edit_document(
      call, [&](Transaction& t, const CollectionPtr& c, const DocumentKey& key) -> Result<void> {
        TRY(check_conditions(asked.conditions, t, *c, key));
        const auto current = TRY(t.view().get(*c, key, t.view().live()));
        if (!current) return tl::unexpected(no_such_document(key.id));
        const LifetimeChange wanted = TRY(lifetime_at(asked.lifetime, t.now()));
        const LifetimeChange moved = TRY(moved_forward(*current, wanted, *c, t.now()));
        const PutOptions options{.expect = PutOptions::Expect::present,
                                 .lifetime = moved,
                                 .is_touch = std::holds_alternative<Keep>(wanted),
                                 .author = asked.author};
        TRY(t.put(c, current->document_key(), Bytes(current->body.bytes()), options));
        return {};
      });
}

Result<net::Response> hold_document(NativeCall& call) {
  const HoldOptions options = TRY(read_hold(call));
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    const auto collection = TRY(find_collection(call, transaction.view().catalog()));
    return transaction.hold(collection, TRY(key_of(call, *collection)), options);
  }));
  return empty_response();
}

Result<net::Response> release_document(NativeCall& call) {
  const std::string author = TRY(author_of(call));
  const auto removed_at = TRY(time_parameter(call.request, "removed_at"));
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    const auto collection = TRY(find_collection(call, transaction.view().catalog()));
    return transaction.release(collection, TRY(key_of(call, *collection)), author, removed_at);
  }));
  return empty_response();
}

Result<net::Response> get_forecast(NativeCall& call) {
  const std::string width = TRY(text_parameter(call.request, "slot")).value_or("hour");
  if (width != "hour" && width != "day") {
    return fail(Code::invalid, "\"slot\" is hour or day", "slot");
  }
  const auto slots =
      TRY(integer_parameter(call.request, "slots", 1, limits::forecast_slots_max)).value_or(24);
  const auto collection = TRY(find_collection(call, *call.database().catalog()));
  const Span span = Span::seconds(width == "hour" ? 3'600 : 86'400);
  const Forecast told = TRY(forecast(call.database(), collection->id, span,
                                     static_cast<std::size_t>(slots), meter_of(call.request)));
  Array rows;
  for (const Forecast::Slot& slot : told.slots) {
    rows.push_back(Object{{"until", Value(slot.until)}, {"deaths", value_of(slot.deaths)}});
  }
  return json_response(200,
                       render_json(Object{{"now", Value(told.now)}, {"slots", std::move(rows)}}));
}

Result<net::Response> preview_default(NativeCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  MemberReader members(body);
  const CollectionChange change = TRY(read_policy(members));
  TRY(members.finish());
  if (!change.default_lifetime) {
    return tl::unexpected(members.wrong_kind("default_ttl", "given"));
  }
  const auto collection = TRY(find_collection(call, *call.database().catalog()));
  const Preview told = TRY(
      preview(call.database(), collection->id, *change.default_lifetime, meter_of(call.request)));
  return json_response(200, render_json(Object{{"now", Value(told.now)},
                                               {"at_once", value_of(told.at_once)},
                                               {"within_a_day", value_of(told.within_a_day)},
                                               {"within_a_week", value_of(told.within_a_week)}}));
}

Result<net::Response> list_purges(NativeCall& call) {
  const auto limit = TRY(integer_parameter(call.request, "limit", 1, limits::page_rows_max));
  const auto after = TRY(integer_parameter(call.request, "after", 0, INT64_MAX)).value_or(0);
  Database& database = call.database();
  const auto collection = TRY(find_collection(call, *database.catalog()));
  if (collection->policy.purges.span == Span{0}) {
    return fail(Code::unsupported,
                "the collection keeps no record of purges; keep_purges_for turns it on",
                "keep_purges_for");
  }
  const PurgePage page = TRY(PurgeLog::read(
      database.store(), *collection, database.now(), static_cast<std::uint64_t>(after),
      static_cast<std::size_t>(limit.value_or(limits::page_rows_default))));
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  json.name("records").begin_array();
  for (const PurgeRecord& record : page.records) json.raw(record.line);
  json.end_array();
  json.member("intact", PurgeLog::verify(page.records));
  json.member("has_more", page.has_more);
  json.end_object();
  return json_response(200, std::move(body));
}

}  // namespace mayfly::native
