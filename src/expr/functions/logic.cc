// Tests of kinds, and choices between values.
#include <cmath>

#include "expr/evaluation/evaluate.h"
#include "expr/functions/families.h"

namespace mayfly {
namespace {

template <Kind kind>
Result<Value> is_kind(const Arguments& a) {
  return Value(a[0].is(kind));
}

Result<Value> is_number(const Arguments& a) {
  return Value(a[0].is_number());
}
Result<Value> exists(const Arguments& a) {
  return Value(!a[0].is_missing());
}

Result<Value> is_integer(const Arguments& a) {
  if (a[0].is(Kind::integer)) return Value(true);
  return Value(a[0].is(Kind::real) && std::floor(a[0].real()) == a[0].real() &&
               std::abs(a[0].real()) < 0x1p63);
}

Result<Value> is_finite(const Arguments& a) {
  return Value(a[0].is_number() && std::isfinite(a[0].number()));
}

Result<Value> is_scalar(const Arguments& a) {
  return Value(!a[0].is_missing() && !a[0].is(Kind::array) && !a[0].is(Kind::object));
}

Result<Value> coalesce(const Arguments& a) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is_missing() && !a[i].is_null()) return a[i];
  }
  return Value(nullptr);
}

Result<Value> when(const Arguments& a) {
  return a[0].is_true() ? a[1] : a[2];
}
Result<Value> choose(const Arguments& a) {
  const auto i = whole_number(a[0]);
  if (!i || *i < 1 || *i >= static_cast<std::int64_t>(a.size())) return Value();
  return a[static_cast<std::size_t>(*i)];
}
Result<Value> missing(const Arguments&) {
  return Value();
}

Result<Value> kind_of(const Arguments& a) {
  if (a[0].is_missing()) return Value();
  return Value(a[0].is_number() ? std::string_view("number") : name_of(a[0].kind()));
}

Function test(std::string_view name, std::string_view summary, Apply apply,
              std::vector<Example> examples) {
  Function row = unary(name, summary, apply, std::move(examples));
  row.gives_truth = true;
  row.is_never_missing = true;
  return row;
}

}  // namespace

std::span<const Function> logic_functions() {
  static const Function table[] = {
      test("is_missing", "Whether there is no value; null is a value.", is_kind<Kind::missing>,
           {{"missing", "true"}, {"null", "false"}}),
      test("exists", "Whether there is a value; null is one.", exists,
           {{"null", "true"}, {"missing", "false"}}),
      test("is_null", "Whether it is null.", is_kind<Kind::null>,
           {{"null", "true"}, {"missing", "false"}, {"0", "false"}}),
      test("is_boolean", "Whether it is true or false.", is_kind<Kind::boolean>,
           {{"false", "true"}, {"0", "false"}}),
      test("is_number", "Whether it is a number.", is_number,
           {{"1.5", "true"}, {R"("1")", "false"}}),
      test("is_integer", "Whether it is a whole number within 64 bits.", is_integer,
           {{"1", "true"}, {"1.0", "true"}, {"1.5", "false"}, {"1e300", "false"}}),
      test("is_finite", "Whether it is a number, and neither infinite nor nan.", is_finite,
           {{"1", "true"}, {"infinity", "false"}, {"nan", "false"}}),
      test("is_text", "Whether it is a text.", is_kind<Kind::text>,
           {{R"("")", "true"}, {"1", "false"}}),
      test("is_array", "Whether it is an array.", is_kind<Kind::array>,
           {{"[]", "true"}, {"{}", "false"}}),
      test("is_object", "Whether it is an object.", is_kind<Kind::object>,
           {{"{}", "true"}, {"[]", "false"}}),
      test("is_scalar", "Whether it is there, and neither array nor object.", is_scalar,
           {{"null", "true"}, {"[]", "false"}, {"missing", "false"}}),
      test("is_time", "Whether it is an instant.", is_kind<Kind::time>,
           {{R"(time("2026-01-01T00:00:00Z"))", "true"}, {R"("2026-01-01T00:00:00Z")", "false"}}),
      test("is_date", "Whether it is a calendar day.", is_kind<Kind::date>,
           {{R"(date("2026-01-01"))", "true"}, {R"("2026-01-01")", "false"}}),
      test("is_binary", "Whether it is binary.", is_kind<Kind::binary>,
           {{R"(binary("AAE="))", "true"}, {R"("AAE=")", "false"}}),
      test("is_reference", "Whether it refers to a document.", is_kind<Kind::reference>,
           {{R"(reference("orders", "1"))", "true"}, {R"("1")", "false"}}),
      unary("kind_of", "The name of the value's kind; missing has none.", kind_of,
            {{"1.5", R"("number")"}, {R"("a")", R"("text")"}, {"missing", "missing"}}),
      {.name = "coalesce",
       .summary = "The first value that is neither missing nor null, or else null.",
       .arguments_min = 1,
       .arguments_max = any_number,
       .apply = coalesce,
       .examples = {{"missing, null, 3, 4", "3"}, {"missing", "null"}},
       .is_never_missing = true},
      n_ary("when", 2, 3,
            "The second where the first is true, otherwise the third. All are evaluated.", when,
            {{"true, 1, 2", "1"}, {"missing, 1, 2", "2"}, {"false, 1", "missing"}}),
      n_ary("choose", 2, any_number,
            "The choice of that number, counted from 1. All are evaluated.", choose,
            {{R"(1, "a", "b")", R"("a")"},
             {R"(2, "a", "b")", R"("b")"},
             {R"(3, "a", "b")", "missing"},
             {R"(0, "a", "b")", "missing"},
             {R"("1", "a", "b")", "missing"}}),
      n_ary("missing", 0, 0, "No value.", missing, {{"", "missing"}}),
  };
  return table;
}

}  // namespace mayfly
