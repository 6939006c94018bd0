// Global functions, and methods of all values.
#include <fmt/format.h>

#include <optional>

#include "dialect/fauna/library/display.h"
#include "dialect/fauna/library/family.h"
#include "dialect/fauna/values/text/ids.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

Result<FqlValue> global_abort(Run& run, const FqlValue&, const Arguments& a) {
  return run.fail({.code = "abort", .message = "Query aborted.", .abort = a[0]});
}

Result<FqlValue> global_log(Run& run, const FqlValue&, const Arguments& a) {
  std::string line;
  for (const FqlValue& value : a.all()) {
    if (&value != &a.all().front()) line += ' ';
    line += TRY(display(run, value));
    TRY(run.check_growing_text(line.size()));
  }
  run.log_display(std::move(line));
  return FqlValue();
}

Result<FqlValue> global_dbg(Run& run, const FqlValue&, const Arguments& a) {
  run.log_debug(TRY(debug(run, a[0])));
  return a[0];
}

Result<FqlValue> global_new_id(Run& run, const FqlValue&, const Arguments&) {
  return FqlValue(Id{run.new_id()});
}

Result<FqlValue> global_asc(Run& run, const FqlValue&, const Arguments& a) {
  FqlObject ordering;
  ordering.append("asc", a[0]);
  return make_object(run, std::move(ordering));
}

Result<FqlValue> global_desc(Run& run, const FqlValue&, const Arguments& a) {
  FqlObject ordering;
  ordering.append("desc", a[0]);
  return make_object(run, std::move(ordering));
}

Result<FqlValue> global_id(Run& run, const FqlValue&, const Arguments& a) {
  if (a[0].is(FqlKind::id)) return a[0];
  const auto digits = id_text(a[0]);
  if (digits && !digits->starts_with('-')) return FqlValue(Id{*digits});
  return run.fail("invalid_id", fmt::format("`{}` is not a valid ID.", debug_text(a[0])));
}

Result<FqlValue> any_to_string(Run& run, const FqlValue& self, const Arguments&) {
  return FqlValue(TRY(display(run, self)));
}

}  // namespace

std::span<const Method> global_methods() {
  static const Method table[] = {
      {"", "abort", "(value: Any) => Never",
       "Ends the query, of which nothing stays, with a value.",
       R"(if (false) { abort("no") } else { 1 })", "1", global_abort},
      {"", "log", "(...values: Any) => Null", "Adds a line to the summary.", R"(log("a", 1))",
       "null", global_log},
      {"", "dbg", "(value: Any) => Any", "Adds the value to the summary, and gives it.",
       R"(dbg("a"))", R"("a")", global_dbg},
      {"", "newId", "() => ID", "An id, larger than those before.", "newId() < newId()", "true",
       global_new_id, Effect::observation},
      {"", "ID", "(id: String | Int | Long | ID) => ID", "The id with these digits.",
       R"(ID("123"))", R"("123")", global_id},
      {"", "asc", "(accessor: Function) => Object",
       "For `order()`: from the least value of the accessor on.",
       "[3, 1, 2].order(asc(x => x)).first()", "1", global_asc},
      {"", "desc", "(accessor: Function) => Object",
       "For `order()`: from the largest value of the accessor on.",
       "[3, 1, 2].order(desc(x => x)).first()", "3", global_desc},
  };
  return table;
}

std::span<const Method> any_methods() {
  static const Method table[] = {
      {"Any", "toString", "() => String", "The value as text, as in `\"#{value}\"`.",
       "(2.0).toString()", R"("2")", any_to_string},
  };
  return table;
}

}  // namespace mayfly::fauna
