#include "simulate/workload.h"

#include <algorithm>

namespace mayfly::simulate {
namespace {

constexpr std::int64_t day = 86'400;
constexpr std::int64_t year = 365 * day;

}  // namespace

const std::vector<std::string>& all_ids() {
  static const std::vector<std::string> ids{"1", "11", "2", "3", "4", "\xC3\xA9"};
  return ids;
}

std::string Workload::id() {
  return one_of(all_ids());
}

Span Workload::retention_span() {
  static const std::vector<Span> spans{Span{0},
                                       Span{0},
                                       Span::seconds(1),
                                       Span::seconds(10),
                                       Span::seconds(60),
                                       Span::seconds(3'600),
                                       Span::seconds(day),
                                       Span::seconds(year),
                                       Span::infinite(),
                                       Span::infinite()};
  return one_of(spans);
}

// Mostly small, so that most documents live for a while.
Span Workload::jump() {
  switch (below(16)) {
    case 0: return Span{1};
    case 1: return Span{static_cast<std::int64_t>(below(1'000'000))};
    case 2:
    case 3:
    case 4:
    case 5: return Span::seconds(1 + static_cast<std::int64_t>(below(3)));
    case 6:
    case 7:
    case 8: return Span::millis(1 + static_cast<std::int64_t>(below(20'000)));
    case 9:
    case 10: return Span::seconds(60);
    case 11: return Span::seconds(3'600);
    case 12: return Span::seconds(day);
    case 13: return Span::seconds(static_cast<std::int64_t>(below(30 * day)));
    case 14: return Span::seconds(chance(30) ? year : 60);
    default: return Span::seconds(chance(20) ? 10 * year : 10);
  }
}

Lifetime Workload::lifetime(Instant now) {
  static const std::vector<std::int64_t> seconds{1,  2,     3,   5,    10,
                                                 60, 3'600, day, year, 2'147'483'647};
  switch (below(8)) {
    case 0: return Inherit{};
    case 1: return Never{};
    case 2:
    case 3: return After{Span::seconds(one_of(seconds))};
    case 4: return At{now - Span::seconds(static_cast<std::int64_t>(below(30)))};
    case 5: return At{now + Span{static_cast<std::int64_t>(below(3'000'000))}};
    case 6: return At{(now + Span::seconds(one_of(seconds))).floor_second()};
    default: return At{now + jump()};
  }
}

Body Workload::body() {
  Body body;
  if (!chance(15)) body.n = static_cast<int>(1 + below(4));
  if (!chance(30)) body.u = static_cast<int>(1 + below(6));
  body.s = std::string(below(4), static_cast<char>('p' + below(8)));
  return body;
}

IndexModel Workload::index() {
  static const std::vector<IndexModel> all{
      {"by_n", {'n'}, false, false},        {"by_n_down", {'n'}, true, false},
      {"by_u", {'u'}, false, true},         {"by_u_n", {'u', 'n'}, false, true},
      {"by_n_u", {'n', 'u'}, false, false}, {"by_n_last", {'n'}, true, false, true},
      {"by_t", {'t'}, false, true},         {"by_t_n", {'t', 'n'}, false, false, true}};
  return one_of(all);
}

Default Workload::default_lifetime() {
  static const std::vector<std::int64_t> seconds{0, 1, 2, 5, 10, 60, 3'600, day, year};
  switch (below(4)) {
    case 0: return Unset{};
    case 1: return Never{};
    default: return After{Span::seconds(one_of(seconds))};
  }
}

CollectionChange Workload::first_policy() {
  CollectionChange promises;
  if (chance(50)) {
    do {
      promises.default_lifetime = default_lifetime();
    } while (*promises.default_lifetime == Default{After{Span{0}}});
  }
  if (chance(70)) promises.keep_history_for = retention_span();
  if (chance(70)) promises.keep_trash_for = retention_span();
  if (chance(80)) promises.keep_feed_for = retention_span();
  if (chance(60)) promises.keep_purges_for = retention_span();
  promises.expires_to_trash = chance(50) && promises.keep_trash_for.value_or(Span{0}) > Span{0};
  if (chance(20)) promises.stamp = Stamp{Span::seconds(10), Stamp::When::every_write};
  return promises;
}

std::vector<IndexModel> Workload::first_indexes() {
  std::vector<IndexModel> indexes;
  while (chance(50)) {
    const IndexModel candidate = index();
    const auto is_same = [&](const IndexModel& i) { return i.name == candidate.name; };
    if (std::none_of(indexes.begin(), indexes.end(), is_same)) indexes.push_back(candidate);
  }
  return indexes;
}

// --- edits ---

// The current version, an earlier one, or one that never existed.
std::optional<Instant> Workload::condition(const CollectionModel& c, const std::string& id) {
  if (!chance(20)) return std::nullopt;
  std::vector<Instant> versions;
  for (const Life& life : c.lives) {
    if (life.id == id) versions.push_back(life.written_at);
  }
  if (versions.empty()) return Instant{1};
  return chance(70) ? versions.back() : one_of(versions);
}

Edit Workload::edit_of(const CollectionModel& c, const std::string& id, Instant now) {
  static const std::vector<std::string> authors{"", "ann", "bob"};
  Edit edit{.collection = c.name, .id = id};
  const auto kind = below(23);
  edit.kind = kind < 9    ? Edit::Kind::put
              : kind < 12 ? Edit::Kind::patch
              : kind < 16 ? Edit::Kind::remove
              : kind < 19 ? Edit::Kind::restore
              : kind < 20 ? Edit::Kind::forget
              : kind < 21 ? Edit::Kind::hold
                          : Edit::Kind::release;
  edit.body = body();
  edit.author = one_of(authors);
  edit.if_written_at = condition(c, id);
  edit.is_final = chance(20);
  edit.patches_n = chance(60);
  edit.patches_u = chance(60);
  PutOptions& options = edit.options;
  options.if_written_at = edit.if_written_at;
  options.author = edit.author;
  if (chance(edit.kind == Edit::Kind::restore ? 25 : 60)) options.lifetime = lifetime(now);
  if (chance(20)) options.facet = Bytes(below(3), 'f');
  if (edit.kind == Edit::Kind::put && chance(30)) {
    options.expect = chance(60) ? PutOptions::Expect::absent : PutOptions::Expect::present;
  }
  return edit;
}

Edit Workload::edit(const Model& model, Instant now) {
  const CollectionModel& c = model.at(collection(model));
  Edit edit = edit_of(c, id(), now);
  const bool is_of_trash = edit.kind == Edit::Kind::restore || edit.kind == Edit::Kind::forget ||
                           edit.kind == Edit::Kind::hold || edit.kind == Edit::Kind::release;
  // Random ids alone would seldom find anything there.
  std::vector<std::string> in_trash;
  for (const Removed& r : c.removed) {
    const bool is_candidate = is_of_trash && (r.life.hold || edit.kind != Edit::Kind::release);
    if (is_candidate && c.is_in_trash(r, now)) in_trash.push_back(r.life.id);
  }
  if (!in_trash.empty() && chance(60)) edit.id = one_of(in_trash);
  return edit;
}

// More edits of a document that the transaction has edited already.
void Workload::put_further_edits(const Model& model, Instant now, std::vector<Edit>& edits) {
  do {
    const Edit& first = edits.back();
    Edit next = edit_of(model.at(first.collection), first.id, now);
    next.options.if_written_at.reset();
    next.if_written_at.reset();
    // A removal is followed by a restore or an expired version, and the other way round, on
    // purpose.
    const bool is_removed = first.kind == Edit::Kind::remove;
    if (is_removed && chance(50)) next.kind = Edit::Kind::restore;
    if (is_removed && next.kind == Edit::Kind::put && chance(50)) next.options.lifetime = At{now};
    if (first.kind == Edit::Kind::restore && chance(50)) next.kind = Edit::Kind::remove;
    edits.push_back(std::move(next));
  } while (chance(40));
}

// --- policies and indexes ---

CollectionChange Workload::change() {
  CollectionChange change;
  do {
    if (chance(50)) change.default_lifetime = default_lifetime();
    if (chance(20)) change.keep_history_for = retention_span();
    if (chance(20)) change.keep_trash_for = retention_span();
    if (chance(20)) change.keep_feed_for = retention_span();
    if (chance(10)) change.keep_purges_for = retention_span();
    if (chance(15)) change.expires_to_trash = chance(60);
    if (chance(10)) change.writers_may_set_lifetime = chance(70);
    if (chance(8)) change.is_indexed = chance(70);
    if (chance(10)) {
      std::optional<Stamp> stamp;
      const auto when = chance(50) ? Stamp::When::creation : Stamp::When::every_write;
      if (chance(60)) stamp = Stamp{jump(), when};
      change.stamp = stamp;
    }
  } while (!change.default_lifetime && !change.keep_history_for && !change.keep_trash_for &&
           !change.keep_feed_for && !change.keep_purges_for && !change.expires_to_trash &&
           !change.stamp && !change.writers_may_set_lifetime && !change.is_indexed);
  return change;
}

// Only for a trash that is kept for ever, as the usual trimmed ones are. Where expired documents go
// there first, or the feed began after the documents arrivals, trimming takes several commits.
std::optional<TrimStep> Workload::trim(const Model& model, Instant now) {
  const CollectionModel& c = model.at(collection(model));
  const std::vector<Instant> arrivals = c.evictable(now);
  const auto is_published = [](const RetentionPast& retention, Instant of) {
    return retention.current() == Span{0} || of > retention.purged_through();
  };
  if (c.trash.current() != Span::infinite() || c.to_trash.size() > 1 || arrivals.empty()) return {};
  if (!is_published(c.feed, arrivals.front()) || !is_published(c.purges, arrivals.front()))
    return {};
  const Instant through = one_of(arrivals);
  const auto documents =
      std::upper_bound(arrivals.begin(), arrivals.end(), through) - arrivals.begin();
  return TrimStep{c.name, static_cast<std::size_t>(documents), through};
}

// --- the clock ---

// The next time of the wall clock: forward, to just before or at the next death or end in the
// trash, to the instant of the last answers, or back.
Instant Workload::wall(const Model& model, const Now& now) {
  const bool is_far = now.wall > Instant::from_seconds(14'000'000'000);  // year 2413
  const auto kind = below(20);
  if (kind < 3) return now.wall - jump();
  if (kind < 5) return now.latest;
  if (kind < 12) {
    Instant next = Instant::never();
    for (const std::string& name : model.names()) {
      const CollectionModel& c = model.at(name);
      const auto may_be_next = [&](Instant end) {
        if (end > now.latest + Span{1}) next = std::min(next, end);
      };
      for (const Life& life : c.lives) {
        if (life.ended_at.is_never()) may_be_next(life.death);
      }
      for (const Removed& r : c.removed) {
        if (r.left_at.is_never() && c.trash.current() != Span::infinite()) {
          may_be_next(r.removed_at + c.trash.current());
        }
      }
    }
    const Span ahead = next - now.latest;
    if (!next.is_never() && ahead < Span::seconds(chance(10) ? 20 * year : day)) {
      return next - Span{1} + Span{static_cast<std::int64_t>(below(3))};
    }
  }
  const Span by = is_far ? Span::seconds(1) : jump();
  return std::max(now.wall, chance(50) ? now.latest : now.wall) + by;
}

// --- steps ---

std::optional<Fault> Workload::fault() {
  if (!chance(8)) return std::nullopt;
  const auto kind = below(8);
  if (kind < 3) return Fault{Fault::Kind::unreadable, static_cast<int>(below(12))};
  return Fault{kind < 6   ? Fault::Kind::contended
               : kind < 7 ? Fault::Kind::no_space
                          : Fault::Kind::unknown,
               static_cast<int>(below(3))};
}

// --- concurrent transactions ---

// Transactions that begin and end while another is open; half of them begin with a document of it.
std::vector<EditStep> Workload::meanwhile(const Model& model, Instant now, int depth,
                                          const std::vector<DocumentPlace>& places) {
  static constexpr int depth_max = 2;
  std::vector<EditStep> steps;
  if (depth >= depth_max) return steps;
  do {
    EditStep step = edit_step(model, now, depth + 1);
    if (chance(50)) {
      const auto& [collection, id] = one_of(places);
      const bool is_known = std::any_of(step.edits.begin(), step.edits.end(), [&](const Edit& e) {
        return e.id == id && e.collection == collection;
      });
      if (!is_known) step.edits.insert(step.edits.begin(), edit_of(model.at(collection), id, now));
      step.position += is_known ? 0 : 1;
    }
    steps.push_back(std::move(step));
  } while (chance(40));
  return steps;
}

EditStep Workload::edit_step(const Model& model, Instant now, int depth) {
  EditStep act;
  const std::size_t many = chance(20) ? 2 + below(4) : 1;
  while (act.edits.size() < many) {
    Edit next = edit(model, now);
    const bool is_known = std::any_of(act.edits.begin(), act.edits.end(), [&](const Edit& e) {
      return e.id == next.id && e.collection == next.collection;
    });
    if (!is_known) act.edits.push_back(std::move(next));
    if (is_known && act.edits.size() > 1) break;
    if (chance(15)) put_further_edits(model, now, act.edits);
  }
  act.gives_up = chance(5);
  if (chance(15)) {
    const Edit& last = act.edits.back();
    Question q = past_question(model.at(last.collection), last.id, now);
    if (q.at < now) act.past.push_back(std::move(q));
  }
  if (chance(depth == 0 ? 20 : 30)) {
    std::vector<DocumentPlace> places;
    for (const Edit& edit : act.edits) places.emplace_back(edit.collection, edit.id);
    act.meanwhile = meanwhile(model, now, depth, places);
    act.position = below(act.edits.size() + 1);
  }
  return act;
}

ReadStep Workload::read_step(const Model& model, Instant now) {
  using Kind = Question::Kind;
  static const std::vector<Kind> kinds{Kind::get,        Kind::get,       Kind::get,    Kind::scan,
                                       Kind::index_scan, Kind::query,     Kind::count,  Kind::group,
                                       Kind::living,     Kind::get_as_of, Kind::history};
  ReadStep act;
  const std::size_t many = 2 + below(3);
  while (act.questions.size() < many) {
    Question q = question(model, now);
    q.kind = one_of(kinds);
    if (q.kind == Kind::index_scan && q.index.empty()) continue;
    if (q.kind == Kind::get_as_of) q.at = past(model.at(q.collection), now);
    if (q.kind == Kind::scan) q.id.clear();
    act.questions.push_back(std::move(q));
  }
  std::vector<DocumentPlace> places;
  for (const Question& q : act.questions) places.emplace_back(q.collection, q.id);
  for (DocumentPlace& place : places) {
    if (place.second.empty()) place.second = id();
  }
  if (chance(75)) act.meanwhile = meanwhile(model, now, 0, places);
  act.position = 1 + below(many - 1);
  act.gives_up = chance(30);
  return act;
}

Step Workload::next(const Model& model, const Now& now) {
  Step step{.act = SyncStep{}, .fault = fault()};
  const auto kind = below(100);
  if (kind < 46 && chance(30)) {
    put_fql(model, now.latest, step);
  } else if (kind < 46) {
    EditStep act = edit_step(model, now.latest, 0);
    // A crash would end the surrounding transaction, too, and a read that fails belongs to one
    // transaction alone.
    const bool is_alone = act.meanwhile.empty();
    const auto is_of_one = [](Fault::Kind k) {
      return k == Fault::Kind::unknown || k == Fault::Kind::unreadable;
    };
    if (!is_alone && step.fault && is_of_one(step.fault->kind)) step.fault.reset();
    step.act = std::move(act);
  } else if (kind < 50) {
    ReadStep act = read_step(model, now.latest);
    const bool is_read = step.fault && step.fault->kind == Fault::Kind::unreadable;
    if (!act.meanwhile.empty() || !is_read) step.fault.reset();
    step.act = std::move(act);
  } else if (kind < 60) {
    put_change(model, step);
  } else if (kind < 63) {
    step.act = AddIndexStep{made_natively(model), index()};
  } else if (kind < 65) {
    step.act = DropIndexStep{made_natively(model), index().name};
  } else if (kind < 66) {
    step.act = RecreateStep{made_natively(model)};
  } else if (kind < 88) {
    step.act = ClockStep{wall(model, now)};
  } else if (kind < 91) {
    step.act = CrashStep{random_.next()};
  } else if (kind < 92) {
    step.act = RestartStep{jump()};
  } else if (kind < 94) {
    step.act = HoldStep{static_cast<int>(1 + below(6))};
  } else if (kind < 98) {
    if (auto act = trim(model, now.latest)) step.act = *std::move(act);
  }
  return step;
}

}  // namespace mayfly::simulate
