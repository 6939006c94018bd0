// Chooses the cheapest path for each scan: a range of keys or of an index. Paths are ranked by how
// many fields they fix, then by whether they narrow one more field, then by whether they give the
// requested order, which avoids a sort.
//
// An index of truncated values serves many queries, but few of them well. If it would lose an order
// or read more than one partition, it is a guess (docs/decisions/0016). So is any index that
// narrows the documents while another one gives only the order.
#include <algorithm>
#include <optional>

#include "expr/render.h"
#include "query/planning/access.h"
#include "query/rules/rules.h"
#include "value/rfc3339.h"

namespace mayfly::query {
namespace {

// Whether the value changes only by a write to the document. Other metadata is stale in an index.
bool is_stable(const IndexField& indexed) {
  return !(indexed.field == Field::metadata("expires_at")) &&
         !(indexed.field == Field::metadata("removed_at"));
}

bool keeps_index(const Planning& planning) {
  return planning.keep && !is_sorted(*planning.keep);
}

// Why the index cannot be used; empty if it can.
std::optional<std::string> why_unusable(const Index& index, const Access& access,
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

// Ranks the paths of one collection roughly. A key scan needs no second read for each document.
int rank_of(const Match& match) {
  int rank = 8 * static_cast<int>(match.equalities);
  if (match.has_alternatives) rank += 6;
  if (match.has_range) rank += 4;
  if (gives_order(match)) rank += 6;
  if (std::holds_alternative<KeyScan>(match.path)) rank += 1;
  const auto* index = std::get_if<IndexScan>(&match.path);
  if (index != nullptr && index->may_repeat) rank -= 3;
  return rank;
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

Access with_path(const Access& access, Match match) {
  Access chosen = access;
  chosen.reason = reason_of(match);
  std::visit([&](auto& path) { chosen.path = std::move(path); }, match.path);
  chosen.served = match.served.empty() ? nullptr : expr::all_of(std::move(match.served));
  chosen.residual = match.residual.empty() ? nullptr : expr::all_of(std::move(match.residual));
  return chosen;
}

void take_better(std::optional<Match>& best, Match candidate) {
  if (!best || rank_of(candidate) > rank_of(*best)) best = std::move(candidate);
}

// The matches of an access: of indexes of truncated values, the best of all others, and the best of
// these others that narrow it without giving the order.
struct Matches {
  std::optional<Match> best;
  std::vector<Match> cut;
  std::optional<Match> unordered;
  std::string unusable;
};

Matches matches_of(const Access& access, const PlannedSort* sort, const Planning& planning) {
  Matches matches{match_keys(access, sort), {}, {}, {}};
  for (const Index& index : access.collection->indexes) {
    std::optional<Match> candidate = match_index(access, index, sort);
    if (!candidate) continue;
    if (const auto reason = why_unusable(index, access, planning)) {
      matches.unusable = "; " + *reason;
    } else if (index.entries == Entries::cut) {
      matches.cut.push_back(*std::move(candidate));
    } else {
      if (!gives_order(*candidate)) take_better(matches.unordered, *candidate);
      take_better(matches.best, *std::move(candidate));
    }
  }
  return matches;
}

// Whether the access reads one partition, whose documents are stored together.
bool is_in_one_partition(const Access& access) {
  return access.routing && !access.routing->empty();
}

bool is_cut(const Match& match) {
  const auto* path = std::get_if<IndexScan>(&match.path);
  return path != nullptr && path->index.entries == Entries::cut;
}

// Whether the best of the other matches may cost less: it needs no sort, or it stays within one
// partition, while this index holds the documents of all partitions.
bool may_be_worse(const Match& match, const std::optional<Match>& best, const Access& access) {
  if (gives_order(match)) return is_in_one_partition(access) && match.served.empty();
  return is_in_one_partition(access) || (best && gives_order(*best));
}

// The chosen path and how much of the order it gives; the unchanged access if none is better.
struct ChosenPath {
  Access access;
  Match::Order order = Match::Order::none;
};

ChosenPath as_guess(const Access& access, Match match) {
  const Match::Order order = match.order;
  ChosenPath chosen{with_path(access, std::move(match)), order};
  chosen.access.is_guess = true;
  chosen.access.reason += ", and few entries are to be read";
  return chosen;
}

// Reads the whole partition, and sorts it.
ChosenPath whole_partition_guess(const Access& access) {
  ChosenPath chosen{access};
  chosen.access.is_guess = true;
  chosen.access.reason = "few documents lie in the partition";
  return chosen;
}

// The guess to use; empty if the best other path is good enough. A later page uses the index of the
// first page: matches_of() has excluded all others.
std::optional<ChosenPath> guess_of(const Access& access, const std::optional<Match>& best,
                                   std::optional<Match> guess, const Planning& planning) {
  if (planning.guesses == Guesses::none) return std::nullopt;
  if (keeps_index(planning)) {
    return guess ? std::optional(as_guess(access, *std::move(guess))) : std::nullopt;
  }
  // For one partition, an index of all partitions may read many documents of others.
  const bool is_doubtful =
      !best || best->served.empty() || (is_in_one_partition(access) && is_cut(*best));
  if (!is_doubtful) return std::nullopt;
  if (guess && planning.guesses == Guesses::all &&
      (is_in_one_partition(access) || may_be_worse(*guess, best, access))) {
    return as_guess(access, *std::move(guess));
  }
  const bool leaves_partition = best && std::holds_alternative<IndexScan>(best->path);
  if (!is_in_one_partition(access) || !leaves_partition) return std::nullopt;
  return whole_partition_guess(access);
}

ChosenPath choose(const Access& access, const PlannedSort* sort, const Planning& planning) {
  auto [best, cut, guess, unusable] = matches_of(access, sort, planning);
  // Matches that give the order come first, because the others are compared with the best of them.
  std::ranges::stable_partition(cut, gives_order);
  for (const Match& match : cut) {
    if (!may_be_worse(match, best, access)) take_better(best, match);
    take_better(guess, match);
  }
  if (auto chosen = guess_of(access, best, std::move(guess), planning)) return *std::move(chosen);
  if (best) {
    const Match::Order order = best->order;
    return {with_path(access, *std::move(best)), order};
  }
  Access whole = access;
  if (access.residual) whole.reason = "no index serves the filter";
  whole.reason += unusable;
  return {std::move(whole)};
}

// The sort that the chosen path still needs.
PlanTreePtr sorted(ChosenPath chosen, PlannedSort sort, bool keeps_sort) {
  const auto* path = std::get_if<IndexScan>(&chosen.access.path);
  const bool is_reverse = path != nullptr && path->reverse;
  sort.input = make<PlanTree>(std::move(chosen.access));
  if (chosen.order == Match::Order::whole && !keeps_sort) return sort.input;
  sort.sorts_runs = chosen.order != Match::Order::none;
  if (sort.sorts_runs && sort.ties == Ties::any) {
    sort.ties = is_reverse ? Ties::descending : Ties::ascending;
  }
  return make<PlanTree>(std::move(sort));
}

const Access* scanning(const PlanTreePtr& tree) {
  const auto* access = tree->as<Access>();
  return access && std::holds_alternative<KeyScan>(access->path) ? access : nullptr;
}

}  // namespace

PlanTreePtr choose_paths(const PlanTreePtr& tree, const Planning& planning) {
  const auto* sort = tree->as<PlannedSort>();
  if (const Access* access = sort ? scanning(sort->input) : nullptr) {
    PlannedSort with_ties = *sort;
    const bool keeps_sort = with_ties.one_of_each || (planning.keep && is_sorted(*planning.keep));
    if (planning.keep && with_ties.ties == Ties::any) with_ties.ties = planning.keep->ties;
    return sorted(choose(*access, &with_ties, planning), with_ties, keeps_sort);
  }
  if (const Access* access = scanning(tree)) {
    return make<PlanTree>(choose(*access, nullptr, planning).access);
  }
  return with_inputs(tree, [&](const PlanTreePtr& input) { return choose_paths(input, planning); });
}

}  // namespace mayfly::query
