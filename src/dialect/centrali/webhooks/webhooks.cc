#include "dialect/centrali/webhooks/webhooks.h"

#include <algorithm>
#include <tuple>

#include "delivery/rows/log.h"
#include "delivery/standing.h"

namespace mayfly::centrali {
namespace {

// REACHES DISK: the names of these internal collections, and the names and the facet that they had
// before they were internal.
constexpr std::string_view subscriptions_name = "#centrali.webhooks";
constexpr std::string_view deliveries_name = "#centrali.deliveries";
constexpr std::string_view visible_facet = "centrali.room";
// The document with the position up to which events have been matched. Ids of subscriptions are
// UUIDs, so they differ from it.
constexpr std::string_view cursor_id = "matched";

std::string text_of(const Object& members, std::string_view name) {
  const Value* value = members.find(name);
  return value != nullptr && value->is(Kind::text) ? value->text() : std::string();
}

bool is_webhook_text(const Value& value) {
  return value.is(Kind::text);
}

// Whether the member is a list of texts or missing.
bool is_text_list(const Object& members, std::string_view name) {
  const Value* list = members.find(name);
  if (list == nullptr || list->is_null()) return true;
  return list->is(Kind::array) && std::ranges::all_of(list->array(), is_webhook_text);
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
    if (!is_text_list(members, name)) return not_as_written(name);
  }
  return Webhook{std::string(document.id), members, document.created_at,
                 document.version.written_at};
}

std::string Webhook::text(std::string_view member) const {
  return text_of(members, member);
}

bool Webhook::is_active() const {
  const Value* active = members.find("active");
  return active == nullptr || active->is_true();
}

NoticeFilter Webhook::filter() const {
  NoticeFilter filter;
  const auto read = [this](std::string_view member, auto& into) {
    const Value* list = members.find(member);
    if (list == nullptr || !list->is(Kind::array)) return;
    for (const Value& item : list->array()) into.insert(item.text());
  };
  read("events", filter.events);
  read("recordSlugs", filter.structures);
  return filter;
}

PrivateTable<Webhook> webhooks_of(const Catalog& catalog, DatabaseId workspace) {
  return PrivateTable<Webhook>::find(catalog, workspace);
}

Result<void> make_webhook_tables(Database& database, DatabaseId workspace) {
  TRY(delivery::ensure_subscription_tables(database, workspace));
  TRY(PrivateTable<delivery::LogRow>::ensure(database, workspace));
  TRY(PrivateTable<Webhook>::ensure(database, workspace));
  return {};
}

std::vector<NameFromBefore> webhook_names_from_before() {
  return {{.name = "centrali.webhooks", .to = subscriptions_name, .facet = visible_facet},
          {.name = "centrali.deliveries", .to = deliveries_name, .facet = visible_facet}};
}

Result<std::vector<Webhook>> read_webhooks(View& view, const PrivateTable<Webhook>& table) {
  std::vector<Webhook> webhooks = TRY(table.list(view));
  std::ranges::sort(webhooks, [](const Webhook& a, const Webhook& b) {
    return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id);
  });
  return webhooks;
}

Result<std::optional<Webhook>> read_webhook(View& view, const PrivateTable<Webhook>& table,
                                            const std::string& id) {
  return table.get(view, DocumentKey::of(id));
}

}  // namespace mayfly::centrali
