// The workload's steps, performed on the product and on the model.
#include <algorithm>

#include "base/check.h"
#include "simulate/describe.h"
#include "simulate/runner.h"
#include "value/json/json.h"
#include "value/patch.h"
#include "value/path.h"

namespace mayfly::simulate {
namespace {

// With `t`, the array of n and u.
Value with_items(Value body) {
  Array items;
  for (const char* name : {"n", "u"}) {
    if (!body.member(name).is_missing()) items.push_back(body.member(name));
  }
  CHECK(set_at(body, Path::of("t"), std::move(items)).has_value());
  return body;
}

Value value_of(const Body& body) {
  Object object;
  if (body.n) object.set("n", *body.n);
  if (body.u) object.set("u", *body.u);
  object.set("s", body.s);
  return with_items(std::move(object));
}

Value patch_of(const Edit& edit) {
  const auto member = [](const std::optional<int>& n) { return n ? Value(*n) : Value(nullptr); };
  Object patch;
  if (edit.patches_n) patch.set("n", member(edit.body.n));
  if (edit.patches_u) patch.set("u", member(edit.body.u));
  return patch;
}

// Returns the answer in the words of the model.
Result<std::string> perform_edit(Transaction& t, const CollectionPtr& c, const Edit& edit) {
  const DocumentKey key = DocumentKey::of(edit.id);
  switch (edit.kind) {
    case Edit::Kind::put: {
      const bool is_new = TRY(t.put(c, key, TRY(pack(value_of(edit.body))), edit.options));
      return is_new ? "new" : "replaced";
    }
    case Edit::Kind::patch: {
      const auto found = TRY(t.view().get(*c, key, t.view().live()));
      if (!found) return fail(Code::not_found, "");
      PutOptions options = edit.options;
      options.expect = PutOptions::Expect::present;
      Value body = with_items(merge_patch(found->body.unpack(), patch_of(edit)));
      TRY(t.put(c, key, TRY(pack(std::move(body))), options));
      return "replaced";
    }
    case Edit::Kind::remove:
      TRY(t.remove(c, key, {edit.if_written_at, edit.author, edit.is_final}));
      return "done";
    case Edit::Kind::restore:
      TRY(t.restore(c, key, {edit.author, edit.options.lifetime}));
      return "done";
    case Edit::Kind::forget: TRY(t.forget(c, key, edit.author)); return "done";
    case Edit::Kind::hold: TRY(t.hold(c, key, {edit.author, "case " + edit.id})); return "done";
    case Edit::Kind::release: TRY(t.release(c, key, edit.author)); return "done";
  }
  return "";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + "; ";
  return all;
}

}  // namespace

bool writes_what_dies_at_once(const Model& model, const std::vector<Edit>& edits, Instant now) {
  for (std::size_t many = 1; many <= edits.size(); ++many) {
    Model draft = model;
    draft.edit({edits.begin(), edits.begin() + static_cast<std::ptrdiff_t>(many)}, now, now);
    for (const std::string& name : draft.names()) {
      for (const Life& life : draft.at(name).lives) {
        const bool is_own = life.written_at == now;
        if (is_own && life.death > now && life.death < now + Span{100}) return true;
      }
    }
  }
  return false;
}

void Runner::take_step() {
  if (has_failed()) return;
  engine_->set_foreground(true);
  create_missing();
  const Step step = workload_.next(model_, {wall_, latest_});
  operation_ = render(step);
  note(operation_);
  if (step.fault) fail_next(step);
  const std::size_t crashes = outcome_.crashes;
  std::visit([this](const auto& act) { perform(act); }, step.act);
  engine_->clear_faults();
  engine_->set_foreground(false);
  // Records may have been lost, or recording may begin only now.
  const auto* change = std::get_if<ChangeStep>(&step.act);
  const bool is_new = change && change->change.expires_to_trash.value_or(false);
  if (is_new || outcome_.crashes > crashes) flush_ahead();
}

// How much is read may depend on what has been swept. So if runs are compared, the first read
// fails, and that of a transaction: each run has one.
void Runner::fail_next(const Step& step) {
  Fault fault = *step.fault;
  if (fault.kind == Fault::Kind::unreadable && is_comparable(options_.schedule)) {
    const bool is_transaction =
        std::holds_alternative<EditStep>(step.act) || std::holds_alternative<ReadStep>(step.act);
    if (!is_transaction) return;
    fault.after = 0;
  }
  engine_->fail_next(fault);
}

// --- edits ---

Result<void> Runner::run_edits(Transaction& t, const EditStep& step, TransactionAnswers& actual) {
  actual.begin(t.now(), model_);
  for (std::size_t i = 0; i <= step.edits.size(); ++i) {
    if (i == step.position) perform_meanwhile(step.meanwhile, actual);
    if (i == step.edits.size() || has_failed()) break;
    const Edit& edit = step.edits[i];
    const CollectionPtr c = t.view().catalog_ptr()->collection(model_.at(edit.collection).id);
    CHECK(c != nullptr);
    auto answer = perform_edit(t, c, edit);
    if (!answer && answer.error().code != Code::contended) {
      actual.answers.push_back(text_of(answer.error()));
    }
    if (!answer) return tl::unexpected(answer.error());
    actual.answers.push_back(std::move(*answer));
  }
  TRY(ask_past(t, step, actual));
  if (options_.schedule == Schedule::racing && schedule_random_.below(4) == 0) {
    engine_->set_foreground(false);
    sweep(1 + schedule_random_.below(3));
    engine_->set_foreground(true);
  }
  if (step.gives_up) return fail(Code::unsupported, "given up");
  return {};
}

void Runner::compare(const EditStep& step, const TransactionAnswers& actual,
                     const Model::EditAnswers& expected) {
  // One that fails may have run again, or not: that depends on what has been swept.
  if (!actual.has_raced || expected.is_done) answers_.add(joined(actual.answers));
  trace_.add(joined(actual.answers));
  if (actual.answers != expected.answers) {
    fail_with(operation_, joined(expected.answers), joined(actual.answers));
  }
  if (has_failed()) return;
  View view = database_->view();
  for (const Edit& edit : step.edits) {
    check(view, model_,
          {.kind = Question::Kind::point, .collection = edit.collection, .id = edit.id});
  }
}

void Runner::perform(const EditStep& step) {
  const std::size_t failures = engine_->lasting_failures();
  TransactionAnswers actual;
  const auto result =
      database_->transact([&](Transaction& t) { return run_edits(t, step, actual); });
  // If other transactions came in between, none of their reads and of its own fails.
  const bool is_unread = engine_->take_read_fault();
  if (actual.now < latest_) {
    fail_with(operation_, "a now from " + std::to_string(latest_.micros) + " on",
              std::to_string(actual.now.micros));
  }
  if (has_failed()) return;
  Model before = model_;
  if (is_unread) {
    const std::string seen = result ? "done" : text_of(result.error());
    if (seen != "corrupt") return fail_with(operation_, "corrupt", seen);
    return compare(step, {}, {});
  }
  if (result) {
    const Model::EditAnswers expected = model_.edit(step.edits, actual.now, *result);
    if (*result <= actual.now) fail_with(operation_, "a commit after its now", "one before");
    note(std::to_string(result->micros));
    answers_.add(std::to_string(result->micros));
    done(std::move(before), *result);
    return compare(step, actual, expected);
  }
  actual.failures += failures;
  if (engine_->lasting_failures() > actual.failures && engine_->unknown()) {
    const Instant at = instant_of(*engine_->unknown());
    const Model::EditAnswers expected = before.edit(step.edits, actual.now, at);
    if (crash_within()) model_ = std::move(before);
    return compare(step, actual, expected);
  }
  Model::EditAnswers expected = expected_at_a_moment(step, actual);
  // A fault arrivals before its reads were checked again: they may be of two moments.
  const bool is_unchecked =
      engine_->lasting_failures() > actual.failures && actual.moments.size() > 1;
  if (is_unchecked) expected.answers = actual.answers;
  if (!may_fail(step, actual, expected, result.error().code)) {
    fail_with(operation_, "done", text_of(result.error()) + " (" + result.error().message + ")");
  }
  compare(step, actual, {.answers = expected.answers});  // nothing is done
}

bool Runner::may_fail(const EditStep& step, const TransactionAnswers& actual,
                      const Model::EditAnswers& expected, Code code) const {
  const bool is_fault = engine_->lasting_failures() > actual.failures;
  const bool gives_up = step.gives_up && code == Code::unsupported;
  if (is_fault || gives_up || !expected.is_done) return true;
  return code == Code::contended && writes_what_dies_at_once(model_, step.edits, actual.now);
}

// --- policies, indexes, collections ---

void Runner::perform(const ChangeStep& step) {
  if (step.change.keep_feed_for || step.change.keep_purges_for) {
    engine_->set_foreground(false);
    flush_ahead(model_.at(step.collection).id);
    engine_->set_foreground(true);
  }
  const bool is_allowed = model_.allows(step.collection, step.change);
  const auto result = database_->change_collection(model_.at(step.collection).id, step.change);
  Model before = model_;
  if (result) {
    model_.change(step.collection, step.change, (*result)->changed_at);
    if (!is_allowed) return fail_with(operation_, "invalid", "done");
    return done(std::move(before), (*result)->changed_at);
  }
  if (engine_->unknown()) {
    const auto at = crash_within();
    // That commit may be one that records ends before the change.
    const bool is_changed = at && collection(step.collection)->changed_at == *at;
    if (is_changed) model_.change(step.collection, step.change, *at);
    return;
  }
  const bool is_unread = engine_->take_read_fault() && result.error().code == Code::corrupt;
  const bool is_right =
      is_unread || result.error().code == (is_allowed ? Code::no_space : Code::invalid);
  if (!is_right) fail_with(operation_, is_allowed ? "done" : "invalid", text_of(result.error()));
}

void Runner::perform(const TrimStep& step) {
  // Ends in the trash are recorded before it is trimmed, and some may come meanwhile.
  engine_->set_foreground(false);
  flush_ahead(model_.at(step.collection).id);
  engine_->set_foreground(true);
  const std::vector<Instant> arrivals = model_.at(step.collection).evictable(database_->now());
  const auto documents = static_cast<std::size_t>(
      std::upper_bound(arrivals.begin(), arrivals.end(), step.through) - arrivals.begin());
  if (documents == 0) return;
  engine_->take_commits();
  const std::size_t failures = engine_->failures();
  const auto result = database_->evict_oldest_trash(model_.at(step.collection).id, documents);
  if (engine_->unknown()) {
    if (const auto at = crash_within()) model_.trim(step.collection, step.through, *at);
    return;
  }
  if (!result) {
    if (engine_->failures() == failures) fail_with(operation_, "done", text_of(result.error()));
    return;
  }
  if (*result != documents) {
    return fail_with(operation_, std::to_string(documents), std::to_string(*result));
  }
  const Instant at = instant_of(engine_->take_commits().back());
  Model before = model_;
  model_.trim(step.collection, step.through, at);
  done(std::move(before), at);
}

// An index that could not be made leaves nothing behind; but if the disk is full, its removal may
// have failed, too, and the client can drop it.
void Runner::check_not_left(const AddIndexStep& step, bool is_fault) {
  const CollectionModel& c = model_.at(step.collection);
  const Index* left = collection(step.collection)->find_index(step.index.name);
  if ((left != nullptr) == (c.find_index(step.index.name) != nullptr)) return;
  const bool may_be_left = is_fault && left != nullptr && !left->is_ready;
  if (may_be_left && database_->drop_index(c.id, step.index.name)) return;
  fail_with(operation_ + " failed", "no such index", "it stands in the way");
}

void Runner::perform(const AddIndexStep& step) {
  const CollectionModel& c = model_.at(step.collection);
  const Instant before_it = latest_;
  std::string expected = "done";
  if (c.find_index(step.index.name)) {
    expected = "exists name";
  } else if (step.index.is_unique && model_.would_collide(step.collection, step.index, latest_)) {
    expected = std::string("exists .") + step.index.fields.front();
  }
  engine_->take_commits();
  const std::size_t failures = engine_->failures();
  const auto result = database_->create_index(c.id, spec_of(step.index));
  const std::string name = step.index.name;
  if (engine_->unknown()) {
    crash_within();
    const CollectionPtr now = collection(step.collection);
    const bool is_there = now && now->find_index(name) != nullptr;
    if (is_there && !model_.at(step.collection).find_index(name)) {
      model_.add_index(step.collection, step.index, now->find_index(name)->past_since);
    }
    return;
  }
  const std::string seen = result ? "done" : text_of(result.error());
  // Whether a document that expires while the index is being filled conflicts is not determined.
  const bool is_close = step.index.is_unique &&
                        model_.would_collide(step.collection, step.index, before_it) !=
                            model_.would_collide(step.collection, step.index, database_->now());
  const bool is_fault = engine_->failures() > failures && (seen == "no_space" || seen == "corrupt");
  if (seen != expected && !is_close && !is_fault) return fail_with(operation_, expected, seen);
  if (!result) return check_not_left(step, is_fault);
  Model before = model_;
  const Instant at = instant_of(engine_->take_commits().back());
  model_.add_index(step.collection, step.index, at);
  done(std::move(before), at);
}

void Runner::perform(const DropIndexStep& step) {
  const CollectionModel& c = model_.at(step.collection);
  const bool is_there = c.find_index(step.index) != nullptr;
  engine_->take_commits();
  const auto result = database_->drop_index(c.id, step.index);
  if (engine_->unknown()) {
    crash_within();
    const CollectionPtr now = collection(step.collection);
    if (now && !now->find_index(step.index)) model_.drop_index(step.collection, step.index);
    return;
  }
  if (!result) {
    const bool is_right = result.error().code == (is_there ? Code::no_space : Code::not_found);
    if (!is_right) fail_with(operation_, is_there ? "done" : "not_found", text_of(result.error()));
    return;
  }
  if (!is_there) return fail_with(operation_, "not_found", "done");
  Model before = model_;
  model_.drop_index(step.collection, step.index);
  done(std::move(before), instant_of(engine_->take_commits().front()));
}

void Runner::perform(const RecreateStep& step) {
  const CollectionId id = model_.at(step.collection).id;
  engine_->take_commits();
  const auto result = database_->drop_collection(id);
  if (model_.at(step.collection).holds_any()) {
    const std::string seen = result ? "done" : text_of(result.error());
    const bool is_unread = engine_->take_read_fault() && seen == "corrupt";
    if (seen != "forbidden" && !is_unread) fail_with(operation_, "forbidden", seen);
    return;
  }
  // The drop may have been done, and the outcome of the commit that erases the rows may be unknown.
  const bool is_unknown = engine_->unknown().has_value();
  if (is_unknown) {
    crash_within();
  } else if (!result) {
    const bool is_unread = engine_->take_read_fault() && result.error().code == Code::corrupt;
    if (result.error().code != Code::no_space && !is_unread) {
      fail_with(operation_, "done", text_of(result.error()));
    }
    return;
  }
  Model before = model_;
  const bool is_gone = !database_->catalog()->collection(id);
  if (is_gone && model_.has(step.collection, id)) model_.drop(step.collection);
  if (result && !is_unknown && !is_gone) fail_with(operation_, "gone", "there");
  if (result && !is_unknown) done(std::move(before), instant_of(engine_->take_commits().front()));
  create_missing();
}

// --- the clock, crashes, readers ---

void Runner::perform(const ClockStep& step) {
  wall_ = std::max(step.wall, Instant::from_seconds(1'000'000));
  clock_.set(wall_);
  latest_ = database_->now();
}

void Runner::perform(const CrashStep& step) {
  // What was answered is not on disk; so a clock set back within the crash is not noticed.
  wall_ = std::max(wall_, database_->now());
  crash(step.lost, false);
  create_missing();
}

void Runner::perform(const RestartStep& step) {
  const auto persisted = database_->persist_clock();
  if (engine_->unknown()) {
    wall_ = std::max(wall_, database_->now());
    crash_within();
    create_missing();
    return;
  }
  if (!persisted) return;
  sync();
  latest_ = std::max(latest_, database_->now());
  wall_ = std::max(latest_ - step.back, Instant::from_seconds(1'000'000));
  crash(0, true);
}

void Runner::perform(const SyncStep&) {
  sync();
}

void Runner::perform(const HoldStep& step) {
  held_.reset();
  held_.emplace(database_->view(), model_, step_ + static_cast<std::size_t>(step.steps));
}

}  // namespace mayfly::simulate
