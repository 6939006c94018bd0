#include "dialect/centrali/webhooks/webhooks.h"

#include <algorithm>

#include "base/limits.h"
#include "dialect/common/internal_collection.h"
#include "dialect/common/malformed.h"
#include "query/run.h"
#include "value/json.h"

namespace mayfly::centrali {
namespace {

// REACHES DISK: the names of these internal collections; and the names and the mark that they had
// before they were internal.
constexpr std::string_view subscriptions_name = "#centrali.webhooks";
constexpr std::string_view deliveries_name = "#centrali.deliveries";
constexpr std::string_view visible_names[] = {"centrali.webhooks", "centrali.deliveries"};
constexpr std::string_view visible_facet = "centrali.room";
// The document that says up to where events have been matched; ids of subscriptions are UUIDs.
constexpr std::string_view matched_id = "matched";

std::string text_of(const Object& members, std::string_view name) {
  const Value* value = members.find(name);
  return value != nullptr && value->is(Kind::text) ? value->text() : std::string();
}

std::int64_t integer_of(const Object& members, std::string_view name) {
  const Value* value = members.find(name);
  return value != nullptr && value->is(Kind::integer) ? value->integer() : 0;
}

bool is_webhook_text(const Value& value) {
  return value.is(Kind::text);
}

// A list of texts, or none at all.
bool is_choice(const Object& members, std::string_view name) {
  const Value* list = members.find(name);
  if (list == nullptr || list->is_null()) return true;
  return list->is(Kind::array) && std::ranges::all_of(list->array(), is_webhook_text);
}

tl::unexpected<Error> not_as_written(std::string_view member) {
  return fail(Code::corrupt, "\"" + std::string(member) + "\" is not what was written there");
}

Result<Webhook> webhook_of(const Document& document) {
  const Value body = document.body.unpack();
  if (!body.is(Kind::object)) return not_as_written("data");
  const Object& members = body.object();
  for (const std::string_view name : {"url", "secret"}) {
    const Value* text = members.find(name);
    if (text == nullptr || !is_webhook_text(*text)) return not_as_written(name);
  }
  for (const std::string_view name : {"events", "recordSlugs"}) {
    if (!is_choice(members, name)) return not_as_written(name);
  }
  return Webhook{std::string(document.id), members, document.created_at,
                 document.version.written_at};
}

Result<CollectionPtr> make_room(Database& database, DatabaseId workspace, std::string_view name,
                                std::vector<IndexSpec> indexes) {
  const CollectionSpec spec{.name = std::string(name),
                            .promises = {},
                            .indexes = std::move(indexes),
                            .is_internal = true};
  return internal_collection(database, workspace, spec);
}

Result<Bytes> pack_delivery(const Webhook& webhook, const Notice& notice, Instant now) {
  Object members{{"subscriptionId", webhook.id},
                 {"event", notice.type},
                 {"payload", notice.json},
                 {"status", word_of(Delivery::Status::pending)},
                 {"attempts", 0},
                 {"nextAttemptAt", now}};
  auto packed = pack(Value(members));
  if (packed || packed.error().code != Code::too_large) return packed;
  members.set("payload", without_data(notice));
  return pack(Value(std::move(members)));
}

}  // namespace

std::string Webhook::text(std::string_view member) const {
  return text_of(members, member);
}

bool Webhook::is_active() const {
  const Value* active = members.find("active");
  return active == nullptr || active->is_true();
}

Choice Webhook::choice() const {
  Choice choice;
  const auto read = [this](std::string_view member, auto& into) {
    const Value* list = members.find(member);
    if (list == nullptr || !list->is(Kind::array)) return;
    for (const Value& item : list->array()) into.insert(item.text());
  };
  read("events", choice.events);
  read("recordSlugs", choice.structures);
  return choice;
}

std::vector<std::string> Webhook::secrets(Instant now) const {
  std::vector<std::string> secrets{text("secret")};
  const Value* until = members.find("previousSecretValidUntil");
  if (until != nullptr && until->is(Kind::time) && now < until->time()) {
    secrets.push_back(text("previousSecret"));
  }
  return secrets;
}

std::string Delivery::text(std::string_view member) const {
  return text_of(members, member);
}

std::int64_t Delivery::attempts() const {
  return integer_of(members, "attempts");
}

std::string_view word_of(Delivery::Status status) {
  switch (status) {
    case Delivery::Status::pending: return "pending";
    case Delivery::Status::delivered: return "delivered";
    case Delivery::Status::failed: return "failed";
    case Delivery::Status::cancelled: return "cancelled";
  }
  return "failed";
}

WebhookRooms find_rooms(const Catalog& catalog, DatabaseId workspace) {
  return {catalog.find_internal(workspace, subscriptions_name),
          catalog.find_internal(workspace, deliveries_name)};
}

Result<WebhookRooms> make_rooms(Database& database, DatabaseId workspace) {
  const IndexSpec due{
      "due", {IndexField{Field::body("subscriptionId")}, IndexField{Field::body("nextAttemptAt")}}};
  WebhookRooms rooms;
  rooms.deliveries = TRY(make_room(database, workspace, deliveries_name, {due}));
  rooms.subscriptions = TRY(make_room(database, workspace, subscriptions_name, {}));
  return rooms;
}

Result<void> hide_rooms(Database& database) {
  const CatalogPtr catalog = database.catalog();
  for (const DatabaseInfoPtr& workspace : catalog->databases()) {
    for (const std::string_view name : visible_names) {
      const CollectionPtr found = catalog->find_collection(workspace->id, name);
      // Whoever has made a collection of that name keeps it.
      if (!found || !found->facets.contains(visible_facet)) continue;
      TRY(database.make_collection_internal(found->id, "#" + std::string(name)));
    }
  }
  return {};
}

Result<std::vector<Webhook>> read_webhooks(View& view, const WebhookRooms& rooms) {
  std::vector<Webhook> webhooks;
  if (!rooms) return webhooks;
  DocumentRange range;
  for (bool more = true; more;) {
    DocumentPage page = TRY(view.scan(*rooms.subscriptions, range, view.live()));
    more = page.next.has_value();
    if (more) range.from = *page.next;
    for (const Document& document : page.documents) {
      if (document.id == matched_id) continue;
      if (auto webhook = webhook_of(document)) {
        webhooks.push_back(*std::move(webhook));
      } else {
        report_malformed(*rooms.subscriptions, document, webhook.error());
      }
    }
  }
  std::sort(webhooks.begin(), webhooks.end(), [](const Webhook& a, const Webhook& b) {
    return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id);
  });
  return webhooks;
}

Result<std::optional<Webhook>> read_webhook(View& view, const WebhookRooms& rooms,
                                            const std::string& id) {
  const DocumentKey key = DocumentKey::of(id);
  if (!rooms || id == matched_id || !check(key)) return std::nullopt;
  const auto document = TRY(view.get(*rooms.subscriptions, key, view.live()));
  if (!document) return std::nullopt;
  auto webhook = webhook_of(*document);
  if (webhook) return *std::move(webhook);
  report_malformed(*rooms.subscriptions, *document, webhook.error());
  return std::nullopt;
}

Result<void> put_webhook(Transaction& transaction, const WebhookRooms& rooms, const std::string& id,
                         const Object& members, const std::string& author) {
  TRY(transaction.put(rooms.subscriptions, DocumentKey::of(id), TRY(pack(Value(members))),
                      {.author = author}));
  return {};
}

Result<std::optional<MatchedUpto>> read_matched(View& view, const WebhookRooms& rooms) {
  if (!rooms) return std::nullopt;
  const DocumentKey key = DocumentKey::of(std::string(matched_id));
  const auto document = TRY(view.get(*rooms.subscriptions, key, view.live()));
  if (!document) return std::nullopt;
  const Value body = document->body.unpack();
  const Value after = body.member("after"), done = body.member("done");
  if (!after.is(Kind::time) || !done.is(Kind::integer) || done.integer() < 0) {
    report_malformed(*rooms.subscriptions, *document, not_as_written("after").value());
    return std::nullopt;
  }
  return MatchedUpto{after.time(), static_cast<std::size_t>(done.integer())};
}

Result<void> put_matched(Transaction& transaction, const WebhookRooms& rooms,
                         const MatchedUpto& upto) {
  const Object members{{"after", upto.after}, {"done", static_cast<std::int64_t>(upto.done)}};
  TRY(transaction.put(rooms.subscriptions, DocumentKey::of(std::string(matched_id)),
                      TRY(pack(Value(members))), {}));
  return {};
}

Result<void> put_delivery(Transaction& transaction, const WebhookRooms& rooms,
                          const std::string& id, const Webhook& webhook, const Notice& notice) {
  const Instant now = transaction.now();
  const PutOptions options{.expect = PutOptions::Expect::absent,
                           .lifetime = Lifetime{At{now + limits::webhook_keep_for}}};
  TRY(transaction.put(rooms.deliveries, DocumentKey::of(id),
                      TRY(pack_delivery(webhook, notice, now)), options));
  return {};
}

Result<void> change_delivery(Transaction& transaction, const WebhookRooms& rooms,
                             const Delivery& delivery) {
  TRY(transaction.put(rooms.deliveries, DocumentKey::of(delivery.id),
                      TRY(pack(Value(delivery.members))), {.expect = PutOptions::Expect::present}));
  return {};
}

Delivery delivery_of(const Document& document) {
  const Value body = document.body.unpack();
  return {std::string(document.id), body.is(Kind::object) ? body.object() : Object(),
          document.created_at};
}

Result<std::optional<Delivery>> read_delivery(View& view, const WebhookRooms& rooms,
                                              const std::string& id) {
  const DocumentKey key = DocumentKey::of(id);
  if (!rooms || !check(key)) return std::nullopt;
  const auto document = TRY(view.get(*rooms.deliveries, key, view.live()));
  if (!document) return std::nullopt;
  return delivery_of(*document);
}

Result<std::vector<Delivery>> read_deliveries(View& view, const WebhookRooms& rooms,
                                              const std::string& webhook,
                                              const std::string& status) {
  ExprList conditions{expr::equal(expr::body("subscriptionId"), expr::literal(Value(webhook)))};
  if (!status.empty()) {
    conditions.push_back(expr::equal(expr::body("status"), expr::literal(Value(status))));
  }
  auto asked = query::filter(query::scan(rooms.deliveries, view.live()),
                             expr::all_of(std::move(conditions)));
  asked = query::sort(std::move(asked), {{expr::metadata("created_at"), true}});
  query::RowsPage page = TRY(query::answer(asked, view, {}));
  std::vector<Delivery> deliveries;
  for (const query::Row& row : page.rows) deliveries.push_back(delivery_of(*row.document));
  return deliveries;
}

Result<std::vector<Delivery>> due_deliveries(View& view, const WebhookRooms& rooms,
                                             const std::string& webhook, Instant now,
                                             std::size_t deliveries_max) {
  const ExprPtr next = expr::body("nextAttemptAt");
  auto due = query::filter(
      query::scan(rooms.deliveries, view.live()),
      expr::all_of({expr::equal(expr::body("subscriptionId"), expr::literal(Value(webhook))),
                    expr::call("less_or_equal", {next, expr::literal(Value(now))})}));
  due = query::sort(std::move(due), {{next, false}});
  query::RowsPage page = TRY(query::answer(due, view, {.rows_max = deliveries_max}));
  std::vector<Delivery> deliveries;
  for (const query::Row& row : page.rows) deliveries.push_back(delivery_of(*row.document));
  return deliveries;
}

}  // namespace mayfly::centrali
