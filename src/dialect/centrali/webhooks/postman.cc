#include "dialect/centrali/webhooks/postman.h"

#include <algorithm>
#include <chrono>

#include "base/logging.h"
#include "base/thread.h"
#include "dialect/centrali/events/page.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/webhooks/signature.h"

namespace mayfly::centrali {
namespace {

// Between attempts; what Standard Webhooks recommends. They end within limits::webhook_keep_for.
constexpr Span waits[] = {
    Span::seconds(5),      Span::seconds(300),    Span::seconds(1'800),
    Span::seconds(7'200),  Span::seconds(18'000), Span::seconds(36'000),
    Span::seconds(50'400), Span::seconds(72'000), Span::seconds(86'400),
};
// Where nothing is matched, the place in the feed is written down only so often.
constexpr Span between_places = Span::seconds(60);
constexpr std::size_t deliveries_at_once = 1'000;         // in one commit
constexpr std::size_t delivery_bytes_at_once = 16 << 20;  // the same
constexpr std::size_t deliveries_in_a_row = 16;           // to one webhook

net::Call call_of(const Webhook& webhook, const Delivery& delivery, Instant now) {
  net::Call call{
      .method = "POST", .url = webhook.text("url"), .time_max = limits::webhook_time_max};
  call.body = delivery.text("payload");
  const std::int64_t timestamp = now.whole_seconds();
  const std::string time = std::to_string(timestamp);
  const std::string signature =
      sign_delivery(webhook.secrets(now), delivery.id, timestamp, call.body);
  call.headers = {{"webhook-id", delivery.id},
                  {"webhook-timestamp", time},
                  {"webhook-signature", signature},
                  {"Centrali-Id", delivery.id},
                  {"Centrali-Timestamp", time},
                  {"Centrali-Signature", signature},
                  {"Centrali-Event-Type", delivery.text("event")},
                  {"User-Agent", "mayfly/" MAYFLY_VERSION}};
  if (delivery.attempts() > 0) {
    call.headers.emplace_back("Centrali-Retry-Attempt", std::to_string(delivery.attempts()));
  }
  return call;
}

// What the delivery has become.
void note_outcome(const Result<net::Response>& answer, Instant now, Delivery& delivery) {
  const bool is_taken = answer && answer->status >= 200 && answer->status < 300;
  const std::int64_t attempts = delivery.attempts() + 1;
  Object& members = delivery.members;
  members.set("attempts", attempts);
  members.set("lastAttemptAt", now);
  members.set("lastStatus", answer ? Value(answer->status) : Value(nullptr));
  members.set("lastError", answer ? Value(nullptr) : Value(answer.error().message));
  const auto wait = is_taken ? std::nullopt : wait_after(attempts);
  if (wait) {
    members.set("nextAttemptAt", now + *wait);
    return;
  }
  members.remove("nextAttemptAt");
  members.set("status", word_of(is_taken ? Delivery::Status::delivered : Delivery::Status::failed));
  if (is_taken) members.set("deliveredAt", now);
}

}  // namespace

std::optional<Span> wait_after(std::int64_t attempt) {
  if (attempt < 1 || attempt > std::ssize(waits)) return std::nullopt;
  return waits[attempt - 1];
}

struct Postman::Desk {
  DatabaseInfoPtr workspace;
  std::optional<MatchedUpto> matched;  // may be ahead of what is written down
  Instant written = Instant::beginning();
};

Postman::Postman(Database& database, Directory& directory, Random& random, Options options)
    : database_(database),
      directory_(directory),
      random_(random),
      options_(std::move(options)),
      follower_(database, [this] { wake(); }) {
  if (options_.run_by != RunBy::itself) return;
  threads_.emplace_back([this] { loop(); });
}

Postman::~Postman() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    changed_.notify_all();
    has_round_.notify_all();
  }
  // The first of them begins the others.
  for (std::size_t i = 0; i < threads_.size(); ++i) threads_[i].join();
}

void Postman::wake() {
  const std::lock_guard lock(mutex_);
  is_woken_ = true;
  changed_.notify_all();
}

// --- the threads ---

bool Postman::wait() {
  const auto between_looks = std::chrono::milliseconds(options_.is_virtual ? 100 : 1'000);
  std::unique_lock lock(mutex_);
  const auto has_work = [this] { return is_stopping_ || is_woken_; };
  if (desks_.empty()) {
    changed_.wait(lock, has_work);
  } else {
    changed_.wait_for(lock, between_looks, has_work);
  }
  is_woken_ = false;
  return !is_stopping_;
}

void Postman::loop() {
  std::vector<std::thread> senders;
  const auto hand_out = [this, &senders] {
    std::vector<Round> rounds = collect();
    if (rounds.empty()) return;
    while (senders.size() < limits::webhook_senders) {
      senders.emplace_back([this] { keep_running("webhook sender", [this] { send_loop(); }); });
    }
    const std::lock_guard lock(mutex_);
    for (Round& round : rounds) {
      under_way_.insert(round.webhook.id);
      rounds_.push_back(std::move(round));
    }
    has_round_.notify_all();
  };
  while (wait()) run_guarded("webhooks", hand_out);
  for (std::thread& sender : senders) sender.join();
  desks_.clear();
}

void Postman::send_loop() {
  while (true) {
    std::unique_lock lock(mutex_);
    has_round_.wait(lock, [this] { return is_stopping_ || !rounds_.empty(); });
    if (is_stopping_) return;
    const Round round = std::move(rounds_.front());
    rounds_.pop_front();
    lock.unlock();
    bool is_noted = false;
    run_guarded("a webhook's delivery", [&] { is_noted = deliver(round).is_noted; });
    lock.lock();
    under_way_.erase(round.webhook.id);
    // There may be more for it. What could not be noted is still due, and not to be sent at once.
    if (is_noted) is_woken_ = true;
    changed_.notify_all();
  }
}

std::size_t Postman::run_due() {
  std::size_t tried = 0;
  for (const Round& round : collect()) tried += deliver(round).tried;
  return tried;
}

// --- matching ---

void Postman::look_for_webhooks(const CatalogPtr& catalog) {
  if (catalog == catalog_) return;
  catalog_ = catalog;
  std::erase_if(desks_, [&](const auto& desk) { return !catalog->database(desk.first); });
  for (const DatabaseInfoPtr& workspace : catalog->databases()) {
    if (!find_webhook_tables(*catalog, workspace->id)) continue;
    auto& desk = desks_[workspace->id];
    if (!desk) desk = std::make_unique<Desk>();
    desk->workspace = workspace;
  }
  follow(catalog);
}

void Postman::follow(const CatalogPtr& catalog) {
  std::set<CollectionId> structures;
  for (const auto& [id, desk] : desks_) {
    const WorkspacePtr workspace = directory_.workspace(catalog, desk->workspace->name);
    if (!workspace) continue;
    for (const StructurePtr& structure : workspace->structures()) {
      structures.insert(structure->collection->id);
    }
  }
  follower_.follow_only(structures);
}

std::vector<Postman::Round> Postman::collect() {
  look_for_webhooks(database_.catalog());
  std::vector<Round> rounds;
  if (desks_.empty()) return rounds;
  const Instant until = follower_.next().through;
  if (follower_.has_more()) wake();
  for (auto& [id, desk] : desks_) {
    if (auto done = collect(*desk, until, rounds); !done) {
      log(LogLevel::warn, "webhooks could not be served",
          {{"workspace", desk->workspace->name}, {"error", done.error().message}});
    }
  }
  return rounds;
}

bool Postman::is_under_way(const std::string& webhook) {
  const std::lock_guard lock(mutex_);
  return under_way_.contains(webhook);
}

Result<void> Postman::collect(Desk& desk, Instant until, std::vector<Round>& rounds) {
  View before = database_.view();
  const auto webhooks =
      TRY(read_webhooks(before, find_webhook_tables(before.catalog(), desk.workspace->id)));
  if (webhooks.empty()) return {};
  TRY(match(desk, webhooks, until));
  View view = database_.view();
  const WebhookTables tables = find_webhook_tables(view.catalog(), desk.workspace->id);
  if (!tables) return {};
  for (const Webhook& webhook : webhooks) {
    if (!webhook.is_active() || is_under_way(webhook.id)) continue;
    auto due = TRY(due_deliveries(view, tables, webhook.id, view.now(), deliveries_in_a_row));
    if (!due.empty()) rounds.push_back({desk.workspace->id, webhook, std::move(due)});
  }
  return {};
}

Result<void> Postman::match(Desk& desk, const std::vector<Webhook>& webhooks, Instant until) {
  if (!desk.matched) {
    View view = database_.view();
    desk.matched = TRY(read_matched(view, find_webhook_tables(view.catalog(), desk.workspace->id)));
    if (!desk.matched) desk.matched = MatchedUpto{webhooks.front().created_at};
    desk.written = desk.matched->after;
  }
  while (desk.matched->after < until) TRY(match_page(desk, webhooks, until));
  return {};
}

// Writes down the deliveries of one page of notices, and its place. Gives how many.
Result<std::size_t> Postman::match_page(Desk& desk, const std::vector<Webhook>& webhooks,
                                        Instant until) {
  const WorkspacePtr workspace = directory_.workspace(catalog_, desk.workspace->name);
  if (!workspace) {
    desk.matched->after = until;
    return 0;
  }
  NoticePage page =
      TRY(read_notices(database_, *workspace, desk.workspace->name, desk.matched->after, until));
  std::vector<Choice> choices;
  for (const Webhook& webhook : webhooks) choices.push_back(webhook.choice());
  std::vector<std::pair<const Webhook*, const Notice*>> wanted;
  std::size_t bytes = 0;
  MatchedUpto reached = *desk.matched;
  for (; reached.done < page.notices.size(); ++reached.done) {
    if (wanted.size() >= deliveries_at_once || bytes >= delivery_bytes_at_once) break;
    Notice& notice = page.notices[reached.done];
    const std::size_t before = wanted.size();
    for (std::size_t i = 0; i < webhooks.size(); ++i) {
      const Webhook& webhook = webhooks[i];
      const bool is_new = notice.committed_at > webhook.created_at;
      if (!is_new || !webhook.is_active() || !choices[i].wants(notice).value_or(false)) continue;
      wanted.emplace_back(&webhook, &notice);
    }
    const std::size_t takers = wanted.size() - before;
    // The deliveries of one notice are one commit.
    if (takers * notice.json.size() > delivery_bytes_at_once) leave_out_all(notice);
    bytes += takers * notice.json.size();
  }
  if (reached.done >= page.notices.size()) reached = {page.upto};
  if (!wanted.empty() || reached.after - desk.written >= between_places) {
    TRY(database_.transact([&](Transaction& transaction) -> Result<void> {
      const WebhookTables tables =
          find_webhook_tables(transaction.view().catalog(), desk.workspace->id);
      if (!tables) return {};
      for (const auto& [webhook, notice] : wanted) {
        TRY(put_delivery(transaction, tables, "msg_" + random_.uuid(), *webhook, *notice));
      }
      return put_matched(transaction, tables, reached);
    }));
    desk.written = reached.after;
  }
  desk.matched = reached;
  return wanted.size();
}

// --- delivering ---

// Stops at the first that is not taken: who does not answer now will hardly answer the next.
Postman::Delivered Postman::deliver(const Round& round) {
  Delivered all;
  for (const Delivery& delivery : round.due) {
    {
      const std::lock_guard lock(mutex_);
      if (is_stopping_) return all;
    }
    ++all.tried;
    const auto is_taken = attempt(round, delivery);
    all.is_noted = is_taken.has_value();
    if (!is_taken.value_or(false)) return all;
  }
  return all;
}

Result<bool> Postman::attempt(const Round& round, Delivery delivery) {
  const Instant now = database_.now();
  const auto answer = options_.call_out(call_of(round.webhook, delivery, now));
  note_outcome(answer, now, delivery);
  const auto noted = database_.transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    const WebhookTables tables = find_webhook_tables(view.catalog(), round.workspace);
    const auto current = TRY(read_delivery(view, tables, delivery.id));
    // Cancelled meanwhile, or gone with its workspace.
    if (!current || current->text("status") != word_of(Delivery::Status::pending)) return {};
    return change_delivery(transaction, tables, delivery);
  });
  if (!noted) {
    log(LogLevel::warn, "the outcome of a webhook's delivery could not be written",
        {{"delivery", delivery.id}, {"error", noted.error().message}});
    return tl::unexpected(noted.error());
  }
  return answer && answer->status >= 200 && answer->status < 300;
}

}  // namespace mayfly::centrali
