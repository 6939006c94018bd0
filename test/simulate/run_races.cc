// Concurrent transactions: while one is open, others begin and end between its reads and its end.
#include "simulate/describe.h"
#include "simulate/runner.h"

namespace mayfly::simulate {

namespace {

// The answer with which the attempt ended.
Result<void> ended_by(const std::string& answer) {
  for (const Code code : {Code::contended, Code::corrupt}) {
    if (answer == name_of(code)) return fail(code, "");
  }
  return {};
}

}  // namespace

void Runner::TransactionAnswers::begin(Instant now_of_attempt, const Model& model) {
  answers.clear();
  now = now_of_attempt;
  // After everything that exists: its own writes are recognized by their instant.
  moments = {{model, now_of_attempt + Span{1}}};
}

void Runner::perform_meanwhile(const std::vector<EditStep>& steps, TransactionAnswers& actual) {
  if (steps.empty() || std::exchange(actual.has_raced, true)) return;
  const std::size_t failures = engine_->lasting_failures();
  for (const EditStep& step : steps) {
    if (!has_failed()) perform(step);
  }
  actual.failures += engine_->lasting_failures() - failures;
  // Rows of expired documents may conflict, depending on what has been swept. So if runs are
  // compared, every commit before which other commits came is refused once: they end at the same
  // instant.
  if (is_comparable(options_.schedule)) engine_->fail_next({Fault::Kind::contended, 0});
  actual.moments.push_back({model_, database_->now() + Span{1}});
}

Result<void> Runner::ask_past(Transaction& t, const EditStep& step,
                              const TransactionAnswers& actual) {
  for (const Question& question : step.past) {
    if (question.at >= t.now()) continue;
    const std::string seen = answer_of(*database_, t.view(), question);
    TRY(ended_by(seen));
    const std::string expected =
        simulate::expected(actual.moments.front().model, question, actual.now);
    ++outcome_.questions;
    if (seen != expected) {
      fail_with(operation_ + "\n  asked in it: " + render(question), expected, seen);
    }
  }
  return {};
}

Model::EditAnswers Runner::expected_at_a_moment(const EditStep& step,
                                                const TransactionAnswers& actual) const {
  std::vector<Model::EditAnswers> expected;
  for (const auto& [model, at] : actual.moments) {
    // Others' writes since then may have expired immediately, at an instant after its now.
    for (const Instant judged : {actual.now, at}) {
      Model draft = model;
      expected.push_back(draft.edit(step.edits, actual.now, at, judged));
      if (expected.back().answers == actual.answers) return expected.back();
    }
  }
  return expected.front();
}

std::vector<std::string> Runner::expected_at_a_moment(const ReadStep& step,
                                                      const TransactionAnswers& actual) const {
  std::vector<std::vector<std::string>> expected;
  for (const auto& [model, at] : actual.moments) {
    std::vector<std::string>& answers = expected.emplace_back();
    for (const Question& question : step.questions) {
      // The past does not change any more.
      const bool is_past = question.is_of_the_past() && question.at < actual.now;
      answers.push_back(is_past
                            ? simulate::expected(actual.moments.front().model, question, actual.now)
                            : simulate::expected(model, question, actual.now, at));
    }
    if (answers == actual.answers) return answers;
  }
  return expected.front();
}

// Whatever it ends with, it was shown the state of one moment. Whether it runs again may depend on
// what has been swept, and so may that moment.
void Runner::perform(const ReadStep& step) {
  TransactionAnswers actual;
  const auto result = database_->transact([&](Transaction& t) -> Result<void> {
    actual.begin(t.now(), model_);
    for (std::size_t i = 0; i < step.questions.size() && !has_failed(); ++i) {
      if (i == step.position) perform_meanwhile(step.meanwhile, actual);
      actual.answers.push_back(answer_of(*database_, t.view(), step.questions[i]));
      TRY(ended_by(actual.answers.back()));
    }
    if (step.gives_up) return fail(Code::unsupported, "given up");
    return {};
  });
  if (has_failed()) return;
  const bool is_unread = engine_->take_read_fault();
  const std::string seen_end = result ? "done" : text_of(result.error());
  const std::string expected_end = is_unread ? "corrupt" : step.gives_up ? "unsupported" : "done";
  if (seen_end != expected_end) return fail_with(operation_, expected_end, seen_end);
  if (is_unread) return;
  const std::vector<std::string> expected = expected_at_a_moment(step, actual);
  for (std::size_t i = 0; i < actual.answers.size(); ++i) {
    ++outcome_.questions;
    trace_.add(actual.answers[i]);
    if (actual.answers[i] == expected[i]) continue;
    return fail_with(operation_ + "\n  asked in it: " + render(step.questions[i]), expected[i],
                     actual.answers[i]);
  }
}

}  // namespace mayfly::simulate
