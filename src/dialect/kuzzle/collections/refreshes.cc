#include "dialect/kuzzle/collections/refreshes.h"

#include <algorithm>

#include "dialect/kuzzle/security/rows.h"

namespace mayfly::kuzzle {
namespace {

std::int64_t number_of(const DatabaseInfo& index) {
  return static_cast<std::int64_t>(index.id);
}

// Whether the argument requests a refresh: true, "wait_for", or over HTTP its bare name.
bool requests_refresh(const Message& message) {
  const Value* refresh = message.arguments.find("refresh");
  if (refresh == nullptr || refresh->is_null()) return false;
  if (refresh->is(Kind::boolean)) return refresh->boolean();
  return refresh->is(Kind::text) && refresh->text() != "false";
}

}  // namespace

void Refreshes::refresh(CollectionId collection, Instant at) {
  if (is_off()) return;
  const std::lock_guard lock(mutex_);
  std::erase_if(refreshed_, [&](const auto& one) { return one.second + found_after_ <= at; });
  Instant& last = refreshed_.try_emplace(collection, at).first->second;
  last = std::max(last, at);
}

Instant Refreshes::visible_at(CollectionId collection, Instant now) {
  if (is_off()) return now;
  const std::lock_guard lock(mutex_);
  Instant shown = std::max(now - found_after_, started_at_);
  const auto last = refreshed_.find(collection);
  if (last != refreshed_.end()) shown = std::max(shown, last->second);
  return std::min(shown, now);
}

void refresh_written(const KuzzleCall& call) {
  Refreshes& refreshes = call.shared.refreshes;
  if (refreshes.is_off() || !requests_refresh(call.message)) return;
  const CatalogPtr catalog = call.database().catalog();
  const auto index = catalog->find_database(call.message.index);
  const auto written =
      index ? catalog->find_collection(index->id, call.message.collection) : nullptr;
  if (written) refreshes.refresh(written->id, call.database().now());
}

Result<std::optional<Instant>> search_snapshot(const KuzzleCall& call, const View& view,
                                               const Collection& collection) {
  Refreshes& refreshes = call.shared.refreshes;
  const Policy& policy = collection.policy;
  // Without history there is only one state.
  if (refreshes.is_off() || policy.history.span <= Span{0}) return std::nullopt;
  const auto index = view.catalog().database(collection.database);
  if (index && TRY(has_auto_refresh(call.database(), *index))) return std::nullopt;
  const Instant shown = refreshes.visible_at(collection.id, view.now());
  if (shown >= view.now()) return std::nullopt;
  return std::max(shown, policy.history.floor(view.now()));
}

Result<bool> has_auto_refresh(Database& database, const DatabaseInfo& index) {
  const auto table = find_security_table<AutoRefresh>(*database.catalog());
  const auto stored = TRY(table.get(database, DocumentKey::of(index.name)));
  return stored && stored->index == number_of(index) && stored->is_on;
}

Result<void> store_auto_refresh(Database& database, const DatabaseInfo& index, bool does) {
  const auto table = TRY(ensure_security_table<AutoRefresh>(database));
  TRY(database.transact([&](Transaction& transaction) {
    return table.put(transaction, DocumentKey::of(index.name), {number_of(index), does});
  }));
  return {};
}

}  // namespace mayfly::kuzzle
