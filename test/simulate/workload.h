// The next step of a run, drawn from the seed alone. The model helps to pick interesting values (a
// version to name, a death to stop before); they are the same under every schedule.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/random.h"
#include "simulate/engine.h"
#include "simulate/fauna/fql.h"
#include "simulate/model.h"
#include "simulate/question.h"

namespace mayfly::simulate {

// Several edits of one transaction; a step that gives up does so after all of them. While it is
// open other transactions begin and end, between its edits.
struct EditStep {
  std::vector<Edit> edits;
  bool gives_up = false;
  std::vector<Question> past;       // asked after its edits, about instants before it
  std::vector<EditStep> meanwhile;  // transactions before edit `position`, at its first attempt
  std::size_t position = 0;
};
// A transaction that only reads, and may fail after it has been shown something; other transactions
// come in between.
struct ReadStep {
  std::vector<Question> questions;
  bool gives_up = false;
  std::vector<EditStep> meanwhile;
  std::size_t position = 0;
};
struct ChangeStep {
  std::string collection;
  CollectionChange change;
};
// Evicts all documents that came into the trash by an instant: that many.
struct TrimStep {
  std::string collection;
  std::size_t documents = 0;
  Instant through;
};
struct AddIndexStep {
  std::string collection;
  IndexModel index;
};
struct DropIndexStep {
  std::string collection;
  std::string index;
};
// Drops the collection of that name; a new one replaces it.
struct RecreateStep {
  std::string collection;
};
// The wall clock jumps.
struct ClockStep {
  Instant wall;
};
// The process crashes: the last commits that no client knows of are lost.
struct CrashStep {
  std::uint64_t lost = 0;  // modulo the number of commits that can be lost
};
// The process stops cleanly, the wall clock is set back, and it starts again.
struct RestartStep {
  Span back;
};
struct SyncStep {};
// A reader holds a view open for a while.
struct HoldStep {
  int steps = 0;
};

struct Step {
  std::variant<EditStep, ReadStep, ChangeStep, TrimStep, AddIndexStep, DropIndexStep, RecreateStep,
               ClockStep, CrashStep, RestartStep, SyncStep, HoldStep, FqlStep, FqlChangeStep>
      act;
  std::optional<Fault> fault;
};
std::string render(const Step& step);

struct Now {
  Instant wall;    // the time of the wall clock
  Instant latest;  // no answer is from before this
};

// The ids of all possible documents.
const std::vector<std::string>& all_ids();

class Workload {
 public:
  explicit Workload(std::uint64_t seed) : random_(seed) {}

  CollectionChange first_policy();
  std::vector<IndexModel> first_indexes();
  Step next(const Model& model, const Now& now);
  Question question(const Model& model, Instant now);
  // One question of each kind, for each document and at each interesting instant.
  std::vector<Question> all_questions(const Model& model, Instant now);
  FqlQuestion fql_question(const Model& model, Instant now);
  // A possible position of a reader of the feed.
  Instant feed_position(const CollectionModel& collection);
  bool chance(int percent) { return random_.below(100) < static_cast<std::uint64_t>(percent); }
  std::uint64_t below(std::uint64_t n) { return random_.below(n); }

 private:
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[random_.below(all.size())];
  }
  std::string id();
  std::string collection(const Model& model) { return one_of(model.names()); }
  Span retention_span();
  Span jump();
  Lifetime lifetime(Instant now);
  Body body();
  IndexModel index();
  Default default_lifetime();
  Edit edit(const Model& model, Instant now);
  Edit edit_of(const CollectionModel& c, const std::string& id, Instant now);
  void put_further_edits(const Model& model, Instant now, std::vector<Edit>& edits);
  std::optional<Instant> condition(const CollectionModel& c, const std::string& id);
  CollectionChange change();
  EditStep edit_step(const Model& model, Instant now, int depth);
  ReadStep read_step(const Model& model, Instant now);
  // A document, by its collection and id.
  using DocumentPlace = std::pair<std::string, std::string>;
  std::vector<EditStep> meanwhile(const Model& model, Instant now, int depth,
                                  const std::vector<DocumentPlace>& places);
  std::optional<TrimStep> trim(const Model& model, Instant now);
  Instant wall(const Model& model, const Now& now);
  Instant past(const CollectionModel& c, Instant now);
  Question past_question(const CollectionModel& c, const std::string& id, Instant now);
  std::optional<Fault> fault();
  // Instead of a step of the document layer.
  void put_fql(const Model& model, Instant now, Step& step);
  // A collection that FQL has not made.
  std::string made_natively(const Model& model);
  void put_change(const Model& model, Step& step);
  std::optional<Edit> fql_edit(const Model& model, Instant now);
  FqlStep fql_step(const Model& model, Instant now);
  FqlChangeStep fql_change(const CollectionModel& c);
  CollectionChange change_beside_fql();

  Random random_;
};

}  // namespace mayfly::simulate
