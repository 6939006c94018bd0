// Sets: functions that transform them, and functions that read them.
#include <fmt/format.h>

#include "dialect/fauna/library/family.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/page.h"
#include "dialect/fauna/values/order.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

const SetPtr& set_of(const FqlValue& self) {
  return self.set();
}

template <class Node>
Result<FqlValue> over(Run& run, const FqlValue& self, Node node) {
  return set_value(run, FqlSet::over(set_of(self), std::move(node)));
}

// --- sets of sets ---

Result<FqlValue> where(Run& run, const FqlValue& self, const Arguments& arguments) {
  return over(run, self, FqlSet::Where{set_of(self), arguments[0].function()});
}

Result<FqlValue> map(Run& run, const FqlValue& self, const Arguments& arguments) {
  return over(run, self, FqlSet::Mapped{set_of(self), arguments[0].function()});
}

Result<FqlValue> flat_map(Run& run, const FqlValue& self, const Arguments& arguments) {
  return over(run, self, FqlSet::FlatMapped{set_of(self), arguments[0].function()});
}

// A function with a wrong number of parameters is refused immediately, as its call would be.
Result<SetOrdering> checked(Run& run, SetOrdering ordering, const std::string& name) {
  const FqlValue any;
  if (!ordering.by->arity().takes(1)) TRY(run.call_back(*ordering.by, name, std::span(&any, 1)));
  return ordering;
}

Result<SetOrdering> ordering_of(Run& run, const FqlValue& argument, std::size_t i) {
  const std::string name = fmt::format("ordering{}", i);
  if (argument.is(FqlKind::function)) return checked(run, {argument.function()}, name);
  if (argument.is(FqlKind::object) && argument.object().size() == 1) {
    const auto& [kind, by] = argument.object().members().front();
    if (by.is(FqlKind::function) && (kind == "asc" || kind == "desc")) {
      return checked(run, {by.function(), kind == "desc"}, "accessor");
    }
  }
  return run.fail_argument_type(name, "Function | { asc: Function } | { desc: Function }",
                                argument);
}

Result<FqlValue> order(Run& run, const FqlValue& self, const Arguments& arguments) {
  FqlSet::Ordered ordered{set_of(self), {}};
  for (std::size_t i = 0; i < arguments.count(); ++i) {
    ordered.keys.push_back(TRY(ordering_of(run, arguments[i], i)));
  }
  if (ordered.keys.empty()) ordered.keys.push_back({});
  return over(run, self, std::move(ordered));
}

Result<std::size_t> limit_of(Run& run, const FqlValue& value) {
  const std::int64_t limit = value.whole().number;
  if (limit >= 0) return static_cast<std::size_t>(limit);
  return run.fail("invalid_bounds",
                  fmt::format("expected `limit` to be greater than 0, received {}", limit));
}

Result<FqlValue> take(Run& run, const FqlValue& self, const Arguments& arguments) {
  const std::size_t limit = TRY(limit_of(run, arguments[0]));
  return over(run, self, FqlSet::Sliced{set_of(self), 0, limit});
}

Result<FqlValue> drop(Run& run, const FqlValue& self, const Arguments& arguments) {
  const std::size_t offset = TRY(limit_of(run, arguments[0]));
  return over(run, self, FqlSet::Sliced{set_of(self), offset, {}});
}

Result<FqlValue> reverse(Run& run, const FqlValue& self, const Arguments&) {
  return over(run, self, FqlSet::Reversed{set_of(self)});
}

Result<FqlValue> distinct(Run& run, const FqlValue& self, const Arguments&) {
  return over(run, self, FqlSet::Distinct{set_of(self)});
}

Result<FqlValue> concat(Run& run, const FqlValue& self, const Arguments& arguments) {
  return over(run, self, FqlSet::Concat{set_of(self), arguments[0].set()});
}

Result<FqlValue> page_size(Run& run, const FqlValue& self, const Arguments& arguments) {
  auto sized = std::make_shared<FqlSet>(set_of(self)->node, set_of(self)->at);
  sized->page_size = TRY(page_size_of(interpreter(run), arguments[0]));
  return set_value(run, std::move(sized));
}

// --- functions that read sets ---

Result<FqlValue> paginate(Run& run, const FqlValue& self, const Arguments& arguments) {
  const SetPtr& set = set_of(self);
  std::size_t size = set->page_size.value_or(limits::fql_page_default);
  if (arguments.has(0)) size = TRY(page_size_of(interpreter(run), arguments[0]));
  return page_value(TRY(read_page(interpreter(run), {.set = set, .page_size = size})));
}

Result<FqlValue> paginate_at(Run& run, const FqlValue&, const Arguments& arguments) {
  Cursor cursor = TRY(decode_cursor(interpreter(run), arguments[0].text()));
  if (arguments.has(1)) cursor.page_size = TRY(page_size_of(interpreter(run), arguments[1]));
  FqlValue page = page_value(TRY(read_page(interpreter(run), std::move(cursor))));
  if (!page.object().find("after")->is_null()) return page;
  FqlObject last = page.object();
  last.remove("after");
  return FqlValue(std::move(last));
}

// The first element for which `is_it` returns true.
template <class IsIt>
Result<std::optional<FqlValue>> find_first(Run& run, const SetPtr& set, const IsIt& is_it,
                                           std::size_t batch_size) {
  std::optional<FqlValue> found;
  TRY(each_element(
      interpreter(run), set,
      [&](const FqlValue& element) -> Result<bool> {
        if (TRY(is_it(element))) found = element;
        return !found;
      },
      batch_size));
  return found;
}

Result<bool> any_element(const FqlValue&) {
  return true;
}

Result<FqlValue> or_null(Result<std::optional<FqlValue>> found, NullCause cause) {
  const auto value = TRY(std::move(found));
  return value ? *value : null_because(cause);
}

Result<FqlValue> first(Run& run, const FqlValue& self, const Arguments&) {
  return or_null(find_first(run, set_of(self), any_element, 1), NullCause::empty_set);
}

Result<FqlValue> last(Run& run, const FqlValue& self, const Arguments&) {
  const SetPtr reversed = FqlSet::over(set_of(self), FqlSet::Reversed{set_of(self)});
  return or_null(find_first(run, reversed, any_element, 1), NullCause::empty_set);
}

SetPtr filtered(const SetPtr& set, const FqlValue& predicate) {
  return FqlSet::over(set, FqlSet::Where{set, predicate.function()});
}

Result<FqlValue> first_where(Run& run, const FqlValue& self, const Arguments& arguments) {
  return or_null(find_first(run, filtered(set_of(self), arguments[0]), any_element, 1),
                 NullCause::no_element);
}

Result<FqlValue> last_where(Run& run, const FqlValue& self, const Arguments& arguments) {
  const SetPtr those = filtered(set_of(self), arguments[0]);
  return or_null(find_first(run, FqlSet::over(those, FqlSet::Reversed{those}), any_element, 1),
                 NullCause::no_element);
}

Result<FqlValue> count(Run& run, const FqlValue& self, const Arguments&) {
  return whole_number(TRY(count_elements(interpreter(run), set_of(self))));
}

Result<FqlValue> is_empty(Run& run, const FqlValue& self, const Arguments&) {
  return FqlValue(!TRY(find_first(run, set_of(self), any_element, 1)));
}

Result<FqlValue> non_empty(Run& run, const FqlValue& self, const Arguments&) {
  return FqlValue(TRY(find_first(run, set_of(self), any_element, 1)).has_value());
}

Result<FqlValue> any(Run& run, const FqlValue& self, const Arguments& arguments) {
  const auto is_it = [&](const FqlValue& element) {
    return run.call_predicate(*arguments[0].function(), "predicate", std::span(&element, 1));
  };
  return FqlValue(TRY(find_first(run, set_of(self), is_it, 128)).has_value());
}

Result<FqlValue> every(Run& run, const FqlValue& self, const Arguments& arguments) {
  const auto is_not = [&](const FqlValue& element) -> Result<bool> {
    return !TRY(run.call_predicate(*arguments[0].function(), "predicate", std::span(&element, 1)));
  };
  return FqlValue(!TRY(find_first(run, set_of(self), is_not, 128)));
}

Result<FqlValue> includes(Run& run, const FqlValue& self, const Arguments& arguments) {
  const auto is_it = [&](const FqlValue& element) -> Result<bool> {
    return equal(run.meter(), element, arguments[0]);
  };
  return FqlValue(TRY(find_first(run, set_of(self), is_it, 128)).has_value());
}

Result<FqlValue> set_to_array(Run& run, const FqlValue& self, const Arguments&) {
  return FqlValue(TRY(all_elements(interpreter(run), set_of(self))));
}

Result<FqlValue> to_set(Run&, const FqlValue& self, const Arguments&) {
  return self;
}

Result<FqlValue> for_each(Run& run, const FqlValue& self, const Arguments& arguments) {
  TRY(each_element(interpreter(run), set_of(self), [&](const FqlValue& element) -> Result<bool> {
    TRY(run.call_back(*arguments[0].function(), "func", std::span(&element, 1)));
    return true;
  }));
  return FqlValue(nullptr);
}

Result<FqlValue> fold_over(Run& run, const SetPtr& set, std::optional<FqlValue> result,
                           const Callable& by) {
  TRY(each_element(interpreter(run), set, [&](const FqlValue& element) -> Result<bool> {
    if (result) {
      const FqlValue both[] = {*std::move(result), element};
      result = TRY(run.call_back(by, "reducer", both));
    } else {
      result = element;
    }
    return true;
  }));
  return result ? *result : null_because(NullCause::empty_set);
}

SetPtr reversed(const FqlValue& self) {
  return FqlSet::over(set_of(self), FqlSet::Reversed{set_of(self)});
}

Result<FqlValue> fold(Run& run, const FqlValue& self, const Arguments& arguments) {
  return fold_over(run, set_of(self), arguments[0], *arguments[1].function());
}

Result<FqlValue> fold_right(Run& run, const FqlValue& self, const Arguments& arguments) {
  return fold_over(run, reversed(self), arguments[0], *arguments[1].function());
}

Result<FqlValue> reduce(Run& run, const FqlValue& self, const Arguments& arguments) {
  return fold_over(run, set_of(self), std::nullopt, *arguments[0].function());
}

Result<FqlValue> reduce_right(Run& run, const FqlValue& self, const Arguments& arguments) {
  return fold_over(run, reversed(self), std::nullopt, *arguments[0].function());
}

Result<FqlValue> aggregate(Run& run, const FqlValue& self, const Arguments& arguments) {
  const FqlValue items(TRY(all_elements(interpreter(run), set_of(self))));
  return call_method(run, *find_method("Array", "aggregate"), items, arguments.all());
}

// --- sets without stored documents ---

Result<FqlValue> sequence(Run& run, const FqlValue&, const Arguments& arguments) {
  return set_value(run, FqlSet::Sequence{arguments[0].whole().number, arguments[1].whole().number},
                   interpreter(run).at());
}

Result<FqlValue> single(Run& run, const FqlValue&, const Arguments& arguments) {
  auto items = std::make_shared<const FqlArray>(FqlArray{arguments[0]});
  return set_value(run, FqlSet::Items{std::move(items), true}, interpreter(run).at());
}

Result<FqlValue> array_to_set(Run& run, const FqlValue& self, const Arguments&) {
  return set_value(run, FqlSet::Items{self.shared_array()}, interpreter(run).at());
}

constexpr Effect set_reads = Effect::read;
constexpr std::string_view set = "Set";

const Method set_table[] = {
    {set, "where", "(pred: (A) => Boolean) => Set<A>",
     "The elements for which the predicate is true.",
     "[1, 2, 3].toSet().where(n => n > 1).toArray()", "[2, 3]", where},
    {set, "map", "(mapper: (A) => B) => Set<B>", "What the function makes of each element.",
     "[1, 2].toSet().map(n => n * 2).toArray()", "[2, 4]", map},
    {set, "flatMap", "(mapper: (A) => Set<B>) => Set<B>",
     "The elements of the sets that the function gives.",
     "[1, 2].toSet().flatMap(n => [n, n].toSet()).toArray()", "[1, 1, 2, 2]", flat_map},
    {set, "order", "(...orderings: Any) => Set<A>",
     "The elements in this order: functions, asc(f), desc(f).",
     "[2, 3, 1].toSet().order().toArray()", "[1, 2, 3]", order},
    {set, "take", "(limit: Int) => Set<A>", "The first elements.",
     "[1, 2, 3].toSet().take(2).toArray()", "[1, 2]", take},
    {set, "drop", "(amount: Int) => Set<A>", "The elements behind the first ones.",
     "[1, 2, 3].toSet().drop(2).toArray()", "[3]", drop},
    {set, "reverse", "() => Set<A>", "The elements from the last to the first.",
     "[1, 2].toSet().reverse().toArray()", "[2, 1]", reverse},
    {set, "distinct", "() => Set<A>", "Each element once.",
     "[1, 2, 1].toSet().distinct().toArray()", "[1, 2]", distinct},
    {set, "concat", "(other: Set) => Set", "The elements of both.",
     "[1].toSet().concat([2].toSet()).toArray()", "[1, 2]", concat},
    {set, "pageSize", "(size: Any) => Set<A>", "The same set with pages of that size.",
     "[1, 2].toSet().pageSize(1).paginate().data", "[1]", page_size},
    {set, "paginate", "(size?: Any) => { data: Array<A>, after: Any }",
     "The first page, and a cursor for the next.", "[1, 2].toSet().paginate().data", "[1, 2]",
     paginate, set_reads},
    {set, "first", "() => A | Null", "The first element, or null.", "[1, 2].toSet().first()", "1",
     first, set_reads},
    {set, "last", "() => A | Null", "The last element, or null.", "[1, 2].toSet().last()", "2",
     last, set_reads},
    {set, "firstWhere", "(pred: (A) => Boolean) => A | Null",
     "The first element for which the predicate is true.",
     "[1, 2, 3].toSet().firstWhere(n => n > 1)", "2", first_where, set_reads},
    {set, "lastWhere", "(pred: (A) => Boolean) => A | Null",
     "The last element for which the predicate is true.", "[1, 2, 3].toSet().lastWhere(n => n < 3)",
     "2", last_where, set_reads},
    {set, "count", "() => Int", "How many elements there are.", "[1, 2].toSet().count()", "2",
     count, set_reads},
    {set, "isEmpty", "() => Boolean", "Whether there are no elements.", "[1].toSet().isEmpty()",
     "false", is_empty, set_reads},
    {set, "nonEmpty", "() => Boolean", "Whether there are elements.", "[1].toSet().nonEmpty()",
     "true", non_empty, set_reads},
    {set, "any", "(predicate: (A) => Boolean) => Boolean",
     "Whether the predicate is true of an element.", "[1, 2].toSet().any(n => n > 1)", "true", any,
     set_reads},
    {set, "every", "(predicate: (A) => Boolean) => Boolean",
     "Whether the predicate is true of all.", "[1, 2].toSet().every(n => n > 1)", "false", every,
     set_reads},
    {set, "includes", "(element: Any) => Boolean", "Whether the value is an element.",
     "[1, 2].toSet().includes(2)", "true", includes, set_reads},
    {set, "toArray", "() => Array<A>", "All elements, 16,000 at most.", "[1, 2].toSet().toArray()",
     "[1, 2]", set_to_array, set_reads},
    {set, "toSet", "() => Set<A>", "The set itself.", "[1].toSet().toSet().toArray()", "[1]",
     to_set},
    {set, "forEach", "(func: (A) => Any) => Null", "Calls the function with each element.",
     "[1].toSet().forEach(n => n)", "null", for_each, set_reads},
    {set, "fold", "(seed: Any, reducer: (Any, A) => Any) => Any",
     "Combines from the left, beginning with the seed.",
     "[1, 2, 3].toSet().fold(0, (sum, n) => sum + n)", "6", fold, set_reads},
    {set, "foldRight", "(seed: Any, reducer: (Any, A) => Any) => Any", "The same from the right.",
     R"(["a", "b"].toSet().foldRight("", (all, s) => all + s))", R"("ba")", fold_right, set_reads},
    {set, "reduce", "(reducer: (Any, A) => Any) => Any",
     "Combines from the left, beginning with the first element.",
     "[1, 2, 3].toSet().reduce((sum, n) => sum + n)", "6", reduce, set_reads},
    {set, "reduceRight", "(reducer: (Any, A) => Any) => Any", "The same from the right.",
     R"(["a", "b"].toSet().reduceRight((all, s) => all + s))", R"("ba")", reduce_right, set_reads},
    {set, "aggregate", "(seed: Any, combiner: (Any, Any) => Any) => Any",
     "Combines pairs, level by level.", "[1, 2, 3].toSet().aggregate(0, (a, b) => a + b)", "6",
     aggregate, set_reads},
    {"Array", "toSet", "() => Set<A>", "The elements as a set.", "[1, 2].toSet().count()", "2",
     array_to_set},
    {set, "paginate", "(cursor: String, size?: Number) => Object", "The page at a cursor.",
     "Set.paginate(Customer.all().pageSize(1).paginate().after).data.first()!.name", R"("Bob")",
     paginate_at, set_reads, true},
    {set, "sequence", "(from: Int, until: Int) => Set<Int>",
     "The numbers from one up to another, that excluded.", "Set.sequence(1, 4).toArray()",
     "[1, 2, 3]", sequence, Effect::pure, true},
    {set, "single", "(element: Any) => Set", "The set of one element.", "Set.single(1).toArray()",
     "[1]", single, Effect::pure, true},
};

}  // namespace

std::span<const Method> set_methods() {
  return set_table;
}

}  // namespace mayfly::fauna
