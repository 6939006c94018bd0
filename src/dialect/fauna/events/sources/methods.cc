// Event sources in queries: making one from a set, and its methods.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/events/sources/streamable.h"
#include "dialect/fauna/library/family.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {
namespace {

// The index that a set is read from; null if there is none.
Result<const IndexDefinition*> index_of(Interpreter& run, const FqlSet& base,
                                        FqlCollectionPtr& keeper) {
  const auto* read = base.as<FqlSet::IndexRead>();
  if (read == nullptr) return nullptr;
  keeper = TRY(run.usable_collection(read->collection));
  return keeper->definition->find_index(read->index);
}

// Checks that the principal may read any document of the followed collection.
Result<void> check_may_follow(Interpreter& run, const FqlSet& base) {
  if (base.as<FqlSet::Items>() != nullptr) return {};  // checked for each document
  const FqlCollectionPtr of = TRY(run.usable_collection(followed_collection(base)));
  if (!TRY(run.permissions().reading(*of, {})).is_never()) return {};
  return run.fail_denied_reading(*of);
}

Result<FqlValue> follow(Run& run, const FqlValue& self, std::string_view method) {
  Interpreter& of = interpreter(run);
  TRY(check_streamable(of, *self.set(), method));
  TRY(check_may_follow(of, followed_set(*self.set())));
  FqlEventSource source{.set = self.set()};
  FqlCollectionPtr keeper;
  const IndexDefinition* index = TRY(index_of(of, followed_set(*self.set()), keeper));
  if (index != nullptr) {
    source.fields = covered_fields(*index).value_or(std::vector<FieldNames>());
  }
  return event_source_value(of, source);
}

Result<void> check_covered(Run& run, const IndexDefinition& index, const FieldNames& field) {
  const auto covered = covered_fields(index);
  if (!covered || std::find(covered->begin(), covered->end(), field) != covered->end()) return {};
  return run.fail_argument(
      "fields", fmt::format("`{}` not covered by the `{}` index.", text_of(field), index.name));
}

Result<FqlValue> follow_fields(Run& run, const FqlValue& self, const Arguments& arguments,
                               std::string_view method) {
  Interpreter& of = interpreter(run);
  const FqlSet& set = *self.set();
  const bool is_derived = set.as<FqlSet::Where>() != nullptr || set.as<FqlSet::Mapped>() != nullptr;
  if (is_derived) {
    return run.fail(
        "invalid_receiver",
        fmt::format("can't call `.{}()` because it was not called on the source set.", method));
  }
  TRY(check_streamable(of, set, method));
  TRY(check_may_follow(of, set));
  FqlCollectionPtr keeper;
  const IndexDefinition* index = TRY(index_of(of, set, keeper));
  FqlEventSource source{.set = self.set()};
  for (std::size_t i = 0; i < std::max<std::size_t>(arguments.count(), 1); ++i) {
    auto path = field_names(arguments[i]);
    if (!path) return run.fail_argument(fmt::to_string(i), "invalid field path given");
    if (index != nullptr) TRY(check_covered(run, *index, *path));
    source.fields.push_back(*std::move(path));
  }
  return event_source_value(of, source);
}

Result<FqlValue> event_source(Run& run, const FqlValue& self, const Arguments&) {
  return follow(run, self, "eventSource");
}
Result<FqlValue> to_stream(Run& run, const FqlValue& self, const Arguments&) {
  return follow(run, self, "toStream");
}
Result<FqlValue> events_on(Run& run, const FqlValue& self, const Arguments& arguments) {
  return follow_fields(run, self, arguments, "eventsOn");
}
Result<FqlValue> changes_on(Run& run, const FqlValue& self, const Arguments& arguments) {
  return follow_fields(run, self, arguments, "changesOn");
}

// --- methods of event sources ---

template <class Node>
Result<FqlValue> derive(Run& run, const FqlValue& self, const FqlValue& by) {
  Interpreter& of = interpreter(run);
  auto source = event_source_of(of, self);
  if (!source) return run.fail_argument("self", "invalid event source provided.");
  source->set = FqlSet::over(source->set, Node{source->set, by.function()});
  return event_source_value(of, *source);
}

Result<FqlValue> source_where(Run& run, const FqlValue& self, const Arguments& arguments) {
  return derive<FqlSet::Where>(run, self, arguments[0]);
}

Result<FqlValue> source_map(Run& run, const FqlValue& self, const Arguments& arguments) {
  return derive<FqlSet::Mapped>(run, self, arguments[0]);
}

constexpr std::string_view followed = "Set";
constexpr std::string_view event_source_type = "EventSource";

constexpr Method event_source_table[] = {
    {followed, "eventSource", "() => EventSource<A>",
     "What a client follows the set's changes with.",
     R"(Customer.all().eventSource() isa EventSource)", R"(true)", event_source},
    {followed, "eventsOn", "(...fields: Any) => EventSource<A>",
     "The same, of updates that change one of the fields.",
     R"(Customer.all().eventsOn(.name) isa EventSource)", R"(true)", events_on},
    {followed, "toStream", "() => EventSource<A>", "The older name of `eventSource`.",
     R"(Customer.all().toStream() isa EventSource)", R"(true)", to_stream},
    {followed, "changesOn", "(...fields: Any) => EventSource<A>", "The older name of `eventsOn`.",
     R"(Customer.all().changesOn(.name) isa EventSource)", R"(true)", changes_on},
    {event_source_type, "where", "(pred: (A) => Boolean) => EventSource<A>",
     "Events of the elements for which the predicate is true.",
     R"(Customer.all().eventSource().where(.name == "Ann") isa EventSource)", R"(true)",
     source_where},
    {event_source_type, "map", "(mapper: (A) => B) => EventSource<B>",
     "Events with what the function makes.",
     R"(Customer.all().eventSource().map(.name) isa EventSource)", R"(true)", source_map},
};

}  // namespace

std::span<const Method> event_source_methods() {
  return event_source_table;
}

}  // namespace mayfly::fauna
