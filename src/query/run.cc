#include "query/run.h"

#include <algorithm>

#include "expr/analyse.h"
#include "query/operators/reading/access.h"
#include "query/planning/planner.h"
#include "query/running/rows.h"

namespace mayfly::query {
namespace {

Statistics statistics_of(const Plan& plan, const Budget& budget) {
  Statistics statistics{
      budget.rows_read, budget.documents_read, budget.documents_matched, {}, budget.bytes_read};
  const Access* access = only_access(*plan.root);
  const auto* path = access ? std::get_if<IndexScan>(&access->path) : nullptr;
  if (path) statistics.index = path->index.name;
  return statistics;
}

// The uppermost node that determines the order of rows.
const PlanTree* ordering(const PlanTree& tree) {
  if (tree.as<PlannedSort>() || tree.as<PlannedGroup>() || tree.as<Access>()) return &tree;
  const std::vector<PlanTreePtr> inputs = inputs_of(tree);
  return inputs.size() == 1 ? ordering(*inputs[0]) : nullptr;
}

// Whether a position of this form belongs to the order of the plan.
bool fits(const Position& at, const PlanTree& root) {
  if (std::holds_alternative<AtCount>(at)) return true;
  if (!has_position(root)) return false;
  const PlanTree* by = ordering(root);
  if (by == nullptr) return false;
  if (by->as<PlannedSort>()) return std::holds_alternative<AtSorted>(at);
  if (by->as<PlannedGroup>()) return std::holds_alternative<AtGroup>(at);
  const Access* access = by->as<Access>();
  if (std::holds_alternative<IndexScan>(access->path)) return std::holds_alternative<AtEntry>(at);
  const auto* points = std::get_if<Points>(&access->path);
  if (points && !points->are_sorted) return std::holds_alternative<AtListed>(at);
  return std::holds_alternative<AtKey>(at);
}

Result<void> check_bookmark(const Bookmark& bookmark, const Plan& plan) {
  if (bookmark.query != fingerprint(*plan.query)) {
    return fail(Code::invalid, "The bookmark belongs to another query.");
  }
  PlanChoice chosen = bookmark.choice;
  if (is_sorted(chosen)) chosen.index = 0;  // earlier versions named one
  if (chosen == choice_of(plan) && fits(bookmark.position, *plan.root)) return {};
  return fail(Code::invalid,
              "The bookmark cannot be gone on from, because the collection's indexes have changed; "
              "begin again with the first page.");
}

// Rejects a plan of the newest state on a later view, where it would be a plan of the past.
Result<void> check_view(const PlanTree& tree, const View& view) {
  const auto* access = tree.as<Access>();
  if (access && std::holds_alternative<IndexScan>(access->path) && access->is_current &&
      !access->lens.is_current(view.now())) {
    return fail(Code::internal, "The plan was made for an earlier view.");
  }
  for (const PlanTreePtr& input : inputs_of(tree)) TRY(check_view(*input, view));
  return {};
}

// Whether the ranges hold few entries. Entries of other partitions count too, because each is read.
Result<bool> holds_few(const Access& access, const IndexScan& path, View& view) {
  std::size_t left = limits::guessed_entries_max;
  for (const ByteRange& range : path.ranges) {
    IndexRange rest{range.from, range.to, false};
    for (bool more = true; more;) {
      rest.rows_max = std::min(left + 1, limits::store_page_rows_max);
      const IndexPage page =
          TRY(view.scan_index(*access.collection, path.index, rest, access.lens));
      if (page.rows_read > left) return false;
      left -= page.rows_read;
      more = page.next.has_value();
      if (more) rest.from = *page.next;
    }
  }
  return true;
}

// Whether the partition is small: all its documents are read and sorted for each page.
Result<bool> holds_few(const Access& access, const KeyScan& path, View& view) {
  constexpr int answers_max = 4;
  DocumentRange rest{path.range.from, path.range.to};
  for (int answers = 0; answers < answers_max; ++answers) {
    const DocumentPage page = TRY(view.scan(*access.collection, rest, access.lens));
    if (!page.next) return true;
    rest.from = *page.next;
  }
  return false;
}

Result<bool> holds_few(const Access&, const Points&, View&) {
  return true;
}

Result<bool> are_small_guesses(const PlanTree& tree, View& view) {
  if (const auto* access = tree.as<Access>(); access != nullptr && access->is_guess) {
    return std::visit([&](const auto& path) { return holds_few(*access, path, view); },
                      access->path);
  }
  for (const PlanTreePtr& input : inputs_of(tree)) {
    if (!TRY(are_small_guesses(*input, view))) return false;
  }
  return true;
}

// Whether the query drops some rows of the pages that it reads. Then a row that is kept would keep
// the memory of the dropped ones.
bool leaves_rows_out(const PlanTree& tree) {
  if (tree.as<PlannedSort>() || tree.as<PlannedGroup>()) return false;
  if (const auto* access = tree.as<Access>()) return access->residual != nullptr;
  if (tree.as<PlannedFilter>() || tree.as<PlannedDistinct>()) return true;
  const std::vector<PlanTreePtr> inputs = inputs_of(tree);
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const PlanTreePtr& input) { return leaves_rows_out(*input); });
}

// Fills the page with rows of a stream that is at the beginning of the page.
Result<void> fill(RowsPage& page, Rows& rows, const Plan& plan, Bookmark reached,
                  const RunOptions& options) {
  const bool copies = leaves_rows_out(*plan.root);
  std::size_t bytes = 0;
  QueryRow row;
  while (TRY(rows.next(row))) {
    if (page.rows.size() == options.rows_max || bytes > options.bytes_max) {
      page.next = std::move(reached);
      return {};
    }
    if (copies && row.document) row.document = detached(*row.document);
    bytes += weight(row);
    page.rows.push_back(std::move(row));
    row = QueryRow();
    ++reached.rows_so_far;
    if (page.rows.size() < options.rows_max && bytes <= options.bytes_max) continue;
    reached.ordinals.clear();
    reached.values.clear();
    if (has_position(*plan.root)) rows.save_position(reached);
    if (encode(reached).size() > position_bytes_max) reached.position = AtCount{};
    if (!std::holds_alternative<AtCount>(reached.position)) continue;
    reached.ordinals.clear();
    reached.values.clear();
    reached.sliced = 0;
  }
  if (page.rows.size() == options.rows_max) page.end = std::move(reached);
  return {};
}

// The part of the query that decides how many rows there are: without sorting and projections that
// drop no row.
const PlanTree& countable_part(const PlanTree& tree) {
  const auto* sort = tree.as<PlannedSort>();
  if (sort && !sort->rows_max) return countable_part(*sort->input);
  const auto* project = tree.as<PlannedProject>();
  if (project && is_never_missing(*project->value)) return countable_part(*project->input);
  return tree;
}

}  // namespace

Result<RowsPage> run(const Plan& plan, View& view, const RunOptions& options) {
  if (options.rows_max == 0) return fail(Code::invalid, "A page has at least one row.");
  TRY(check_view(*plan.root, view));
  const Bookmark* from = options.bookmark ? &*options.bookmark : nullptr;
  if (from) TRY(check_bookmark(*from, plan));
  const bool counts = from && std::holds_alternative<AtCount>(from->position);
  const std::uint64_t to_skip = counts ? from->rows_so_far : 0;

  Meter meter = options.meter;
  Budget budget{meter};
  const Context context{.view = &view,
                        .budget = budget,
                        .resume = counts ? nullptr : from,
                        .kept = from ? options.kept : nullptr};
  const std::uint64_t rows_needed = to_skip + options.rows_max + 1;
  const bool overflows = rows_needed < to_skip;
  RowsPtr rows = open(*plan.root, context,
                      {overflows ? SIZE_MAX : static_cast<std::size_t>(rows_needed), true});
  RowsPage page;
  QueryRow skipped;
  bool has_more = true;
  for (std::uint64_t i = 0; i < to_skip && has_more; ++i) has_more = TRY(rows->next(skipped));
  Bookmark reached = from ? *from : Bookmark();
  reached.query = from ? from->query : fingerprint(*plan.query);
  reached.snapshot = from ? from->snapshot : view.now();
  reached.choice = choice_of(plan);
  reached.position = AtCount{};
  if (has_more) TRY(fill(page, *rows, plan, std::move(reached), options));
  page.statistics = statistics_of(plan, budget);
  return page;
}

Result<Plan> plan_on(const QueryPtr& query, View& view, const std::optional<PlanChoice>& keep) {
  for (const Guesses guesses : {Guesses::all, Guesses::partitions}) {
    Plan guess = TRY(plan(query, {view.now(), keep, guesses}));
    const bool keeps_index = keep && !is_sorted(*keep);
    if (keeps_index || TRY(are_small_guesses(*guess.root, view))) return guess;
  }
  return plan(query, {view.now(), keep, Guesses::none});
}

Result<RowsPage> answer(const QueryPtr& query, View& view, const RunOptions& options) {
  const auto keep = options.bookmark ? std::optional(options.bookmark->choice) : std::nullopt;
  return run(TRY(plan_on(query, view, keep)), view, options);
}

Result<Count> count(const Plan& plan, View& view, const Meter& request_meter) {
  TRY(check_view(*plan.root, view));
  Meter meter = request_meter;
  Budget budget{meter};
  const Context context{&view, budget};
  const PlanTree& root = countable_part(*plan.root);
  Count counted;
  if (const auto* access = root.as<Access>()) {
    counted.rows = TRY(open_access(*access, context, Demand::unknown())->count());
  } else {
    const RowsPtr rows = open(root, context, Demand::unknown());
    QueryRow row;
    while (TRY(rows->next(row))) ++counted.rows;
  }
  counted.statistics = statistics_of(plan, budget);
  return counted;
}

}  // namespace mayfly::query
