#include "dialect/centrali/webhooks/dispatcher.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "base/logging.h"
#include "db/feed/follower.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/webhooks/attempt.h"
#include "dialect/centrali/webhooks/workspace_webhooks.h"

namespace mayfly::centrali {
namespace {

// What has become of one call.
struct CallOutcome {
  DatabaseId workspace = 0;
  std::string webhook;
  std::string delivery;
  std::size_t bytes = 0;  // of the payload
  Instant begun_at;
  Result<net::Response> answer = net::Response{};
};

void report(const WorkspaceWebhooks& webhooks, const Error& error) {
  log(LogLevel::warn, "webhooks could not be served",
      {{"workspace", webhooks.workspace().name}, {"error", error.message}});
}

}  // namespace

// What other threads have said since the job looked.
struct WebhookDispatcher::Inbox {
  std::mutex mutex;                // guards all
  const JobHandle* job = nullptr;  // null once the dispatcher is over
  // How many are held, by workspace; one with none stays until the job has seen it.
  std::map<std::string, std::size_t> changes;
  std::deque<CallOutcome> outcomes;
  struct Held {
    std::size_t calls = 0;
    std::size_t bytes = 0;  // of their payloads
  };
  Held held;                              // by the calls under way
  std::map<DatabaseId, Held> workspaces;  // of it, by those that have some

  template <class Change>
  void put(const Change& change) {
    const std::lock_guard lock(mutex);
    change();
    if (job != nullptr) job->wake();
  }
  void wake() {
    put([] {});
  }
  // False where too much is under way, or the workspace would hold more than it leaves for the
  // others. The end of a call wakes the job.
  bool take_place(DatabaseId workspace, std::size_t payload_bytes) {
    const std::lock_guard lock(mutex);
    const Held own = workspaces.contains(workspace) ? workspaces[workspace] : Held{};
    const std::size_t calls_left = limits::webhook_calls_max - held.calls;
    const std::size_t bytes_left =
        limits::webhook_call_bytes_max - std::min(held.bytes, limits::webhook_call_bytes_max);
    const bool has_place = own.calls < calls_left && own.bytes + payload_bytes <= bytes_left;
    if (!has_place) return false;
    change(workspace, 1, payload_bytes);
    return true;
  }
  void end_call(CallOutcome outcome) {
    put([&] {
      change(outcome.workspace, -1, 0 - outcome.bytes);
      outcomes.push_back(std::move(outcome));
    });
  }

 private:
  // Of both counts; what is taken away wraps around.
  void change(DatabaseId workspace, std::size_t calls, std::size_t bytes) {
    Held& own = workspaces[workspace];
    for (Held* one : {&held, &own}) {
      one->calls += calls;
      one->bytes += bytes;
    }
    if (own.calls == 0) workspaces.erase(workspace);
  }
};

// All that only the job touches.
class WebhookDispatcher::Work {
 public:
  explicit Work(WebhookDispatcher& dispatcher)
      : database_(dispatcher.database_),
        directory_(dispatcher.directory_),
        random_(dispatcher.random_),
        inbox_(dispatcher.inbox_),
        send_(dispatcher.send_),
        follower_(database_, [inbox = inbox_] { inbox->wake(); }) {}

  Result<NextRun> run();

 private:
  using Line = WorkspaceWebhooks::Line;
  struct Served {
    WorkspaceWebhooks webhooks;
    bool is_changed = true;  // they are to be read
  };

  void take_outcomes();
  void note_changes();
  Result<void> write_outcomes();
  void look_for_workspaces(const CatalogPtr& catalog);
  void follow(const CatalogPtr& catalog);
  void read_webhooks(const CatalogPtr& catalog);
  bool match(const CatalogPtr& catalog);
  Instant call_due();
  Result<void> call_due(View& view, WorkspaceWebhooks& webhooks);
  Result<bool> call_next(View& view, WorkspaceWebhooks& webhooks, Line& line);
  void begin(WorkspaceWebhooks& webhooks, Line& line, const Delivery& delivery, Instant now);

  Database& database_;
  Directory& directory_;
  Random& random_;
  const std::shared_ptr<Inbox> inbox_;
  const SendCall& send_;
  std::deque<CallOutcome> outcomes_;  // to be written
  CatalogPtr catalog_;
  std::map<DatabaseId, Served> served_;
  std::uint64_t calls_ = 0;                 // that were begun
  Instant through_ = Instant::beginning();  // all events up to it can be read
  Follower follower_;
};

// What is read behind next() knows all webhooks and structures up to `through_`.
Result<NextRun> WebhookDispatcher::Work::run() {
  take_outcomes();
  TRY(write_outcomes());
  if (follower_.has_more()) {
    const Follower::Round round = follower_.next();
    through_ = round.through;
    for (auto& [id, served] : served_) served.webhooks.note_news(round.due);
  }
  const CatalogPtr catalog = database_.catalog();
  look_for_workspaces(catalog);
  note_changes();
  read_webhooks(catalog);
  const bool is_behind = match(catalog);
  const Instant next = call_due();
  if (is_behind || follower_.has_more()) return NextRun::immediately();
  if (served_.empty()) return NextRun::when_woken();
  return NextRun{.due = next, .at_latest = limits::webhooks_looked_at_every};
}

// --- what has become of calls ---

void WebhookDispatcher::Work::take_outcomes() {
  const std::lock_guard lock(inbox_->mutex);
  std::ranges::move(inbox_->outcomes, std::back_inserter(outcomes_));
  inbox_->outcomes.clear();
}

// Behind next(): of what was committed up to `through_`, either the change is over, or it is still
// held.
void WebhookDispatcher::Work::note_changes() {
  const std::lock_guard lock(inbox_->mutex);
  for (auto& [id, served] : served_) {
    if (inbox_->changes.contains(served.webhooks.workspace().name)) served.is_changed = true;
  }
  std::erase_if(inbox_->changes, [](const auto& one) { return one.second == 0; });
}

namespace {

Result<void> write_outcome(Transaction& transaction, const CallOutcome& outcome) {
  View& view = transaction.view();
  const WebhookTables tables = find_webhook_tables(view.catalog(), outcome.workspace);
  auto delivery = TRY(read_delivery(view, tables, outcome.delivery));
  // Cancelled meanwhile, or gone with its workspace.
  if (!delivery || delivery->text("status") != word_of(Delivery::Status::pending)) return {};
  note_outcome(outcome.answer, outcome.begun_at, *delivery);
  return change_delivery(transaction, tables, *delivery);
}

}  // namespace

// Where it fails, their webhooks are called no more until it succeeds.
Result<void> WebhookDispatcher::Work::write_outcomes() {
  while (!outcomes_.empty()) {
    std::size_t count = 0, bytes = 0;
    while (count < outcomes_.size() && count < limits::deliveries_at_once &&
           bytes < limits::delivery_bytes_at_once) {
      bytes += outcomes_[count++].bytes;
    }
    TRY(database_.transact([&](Transaction& transaction) -> Result<void> {
      for (std::size_t i = 0; i < count; ++i) TRY(write_outcome(transaction, outcomes_[i]));
      return {};
    }));
    for (; count > 0; --count) {
      const CallOutcome& outcome = outcomes_.front();
      if (const auto served = served_.find(outcome.workspace); served != served_.end()) {
        served->second.webhooks.note_end(outcome.webhook);
      }
      outcomes_.pop_front();
    }
  }
  return {};
}

// --- what is to be delivered ---

void WebhookDispatcher::Work::look_for_workspaces(const CatalogPtr& catalog) {
  if (catalog == catalog_) return;
  catalog_ = catalog;
  std::erase_if(served_, [&](const auto& served) { return !catalog->database(served.first); });
  for (const DatabaseInfoPtr& workspace : catalog->databases()) {
    if (served_.contains(workspace->id) || !find_webhook_tables(*catalog, workspace->id)) continue;
    served_.emplace(workspace->id, Served{{database_, directory_, random_, workspace}});
  }
  follow(catalog);
}

void WebhookDispatcher::Work::follow(const CatalogPtr& catalog) {
  std::set<CollectionId> structures;
  for (auto& [id, served] : served_) structures.merge(served.webhooks.find_structures(catalog));
  follower_.follow_only(structures);
}

void WebhookDispatcher::Work::read_webhooks(const CatalogPtr& catalog) {
  bool must_follow = false;
  for (auto& [id, served] : served_) {
    WorkspaceWebhooks& webhooks = served.webhooks;
    if (!served.is_changed) continue;
    const bool were_none = webhooks.lines().empty();
    const auto done = webhooks.read();
    served.is_changed = !done;
    if (!done) report(webhooks, done.error());
    if (webhooks.lines().empty() != were_none) must_follow = true;
  }
  if (must_follow) follow(catalog);
}

// A page of each workspace, so that a long way of one delays no other. Whether there is more.
bool WebhookDispatcher::Work::match(const CatalogPtr& catalog) {
  bool has_more = false;
  for (auto& [id, served] : served_) {
    if (!served.webhooks.is_behind() || served.is_changed) continue;
    const auto done = served.webhooks.match(catalog, through_);
    if (!done) report(served.webhooks, done.error());
    if (done && served.webhooks.is_behind()) has_more = true;
  }
  return has_more;
}

// --- calls ---

// Gives when the next call is due.
Instant WebhookDispatcher::Work::call_due() {
  View view = database_.view();
  Instant next = Instant::never();
  for (auto& [id, served] : served_) {
    if (auto done = call_due(view, served.webhooks); !done) report(served.webhooks, done.error());
    for (const auto& [webhook, line] : served.webhooks.lines()) {
      const bool is_waiting = line.webhook.is_active() && !line.is_under_way;
      if (is_waiting && line.next > view.now()) next = std::min(next, line.next);
    }
  }
  return next;
}

// The webhook that has not been called for longest comes first, so that each has its turn where not
// all can be called at once.
Result<void> WebhookDispatcher::Work::call_due(View& view, WorkspaceWebhooks& webhooks) {
  std::vector<Line*> due;
  for (auto& [id, line] : webhooks.lines()) {
    if (line.is_due(view.now())) due.push_back(&line);
  }
  std::ranges::stable_sort(due, {}, &Line::call);
  for (Line* line : due) {
    if (!TRY(call_next(view, webhooks, *line))) break;
  }
  return {};
}

// False where its workspace has no place for one more.
Result<bool> WebhookDispatcher::Work::call_next(View& view, WorkspaceWebhooks& webhooks,
                                                Line& line) {
  const DatabaseInfo& workspace = webhooks.workspace();
  const WebhookTables tables = find_webhook_tables(view.catalog(), workspace.id);
  const auto delivery = TRY(first_pending(view, tables, line.webhook.id));
  line.next = delivery ? delivery->next_attempt_at() : Instant::never();
  if (line.next > view.now()) return true;
  if (!inbox_->take_place(workspace.id, delivery->text("payload").size())) return false;
  begin(webhooks, line, *delivery, view.now());
  return true;
}

void WebhookDispatcher::Work::begin(WorkspaceWebhooks& webhooks, Line& line,
                                    const Delivery& delivery, Instant now) {
  const DatabaseId workspace = webhooks.workspace().id;
  line.is_under_way = true;
  line.call = ++calls_;
  CallOutcome outcome{.workspace = workspace,
                      .webhook = line.webhook.id,
                      .delivery = delivery.id,
                      .bytes = delivery.text("payload").size(),
                      .begun_at = now};
  send_(call_of(line.webhook, delivery, now),
        [inbox = inbox_, outcome = std::move(outcome)](Result<net::Response> answer) mutable {
          outcome.answer = std::move(answer);
          inbox->end_call(std::move(outcome));
        });
}

// --- the dispatcher ---

WebhookDispatcher::WebhookDispatcher(Database& database, Directory& directory, Random& random,
                                     SendCall send)
    : database_(database),
      directory_(directory),
      random_(random),
      inbox_(std::make_shared<Inbox>()),
      send_(std::move(send)) {
  job_ = database.jobs().add({.name = "webhooks",
                              .lane = JobLane::events,
                              .lease = "webhooks",
                              .run = [this](const JobRun&) { return run(); },
                              .first_due = Instant::beginning(),
                              .retry_max = limits::job_retry_first});
  const std::lock_guard lock(inbox_->mutex);
  inbox_->job = &job_;
}

WebhookDispatcher::~WebhookDispatcher() {
  {
    const std::lock_guard lock(inbox_->mutex);
    inbox_->job = nullptr;
  }
  job_.remove();
}

WebhookDispatcher::Change::Change(WebhookDispatcher& dispatcher, std::string workspace)
    : dispatcher_(dispatcher), workspace_(std::move(workspace)) {
  const std::lock_guard lock(dispatcher_.inbox_->mutex);
  ++dispatcher_.inbox_->changes[workspace_];
}

// Needs no memory.
WebhookDispatcher::Change::~Change() {
  Inbox& inbox = *dispatcher_.inbox_;
  inbox.put([&] { --inbox.changes.find(workspace_)->second; });
}

// A run that throws, as where memory runs out, leaves nothing behind: what is written down is
// enough to begin again.
Result<NextRun> WebhookDispatcher::run() {
  std::unique_ptr<Work> work = std::move(work_);
  if (!work) work = std::make_unique<Work>(*this);
  auto next = work->run();
  work_ = std::move(work);
  return next;
}

}  // namespace mayfly::centrali
