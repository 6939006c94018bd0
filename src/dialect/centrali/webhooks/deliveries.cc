#include "dialect/centrali/webhooks/deliveries.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "delivery/rows/dead_letter.h"
#include "delivery/rows/log.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/webhooks/subscribing.h"
#include "dialect/centrali/webhooks/target.h"
#include "dialect/common/requests/meter.h"
#include "value/json/json.h"
#include "value/json/writer.h"

namespace mayfly::centrali {
namespace {

using delivery::LogRow;

Value time_or_null(Instant t) {
  return t.is_never() ? Value(nullptr) : Value(render_time(t));
}

std::string render_delivery(const LogRow& row, bool shows_payload) {
  const bool is_delivered = row.status == LogRow::Status::delivered;
  const bool has_answer = row.code != 0;
  Object shown{{"id", delivery_id(row.subscription, row.message.id)},
               {"subscriptionId", row.subscription},
               {"event", row.message.event},
               {"status", word_of(row.status)},
               {"attempts", row.attempts},
               {"nextAttemptAt", time_or_null(row.next_at)},
               {"lastAttemptAt", time_or_null(row.last_at)},
               {"lastStatus", has_answer ? Value(row.code) : Value(nullptr)},
               {"lastError", has_answer || row.error.empty() ? Value(nullptr) : Value(row.error)},
               {"deliveredAt", time_or_null(is_delivered ? row.last_at : Instant::never())},
               {"createdAt", render_time(row.message.position.committed_at)},
               {"payload", shows_payload ? Value(row.message.payload) : Value(nullptr)}};
  if (!shows_payload) shown.set("payloadOmitted", true);
  return render_json(Value(std::move(shown)));
}

Error no_such_delivery(const std::string& id) {
  return {Code::not_found, "delivery not found: '" + id + "'"};
}

struct FoundDelivery {
  DatabaseId database = 0;
  LogRow row;
  bool has_webhook = true;
};

// Pending deliveries of a removed webhook are no longer sent.
Result<FoundDelivery> find_delivery(CentraliCall& call, View& view) {
  const std::string& id = call.match["delivery"];
  const DatabaseInfoPtr workspace = view.catalog().find_database(call.workspace);
  const auto key = key_of_delivery(id);
  if (!workspace || !key) return tl::unexpected(no_such_delivery(id));
  auto row = TRY(PrivateTable<LogRow>::find(view.catalog(), workspace->id).get(view, *key));
  if (!row) return tl::unexpected(no_such_delivery(id));
  FoundDelivery found{workspace->id, *std::move(row)};
  const auto webhooks = webhooks_of(view.catalog(), workspace->id);
  found.has_webhook = TRY(read_webhook(view, webhooks, found.row.subscription)).has_value();
  if (!found.has_webhook) found.row.cancel();
  return found;
}

// `change` writes the new state of the delivery.
template <class Change>
Result<net::Response> change_delivery(CentraliCall& call, const Change& change) {
  const DatabaseInfoPtr workspace = call.database().catalog()->find_database(call.workspace);
  if (!workspace || call.services.deliveries == nullptr) {
    return tl::unexpected(no_such_delivery(call.match["delivery"]));
  }
  {
    const delivery::Deliveries::SubscriptionChange held(*call.services.deliveries, workspace->id);
    TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
      return change(transaction, TRY(find_delivery(call, transaction.view())));
    }));
  }
  return read_delivery(call);
}

// The newest rows, as many as are listed.
Result<std::vector<DocumentKey>> newest_of(View& view, const PrivateTable<LogRow>& table,
                                           const std::string& webhook, const std::string& status,
                                           Meter meter) {
  std::set<std::tuple<Instant, std::uint32_t, std::string>> newest;
  const auto keep = [&](const LogRow& row) -> Result<bool> {
    TRY(meter.tick());
    if (!status.empty() && word_of(row.status) != status) return true;
    const FeedPosition& at = row.message.position;
    newest.emplace(at.committed_at, at.number, row.message.id);
    if (newest.size() > limits::deliveries_listed_max) newest.erase(newest.begin());
    return true;
  };
  TRY(table.each(view, keep, LogRow::of(webhook)));
  std::vector<DocumentKey> keys;
  for (auto one = newest.rbegin(); one != newest.rend(); ++one) {
    keys.push_back(LogRow::key_of(webhook, std::get<std::string>(*one)));
  }
  return keys;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

}  // namespace

Result<net::Response> list_deliveries(CentraliCall& call) {
  View view = call.database().view();
  const std::string& webhook = call.match["webhook"];
  const DatabaseInfoPtr workspace = view.catalog().find_database(call.workspace);
  const bool is_known =
      workspace &&
      TRY(read_webhook(view, webhooks_of(view.catalog(), workspace->id), webhook)).has_value();
  if (!is_known) {
    return fail(Code::not_found, "webhook subscription not found: '" + webhook + "'");
  }
  const auto table = PrivateTable<LogRow>::find(view.catalog(), workspace->id);
  const std::string* status = call.request.parameter("status");
  const auto keys = TRY(newest_of(
      view, table, webhook, status == nullptr ? "" : lower_case(*status), meter_of(call.request)));
  net::Response response;
  JsonWriter json(response.body);
  json.begin_array();
  std::size_t bytes = 0;
  for (const DocumentKey& key : keys) {
    const auto row = TRY(table.get(view, key));
    if (!row) continue;
    bytes += row->message.payload.size();
    json.raw(render_delivery(*row, bytes <= limits::deliveries_listed_bytes_max));
  }
  json.end_array();
  return response;
}

Result<net::Response> read_delivery(CentraliCall& call) {
  View view = call.database().view();
  const FoundDelivery found = TRY(find_delivery(call, view));
  return net::Response{.body = render_delivery(found.row, true)};
}

Result<net::Response> replay_delivery(CentraliCall& call) {
  return change_delivery(call, [](Transaction& transaction, FoundDelivery found) -> Result<void> {
    if (!found.has_webhook) {
      return fail(Code::exists, "the webhook subscription has been removed", "subscriptionId");
    }
    return send_again(transaction, found.database, std::move(found.row));
  });
}

Result<net::Response> cancel_delivery(CentraliCall& call) {
  return change_delivery(call, [](Transaction& transaction, FoundDelivery found) -> Result<void> {
    if (found.row.status != LogRow::Status::pending) {
      return fail(Code::exists, "the delivery is not pending any more", "status");
    }
    found.row.cancel();
    found.row.asked_at = transaction.now();
    View& view = transaction.view();
    const DocumentKey key = found.row.key();
    const auto again = PrivateTable<delivery::DeadLetter>::find(view.catalog(), found.database,
                                                                delivery::DeadLetter::again);
    if (TRY(again.get(view, key))) TRY(again.remove(transaction, key));
    return PrivateTable<LogRow>::find(view.catalog(), found.database)
        .put(transaction, key, found.row);
  });
}

}  // namespace mayfly::centrali
