// All elements of a set, one after the other.
#include <algorithm>
#include <set>

#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/hints.h"
#include "dialect/fauna/sets/lower.h"
#include "dialect/fauna/sets/reader.h"
#include "dialect/fauna/values/order.h"
#include "query/run.h"

namespace mayfly::fauna {

namespace {

Result<void> each_of(Interpreter& run, const SetPtr& set, const VisitElement& visit,
                     const ReadOptions& options) {
  const SetReaderPtr reader = TRY(open_set(run, set, {}, options));
  for (;;) {
    TRY(run.step());
    const auto element = TRY(reader->next());
    if (!element || !TRY(visit(*element))) return {};
  }
}

}  // namespace

Result<void> each_element(Interpreter& run, const SetPtr& set, const VisitElement& visit,
                          std::size_t rows_wanted) {
  return each_of(run, set, visit, {.rows_wanted = rows_wanted});
}

Result<std::int64_t> count_elements(Interpreter& run, const SetPtr& set) {
  std::int64_t n = 0;
  const auto lowered = TRY(lower_set(run, set, {}));
  if (!lowered) {
    const auto count = [&](const FqlValue&) -> Result<bool> { return ++n > 0; };
    TRY(each_element(run, set, count));
    return n;
  }
  View& view = run.reading().view();
  const query::Plan plan = TRY(query::plan_on(lowered->query, view));
  note_hints(run, *set, plan);
  const query::Count counted = TRY(query::count(plan, view, run.meter()));
  run.counts().reads += 1 + counted.statistics.documents_read;
  run.counts().bytes_read += counted.statistics.bytes_read;
  return static_cast<std::int64_t>(counted.rows);
}

Result<FqlArray> all_elements(Interpreter& run, const SetPtr& set, const ReadOptions& options) {
  FqlArray items;
  const auto add = [&](const FqlValue& element) -> Result<bool> {
    if (items.size() >= limits::fql_elements_max) {
      return run.fail("value_too_large",
                      "Value too large: exceeded maximum number of elements (limit=16000).");
    }
    TRY(run.make(sizeof(FqlValue) + (element.is(FqlKind::document) ? sizeof(DocumentHandle) : 0)));
    items.push_back(element);
    return true;
  };
  TRY(each_of(run, set, add, options));
  return items;
}

}  // namespace mayfly::fauna
