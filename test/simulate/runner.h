// The parts of a run. Private to run*.cc.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "simulate/purged.h"
#include "simulate/run.h"

namespace mayfly::simulate {

class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
    hash_ = (hash_ ^ 0xFF) * 1'099'511'628'211U;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14'695'981'039'346'656'037U;  // FNV-1a
};

Instant instant_of(store::Version version);
// As the model formats it.
std::string text_of(const Error& error);
IndexSpec spec_of(const IndexModel& index);
// Whether the transaction writes a version that expires so soon after `now` that the commit may
// come after the expiration. Then the transaction may fail with contended.
bool writes_what_dies_at_once(const Model& model, const std::vector<Edit>& edits, Instant now);

class Runner {
 public:
  explicit Runner(const RunOptions& options);
  RunOutcome run();

 private:
  // --- steps (run_steps.cc, run_process.cc) ---
  void take_step();
  void fail_next(const Step& step);
  void perform(const EditStep& step);
  void perform(const ReadStep& step);
  void perform(const ChangeStep& step);
  void perform(const TrimStep& step);
  void perform(const AddIndexStep& step);
  void perform(const DropIndexStep& step);
  void perform(const RecreateStep& step);
  void perform(const ClockStep& step);
  void perform(const CrashStep& step);
  void perform(const RestartStep& step);
  void perform(const SyncStep& step);
  void perform(const HoldStep& step);

  // --- FQL (fauna/run.cc) ---
  void perform(const FqlStep& step);
  void perform(const FqlChangeStep& step);
  void create_by_fql(const std::string& name);
  void check_fql();
  void check_everything_by_fql();
  void check(const FqlQuestion& question);
  void begin_pages(const FqlQuestion& question);
  void go_on(FqlPages& pages, const std::string& query);
  void compare(const FqlStep& step, const std::string& expected, const std::string& seen);
  void compare(const std::string& asked, const std::string& expected, const std::string& seen,
               Instant now);

  // --- transactions (run_steps.cc, run_races.cc) ---
  // The answers of a transaction, with the instants in them.
  struct TransactionAnswers {
    std::vector<std::string> answers;
    Instant now;
    bool has_raced = false;    // other commits came in between, at this attempt or an earlier one
    std::size_t failures = 0;  // of the other transactions
    // The data when the attempt began, and after each of the commits that came in between.
    struct Moment {
      Model model;
      Instant at;
    };
    std::vector<Moment> moments = {};

    void begin(Instant now_of_attempt, const Model& model);
  };
  Result<void> run_edits(Transaction& transaction, const EditStep& step,
                         TransactionAnswers& actual);
  // Transactions that begin and end while another is open, at its first attempt only.
  void perform_meanwhile(const std::vector<EditStep>& steps, TransactionAnswers& actual);
  // The transaction's answers about the past, which its own edits do not change. Fails if the
  // transaction must run again or has had a fault.
  Result<void> ask_past(Transaction& transaction, const EditStep& step,
                        const TransactionAnswers& actual);
  // The expected answer of a transaction that commits nothing: the one for any of its moments.
  Model::EditAnswers expected_at_a_moment(const EditStep& step,
                                          const TransactionAnswers& actual) const;
  std::vector<std::string> expected_at_a_moment(const ReadStep& step,
                                                const TransactionAnswers& actual) const;
  void compare(const EditStep& step, const TransactionAnswers& actual,
               const Model::EditAnswers& expected);
  bool may_fail(const EditStep& step, const TransactionAnswers& actual,
                const Model::EditAnswers& expected, Code code) const;
  void check_not_left(const AddIndexStep& step, bool is_fault);
  void create_missing();
  // Keeps the model before a step that is now in the model: a crash that loses the commit of
  // `effective` undoes the step.
  void done(Model before, Instant effective);
  void sync();
  // The engine has stopped during a commit: crash, and keep that commit or not. Returns its instant
  // if it was kept.
  std::optional<Instant> crash_within();
  void crash(std::uint64_t lost, bool keeps_all);
  void open();
  // Records the due expirations of collections whose expired documents go to the trash, and of
  // `also`, if runs are compared; then advances the time to the same instant in all of them. A read
  // of the trash or a change of the retention of events would otherwise record them itself, in a
  // number of commits that depends on the schedule.
  void flush_ahead(std::optional<CollectionId> also = {});
  CollectionPtr collection(const std::string& name);

  // --- housekeeping (run_housekeeping.cc) ---
  void housekeep();
  void sweep(std::size_t ends_max);
  void sweep_with_faults(std::size_t ends_max);
  void run_ledger_jobs();
  void compact();
  void finish();
  void sweep_and_count();
  void count_rows(const CollectionModel& collection, Instant now);

  // --- checks (run.cc) ---
  void begin_step();
  void check_questions(std::size_t many);
  void check(View& view, const Model& model, const Question& question);
  // The same if a read may fail; the answer then says so.
  void check_unread(View& view, const Question& question);
  void compare(View& view, const Model& model, const Question& question);
  void collect_records();
  void check_records();
  void check_feed(const std::string& collection, Instant after);
  void check_held();
  void check_everything();
  void note(const std::string& text);
  void fail_with(std::string operation, std::string expected, std::string seen);
  bool has_failed() const { return outcome_.failure.has_value(); }

  RunOptions options_;
  RunOutcome outcome_;
  Hash answers_, trace_;
  std::size_t step_ = 0;
  std::string operation_;

  Workload workload_;
  Random schedule_random_;
  ManualClock clock_;
  Instant wall_;
  Instant latest_;  // no answer is from before this

  Disk disk_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<FqlPort> fql_;
  Engine* engine_ = nullptr;

  Model model_;
  struct Undo {
    Instant effective;
    Model before;
  };
  std::vector<Undo> undo_;  // of steps that are not durable yet
  PublishedEnds published_ends_;
  Purged purged_;

  struct HeldView {
    View view;
    Model model;
    std::size_t until;
  };
  std::optional<HeldView> held_;
  std::vector<FqlPages> pages_;  // whose next pages clients will read
};

}  // namespace mayfly::simulate
