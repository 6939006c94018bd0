// Running a plan: one page of rows at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "db/read/view.h"
#include "expr/evaluation/meter.h"
#include "query/bookmark.h"
#include "query/plan.h"
#include "query/running/row.h"

namespace mayfly::query {

class KeptResults;  // kept/kept_results.h

struct RunOptions {
  std::size_t rows_max = limits::page_rows_default;  // at least 1
  std::optional<Bookmark> bookmark;                  // where the previous page stopped
  Meter meter;                                       // the deadline of the request
  // A page also ends, early but never empty, once its rows take this many bytes.
  std::size_t bytes_max = limits::query_bytes_max / 4;
  // Results that pages keep for later pages. Null: each page computes everything again, as in
  // transactions.
  KeptResults* kept = nullptr;
};

struct Statistics {
  std::size_t rows_read = 0;          // rows and index entries looked at, visible or not
  std::size_t documents_read = 0;     // visible documents whose bodies were read
  std::size_t documents_matched = 0;  // of these, those that fulfil the residual conditions
  std::string index;                  // the name of the index that was read; empty: none
  std::size_t bytes_read = 0;         // the bodies of documents_read
};

struct RowsPage {
  std::vector<QueryRow> rows;
  std::optional<Bookmark> next;  // set if and only if there are more rows
  // The position behind the last row, set if there are no more rows and the page has `rows_max`
  // rows.
  std::optional<Bookmark> end;
  Statistics statistics;
};

// Runs the plan up to the end of one page. The rows do not depend on plan and view afterwards.
// Fails with invalid if the bookmark is of another query or its index no longer exists, with
// too_large over a bound of base/limits.h, with timed_out, and as the expressions and the view
// fail.
Result<RowsPage> run(const Plan& plan, View& view, const RunOptions& options);

// Plans for this view. A later page is planned as the first one was (`keep`). A guess is used only
// if it reads at most limits::guessed_entries_max entries, or the documents of a partition that fit
// into a few pages of the store.
Result<Plan> plan_on(const QueryPtr& query, View& view, const std::optional<PlanChoice>& keep = {});

// Plans as the bookmark needs it, and runs.
Result<RowsPage> answer(const QueryPtr& query, View& view, const RunOptions& options);

// Counts the rows without making them. If an index decides the whole filter, no document is read;
// if all living documents of a collection are counted, its ledger gives the number once it is
// complete. Fails as run().
struct Count {
  std::uint64_t rows = 0;
  Statistics statistics;
};
Result<Count> count(const Plan& plan, View& view, const Meter& meter = {});

}  // namespace mayfly::query
