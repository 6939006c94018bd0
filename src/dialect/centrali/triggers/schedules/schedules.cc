#include "dialect/centrali/triggers/schedules/schedules.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/service/logging.h"
#include "base/threads/thread.h"
#include "dialect/centrali/functions/functions.h"
#include "dialect/centrali/functions/limits.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/triggers/schedules/schedule.h"
#include "dialect/centrali/triggers/trigger.h"

namespace mayfly::centrali {

Schedules::Schedules(Database& database, Functions& functions)
    : database_(database), functions_(functions) {
  job_ = database.jobs().add({.name = "centrali.schedules",
                              .lane = JobLane::events,
                              .lease = "centrali.schedules",
                              .run = [this](const JobRun&) { return run(); },
                              .first_due = Instant::beginning(),
                              .retry_max = limits::job_retry_first});
}

void Schedules::stop() {
  job_.remove();
}

Schedules::TriggerChange::TriggerChange(Schedules& schedules, DatabaseId workspace)
    : schedules_(schedules), workspace_(workspace) {
  const std::lock_guard lock(schedules_.mutex_);
  ++schedules_.changes_[workspace_];
}

Schedules::TriggerChange::~TriggerChange() {
  {
    const std::lock_guard lock(schedules_.mutex_);
    --schedules_.changes_[workspace_];
  }
  schedules_.job_.wake();
}

// Reads the triggers of a workspace again if they, or the workspaces, have changed.
Result<void> Schedules::read(const CatalogPtr& catalog) {
  std::set<DatabaseId> changed;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [workspace, count] : changes_) changed.insert(workspace);
    std::erase_if(changes_, [](const auto& change) { return change.second == 0; });
  }
  if (catalog != catalog_) {
    std::erase_if(due_, [&](const auto& one) { return !catalog->database(one.first); });
    for (const DatabaseInfoPtr& database : catalog->databases()) {
      if (!due_.contains(database->id)) changed.insert(database->id);
    }
  }
  for (const DatabaseId workspace : changed) {
    auto due = read_workspace(*catalog, workspace);
    if (!due) {
      const std::lock_guard lock(mutex_);
      for (const DatabaseId again : changed) changes_.try_emplace(again, 0);
      return tl::unexpected(std::move(due).error());
    }
    if (due->empty()) {
      due_.erase(workspace);
    } else {
      due_[workspace] = *std::move(due);
    }
  }
  catalog_ = catalog;
  return {};
}

Result<Schedules::Due> Schedules::read_workspace(const Catalog& catalog, DatabaseId workspace) {
  Due due;
  if (!PrivateTable<Trigger>::find(catalog, workspace)) return due;
  View view = database_.view();
  const auto table = PrivateTable<Trigger>::find(view.catalog(), workspace);
  TRY(table.each(view, [&](const Trigger& trigger) -> Result<bool> {
    const Instant next = trigger.next_run_at();
    if (!next.is_never() && !trigger.is_paused()) due.emplace(trigger.id, next);
    return true;
  }));
  return due;
}

Result<NextRun> Schedules::run() {
  TRY(read(database_.catalog()));
  const Instant now = database_.now();
  Instant next = Instant::never();
  for (const auto& [workspace, due] : due_) {
    for (const auto& [trigger, at] : due) {
      if (at > now) {
        next = std::min(next, at);
      } else {
        begin(workspace, trigger);
      }
    }
  }
  return NextRun{.due = next, .at_latest = limits::schedules_check_every};
}

// If the server is too busy, the trigger stays due.
void Schedules::begin(DatabaseId workspace, const std::string& trigger) {
  {
    const std::lock_guard lock(mutex_);
    const auto rest = retry_at_.find(trigger);
    if (rest != retry_at_.end() && monotonic_now() < rest->second) return;
    if (!running_.insert(trigger).second) return;
  }
  const DatabaseInfoPtr database = database_.catalog()->database(workspace);
  const std::string sharer = database ? database->name : std::string();
  const bool is_taken = functions_.run_later(sharer, [this, workspace, trigger] {
    bool is_done = false;
    run_guarded("a scheduled function", [&] {
      const auto done = run_trigger(workspace, trigger);
      is_done = done && *done;
      if (!done) {
        log(LogLevel::warn, "a scheduled function could not be run",
            {{"trigger", trigger}, {"error", done.error().message}});
      }
    });
    record_end(workspace, trigger, is_done);
  });
  if (is_taken) return;
  const std::lock_guard lock(mutex_);
  running_.erase(trigger);
}

// The trigger's next run is stored with the end of this one, unless its schedule was changed
// meanwhile.
Result<bool> Schedules::run_trigger(DatabaseId workspace, const std::string& id) {
  View view = database_.view();
  const DatabaseInfoPtr database = view.catalog().database(workspace);
  if (!database) return true;
  const auto table = PrivateTable<Trigger>::find(view.catalog(), workspace);
  const auto trigger = TRY(table.get(view, DocumentKey::of(id)));
  const Instant due = trigger ? trigger->next_run_at() : Instant::never();
  if (due > view.now() || trigger->is_paused()) return true;
  const auto function = TRY(PrivateTable<ComputeFunction>::find(view.catalog(), workspace)
                                .get(view, DocumentKey::of(trigger->text("functionId"))));
  if (!function) return false;
  RunOrder order{.workspace = database->name,
                 .function = *function,
                 .trigger = id,
                 .source = word_of(Trigger::Type::scheduled)};
  order.parameters = Object{{"scheduledAt", render_time(due)}};
  order.trigger_parameters = trigger->parameters();
  const auto at_end = [&](Transaction& transaction) -> Result<void> {
    auto now = TRY(table.get(transaction.view(), DocumentKey::of(id)));
    if (!now || now->next_run_at() != due) return {};
    now->members.set("lastRunAt", transaction.now());
    now->set_next_run(next_run(*now, transaction.now()));
    return table.put(transaction, DocumentKey::of(id), *now, {.author = now->author});
  };
  const RunEnd end = TRY(functions_.run(order, at_end));
  return !end.was_refused;
}

void Schedules::record_end(DatabaseId workspace, const std::string& trigger, bool is_done) {
  {
    const std::lock_guard lock(mutex_);
    running_.erase(trigger);
    if (is_done) {
      retry_at_.erase(trigger);
    } else {
      retry_at_[trigger] = monotonic_now() + limits::schedules_check_every;
    }
    changes_.try_emplace(workspace, 0);
  }
  job_.wake();
}

}  // namespace mayfly::centrali
