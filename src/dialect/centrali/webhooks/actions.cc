#include "dialect/centrali/webhooks/actions.h"

#include <algorithm>

#include "delivery/signature.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/centrali/webhooks/dispatcher.h"
#include "dialect/centrali/webhooks/webhooks.h"
#include "dialect/common/json_body.h"
#include "dialect/common/request_meter.h"
#include "net/calls/outbound.h"
#include "value/json.h"

namespace mayfly::centrali {
namespace {

enum class Shows { nothing, new_secret, both_secrets };

Value member_or_null(const Object& members, std::string_view name) {
  const Value* value = members.find(name);
  return value == nullptr ? Value(nullptr) : *value;
}

// A secret is shown to whoever gets it, once.
std::string render(const Webhook& webhook, std::string_view workspace, Shows shows) {
  const Object& members = webhook.members;
  Object told{{"id", webhook.id},
              {"name", member_or_null(members, "name")},
              {"url", member_or_null(members, "url")},
              {"events", member_or_null(members, "events")},
              {"recordSlugs", member_or_null(members, "recordSlugs")},
              {"active", webhook.is_active()},
              {"workspaceSlug", workspace}};
  if (shows != Shows::nothing) told.set("secret", member_or_null(members, "secret"));
  if (shows == Shows::both_secrets)
    told.set("previousSecret", member_or_null(members, "previousSecret"));
  const Value until = member_or_null(members, "previousSecretValidUntil");
  told.set("previousSecretValidUntil",
           until.is(Kind::time) ? Value(render_time(until.time())) : Value(nullptr));
  told.set("createdAt", render_time(webhook.created_at));
  told.set("updatedAt", render_time(webhook.updated_at));
  return render_json(Value(std::move(told)));
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
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

// Puts what the body says over the members.
Result<void> merge(Call& call, const Object& body, Object& members) {
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
    const net::Reach reach =
        call.options.may_reach_private ? net::Reach::anywhere : net::Reach::public_only;
    const auto fits = net::check_url(*url, reach);
    if (!fits) return fail(Code::invalid, fits.error().message, "url");
    members.set("url", *url);
  }
  Choice known;
  TRY(merge_list(
      reader, "events", [&](const std::string& name) { return add_event(name, known); }, members));
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

// The tables of a workspace that may have none.
Result<WebhookTables> tables_of(Call& call, const Catalog& catalog) {
  const DatabaseInfoPtr workspace = catalog.find_database(call.workspace);
  return workspace ? find_webhook_tables(catalog, workspace->id) : WebhookTables{};
}

Error no_such(std::string_view what, const std::string& id) {
  return {Code::not_found, std::string(what) + " not found: '" + id + "'"};
}

Result<Webhook> find_webhook(Call& call, View& view) {
  const std::string& id = call.match["webhook"];
  auto found = TRY(read_webhook(view, TRY(tables_of(call, view.catalog())), id));
  if (found) return *std::move(found);
  return tl::unexpected(no_such("webhook subscription", id));
}

// Changes the subscription's members, and answers with what it has become.
template <class Change>
Result<net::Response> change_webhook(Call& call, Shows shows, const Change& change) {
  const WebhookDispatcher::Change held(call.webhooks, call.workspace);
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    Webhook webhook = TRY(find_webhook(call, transaction.view()));
    TRY(change(transaction, webhook));
    const WebhookTables tables = TRY(tables_of(call, transaction.view().catalog()));
    return put_webhook(transaction, tables, webhook, call.principal.name);
  }));
  View view = call.database().view();
  const Webhook webhook = TRY(find_webhook(call, view));
  return net::Response{.body = render(webhook, call.workspace, shows)};
}

// What an earlier request with the same Idempotency-Key has made.
const Webhook* made_before(const std::vector<Webhook>& webhooks, const std::string& key) {
  for (const Webhook& webhook : webhooks) {
    if (!key.empty() && webhook.text("idempotencyKey") == key) return &webhook;
  }
  return nullptr;
}

struct Made {
  std::string id;
  bool is_new = true;
};

Result<Made> put_new(Call& call, Transaction& transaction, const Object& members) {
  View& view = transaction.view();
  const WebhookTables tables = TRY(tables_of(call, view.catalog()));
  if (!tables) return fail(Code::not_found, "workspace not found: '" + call.workspace + "'");
  const auto others = TRY(read_webhooks(view, tables));
  const Value* key = members.find("idempotencyKey");
  if (const Webhook* before = made_before(others, key == nullptr ? "" : key->text())) {
    return Made{before->id, false};
  }
  if (others.size() >= limits::webhooks_max) {
    return fail(Code::too_large, "a workspace has at most " + std::to_string(limits::webhooks_max) +
                                     " webhook subscriptions");
  }
  // Nobody has been told of anything before.
  if (others.empty()) TRY(put_cursor(transaction, tables, {transaction.now()}));
  const Webhook made{call.services.random.uuid(), members};
  TRY(put_webhook(transaction, tables, made, call.principal.name));
  return Made{made.id};
}

std::string render(const Delivery& delivery) {
  const auto time = [&](std::string_view name) {
    const Value value = member_or_null(delivery.members, name);
    return value.is(Kind::time) ? Value(render_time(value.time())) : Value(nullptr);
  };
  Object told{{"id", delivery.id},
              {"subscriptionId", delivery.text("subscriptionId")},
              {"event", delivery.text("event")},
              {"status", delivery.text("status")},
              {"attempts", delivery.attempts()},
              {"nextAttemptAt", time("nextAttemptAt")},
              {"lastAttemptAt", time("lastAttemptAt")},
              {"lastStatus", member_or_null(delivery.members, "lastStatus")},
              {"lastError", member_or_null(delivery.members, "lastError")},
              {"deliveredAt", time("deliveredAt")},
              {"createdAt", render_time(delivery.created_at)},
              {"payload", member_or_null(delivery.members, "payload")}};
  if (delivery.members.find("payload") == nullptr) told.set("payloadOmitted", true);
  return render_json(Value(std::move(told)));
}

// What is pending for a webhook that has been removed is sent no more.
Result<Delivery> find_delivery(Call& call, View& view) {
  const std::string& id = call.match["delivery"];
  const WebhookTables tables = TRY(tables_of(call, view.catalog()));
  auto found = TRY(read_delivery(view, tables, id));
  if (!found) return tl::unexpected(no_such("delivery", id));
  if (!TRY(read_webhook(view, tables, found->text("subscriptionId")))) found->cancel();
  return *std::move(found);
}

template <class Change>
Result<net::Response> change_delivery(Call& call, const Change& change) {
  const WebhookDispatcher::Change held(call.webhooks, call.workspace);
  Delivery delivery;
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    delivery = TRY(find_delivery(call, transaction.view()));
    TRY(change(transaction, delivery));
    const WebhookTables tables = TRY(tables_of(call, transaction.view().catalog()));
    return change_delivery(transaction, tables, delivery);
  }));
  return net::Response{.body = render(delivery)};
}

}  // namespace

Result<net::Response> list_webhooks(Call& call) {
  View view = call.database().view();
  const auto webhooks = TRY(read_webhooks(view, TRY(tables_of(call, view.catalog()))));
  net::Response response{.body = "["};
  for (const Webhook& webhook : webhooks) {
    if (response.body.back() != '[') response.body += ',';
    response.body += render(webhook, call.workspace, Shows::nothing);
  }
  response.body += ']';
  return response;
}

Result<net::Response> create_webhook(Call& call) {
  const WebhookDispatcher::Change held(call.webhooks, call.workspace);
  const Object body = TRY(parse_object(call.request.body));
  Object members{{"events", Array()}, {"recordSlugs", Array()}, {"active", true}};
  TRY(merge(call, body, members));
  if (members.find("url") == nullptr) return fail(Code::invalid, "url is required", "url");
  members.set("secret", delivery::new_webhook_secret());
  if (const std::string* key = call.request.header("idempotency-key")) {
    members.set("idempotencyKey", *key);
  }
  {
    const std::lock_guard edit(call.directory.edits());
    const DatabaseInfoPtr workspace = TRY(workspace_database(call));
    TRY(make_webhook_tables(call.database(), workspace->id));
  }
  Made made;
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    made = TRY(put_new(call, transaction, members));
    return {};
  }));
  View view = call.database().view();
  const auto webhook = TRY(read_webhook(view, TRY(tables_of(call, view.catalog())), made.id));
  if (!webhook) return tl::unexpected(no_such("webhook subscription", made.id));
  return net::Response{.status = 201, .body = render(*webhook, call.workspace, Shows::new_secret)};
}

Result<net::Response> read_webhook(Call& call) {
  View view = call.database().view();
  const Webhook webhook = TRY(find_webhook(call, view));
  return net::Response{.body = render(webhook, call.workspace, Shows::nothing)};
}

Result<net::Response> update_webhook(Call& call) {
  const Object body = TRY(parse_object(call.request.body));
  const auto change = [&](Transaction& transaction, Webhook& webhook) -> Result<void> {
    const bool was_active = webhook.is_active();
    TRY(merge(call, body, webhook.members));
    // What happened meanwhile is not for it.
    if (!was_active) webhook.members.set("activeSince", transaction.now());
    return {};
  };
  return change_webhook(call, Shows::nothing, change);
}

Result<net::Response> remove_webhook(Call& call) {
  const WebhookDispatcher::Change held(call.webhooks, call.workspace);
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    const Webhook webhook = TRY(find_webhook(call, transaction.view()));
    const WebhookTables tables = TRY(tables_of(call, transaction.view().catalog()));
    return tables.subscriptions.remove(transaction, DocumentKey::of(webhook.id));
  }));
  return net::Response{.status = 204};
}

Result<net::Response> rotate_webhook_secret(Call& call) {
  return change_webhook(call, Shows::both_secrets,
                        [](Transaction& transaction, Webhook& webhook) -> Result<void> {
                          webhook.members.set("previousSecret", webhook.text("secret"));
                          webhook.members.set("previousSecretValidUntil",
                                              transaction.now() + limits::webhook_two_secrets_for);
                          webhook.members.set("secret", delivery::new_webhook_secret());
                          return {};
                        });
}

Result<net::Response> list_deliveries(Call& call) {
  View view = call.database().view();
  const Webhook webhook = TRY(find_webhook(call, view));
  const WebhookTables tables = TRY(tables_of(call, view.catalog()));
  const std::string* status = call.request.parameter("status");
  const auto page =
      TRY(read_deliveries(view, tables, webhook.id, status == nullptr ? "" : lower_case(*status),
                          meter_of(call.request)));
  net::Response response{.body = "["};
  for (const Delivery& delivery : page) {
    if (response.body.back() != '[') response.body += ',';
    response.body += render(delivery);
  }
  response.body += ']';
  return response;
}

Result<net::Response> read_delivery(Call& call) {
  View view = call.database().view();
  const Delivery delivery = TRY(find_delivery(call, view));
  return net::Response{.body = render(delivery)};
}

Result<net::Response> replay_delivery(Call& call) {
  return change_delivery(call, [&](Transaction& transaction, Delivery& delivery) -> Result<void> {
    View& view = transaction.view();
    const WebhookTables tables = TRY(tables_of(call, view.catalog()));
    if (!TRY(read_webhook(view, tables, delivery.text("subscriptionId")))) {
      return fail(Code::exists, "the webhook subscription has been removed", "subscriptionId");
    }
    delivery.members.set("status", word_of(Delivery::Status::pending));
    delivery.members.set("attempts", 0);
    delivery.members.set("nextAttemptAt", transaction.now());
    return {};
  });
}

Result<net::Response> cancel_delivery(Call& call) {
  return change_delivery(call, [](Transaction&, Delivery& delivery) -> Result<void> {
    if (delivery.text("status") != word_of(Delivery::Status::pending)) {
      return fail(Code::exists, "the delivery is not pending any more", "status");
    }
    delivery.cancel();
    return {};
  });
}

}  // namespace mayfly::centrali
