// The FQL part of a run: edits and questions through the Fauna API.
#include <algorithm>

#include "base/check.h"
#include "simulate/runner.h"

namespace mayfly::simulate {
namespace {

// Beyond an instant that no answer has reached.
constexpr Span instants_max{64};

std::string answered(const Model::EditAnswers& expected_answers) {
  if (expected_answers.is_done) return "done";
  const std::string& last = expected_answers.answers.back();
  return last.starts_with("exists .") ? "exists unique" : last;
}

}  // namespace

// Creates the collection by FQL from its definition, and checks what the database has made of it.
void Runner::create_by_fql(const std::string& name) {
  const FqlReply reply = fql_->ask(query_of_creation(name));
  const CollectionPtr made = collection(name);
  if (!reply.is_done() || !made) {
    return fail_with("FQL: create " + name, "done", reply.error());
  }
  const Index* unique = nullptr;
  for (const Index& index : made->indexes) {
    if (index.unique != Uniqueness::none) unique = &index;
  }
  CHECK(unique != nullptr);
  CollectionSpec spec{.name = name, .promises = policy_of({})};
  spec.default_counts_from = CountsFrom::write;
  model_.create(made->id, spec, {{unique->name, {'u'}, false, true, true}}, made->created_at);
  model_.define(name, {});
  sync();
}

void Runner::perform(const FqlStep& step) {
  const std::size_t failures = engine_->lasting_failures();
  const Instant before_it = database_->now();
  const FqlReply reply = fql_->ask(query_of(step));
  std::vector<Edit> edits;
  for (const Edit& edit : step.edits) {
    edits.push_back(law_of(model_.at(edit.collection), edit));
  }
  if (reply.is_done()) {
    const Instant now{reply.data().array()[0].integer()};
    Model before = model_;
    const Model::EditAnswers expected = model_.edit(edits, now, *reply.at);
    if (now < latest_ || *reply.at <= now) {
      return fail_with(operation_, "a commit after its now", std::to_string(reply.at->micros));
    }
    note(std::to_string(reply.at->micros));
    done(std::move(before), *reply.at);
    return compare(step, answered(expected), "done");
  }
  const bool is_fault = engine_->lasting_failures() > failures;
  const std::string seen = reply.error();
  if (is_fault) return compare(step, seen, seen);
  // FQL does not report at which of the instants it failed.
  std::string expected;
  const Instant last = std::min(reply.at.value_or(database_->now()), before_it + instants_max);
  for (Instant now = before_it; now <= last; now = now + Span{1}) {
    if (seen == "contended" && writes_what_dies_at_once(model_, edits, now)) {
      return compare(step, seen, seen);
    }
    // It fails by what it was shown at its now, also if that ends before it could commit.
    for (const Instant commit : {now + Span{1}, now}) {
      Model draft = model_;
      expected = answered(draft.edit(edits, now, commit));
      if (expected == seen) return compare(step, seen, seen);
    }
  }
  compare(step, expected, seen);
}

void Runner::compare(const FqlStep& step, const std::string& expected, const std::string& seen) {
  answers_.add(seen);
  trace_.add(seen);
  if (expected != seen) return fail_with(operation_, expected, seen);
  for (const Edit& edit : step.edits) {
    FqlQuestion question;
    question.collection = edit.collection;
    question.id = edit.id;
    check(question);
  }
}

void Runner::perform(const FqlChangeStep& step) {
  engine_->set_foreground(false);
  flush_ahead(model_.at(step.collection).id);
  engine_->set_foreground(true);
  const FqlReply reply = fql_->ask(query_of(step));
  if (!reply.is_done()) return fail_with(operation_, "done", reply.error());
  model_.change(step.collection, policy_of(step.definition),
                collection(step.collection)->changed_at);
  model_.define(step.collection, step.definition);
  sync();
}

void Runner::check(const FqlQuestion& question) {
  if (has_failed()) return;
  if (question.kind != FqlQuestion::Kind::get && !question.is_counted) return begin_pages(question);
  const FqlReply reply = fql_->ask(query_of(question));
  const Instant now = reply.at.value_or(database_->now());
  compare(render(question), expected_fql(model_, question, now), shown(question, reply), now);
}

void Runner::compare(const std::string& asked, const std::string& expected, const std::string& seen,
                     Instant now) {
  ++outcome_.questions;
  answers_.add(seen);
  trace_.add(seen);
  if (now < latest_) {
    fail_with(asked, "a now from " + std::to_string(latest_.micros) + " on",
              std::to_string(now.micros));
  }
  if (seen == expected) return;
  fail_with(operation_ + "\n  asked: " + asked + " (now " + std::to_string(now.micros) + ")",
            expected, seen);
}

// The first page; then the others, immediately or over the steps to come.
void Runner::begin_pages(const FqlQuestion& question) {
  FqlPages pages{.question = question, .collection = model_.at(question.collection).id};
  go_on(pages, query_of(question));
  const std::size_t steps = workload_.chance(40) ? 1 + workload_.below(12) : 0;
  pages.until = step_ + steps;
  while (!pages.cursor.empty() && steps == 0 && !has_failed()) {
    go_on(pages, query_of_page(pages.cursor));
  }
  if (!pages.cursor.empty()) pages_.push_back(std::move(pages));
}

void Runner::go_on(FqlPages& pages, const std::string& query) {
  const bool is_first = pages.cursor.empty();
  const FqlReply reply = fql_->ask(query);
  const Instant now = reply.at.value_or(database_->now());
  if (is_first) pages.snapshot = now;
  // `at` the present is the same set as the present one.
  if (is_first && pages.question.at >= std::optional(now)) pages.question.at.reset();
  const std::string asked = is_first ? query : "the next page of " + render(pages.question);
  const std::string expected = expected_page(model_, pages, now);
  if (!is_first && expected == "invalid" && pages.question.is_gathered()) {
    pages.cursor.clear();
    return;
  }
  compare(asked, expected, shown(pages.question, reply), now);
  const Value after = reply.is_done() ? reply.data().member("after") : Value();
  pages.cursor = after.is(Kind::text) ? fql_->kept(after.text()) : std::string();
}

// A page of a set that was begun some steps ago, and a new question.
void Runner::check_fql() {
  if (has_failed()) return;
  std::erase_if(pages_, [&](const FqlPages& pages) {
    return pages.until < step_ || !model_.has(pages.question.collection, pages.collection);
  });
  if (!pages_.empty()) {
    FqlPages& pages = pages_[workload_.below(pages_.size())];
    go_on(pages, query_of_page(pages.cursor));
    std::erase_if(pages_, [](const FqlPages& each) { return each.cursor.empty(); });
  }
  if (workload_.chance(60)) check(workload_.fql_question(model_, database_->now()));
}

void Runner::check_everything_by_fql() {
  for (int i = 0; i < 60 && !has_failed(); ++i) {
    check(workload_.fql_question(model_, database_->now()));
  }
}

}  // namespace mayfly::simulate
