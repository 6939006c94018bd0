#include "simulate/run.h"

#include <algorithm>
#include <cstdio>

#include "base/check.h"
#include "base/service/logging.h"
#include "db/expiry/sweeper.h"
#include "simulate/runner.h"

namespace mayfly::simulate {
namespace {

constexpr Instant start = Instant::from_seconds(1'000'000'000);
// The time between steps: room for the instants that housekeeping takes, so that each step begins
// at the same instant under every schedule.
constexpr Span between_steps{1'000};

RunPosition where;

std::uint64_t seed_of(Schedule schedule, std::uint64_t seed) {
  return seed * 1'000'003 + static_cast<std::uint64_t>(schedule) + 1;
}

}  // namespace

std::string_view name_of(Schedule schedule) {
  switch (schedule) {
    case Schedule::never: return "never";
    case Schedule::eager: return "eager";
    case Schedule::sometimes: return "sometimes";
    case Schedule::racing: return "racing";
  }
  return "unknown";
}

const RunPosition& run_position() {
  return where;
}

RunOutcome run(const RunOptions& options) {
  start_logging(LogLevel::off, LogFormat::text);  // its faults are intended
  return Runner(options).run();
}

Runner::Runner(const RunOptions& options)
    : options_(options),
      workload_(options.seed),
      schedule_random_(seed_of(options.schedule, options.seed)),
      clock_(start),
      wall_(start),
      latest_(start) {
  where = {options, 0};
}

RunOutcome Runner::run() {
  open();
  engine_->set_foreground(true);
  CHECK(database_->create_database("simulated").has_value());
  sync();
  create_missing();
  sync();
  engine_->set_foreground(false);
  for (; step_ < options_.steps && !has_failed(); ++step_) {
    where.step = step_;
    housekeep();
    if (has_failed()) break;
    begin_step();
    take_step();
    check_questions(3);
    check_held();
    check_fql();
    check_records();
    if (workload_.chance(55)) sync();
    latest_ = std::max(latest_, database_->now());
  }
  outcome_.steps = step_;
  if (!has_failed()) finish();
  held_.reset();
  outcome_.answers = answers_.value();
  outcome_.trace = trace_.value();
  return std::move(outcome_);
}

void Runner::note(const std::string& text) {
  trace_.add(text);
  if (options_.is_shown) {
    std::printf("%4zu  %lld  %s\n", step_, static_cast<long long>(latest_.micros), text.c_str());
  }
}

void Runner::fail_with(std::string operation, std::string expected, std::string seen) {
  if (has_failed()) return;
  const std::size_t shown_by = std::min(step_ + 1, options_.steps);
  outcome_.failure = {shown_by, std::move(operation), std::move(expected), std::move(seen)};
}

// Time advances a little, to an instant that depends on the seed alone.
void Runner::begin_step() {
  // Rows that were dropped under a view that is closed by now are erased here, by commits that take
  // instants: so no such commit is left to a later step, whatever the schedule.
  CHECK(database_->sweeper().run_due(0).has_value());
  const Instant now = database_->now();
  const Instant address_policy = latest_ + between_steps;
  if (now < latest_ || now >= address_policy) {
    fail_with(
        "the clock between two steps",
        "from " + std::to_string(latest_.micros) + " to " + std::to_string(address_policy.micros),
        std::to_string(now.micros));
  }
  clock_.set(std::max(address_policy, now));
  latest_ = database_->now();
  clock_.set(wall_);
  flush_ahead();
  collect_records();
}

void Runner::flush_ahead(std::optional<CollectionId> also) {
  if (!is_comparable(options_.schedule) || has_failed()) return;
  std::vector<CollectionId> expiring;
  for (const std::string& name : model_.names()) {
    if (model_.at(name).sends_to_trash()) expiring.push_back(model_.at(name).id);
  }
  if (expiring.empty() && !also) return;
  const Instant begin = database_->now() + between_steps;
  clock_.set(begin);
  for (const CollectionId id : expiring) CHECK(database_->up_to_date_view(id).has_value());
  if (also) CHECK(database_->sweeper().flush_expirations(*also).has_value());
  if (database_->now() >= begin + between_steps) {
    fail_with("deaths recorded", "before the next step", std::to_string(database_->now().micros));
  }
  clock_.set(begin + between_steps);
  latest_ = database_->now();
  clock_.set(wall_);
}

void Runner::check(View& view, const Model& model, const Question& question) {
  const CollectionModel& c = model.at(question.collection);
  if (!question.is_of_trash() || !c.sends_to_trash()) return compare(view, model, question);
  auto settled = database_->up_to_date_view(c.id);
  if (!settled) return fail_with(operation_, "a view of the trash", text_of(settled.error()));
  compare(*settled, model, question);
}

void Runner::check_unread(View& view, const Question& question) {
  // A read of the trash may have deaths recorded, with any number of reads and commits.
  if (question.is_of_trash()) return check(view, model_, question);
  engine_->set_foreground(true);
  engine_->fail_next({Fault::Kind::unreadable, static_cast<int>(workload_.below(4))});
  const Instant now = question.has_own_now() ? database_->now() : view.now();
  const std::string seen = answer_of(*database_, view, question);
  const bool is_unread = engine_->take_read_fault();
  engine_->set_foreground(false);
  const std::string expected = is_unread ? "corrupt" : simulate::expected(model_, question, now);
  ++outcome_.questions;
  if (seen == expected) return;
  fail_with(operation_ + "\n  asked, and a read may fail: " + render(question), expected, seen);
}

void Runner::compare(View& view, const Model& model, const Question& question) {
  const Instant now = question.has_own_now() ? database_->now() : view.now();
  const std::string expected = simulate::expected(model, question, now);
  const std::string seen = answer_of(*database_, view, question);
  ++outcome_.questions;
  answers_.add(seen);
  trace_.add(seen);
  if (seen == expected) return;
  fail_with(
      operation_ + "\n  asked: " + render(question) + " (now " + std::to_string(now.micros) + ")",
      expected, seen);
}

// Events that have been recorded since the last call, by sweeps or by reads of a trash. They must
// be collected before time advances and they are no longer kept.
void Runner::collect_records() {
  if (has_failed()) return;
  const Instant now = database_->now();
  model_.flush_expirations(now);
  std::string wrong = published_ends_.collect(*database_, model_, now);
  if (!wrong.empty()) fail_with(operation_, "each end told once, as it was", wrong);
  wrong = purged_.collect(*database_, model_, now);
  if (!wrong.empty()) fail_with(operation_, "each purge recorded once, as it was", wrong);
}

void Runner::check_records() {
  collect_records();
  if (has_failed() || !workload_.chance(20)) return;
  const Instant now = database_->now();
  for (const std::string& name : model_.names()) {
    const std::string expected = purged_.kept(model_.at(name), now);
    const std::string seen = shown_purges(*database_, model_.at(name).id, 2);
    if (seen != expected) fail_with(operation_ + "\n  asked: purges of " + name, expected, seen);
  }
}

void Runner::check_questions(std::size_t many) {
  if (has_failed()) return;
  View view = database_->view();
  if (view.now() < latest_) {
    fail_with(operation_, "a now from " + std::to_string(latest_.micros) + " on",
              std::to_string(view.now().micros));
  }
  for (std::size_t i = 0; i < many; ++i) {
    const Question question = workload_.question(model_, view.now());
    workload_.chance(5) ? check_unread(view, question) : check(view, model_, question);
  }
  if (workload_.chance(10)) {
    const auto names = model_.names();
    const std::string& name = names[workload_.below(names.size())];
    check_feed(name, workload_.feed_position(model_.at(name)));
  }
}

void Runner::check_feed(const std::string& collection, Instant after) {
  const Instant now = database_->now();
  const CollectionModel& model = model_.at(collection);
  const std::string expected = expected_feed(model_, collection, after, now);
  const std::string seen = feed_answer(*database_, model, after, 1 + workload_.below(5));
  // Reading a feed makes everything durable that it may return.
  if (model.feed.current() > Span{0}) undo_.clear();
  ++outcome_.questions;
  answers_.add(seen);
  trace_.add(seen);
  if (seen == expected) return;
  fail_with(operation_ + "\n  asked: feed of " + collection + " after " +
                std::to_string(after.micros) + " (now " + std::to_string(now.micros) + ")",
            expected, seen);
}

void Runner::check_held() {
  if (!held_ || has_failed()) return;
  for (int i = 0; i < 2; ++i) {
    Question question = workload_.question(held_->model, held_->view.now());
    // A point read has a now of its own, and so has a read of a trash that expired documents go to.
    if (question.has_own_now()) question.kind = Question::Kind::get;
    const bool is_settling = held_->model.at(question.collection).sends_to_trash();
    if (question.is_of_trash() && is_settling) question.kind = Question::Kind::scan;
    check(held_->view, held_->model, question);
  }
  if (step_ >= held_->until) held_.reset();
}

void Runner::check_everything() {
  if (has_failed()) return;
  View view = database_->view();
  for (const Question& question : workload_.all_questions(model_, view.now())) {
    check(view, model_, question);
  }
  check_everything_by_fql();
  for (const std::string& name : model_.names()) {
    check_feed(name, Instant::beginning());
    check_feed(name, workload_.feed_position(model_.at(name)));
  }
}

}  // namespace mayfly::simulate
