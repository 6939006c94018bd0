// The model's answers.
#include <algorithm>

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
                            .body = life.body});
}

std::string removed_text(const Removed& removed) {
  return describe(removed.life) + " removed " + std::to_string(removed.removed_at.micros);
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

std::vector<std::optional<int>> values_of(const IndexModel& index, const Life& life) {
  std::vector<std::optional<int>> values;
  for (const char field : index.fields) {
    values.push_back(field == 'n' ? life.body.n : life.body.u);
  }
  return values;
}

std::string index_scan(const CollectionModel& c, const Question& q, Instant now) {
  const IndexModel* index = c.find_index(q.index);
  if (!index) return "no such index";
  Lives lives = visible(c, now, now);
  std::stable_sort(lives.begin(), lives.end(), [&](const Life* a, const Life* b) {
    const auto x = values_of(*index, *a), y = values_of(*index, *b);
    return index->is_descending ? y < x : x < y;
  });
  if (q.reverse) std::reverse(lives.begin(), lives.end());
  std::string text;
  for (const Life* life : lives) {
    if (q.n == 0 || values_of(*index, *life).front() == std::optional<int>(q.n)) {
      text += life->id + " ";
    }
  }
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

std::string history(const CollectionModel& c, const std::string& id, Instant now) {
  std::string text;
  for (auto life = c.lives.rbegin(); life != c.lives.rend(); ++life) {
    if (life->id != id) continue;
    const Instant end = std::min(life->death, life->ended_at);
    if (end <= now && !c.history.keeps(end, now)) continue;
    text += describe(*life) + " until " + std::to_string(life->ended_at.micros) + "\n";
  }
  return text;
}

bool is_in_trash(const CollectionModel& c, const Removed& removed, Instant now) {
  return removed.left_at.is_never() && c.trash.keeps(removed.removed_at, now) &&
         now < removed.life.death;
}

// The longest removed first; of one commit by key.
std::vector<const Removed*> trash(const CollectionModel& c, Instant now) {
  std::vector<const Removed*> all;
  for (const Removed& removed : c.removed) {
    if (is_in_trash(c, removed, now)) all.push_back(&removed);
  }
  std::sort(all.begin(), all.end(), [](const Removed* a, const Removed* b) {
    return std::tie(a->removed_at, a->life.id) < std::tie(b->removed_at, b->life.id);
  });
  return all;
}

std::string scan_with_trash(const CollectionModel& c, const Question& q, Instant now) {
  std::map<std::string, std::string> texts;
  for (const Removed* removed : trash(c, now)) {
    texts[removed->life.id] = removed_text(*removed);  // the last one stays
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

}  // namespace

std::string expected(const Model& model, const Question& q, Instant now) {
  const CollectionModel& c = model.at(q.collection);
  if (q.is_of_the_past() && (q.at > now || q.at < c.history.floor(now))) return "invalid";
  using Kind = Question::Kind;
  switch (q.kind) {
    case Kind::point:
    case Kind::get: return one(visible(c, now, now), q.id);
    case Kind::scan: return list(visible(c, now, now), q);
    case Kind::index_scan: return index_scan(c, q, now);
    case Kind::query: return query(visible(c, now, now), q);
    case Kind::count: return std::to_string(matching(visible(c, now, now), q.n).size());
    case Kind::group: return group(visible(c, now, now));
    case Kind::get_as_of: return one(visible(c, q.at, q.at), q.id);
    case Kind::scan_as_of: return list(visible(c, q.at, q.at), q);
    case Kind::scan_pinned: return list(visible(c, q.at, now), q);
    case Kind::query_as_of: return query(visible(c, q.at, q.at), q);
    case Kind::history: return history(c, q.id, now);
    case Kind::trash:
    case Kind::get_removed: return removed_answer(c, q, now);
    case Kind::scan_with_trash: return scan_with_trash(c, q, now);
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

RowCounts expected_rows(const CollectionModel& c, Instant now) {
  RowCounts rows;
  for (const Life& life : c.lives) {
    const bool is_alive = life.is_alive(now, now);
    const bool is_kept = is_alive || c.history.keeps(std::min(life.death, life.ended_at), now);
    if (is_kept) ++(life.ended_at.is_never() ? rows.heads : rows.history);
    if (!is_alive) continue;
    rows.entries += c.indexes.size();
    if (!std::holds_alternative<Never>(life.lifetime)) ++rows.queue;
  }
  for (const Removed& removed : c.removed) {
    if (is_in_trash(c, removed, now)) ++rows.trash;
    if (removed.left_at.is_never() && c.trash.keeps(removed.removed_at, now)) ++rows.queue;
  }
  return rows;
}

std::string render(const RowCounts& rows) {
  return "heads " + std::to_string(rows.heads) + ", history " + std::to_string(rows.history) +
         ", trash " + std::to_string(rows.trash) + ", index entries " +
         std::to_string(rows.entries) + ", queue " + std::to_string(rows.queue);
}

}  // namespace mayfly::simulate
