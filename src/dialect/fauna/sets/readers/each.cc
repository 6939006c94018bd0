// Visits all elements of a set.
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/hints.h"
#include "dialect/fauna/sets/lower.h"
#include "dialect/fauna/sets/readers/materialized.h"
#include "dialect/fauna/sets/readers/reader.h"
#include "query/run.h"

namespace mayfly::fauna {

Result<void> each_element(Interpreter& run, const SetPtr& set, const VisitElement& visit,
                          std::size_t batch_size) {
  const SetReaderPtr reader = TRY(open_set(run, set, {}, {.batch_size = batch_size}));
  for (;;) {
    TRY(run.step());
    const auto element = TRY(reader->next());
    if (!element || !TRY(visit(*element))) return {};
  }
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
  log_hints(run, *set, plan);
  const query::Count counted = TRY(query::count(plan, view, run.meter()));
  run.counts().reads += 1 + counted.statistics.documents_read;
  run.counts().bytes_read += counted.statistics.bytes_read;
  return static_cast<std::int64_t>(counted.rows);
}

Result<FqlArray> all_elements(Interpreter& run, const SetPtr& set) {
  return TRY(gather(run, set, {.batch_size = 128})).items;
}

}  // namespace mayfly::fauna
