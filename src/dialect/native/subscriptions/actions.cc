// Subscriptions: which events of a database are sent to which target.
#include <fmt/format.h>

#include "delivery/rows/dead_letter.h"
#include "delivery/standing.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/native/actions.h"
#include "dialect/native/pages.h"
#include "dialect/native/subscriptions/asked.h"
#include "dialect/native/subscriptions/shown.h"

namespace mayfly::native {
namespace {

using delivery::DeadLetter;
using delivery::Deliveries;
using delivery::Subscription;
using delivery::SubscriptionProgress;

Result<Deliveries*> deliveries_of(const NativeCall& call) {
  if (call.shared.services.deliveries != nullptr) return call.shared.services.deliveries;
  return fail(Code::unsupported, "this server sends no events");
}

Error no_such_subscription() {
  return {Code::not_found, "the database has no such subscription", "subscription"};
}

// `also_owned`: include those that a dialect has created for its own use.
Result<Subscription> find_subscription(const NativeCall& call, View& view,
                                       bool also_owned = false) {
  const auto database = TRY(find_database(call, view.catalog()));
  const auto table = PrivateTable<Subscription>::find(view.catalog(), database->id);
  auto found = TRY(table.get(view, DocumentKey::of(call["subscription"])));
  if (found && (found->owner.empty() || also_owned)) return *std::move(found);
  for (const Subscription& one : TRY(deliveries_of(call))->standing(*database)) {
    if (one.id == call["subscription"]) return one;
  }
  return tl::unexpected(no_such_subscription());
}

// A subscription that a client may change.
Result<Subscription> find_own(const NativeCall& call, View& view) {
  Subscription found = TRY(find_subscription(call, view));
  if (!found.is_standing) return found;
  return fail(Code::exists, "the server has this subscription by its settings", "subscription");
}

// The subscription with the engine's state, or the stored one if the engine has not read it yet.
Result<Value> shown(const Deliveries& deliveries, View& view, DatabaseId database,
                    const Subscription& one, bool shows_secret = false) {
  auto state = deliveries.state(one.id);
  if (!state) {
    const auto table = PrivateTable<SubscriptionProgress>::find(view.catalog(), database);
    auto kept = TRY(table.get(view, DocumentKey::of(one.id)));
    state.emplace();
    if (kept && kept->round == one.round) state->progress = *std::move(kept);
  }
  return to_value(one, deliveries.target(one.target), *state, shows_secret);
}

Result<void> put_new(Transaction& transaction, DatabaseId database, const Subscription& made) {
  View& view = transaction.view();
  const auto table = PrivateTable<Subscription>::find(view.catalog(), database);
  if (!table) return fail(Code::not_found, "the database has been dropped", "database");
  if (TRY(table.list(view)).size() >= limits::subscriptions_max) {
    return fail(Code::too_large,
                fmt::format("a database has at most {} subscriptions", limits::subscriptions_max));
  }
  return table.put(transaction, DocumentKey::of(made.id), made);
}

// Changes the subscription, and answers with the result.
template <class Change>
Result<net::Response> change_subscription(NativeCall& call, const Change& change) {
  Deliveries& deliveries = *TRY(deliveries_of(call));
  const auto database = TRY(find_database(call, *call.database().catalog()));
  {
    const Deliveries::SubscriptionChange held(deliveries, database->id);
    TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
      Subscription one = TRY(find_own(call, transaction.view()));
      TRY(change(transaction, one));
      return PrivateTable<Subscription>::find(transaction.view().catalog(), database->id)
          .put(transaction, DocumentKey::of(one.id), one);
    }));
  }
  View view = call.database().view();
  const Subscription changed = TRY(find_subscription(call, view));
  return json_response(200, render_json(TRY(shown(deliveries, view, database->id, changed))));
}

// Its dead letters after `after`, up to the bound of one request; empty: from the first.
Result<PrivateTable<DeadLetter>::Page> letters_of(View& view, const PrivateTable<DeadLetter>& table,
                                                  const std::string& subscription,
                                                  const Bytes& after = {}) {
  DocumentRange range = DeadLetter::of(subscription);
  range.rows_max = limits::dead_letters_listed_max;
  if (!after.empty()) range.from = after;
  return table.page(view, range);
}

// Checks that the named collections exist and keep a feed: with a misspelt name a subscription
// would wait for ever.
Result<void> check_collections(const Catalog& catalog, DatabaseId database,
                               const Subscription& made) {
  for (const std::string& name : made.collections) {
    const CollectionPtr found = catalog.find_collection(database, name);
    if (!found) {
      return fail(Code::invalid, fmt::format("there is no collection '{}'", name), "collections");
    }
    if (found->policy.feed.span == Span{0}) {
      return fail(Code::invalid, fmt::format("the collection '{}' keeps no feed", name),
                  "collections");
    }
  }
  return {};
}

}  // namespace

Result<net::Response> list_subscriptions(NativeCall& call) {
  const Deliveries& deliveries = *TRY(deliveries_of(call));
  View view = call.database().view();
  const auto database = TRY(find_database(call, view.catalog()));
  Array all;
  for (const Subscription& one :
       TRY(PrivateTable<Subscription>::find(view.catalog(), database->id).list(view))) {
    if (!one.owner.empty()) continue;
    all.push_back(TRY(shown(deliveries, view, database->id, one)));
  }
  for (const Subscription& one : deliveries.standing(*database)) {
    all.push_back(TRY(shown(deliveries, view, database->id, one)));
  }
  return json_response(200, render_json(Object{{"subscriptions", std::move(all)}}));
}

Result<net::Response> create_subscription(NativeCall& call) {
  Deliveries& deliveries = *TRY(deliveries_of(call));
  const Object body = TRY(parse_object(call.request.body));
  const auto database = TRY(find_database(call, *call.database().catalog()));
  Subscription made = TRY(read_subscription(body, deliveries, call.database().now()));
  TRY(check_collections(*call.database().catalog(), database->id, made));
  made.id = call.shared.services.random.uuid();
  TRY(delivery::begin_subscriptions(call.database(), database->id, call.shared.services.random));
  {
    const Deliveries::SubscriptionChange held(deliveries, database->id);
    TRY(call.database().transact(
        [&](Transaction& transaction) { return put_new(transaction, database->id, made); }));
  }
  View view = call.database().view();
  const auto table = PrivateTable<Subscription>::find(view.catalog(), database->id);
  const auto kept = TRY(table.get(view, DocumentKey::of(made.id)));
  if (!kept) return tl::unexpected(no_such_subscription());
  return json_response(201, render_json(TRY(shown(deliveries, view, database->id, *kept, true))));
}

Result<net::Response> get_subscription(NativeCall& call) {
  const Deliveries& deliveries = *TRY(deliveries_of(call));
  View view = call.database().view();
  const auto database = TRY(find_database(call, view.catalog()));
  const Subscription one = TRY(find_subscription(call, view));
  return json_response(200, render_json(TRY(shown(deliveries, view, database->id, one))));
}

Result<net::Response> remove_subscription(NativeCall& call) {
  Deliveries& deliveries = *TRY(deliveries_of(call));
  const auto database = TRY(find_database(call, *call.database().catalog()));
  const Deliveries::SubscriptionChange held(deliveries, database->id);
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    const Subscription one = TRY(find_own(call, view));
    const DocumentKey key = DocumentKey::of(one.id);
    TRY(PrivateTable<Subscription>::find(view.catalog(), database->id).remove(transaction, key));
    const auto progress = PrivateTable<SubscriptionProgress>::find(view.catalog(), database->id);
    if (TRY(progress.get(view, key))) TRY(progress.remove(transaction, key));
    return {};
  }));
  return empty_response();
}

Result<net::Response> pause_subscription(NativeCall& call) {
  return change_subscription(call, [](Transaction&, Subscription& one) -> Result<void> {
    one.is_paused = true;
    return {};
  });
}

Result<net::Response> resume_subscription(NativeCall& call) {
  return change_subscription(call, [](Transaction&, Subscription& one) -> Result<void> {
    one.is_paused = false;
    return {};
  });
}

Result<net::Response> replay_subscription(NativeCall& call) {
  const Object body = TRY(parse_optional_object(call.request.body));
  MemberReader members(body);
  const FeedPosition from = TRY(read_from(members, call.database().now(), FeedPosition()));
  TRY(members.finish());
  return change_subscription(call, [from](Transaction&, Subscription& one) -> Result<void> {
    one.from = from;
    ++one.round;
    return {};
  });
}

Result<net::Response> list_dead_letters(NativeCall& call) {
  TRY(deliveries_of(call));
  const auto page = TRY(text_parameter(call.request, "page"));
  View view = call.database().view();
  const Subscription one = TRY(find_subscription(call, view, true));
  const auto database = TRY(find_database(call, view.catalog()));
  const auto table = PrivateTable<DeadLetter>::find(view.catalog(), database->id);
  const std::string list = "native dead letters " + one.id;
  const Bytes after = page ? TRY(open_page(call, list, *page)) : Bytes();
  const auto found = TRY(letters_of(view, table, one.id, after));
  Array all;
  for (const DeadLetter& letter : found.rows) all.push_back(to_value(letter));
  Value next = found.next ? Value(seal_page(call, list, *found.next)) : Value(nullptr);
  return json_response(
      200, render_json(Object{{"dead_letters", std::move(all)}, {"next", std::move(next)}}));
}

// Sends up to the bound of one request; the answer says how many, and whether there are more.
Result<net::Response> send_dead_letters(NativeCall& call) {
  Deliveries& deliveries = *TRY(deliveries_of(call));
  const auto database = TRY(find_database(call, *call.database().catalog()));
  const auto page = TRY(text_parameter(call.request, "page"));
  std::size_t count = 0;
  Value next;
  const Deliveries::SubscriptionChange held(deliveries, database->id);
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    const Subscription one = TRY(find_subscription(call, view, true));
    const auto dead = PrivateTable<DeadLetter>::find(view.catalog(), database->id);
    const auto again =
        PrivateTable<DeadLetter>::find(view.catalog(), database->id, DeadLetter::again);
    const std::string list = "native dead letters " + one.id;
    const Bytes after = page ? TRY(open_page(call, list, *page)) : Bytes();
    const auto letters = TRY(letters_of(view, dead, one.id, after));
    for (const DeadLetter& letter : letters.rows) {
      const PutOptions month{.lifetime =
                                 Lifetime{At{transaction.now() + limits::dead_letters_kept_for}}};
      TRY(again.put(transaction, letter.key(), letter, month));
      TRY(dead.remove(transaction, letter.key()));
    }
    count = letters.rows.size();
    next = letters.next ? Value(seal_page(call, list, *letters.next)) : Value(nullptr);
    return {};
  }));
  const bool has_more = next.is(Kind::text);
  return json_response(200, render_json(Object{{"sent", static_cast<std::int64_t>(count)},
                                               {"has_more", has_more},
                                               {"next", std::move(next)}}));
}

}  // namespace mayfly::native
