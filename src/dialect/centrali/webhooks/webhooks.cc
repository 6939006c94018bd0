#include "dialect/centrali/webhooks/webhooks.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/limits.h"
#include "dialect/centrali/limits.h"
#include "query/run.h"
#include "value/json.h"

namespace mayfly::centrali {
namespace {

// REACHES DISK: the names of these internal collections; and the names and the mark that they had
// before they were internal.
constexpr std::string_view subscriptions_name = "#centrali.webhooks";
constexpr std::string_view deliveries_name = "#centrali.deliveries";
constexpr std::string_view visible_facet = "centrali.room";
// The document that says up to where events have been matched; ids of subscriptions are UUIDs.
constexpr std::string_view cursor_id = "matched";

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

bool is_status(std::string_view word) {
  using Status = Delivery::Status;
  constexpr Status all[] = {Status::pending, Status::delivered, Status::failed, Status::cancelled};
  return std::any_of(std::begin(all), std::end(all),
                     [word](Status status) { return word == word_of(status); });
}

// What stands beside the payload: who takes it, and what has come of it.
constexpr std::size_t other_members_bytes_max = 64 << 10;
static_assert(other_members_bytes_max > 4 * limits::webhook_url_bytes_max, "the last error has it");

// JSON within a text: it has no control characters, so quotes and backslashes become longer.
bool fits_a_delivery(std::string_view json) {
  const auto escaped =
      std::count_if(json.begin(), json.end(), [](char c) { return c == '"' || c == '\\'; });
  return json.size() + static_cast<std::size_t>(escaped) + other_members_bytes_max <=
         limits::document_bytes_max;
}

// Due at once, and in the order of the events.
Object delivery_of(const Webhook& webhook, const Notice& notice) {
  return {{"subscriptionId", webhook.id},
          {"event", notice.type},
          {"payload", notice.json},
          {"status", word_of(Delivery::Status::pending)},
          {"attempts", 0},
          {"nextAttemptAt", notice.committed_at}};
}

}  // namespace

PrivateSpec Webhook::table() {
  return {.name = subscriptions_name};
}

bool Webhook::is_row(const Document& document) {
  return document.id != cursor_id;
}

Result<Webhook> Webhook::decode(const Document& document) {
  const Value body = document.body.unpack();
  if (!body.is(Kind::object)) return not_as_written("data");
  const Object& members = body.object();
  for (const std::string_view name : {"url", "secret"}) {
    const Value* text = members.find(name);
    if (text == nullptr || !text->is(Kind::text)) return not_as_written(name);
  }
  for (const std::string_view name : {"events", "recordSlugs"}) {
    if (!is_choice(members, name)) return not_as_written(name);
  }
  return Webhook{std::string(document.id), members, document.created_at,
                 document.version.written_at};
}

PrivateSpec Delivery::table() {
  const IndexSpec due{
      "due", {IndexField{Field::body("subscriptionId")}, IndexField{Field::body("nextAttemptAt")}}};
  return {.name = deliveries_name, .indexes = {due}};
}

Result<Delivery> Delivery::decode(const Document& document) {
  const Value body = document.body.unpack();
  if (!body.is(Kind::object)) return not_as_written("data");
  for (const std::string_view name : {"subscriptionId", "event", "payload", "status"}) {
    const Value* text = body.object().find(name);
    if (text == nullptr || !text->is(Kind::text)) return not_as_written(name);
  }
  Delivery delivery{std::string(document.id), body.object(), document.created_at};
  if (!is_status(delivery.text("status"))) return not_as_written("status");
  return delivery;
}

std::string Webhook::text(std::string_view member) const {
  return text_of(members, member);
}

bool Webhook::is_active() const {
  const Value* active = members.find("active");
  return active == nullptr || active->is_true();
}

Instant Webhook::active_since() const {
  const Value* since = members.find("activeSince");
  return since != nullptr && since->is(Kind::time) ? since->time() : created_at;
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

Instant Delivery::next_attempt_at() const {
  const Value* at = members.find("nextAttemptAt");
  return at != nullptr && at->is(Kind::time) ? at->time() : Instant::never();
}

void Delivery::cancel() {
  if (text("status") != word_of(Status::pending)) return;
  members.set("status", word_of(Status::cancelled));
  members.remove("nextAttemptAt");
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

WebhookTables find_webhook_tables(const Catalog& catalog, DatabaseId workspace) {
  auto subscriptions = PrivateTable<Webhook>::find(catalog, workspace);
  PrivateTable<DurableCursor> cursors(subscriptions.collection());
  return {std::move(subscriptions), std::move(cursors),
          PrivateTable<Delivery>::find(catalog, workspace)};
}

Result<void> make_webhook_tables(Database& database, DatabaseId workspace) {
  TRY(PrivateTable<Delivery>::ensure(database, workspace));
  TRY(PrivateTable<Webhook>::ensure(database, workspace));
  return {};
}

std::vector<NameFromBefore> webhook_names_from_before() {
  return {{.name = "centrali.webhooks", .to = subscriptions_name, .facet = visible_facet},
          {.name = "centrali.deliveries", .to = deliveries_name, .facet = visible_facet}};
}

Result<std::vector<Webhook>> read_webhooks(View& view, const WebhookTables& tables) {
  std::vector<Webhook> webhooks;
  TRY(tables.subscriptions.each(view, [&](Webhook webhook) -> Result<bool> {
    webhooks.push_back(std::move(webhook));
    return true;
  }));
  std::sort(webhooks.begin(), webhooks.end(), [](const Webhook& a, const Webhook& b) {
    return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id);
  });
  return webhooks;
}

Result<std::optional<Webhook>> read_webhook(View& view, const WebhookTables& tables,
                                            const std::string& id) {
  return tables.subscriptions.get(view, DocumentKey::of(id));
}

Result<void> put_webhook(Transaction& transaction, const WebhookTables& tables,
                         const Webhook& webhook, const std::string& author) {
  return tables.subscriptions.put(transaction, DocumentKey::of(webhook.id), webhook,
                                  {.author = author});
}

Result<std::optional<DurableCursor>> read_cursor(View& view, const WebhookTables& tables) {
  return tables.cursors.get(view, DocumentKey::of(std::string(cursor_id)));
}

Result<void> put_cursor(Transaction& transaction, const WebhookTables& tables,
                        const DurableCursor& cursor) {
  return tables.cursors.put(transaction, DocumentKey::of(std::string(cursor_id)), cursor);
}

Result<void> put_delivery(Transaction& transaction, const WebhookTables& tables,
                          const std::string& id, const Webhook& webhook, const Notice& notice) {
  const Instant now = transaction.now();
  const DocumentKey key = DocumentKey::of(id);
  const PutOptions options{.expect = PutOptions::Expect::absent,
                           .lifetime = Lifetime{At{now + limits::webhook_keep_for}}};
  Delivery delivery{id, delivery_of(webhook, notice), now};
  if (!fits_a_delivery(notice.json)) {
    Notice shorter = notice;
    leave_out_all(shorter);
    delivery.members.set("payload", shorter.json);
  }
  return tables.deliveries.put(transaction, key, delivery, options);
}

Result<void> change_delivery(Transaction& transaction, const WebhookTables& tables,
                             const Delivery& delivery) {
  return tables.deliveries.put(transaction, DocumentKey::of(delivery.id), delivery,
                               {.expect = PutOptions::Expect::present});
}

Result<std::optional<Delivery>> read_delivery(View& view, const WebhookTables& tables,
                                              const std::string& id) {
  return tables.deliveries.get(view, DocumentKey::of(id));
}

// Not sorted by the query: that would hold all payloads at once.
Result<std::vector<Delivery>> read_deliveries(View& view, const WebhookTables& tables,
                                              const std::string& webhook, const std::string& status,
                                              const Meter& meter) {
  ExprList conditions{expr::equal(expr::body("subscriptionId"), expr::literal(Value(webhook)))};
  if (!status.empty()) {
    conditions.push_back(expr::equal(expr::body("status"), expr::literal(Value(status))));
  }
  const auto asked = query::filter(query::scan(tables.deliveries.collection(), view.live()),
                                   expr::all_of(std::move(conditions)));
  std::set<std::pair<Instant, std::string>> newest;
  query::RunOptions options{.meter = meter};
  do {
    const query::RowsPage page = TRY(query::answer(asked, view, options));
    for (const query::Row& row : page.rows) {
      newest.emplace(row.document->created_at, row.document->id);
      if (newest.size() > limits::deliveries_listed_max) newest.erase(newest.begin());
    }
    options.bookmark = page.next;
  } while (options.bookmark);
  std::vector<Delivery> deliveries;
  std::size_t bytes = 0;
  for (auto one = newest.rbegin(); one != newest.rend(); ++one) {
    auto delivery = TRY(read_delivery(view, tables, one->second));
    if (!delivery) continue;
    bytes += delivery->text("payload").size();
    if (bytes > limits::deliveries_listed_bytes_max) delivery->members.remove("payload");
    deliveries.push_back(*std::move(delivery));
  }
  return deliveries;
}

Result<std::optional<Delivery>> first_pending(View& view, const WebhookTables& tables,
                                              const std::string& webhook) {
  if (!tables) return std::nullopt;
  const ExprPtr next = expr::body("nextAttemptAt");
  const ExprPtr pending = expr::literal(Value(word_of(Delivery::Status::pending)));
  auto asked = query::filter(
      query::scan(tables.deliveries.collection(), view.live()),
      expr::all_of({expr::equal(expr::body("subscriptionId"), expr::literal(Value(webhook))),
                    expr::equal(expr::body("status"), pending),
                    expr::call("greater_or_equal", {next, expr::literal(Value(Instant{0}))})}));
  asked = query::sort(std::move(asked), {{next, false}});
  query::RunOptions options{.rows_max = 1};
  // Rows that cannot be read stay until their end: what stands behind them is not to wait.
  do {
    const query::RowsPage page = TRY(query::answer(asked, view, options));
    for (const query::Row& row : page.rows) {
      if (auto delivery = tables.deliveries.decode(*row.document)) return delivery;
    }
    options.bookmark = page.next;
  } while (options.bookmark);
  return std::nullopt;
}

}  // namespace mayfly::centrali
