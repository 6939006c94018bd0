// The questions of a workload.
#include <algorithm>

#include "simulate/workload.h"

namespace mayfly::simulate {
namespace {

void put_around(Instant t, std::vector<Instant>& instants) {
  if (t.is_never() || t.micros <= 0) return;
  for (const std::int64_t by : {-1, 0, 1}) instants.push_back(t + Span{by});
}

// An index reaches back only to when it was made.
void ask_of(const IndexModel& index, Question& q) {
  q.index = index.name;
  if (q.is_of_the_past()) q.at = std::max(q.at, index.since);
}

void put_of_indexes(Question q, const CollectionModel& c, const std::vector<Instant>& instants,
                    std::vector<Question>& all) {
  for (const IndexModel& index : c.indexes) {
    for (const Instant at : instants) {
      for (const bool reverse : {false, true}) {
        q.at = at;
        q.reverse = reverse;
        ask_of(index, q);
        all.push_back(q);
      }
    }
  }
}

}  // namespace

// An instant at or beside one at which something happened, or any.
Instant Workload::past(const CollectionModel& c, Instant now) {
  if (!c.lives.empty() && chance(80)) {
    const Life& life = one_of(c.lives);
    const Instant picked = chance(40) ? life.written_at : chance(50) ? life.ended_at : life.death;
    const Instant beside = picked + Span{static_cast<std::int64_t>(below(3)) - 1};
    if (beside <= now && beside.micros > 0) return beside;
  }
  if (chance(30)) return now;
  return now - jump();
}

// A question that a transaction asks beside its own writes.
Question Workload::past_question(const CollectionModel& c, const std::string& id, Instant now) {
  using Kind = Question::Kind;
  const Kind all = c.indexes.empty() || chance(50) ? Kind::scan_as_of : Kind::index_as_of;
  Question q{
      .kind = chance(60) ? Kind::get_as_of : all, .collection = c.name, .page = 1 + below(3)};
  if (q.kind == Kind::get_as_of) q.id = id;
  q.at = past(c, now);
  if (q.is_of_index()) ask_of(one_of(c.indexes), q);
  return q;
}

Question Workload::question(const Model& model, Instant now) {
  Question q;
  q.kind = static_cast<Question::Kind>(below(Question::kinds));
  q.collection = collection(model);
  const CollectionModel& c = model.at(q.collection);
  q.id = id();
  const bool is_scan = q.kind == Question::Kind::scan || q.kind == Question::Kind::scan_as_of ||
                       q.kind == Question::Kind::scan_pinned ||
                       q.kind == Question::Kind::scan_with_trash;
  if (is_scan && chance(70)) q.id.clear();
  if (is_scan && chance(30)) q.to = id();
  q.n = static_cast<int>(below(4));
  q.page = 1 + below(4);
  q.reverse = chance(50);
  if (q.is_of_the_past()) q.at = past(c, now);
  if (q.is_of_index() && !c.indexes.empty()) ask_of(one_of(c.indexes), q);
  return q;
}

std::vector<Question> Workload::all_questions(const Model& model, Instant now) {
  std::vector<Question> all;
  for (const std::string& name : model.names()) {
    const CollectionModel& c = model.at(name);
    std::vector<Instant> instants{now};
    // A sample, so that a long run ends.
    for (int i = 0; i < 12 && !c.lives.empty(); ++i) {
      const Life& life = one_of(c.lives);
      put_around(life.written_at, instants);
      put_around(life.ended_at, instants);
      put_around(life.death, instants);
    }
    for (int kind = 0; kind < Question::kinds; ++kind) {
      Question q{.kind = static_cast<Question::Kind>(kind), .collection = name, .page = 2};
      if (q.is_of_index()) {
        put_of_indexes(q, c, q.is_of_the_past() ? instants : std::vector{now}, all);
        continue;
      }
      if (q.is_of_the_past()) {
        for (const Instant at : instants) {
          q.at = at;
          q.id = q.kind == Question::Kind::get_as_of ? id() : "";
          all.push_back(q);
        }
        continue;
      }
      if (q.kind == Question::Kind::forecast || q.kind == Question::Kind::preview) {
        for (q.n = 0; q.n < 4; ++q.n) all.push_back(q);
        continue;
      }
      all.push_back(q);
      if (q.kind == Question::Kind::holds || q.kind == Question::Kind::living) continue;
      if (q.kind == Question::Kind::scan || q.kind == Question::Kind::scan_with_trash) continue;
      for (const std::string& each : all_ids()) {
        q.id = each;
        all.push_back(q);
      }
    }
  }
  std::erase_if(all, [](const Question& q) {
    const bool needs_id = q.kind == Question::Kind::point || q.kind == Question::Kind::get ||
                          q.kind == Question::Kind::history ||
                          q.kind == Question::Kind::get_removed;
    return needs_id && q.id.empty();
  });
  return all;
}

Instant Workload::feed_position(const CollectionModel& c) {
  if (c.happenings.empty() || chance(50)) return Instant::beginning();
  return one_of(c.happenings).at;
}

}  // namespace mayfly::simulate
