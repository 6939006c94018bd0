// For each scan the path that promises the least work: a range of keys, or of an index, preferred
// by how many fields it fixes, then whether it narrows one more, then whether it gives the order
// asked, so that nothing must be sorted.
#include <optional>

#include "expr/render.h"
#include "query/access.h"
#include "query/rules/rules.h"

namespace mayfly::query {
namespace {

// Facts that change without a write to the document are stale in an index.
bool is_stable(const IndexField& indexed) {
  return !(indexed.field == Field::metadata("expires_at")) &&
         !(indexed.field == Field::metadata("removed_at"));
}

// Why the index cannot be used; nothing where it can.
std::optional<std::string> objection(const Index& index, const Access& access,
                                     const Planning& planning) {
  if (!access.is_current) return "the lens looks at an earlier instant";
  if (access.lens.shows_trash) return "the lens shows the trash";
  if (planning.keep && planning.keep->index != index.id) return "earlier pages did not use it";
  if (!index.is_ready) return "index " + index.name + " is still being filled";
  for (const IndexField& indexed : index.fields) {
    if (!is_stable(indexed)) {
      return "index " + index.name + " holds " + indexed.field.render() +
             ", which changes by itself";
    }
  }
  return std::nullopt;
}

// Rough, but enough to rank paths of one collection. A key scan needs no second read for each
// document.
int worth(const Match& match) {
  int worth = 8 * static_cast<int>(match.equalities);
  if (match.has_alternatives) worth += 6;
  if (match.has_range) worth += 4;
  if (match.gives_order) worth += 6;
  if (std::holds_alternative<KeyScan>(match.path)) worth += 1;
  return worth;
}

std::string reason_of(const Match& match) {
  std::string reason;
  if (!match.served.empty()) reason = "it serves " + render(*expr::all_of(match.served));
  if (match.gives_order)
    reason += std::string(reason.empty() ? "it gives" : " and gives") + " the order";
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

// The better path and whether it gives the order; the access as it is where there is none.
struct Choosing {
  Access access;
  bool gives_order = false;
};

Choosing choose(const Access& access, const Sort* sort, const Planning& planning) {
  std::optional<Match> best = match_keys(access, sort);
  std::string objections;
  for (const Index& index : access.collection->indexes) {
    std::optional<Match> candidate = match_index(access, index, sort);
    if (!candidate) continue;
    if (const auto objected = objection(index, access, planning)) {
      objections = "; " + *objected;
      continue;
    }
    if (!best || worth(*candidate) > worth(*best)) best = std::move(candidate);
  }
  if (best) {
    const bool gives_order = best->gives_order;
    return {taken(access, *std::move(best)), gives_order};
  }
  Access whole = access;
  if (access.residual) whole.reason = "no index serves the filter";
  whole.reason += objections;
  return {std::move(whole), false};
}

const Access* scanning(const QueryPtr& query) {
  const auto* access = query->as<Access>();
  return access && std::holds_alternative<KeyScan>(access->path) ? access : nullptr;
}

}  // namespace

QueryPtr choose_paths(const QueryPtr& query, const Planning& planning) {
  const auto* sort = query->as<Sort>();
  if (const Access* access = sort ? scanning(sort->input) : nullptr) {
    Choosing chosen = choose(*access, sort, planning);
    QueryPtr input = make(std::move(chosen.access));
    if (chosen.gives_order) return input;
    return make(Sort{std::move(input), sort->keys, sort->ties, sort->rows_max});
  }
  if (const Access* access = scanning(query)) {
    return make(choose(*access, nullptr, planning).access);
  }
  return with_inputs(query, [&](const QueryPtr& input) { return choose_paths(input, planning); });
}

}  // namespace mayfly::query
