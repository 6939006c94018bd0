#include "dialect/centrali/webhooks/actions.h"

#include <algorithm>

#include "delivery/standing.h"
#include "delivery/webhooks/signature.h"
#include "dialect/centrali/functions/compute_function.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/centrali/triggers/subscribing.h"
#include "dialect/centrali/webhooks/subscribing.h"
#include "dialect/centrali/webhooks/webhooks.h"
#include "dialect/common/requests/json_body.h"
#include "net/calls/outbound.h"
#include "value/json/json.h"
#include "value/json/writer.h"

namespace mayfly::centrali {
namespace {

enum class Shows { nothing, new_secret, both_secrets };

// A secret is shown once, in the answer to the request that generates it.
std::string render(const Webhook& webhook, std::string_view workspace, Shows shows) {
  const Object& members = webhook.members;
  Object shown{{"id", webhook.id},
               {"name", member_or_null(members, "name")},
               {"url", member_or_null(members, "url")},
               {"events", member_or_null(members, "events")},
               {"recordSlugs", member_or_null(members, "recordSlugs")},
               {"active", webhook.is_active()},
               {"workspaceSlug", workspace}};
  if (shows != Shows::nothing) shown.set("secret", member_or_null(members, "secret"));
  if (shows == Shows::both_secrets)
    shown.set("previousSecret", member_or_null(members, "previousSecret"));
  const Value until = member_or_null(members, "previousSecretValidUntil");
  shown.set("previousSecretValidUntil",
            until.is(Kind::time) ? Value(render_time(until.time())) : Value(nullptr));
  shown.set("createdAt", render_time(webhook.created_at));
  shown.set("updatedAt", render_time(webhook.updated_at));
  return render_json(Value(std::move(shown)));
}

// A list of texts, each of which `check` accepts.
template <class Check>
Result<void> merge_list(MemberReader& reader, std::string_view name, const Check& check,
                        Object& members) {
  if (reader.has_null(name)) {
    members.set(name, Array());
    return {};
  }
  const Array* list = TRY(reader.array(name));
  if (list == nullptr) return {};
  for (const Value& item : *list) {
    if (!item.is(Kind::text)) return tl::unexpected(reader.wrong_kind(name, "a list of texts"));
    TRY(check(item.text()));
  }
  members.set(name, *list);
  return {};
}

// Merges the body into the members.
Result<void> merge(CentraliCall& call, const Object& body, Object& members) {
  MemberReader reader(body);
  if (reader.has_null("name")) {
    members.remove("name");
  } else if (auto name = TRY(reader.text("name"))) {
    members.set("name", *name);
  }
  if (auto url = TRY(reader.text("url"))) {
    if (url->size() > limits::webhook_url_bytes_max) {
      return fail(Code::invalid,
                  fmt::format("url has at most {} bytes", limits::webhook_url_bytes_max), "url");
    }
    const net::AddressPolicy address_policy = call.options.may_reach_private
                                                  ? net::AddressPolicy::anywhere
                                                  : net::AddressPolicy::public_only;
    const auto fits = net::check_url(*url, address_policy);
    if (!fits) return fail(Code::invalid, fits.error().message, "url");
    members.set("url", *url);
  }
  NoticeFilter known;
  TRY(merge_list(
      reader, "events", [&](const std::string& name) { return add_event_name(name, known); },
      members));
  const CatalogPtr catalog = call.database().catalog();
  TRY(merge_list(
      reader, "recordSlugs",
      [&](const std::string& called) -> Result<void> {
        TRY(find_structure(call, catalog, called, "recordSlugs"));
        return {};
      },
      members));
  if (auto active = TRY(reader.boolean("active"))) members.set("active", *active);
  if (render_json(Value(members)).size() > limits::webhook_bytes_max) {
    return fail(Code::too_large, fmt::format("a webhook subscription has at most {} bytes as JSON",
                                             limits::webhook_bytes_max));
  }
  return {};
}

// The webhooks of a workspace that may have none.
PrivateTable<Webhook> own_webhooks(CentraliCall& call, const Catalog& catalog) {
  const DatabaseInfoPtr workspace = catalog.find_database(call.workspace);
  return workspace ? centrali::webhooks_of(catalog, workspace->id) : PrivateTable<Webhook>();
}

Error no_such_webhook(const std::string& id) {
  return {Code::not_found, "webhook subscription not found: '" + id + "'"};
}

Result<Webhook> find_webhook(CentraliCall& call, View& view) {
  const std::string& id = call.match["webhook"];
  auto found = TRY(read_webhook(view, own_webhooks(call, view.catalog()), id));
  if (found) return *std::move(found);
  return tl::unexpected(no_such_webhook(id));
}

Result<delivery::Deliveries*> deliveries_of(const CentraliCall& call) {
  if (call.services.deliveries != nullptr) return call.services.deliveries;
  return fail(Code::unsupported, "this server sends no events");
}

// Writes the webhook and its subscription.
Result<void> put_webhook(CentraliCall& call, Transaction& transaction, const Webhook& webhook) {
  const CatalogPtr& catalog = transaction.view().catalog_ptr();
  const DatabaseInfoPtr database = catalog->find_database(call.workspace);
  const PrivateTable<Webhook> table = own_webhooks(call, *catalog);
  if (!database || !table) {
    return fail(Code::not_found, "workspace not found: '" + call.workspace + "'");
  }
  TRY(table.put(transaction, DocumentKey::of(webhook.id), webhook,
                {.author = call.principal.name}));
  return put_subscription(transaction, database->id,
                          call.directory.workspace(catalog, call.workspace), webhook);
}

// Changes the webhook's members, and answers with the changed webhook.
template <class Change>
Result<net::Response> change_webhook(CentraliCall& call, Shows shows, const Change& change) {
  const auto database = call.database().catalog()->find_database(call.workspace);
  if (!database) return tl::unexpected(no_such_webhook(call.match["webhook"]));
  const delivery::Deliveries::SubscriptionChange held(*TRY(deliveries_of(call)), database->id);
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    Webhook webhook = TRY(find_webhook(call, transaction.view()));
    TRY(change(transaction, webhook));
    return put_webhook(call, transaction, webhook);
  }));
  View view = call.database().view();
  const Webhook webhook = TRY(find_webhook(call, view));
  return net::Response{.body = render(webhook, call.workspace, shows)};
}

// The webhook that an earlier request with the same Idempotency-Key has created.
const Webhook* made_before(const std::vector<Webhook>& webhooks, const std::string& key) {
  for (const Webhook& webhook : webhooks) {
    if (!key.empty() && webhook.text("idempotencyKey") == key) return &webhook;
  }
  return nullptr;
}

struct CreatedWebhook {
  std::string id;
  bool is_new = true;
};

Result<CreatedWebhook> put_new(CentraliCall& call, Transaction& transaction,
                               const Object& members) {
  View& view = transaction.view();
  const auto others = TRY(read_webhooks(view, own_webhooks(call, view.catalog())));
  const Value* key = members.find("idempotencyKey");
  if (const Webhook* before = made_before(others, key == nullptr ? "" : key->text())) {
    return CreatedWebhook{before->id, false};
  }
  if (others.size() >= limits::webhooks_max) {
    return fail(Code::too_large, "a workspace has at most " + std::to_string(limits::webhooks_max) +
                                     " webhook subscriptions");
  }
  const Webhook made{call.services.random.uuid(), members};
  TRY(put_webhook(call, transaction, made));
  return CreatedWebhook{made.id};
}

}  // namespace

Result<net::Response> list_webhooks(CentraliCall& call) {
  View view = call.database().view();
  const auto webhooks = TRY(read_webhooks(view, own_webhooks(call, view.catalog())));
  net::Response response;
  JsonWriter json(response.body);
  json.begin_array();
  for (const Webhook& webhook : webhooks) {
    json.raw(render(webhook, call.workspace, Shows::nothing));
  }
  json.end_array();
  return response;
}

Result<net::Response> create_webhook(CentraliCall& call) {
  delivery::Deliveries& deliveries = *TRY(deliveries_of(call));
  const Object body = TRY(parse_object(call.request.body));
  Object members{{"events", Array()}, {"recordSlugs", Array()}, {"active", true}};
  TRY(merge(call, body, members));
  if (members.find("url") == nullptr) return fail(Code::invalid, "url is required", "url");
  members.set("secret", delivery::new_webhook_secret());
  if (const std::string* key = call.request.header("idempotency-key")) {
    members.set("idempotencyKey", *key);
  }
  DatabaseInfoPtr workspace;
  {
    const std::lock_guard edit(call.directory.edits());
    workspace = TRY(workspace_database(call));
    TRY(delivery::begin_subscriptions(call.database(), workspace->id, call.services.random));
    TRY(make_webhook_tables(call.database(), workspace->id));
  }
  const delivery::Deliveries::SubscriptionChange held(deliveries, workspace->id);
  CreatedWebhook made;
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    made = TRY(put_new(call, transaction, members));
    return {};
  }));
  View view = call.database().view();
  const auto webhook = TRY(read_webhook(view, own_webhooks(call, view.catalog()), made.id));
  if (!webhook) return tl::unexpected(no_such_webhook(made.id));
  return net::Response{.status = 201, .body = render(*webhook, call.workspace, Shows::new_secret)};
}

Result<net::Response> read_webhook(CentraliCall& call) {
  View view = call.database().view();
  const Webhook webhook = TRY(find_webhook(call, view));
  return net::Response{.body = render(webhook, call.workspace, Shows::nothing)};
}

Result<net::Response> update_webhook(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  const auto change = [&](Transaction&, Webhook& webhook) {
    return merge(call, body, webhook.members);
  };
  return change_webhook(call, Shows::nothing, change);
}

Result<net::Response> remove_webhook(CentraliCall& call) {
  const auto database = call.database().catalog()->find_database(call.workspace);
  if (!database) return tl::unexpected(no_such_webhook(call.match["webhook"]));
  const delivery::Deliveries::SubscriptionChange held(*TRY(deliveries_of(call)), database->id);
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    const Webhook webhook = TRY(find_webhook(call, view));
    TRY(own_webhooks(call, view.catalog()).remove(transaction, DocumentKey::of(webhook.id)));
    return remove_subscription(transaction, database->id, webhook.id);
  }));
  return net::Response{.status = 204};
}

Result<net::Response> rotate_webhook_secret(CentraliCall& call) {
  return change_webhook(call, Shows::both_secrets,
                        [](Transaction& transaction, Webhook& webhook) -> Result<void> {
                          webhook.members.set("previousSecret", webhook.text("secret"));
                          webhook.members.set("previousSecretValidUntil",
                                              transaction.now() + limits::webhook_two_secrets_for);
                          webhook.members.set("secret", delivery::new_webhook_secret());
                          return {};
                        });
}

}  // namespace mayfly::centrali
