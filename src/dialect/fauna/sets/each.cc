// All elements of a set, one after the other.
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/reader.h"

namespace mayfly::fauna {

Result<void> each_element(Interpreter& run, const SetPtr& set, const VisitElement& visit,
                          std::size_t rows_wanted) {
  const SetReaderPtr reader = TRY(open_set(run, set, {}, {.rows_wanted = rows_wanted}));
  for (;;) {
    TRY(run.step());
    const auto element = TRY(reader->next());
    if (!element || !TRY(visit(*element))) return {};
  }
}

Result<FqlArray> all_elements(Interpreter& run, const SetPtr& set) {
  FqlArray items;
  TRY(each_element(run, set, [&](const FqlValue& element) -> Result<bool> {
    if (items.size() >= limits::fql_elements_max) {
      return run.fail("value_too_large",
                      "Value too large: exceeded maximum number of elements (limit=16000).");
    }
    TRY(run.make(sizeof(FqlValue) + (element.is(FqlKind::document) ? sizeof(DocumentHandle) : 0)));
    items.push_back(element);
    return true;
  }));
  return items;
}

}  // namespace mayfly::fauna
