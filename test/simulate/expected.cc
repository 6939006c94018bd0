// The model's answers.
#include <algorithm>
#include <set>

#include "simulate/describe.h"
#include "simulate/question.h"

namespace mayfly::simulate {
namespace {

using Lives = std::vector<const Life*>;

std::string describe(const Life& life) {
  return describe(Described{.id = life.id,
                            .written_at = life.written_at,
                            .lifetime = life.lifetime,
                            .created_at = life.created_at,
                            .revision = life.revision,
                            .death = life.death,
                            .author = life.author,
                            .updater = life.updater,
                            .facet = life.facet,
                            .body = life.body,
                            .hold = life.hold});
}

std::string removed_text(const Removed& removed) {
  return describe(removed.life) + " removed " + std::to_string(removed.removed_at.micros) +
         (removed.has_expired ? " expired" : "");
}

// In the order of their keys.
Lives visible(const CollectionModel& c, Instant at, Instant judged) {
  Lives lives;
  for (const Life& life : c.lives) {
    if (life.is_alive(at, judged)) lives.push_back(&life);
  }
  std::sort(lives.begin(), lives.end(), [](const Life* a, const Life* b) { return a->id < b->id; });
  return lives;
}

std::string list(Lives lives, const Question& q) {
  std::erase_if(lives, [&](const Life* life) {
    return life->id < q.id || (!q.to.empty() && life->id >= q.to);
  });
  if (q.reverse) std::reverse(lives.begin(), lives.end());
  std::string text;
  for (const Life* life : lives) text += describe(*life) + "\n";
  return text;
}

std::string one(const Lives& lives, const std::string& id) {
  for (const Life* life : lives) {
    if (life->id == id) return describe(*life);
  }
  return "-";
}

// The rank of an entry among others.
std::vector<std::pair<int, int>> ranks_of(const IndexModel& index, const EntryModel& entry) {
  std::vector<std::pair<int, int>> ranks;
  for (const std::optional<int>& value : entry) {
    ranks.emplace_back(value ? 0 : index.null_is_greatest ? 1 : -1, value.value_or(0));
  }
  return ranks;
}

std::string index_scan(const CollectionModel& c, const Question& q, const Lives& lives) {
  const IndexModel* index = c.find_index(q.index);
  if (!index) return "no such index";
  std::vector<std::pair<EntryModel, std::string>> entries;
  for (const Life* life : lives) {
    for (const EntryModel& entry : entries_of(*index, life->body)) {
      if (q.n == 0 || entry.front() == std::optional<int>(q.n))
        entries.emplace_back(entry, life->id);
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
    const auto x = ranks_of(*index, a.first), y = ranks_of(*index, b.first);
    return index->is_descending ? y < x : x < y;
  });
  if (q.reverse) std::reverse(entries.begin(), entries.end());
  std::string text;
  for (const auto& [entry, id] : entries) text += id + " ";
  return text;
}

Lives matching(const Lives& all, int n) {
  Lives lives;
  for (const Life* life : all) {
    if (life->body.n && *life->body.n > n) lives.push_back(life);
  }
  return lives;
}

std::string query(const Lives& all, const Question& q) {
  Lives lives = matching(all, q.n);
  std::stable_sort(lives.begin(), lives.end(),
                   [](const Life* a, const Life* b) { return *a->body.n < *b->body.n; });
  std::string text;
  for (std::size_t i = 0; i < lives.size(); ++i) {
    if (i > 0 && i % q.page == 0) text += "| ";
    text += lives[i]->id + " ";
  }
  return text;
}

std::string group(const Lives& all) {
  struct Sum {
    int count = 0;
    int sum = 0;
    bool has_any = false;
  };
  std::map<std::optional<int>, Sum> groups;
  for (const Life* life : all) {
    Sum& sum = groups[life->body.n];
    ++sum.count;
    if (life->body.u) sum.sum += *life->body.u;
    sum.has_any = sum.has_any || life->body.u;
  }
  std::string text;
  for (const auto& [n, sum] : groups) {
    text += (n ? std::to_string(*n) : "missing") + ": " + std::to_string(sum.count) + " " +
            std::to_string(sum.sum) + "; ";
  }
  return text;
}

// `at`: which of them had ended.
std::string history(const CollectionModel& c, const std::string& id, Instant now, Instant at) {
  std::string text;
  for (auto life = c.lives.rbegin(); life != c.lives.rend(); ++life) {
    if (life->id != id) continue;
    const Instant end = std::min(life->death, life->ended_at);
    if (end <= now && !c.history.keeps(end, now)) continue;
    if (now < end && end == life->ended_at && end <= at && c.history.current() == Span{0}) continue;
    text += describe(*life) + " until " + std::to_string(life->ended_at.micros) + "\n";
  }
  return text;
}

// The earliest removed first; within one commit by key.
std::vector<const Removed*> trash(const CollectionModel& c, Instant now) {
  std::vector<const Removed*> all;
  for (const Removed& removed : c.removed) {
    if (c.is_in_trash(removed, now)) all.push_back(&removed);
  }
  std::sort(all.begin(), all.end(), [](const Removed* a, const Removed* b) {
    return std::tie(a->removed_at, a->life.id) < std::tie(b->removed_at, b->life.id);
  });
  return all;
}

std::string scan_with_trash(const CollectionModel& c, const Question& q, Instant now) {
  std::map<std::string, std::string> texts;
  for (const Removed* removed : trash(c, now)) {
    texts[removed->life.id] = removed_text(*removed);  // the last one wins
  }
  for (const Life* life : visible(c, now, now)) texts[life->id] = describe(*life);
  std::string text;
  for (const auto& [id, line] : texts) {
    if (id < q.id || (!q.to.empty() && id >= q.to)) continue;
    text = q.reverse ? line + "\n" + text : text + line + "\n";
  }
  return text;
}

std::string removed_answer(const CollectionModel& c, const Question& q, Instant now) {
  if (q.kind == Question::Kind::scan_with_trash) return scan_with_trash(c, q, now);
  std::string text;
  for (const Removed* removed : trash(c, now)) {
    if (q.kind == Question::Kind::trash) {
      text += removed_text(*removed) + "\n";
    } else if (removed->life.id == q.id) {
      text = removed_text(*removed);
    }
  }
  return text;
}

// By key; for each the living one first, then the last removed.
std::string holds(const CollectionModel& c) {
  std::vector<std::tuple<std::string, std::int64_t, std::string>> all;
  for (const Life& life : c.lives) {
    if (!life.hold || !life.ended_at.is_never()) continue;
    all.emplace_back(life.id, -Instant::never().micros, describe(life));
  }
  for (const Removed& r : c.removed) {
    if (!r.life.hold || !r.left_at.is_never()) continue;
    all.emplace_back(r.life.id, -r.removed_at.micros, removed_text(r));
  }
  std::sort(all.begin(), all.end());
  std::string text;
  for (const auto& [id, order, line] : all) text += line + "\n";
  return text;
}

std::string forecast(const CollectionModel& c, const Question& q, Instant now) {
  const Lives alive = visible(c, now, now);
  std::string text;
  Instant from = now;
  for (std::size_t i = 1; i <= forecast_slots; ++i) {
    const Instant until = now + Span{q.width().micros * static_cast<std::int64_t>(i)};
    const auto dies = [&](const Life* life) { return from <= life->death && life->death < until; };
    text +=
        render(until, static_cast<std::uint64_t>(std::count_if(alive.begin(), alive.end(), dies)));
    from = until;
  }
  return text;
}

std::string preview(const CollectionModel& c, const Question& q, Instant now) {
  std::vector<Stretch> timeline = c.timeline;
  const Instant at = std::max(now, timeline.back().from + Span{1});
  timeline.push_back({at, q.changed_default()});
  const Lives alive = visible(c, now, now);
  std::string text;
  for (const std::int64_t days : {0, 1, 7}) {
    const Instant until = at + Span::seconds(days * 86'400);
    const auto dies = [&](const Life* life) {
      return death_along(timeline, c.counts_from, life->written_at, life->lifetime) <= until;
    };
    text +=
        render(now, static_cast<std::uint64_t>(std::count_if(alive.begin(), alive.end(), dies)));
  }
  return text;
}

// Whether the life's entry stays when it ends, because the next version has the same one.
bool keeps_entry(const CollectionModel& c, const IndexModel& index, const Life& life,
                 const EntryModel& entry) {
  return std::any_of(c.lives.begin(), c.lives.end(), [&](const Life& next) {
    return next.id == life.id && next.written_at == life.ended_at &&
           entries_of(index, next.body).contains(entry);
  });
}

// The entries of one index, and those that have left it: one row for each document and its values
// there.
void count_entries(const CollectionModel& c, const IndexModel& index, Instant now, RowCounts& rows,
                   RowCounts& spare) {
  std::set<std::pair<std::string, EntryModel>> past, maybe_past;
  for (const Life& life : c.lives) {
    const Instant effective_at = life.effective_at();
    const std::set<EntryModel> entries = entries_of(index, life.body);
    if (life.ended_at.is_never()) {
      if (effective_at > now ||
          (effective_at > index.since && c.history.keeps(effective_at, now))) {
        rows.entries += entries.size();
      } else if (c.history.keeps(effective_at, now)) {
        spare.entries += entries.size();  // it may have expired before the index was filled
      }
      continue;
    }
    // Compaction may have dropped the expired version, but not its entry, before it was replaced.
    const bool was_there =
        effective_at >= life.ended_at || c.history.keeps(life.death, life.ended_at);
    if (!was_there && c.history.keeps(effective_at, now)) spare.entries += entries.size();
    if (!c.history.keeps(life.ended_at, now)) continue;
    const bool is_certain = was_there && life.ended_at > index.since;
    for (const EntryModel& entry : entries) {
      if (keeps_entry(c, index, life, entry)) continue;
      (is_certain ? past : maybe_past).emplace(life.id, entry);
    }
  }
  rows.past += past.size();
  spare.past += static_cast<std::size_t>(std::count_if(
      maybe_past.begin(), maybe_past.end(), [&](const auto& row) { return !past.contains(row); }));
}

}  // namespace

Span Question::width() const {
  static constexpr std::int64_t seconds[] = {1, 10, 3'600, 86'400};
  return Span::seconds(seconds[n % 4]);
}

Default Question::changed_default() const {
  if (n == 0) return Unset{};
  if (n == 1) return Never{};
  return After{Span::seconds(n == 2 ? 5 : 86'400)};
}

std::string render(Instant until, std::uint64_t deaths) {
  return "until " + std::to_string(until.micros) + ": " + std::to_string(deaths) + "; ";
}

std::string expected(const Model& model, const Question& q, Instant now,
                     std::optional<Instant> at) {
  if (q.is_of_trash() && model.at(q.collection).to_trash.size() > 1) {
    Model settled = model;
    settled.flush_expirations(now);
    return removed_answer(settled.at(q.collection), q, now);
  }
  const CollectionModel& c = model.at(q.collection);
  if (q.is_of_the_past() && (q.at > now || q.at < c.history.floor(now))) return "invalid";
  const Lives living = visible(c, at.value_or(now), now);
  using Kind = Question::Kind;
  switch (q.kind) {
    case Kind::point:
    case Kind::get: return one(living, q.id);
    case Kind::scan: return list(living, q);
    case Kind::index_scan: return index_scan(c, q, living);
    case Kind::query: return query(living, q);
    case Kind::count: return std::to_string(matching(living, q.n).size());
    case Kind::living: return std::to_string(living.size());
    case Kind::group: return group(living);
    case Kind::get_as_of: return one(q.at == now ? living : visible(c, q.at, q.at), q.id);
    case Kind::scan_as_of: return list(visible(c, q.at, q.at), q);
    case Kind::scan_pinned: return list(visible(c, q.at, now), q);
    case Kind::query_as_of: return query(visible(c, q.at, q.at), q);
    case Kind::index_as_of: return index_scan(c, q, visible(c, q.at, q.at));
    case Kind::index_pinned: return index_scan(c, q, visible(c, q.at, now));
    case Kind::history: return history(c, q.id, now, at.value_or(now));
    case Kind::trash:
    case Kind::get_removed:
    case Kind::scan_with_trash: return removed_answer(c, q, now);
    case Kind::holds: return holds(c);
    case Kind::forecast: return forecast(c, q, now);
    case Kind::preview: return preview(c, q, now);
  }
  return "";
}

std::string expected_feed(const Model& model, const std::string& collection, Instant after,
                          Instant now) {
  const CollectionModel& c = model.at(collection);
  if (c.feed.current() == Span{0}) return "unsupported";
  const Instant floor = c.feed.floor(now);
  std::string text = after != Instant::beginning() && after < floor ? "gap\n" : "";
  for (const Happening& h : c.happenings) {
    if (h.at > std::max(after, floor)) text += render(h.kind, h.at, h.id, h.version_at);
  }
  return text;
}

RowCounts expected_rows(const CollectionModel& c, Instant now, RowCounts& spare) {
  RowCounts rows;
  spare = {};
  for (const IndexModel& index : c.indexes) count_entries(c, index, now, rows, spare);
  for (const Life& life : c.lives) {
    const bool is_alive = life.is_alive(now, now);
    const bool is_kept = is_alive || c.history.keeps(std::min(life.death, life.ended_at), now);
    if (is_kept) ++(life.ended_at.is_never() ? rows.heads : rows.history);
    const bool is_head = life.ended_at.is_never();
    if (!is_kept && is_head && c.to_trash.size() > 1) ++spare.heads;
    if (!is_alive) continue;
    if (life.hold) ++rows.holds;
    if (!std::holds_alternative<Never>(life.lifetime)) ++rows.queue;
  }
  for (const Removed& removed : c.removed) {
    if (c.is_in_trash(removed, now)) ++rows.trash;
    const bool is_held = removed.life.hold && removed.left_at.is_never();
    if (is_held) ++rows.holds;
    if (is_held) ++rows.queue;
    if (is_held || !c.is_in_trash(removed, now)) continue;
    // The end of its time in the trash, and its own end.
    rows.queue += std::holds_alternative<Never>(removed.life.lifetime) ? 1 : 2;
  }
  return rows;
}

std::string render(const RowCounts& rows) {
  return "heads " + std::to_string(rows.heads) + ", history " + std::to_string(rows.history) +
         ", trash " + std::to_string(rows.trash) + ", index entries " +
         std::to_string(rows.entries) + ", left " + std::to_string(rows.past) + ", queue " +
         std::to_string(rows.queue) + ", holds " + std::to_string(rows.holds);
}

}  // namespace mayfly::simulate
