// For each scan the path that promises the least work: a range of keys, or of an index, preferred
// by how many fields it fixes, then whether it narrows one more, then whether it gives the order
// asked, so that nothing must be sorted. An index of cut values is there for many queries and fits
// few of them well: where it would lose an order, or leave a partition's own range, it is a guess
// (docs/decisions/0016). So is any that narrows the documents, where another just gives the order.
#include <algorithm>
#include <optional>

#include "expr/render.h"
#include "query/planning/access.h"
#include "query/rules/rules.h"
#include "value/rfc3339.h"

namespace mayfly::query {
namespace {

// Facts that change without a write to the document are stale in an index.
bool is_stable(const IndexField& indexed) {
  return !(indexed.field == Field::metadata("expires_at")) &&
         !(indexed.field == Field::metadata("removed_at"));
}

bool keeps_index(const Planning& planning) {
  return planning.keep && !is_sorted(*planning.keep);
}

// Why the index cannot be used; nothing where it can.
std::optional<std::string> objection(const Index& index, const Access& access,
                                     const Planning& planning) {
  if (access.lens.shows_trash) return "the lens shows the trash";
  if (keeps_index(planning) && planning.keep->index != index.id) {
    return "earlier pages did not use it";
  }
  if (!index.is_ready) return "index " + index.name + " is still being filled";
  if (!access.is_current && access.lens.at < index.past_since) {
    return "index " + index.name + " is complete only from " + render_rfc3339(index.past_since) +
           " on";
  }
  for (const IndexField& indexed : index.fields) {
    if (!is_stable(indexed)) {
      return "index " + index.name + " holds " + indexed.render() + ", which changes by itself";
    }
  }
  return std::nullopt;
}

bool gives_order(const Match& match) {
  return match.order != Match::Order::none;
}

// Rough, but enough to rank paths of one collection. A key scan needs no second read for each
// document.
int worth(const Match& match) {
  int worth = 8 * static_cast<int>(match.equalities);
  if (match.has_alternatives) worth += 6;
  if (match.has_range) worth += 4;
  if (gives_order(match)) worth += 6;
  if (std::holds_alternative<KeyScan>(match.path)) worth += 1;
  const auto* index = std::get_if<IndexScan>(&match.path);
  if (index != nullptr && index->may_repeat) worth -= 3;
  return worth;
}

std::string reason_of(const Match& match) {
  std::string reason;
  if (!match.served.empty()) reason = "it serves " + render(*expr::all_of(match.served));
  if (gives_order(match)) {
    reason += std::string(reason.empty() ? "it gives" : " and gives") + " the order";
    if (match.order == Match::Order::runs) reason += " of what it holds of the values";
  }
  return reason;
}

Access taken(const Access& access, Match match) {
  Access chosen = access;
  chosen.reason = reason_of(match);
  std::visit([&](auto& path) { chosen.path = std::move(path); }, match.path);
  chosen.served = match.served.empty() ? nullptr : expr::all_of(std::move(match.served));
  chosen.residual = match.residual.empty() ? nullptr : expr::all_of(std::move(match.residual));
  return chosen;
}

void take_better(std::optional<Match>& best, Match candidate) {
  if (!best || worth(candidate) > worth(*best)) best = std::move(candidate);
}

// All matches of the access; those of cut values, the best of the others, and the best of those
// that narrow it without giving the order.
struct Matches {
  std::optional<Match> best;
  std::vector<Match> cut;
  std::optional<Match> unordered;
  std::string objections;
};

Matches matches_of(const Access& access, const Sort* sort, const Planning& planning) {
  Matches matches{match_keys(access, sort), {}, {}, {}};
  for (const Index& index : access.collection->indexes) {
    std::optional<Match> candidate = match_index(access, index, sort);
    if (!candidate) continue;
    if (const auto objected = objection(index, access, planning)) {
      matches.objections = "; " + *objected;
    } else if (index.entries == Entries::cut) {
      matches.cut.push_back(*std::move(candidate));
    } else {
      if (!gives_order(*candidate)) take_better(matches.unordered, *candidate);
      take_better(matches.best, *std::move(candidate));
    }
  }
  return matches;
}

// Whether all documents asked for lie together.
bool is_pinned(const Access& access) {
  return access.routing && !access.routing->empty();
}

bool is_cut(const Match& match) {
  const auto* path = std::get_if<IndexScan>(&match.path);
  return path != nullptr && path->index.entries == Entries::cut;
}

// Whether the best of the others may well be less work: it needs no sort, or it is all within one
// partition, while this index holds those of all.
bool may_be_worse(const Match& match, const std::optional<Match>& best, const Access& access) {
  if (gives_order(match)) return is_pinned(access) && match.served.empty();
  return is_pinned(access) || (best && gives_order(*best));
}

// The better path and how far it gives the order; the access as it is where there is none.
struct Choosing {
  Access access;
  Match::Order order = Match::Order::none;
};

Choosing guessed(const Access& access, Match match) {
  const Match::Order order = match.order;
  Choosing chosen{taken(access, std::move(match)), order};
  chosen.access.is_guess = true;
  chosen.access.reason += ", and few entries are to be read";
  return chosen;
}

// All of the partition, which is then sorted.
Choosing guessed_partition(const Access& access) {
  Choosing chosen{access};
  chosen.access.is_guess = true;
  chosen.access.reason = "few documents lie in the partition";
  return chosen;
}

// Nothing where the best path that is no guess leaves none worth looking at. A further page keeps
// to the index of the first: any other has been objected to.
std::optional<Choosing> guess_of(const Access& access, const std::optional<Match>& best,
                                 std::optional<Match> guess, const Planning& planning) {
  if (planning.guesses == Guesses::left) return std::nullopt;
  if (keeps_index(planning)) {
    return guess ? std::optional(guessed(access, *std::move(guess))) : std::nullopt;
  }
  // Of a partition, an index that holds those of all may read much that is not asked for.
  const bool is_doubtful = !best || best->served.empty() || (is_pinned(access) && is_cut(*best));
  if (!is_doubtful) return std::nullopt;
  if (guess && planning.guesses == Guesses::taken &&
      (is_pinned(access) || may_be_worse(*guess, best, access))) {
    return guessed(access, *std::move(guess));
  }
  const bool leaves_partition = best && std::holds_alternative<IndexScan>(best->path);
  if (!is_pinned(access) || !leaves_partition) return std::nullopt;
  return guessed_partition(access);
}

Choosing choose(const Access& access, const Sort* sort, const Planning& planning) {
  auto [best, cut, guess, objections] = matches_of(access, sort, planning);
  // Those that give the order first: the others are compared with the best of them.
  std::ranges::stable_partition(cut, gives_order);
  for (const Match& match : cut) {
    if (!may_be_worse(match, best, access)) take_better(best, match);
    take_better(guess, match);
  }
  if (auto chosen = guess_of(access, best, std::move(guess), planning)) return *std::move(chosen);
  if (best) {
    const Match::Order order = best->order;
    return {taken(access, *std::move(best)), order};
  }
  Access whole = access;
  if (access.residual) whole.reason = "no index serves the filter";
  whole.reason += objections;
  return {std::move(whole)};
}

// What is left of the sort over the chosen path.
QueryPtr sorted(Choosing chosen, Sort sort, bool keeps_sort) {
  const auto* path = std::get_if<IndexScan>(&chosen.access.path);
  const bool is_reverse = path != nullptr && path->reverse;
  sort.input = make(std::move(chosen.access));
  if (chosen.order == Match::Order::whole && !keeps_sort) return sort.input;
  sort.sorts_runs = chosen.order != Match::Order::none;
  if (sort.sorts_runs && sort.ties == Ties::any) {
    sort.ties = is_reverse ? Ties::descending : Ties::ascending;
  }
  return make(std::move(sort));
}

const Access* scanning(const QueryPtr& query) {
  const auto* access = query->as<Access>();
  return access && std::holds_alternative<KeyScan>(access->path) ? access : nullptr;
}

}  // namespace

QueryPtr choose_paths(const QueryPtr& query, const Planning& planning) {
  const auto* sort = query->as<Sort>();
  if (const Access* access = sort ? scanning(sort->input) : nullptr) {
    Sort wanted = *sort;
    const bool keeps_sort = wanted.one_of_each || (planning.keep && is_sorted(*planning.keep));
    if (planning.keep && wanted.ties == Ties::any) wanted.ties = planning.keep->ties;
    return sorted(choose(*access, &wanted, planning), wanted, keeps_sort);
  }
  if (const Access* access = scanning(query)) {
    return make(choose(*access, nullptr, planning).access);
  }
  return with_inputs(query, [&](const QueryPtr& input) { return choose_paths(input, planning); });
}

}  // namespace mayfly::query
