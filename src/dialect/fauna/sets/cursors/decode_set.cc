// Decodes sets and functions from cursors and tokens of clients.
#include <algorithm>

#include "dialect/fauna/run/functions/bound.h"
#include "dialect/fauna/run/functions/closure.h"
#include "dialect/fauna/run/functions/compile.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/cursors/cursor.h"
#include "dialect/fauna/sets/cursors/set_kinds.h"
#include "dialect/fauna/values/stored.h"

namespace mayfly::fauna {
namespace {

using mayfly::Value;

tl::unexpected<Error> broken() {
  return fail(Code::invalid, "the cursor is broken");
}

Result<FqlValue> decode_value(Interpreter& run, const Value& value);

Result<FqlArray> decode_values(Interpreter& run, const Value& values) {
  if (!values.is(Kind::array)) return broken();
  FqlArray made;
  for (const Value& value : values.array()) made.push_back(TRY(decode_value(run, value)));
  return made;
}

std::optional<Instant> decode_instant(const Value& value) {
  return value.is(Kind::integer) ? std::optional(Instant{value.integer()}) : std::nullopt;
}

std::string text_in(const Value& object, std::string_view name) {
  const Value member = object.member(name);
  return member.is(Kind::text) ? member.text() : std::string();
}

std::int64_t number_in(const Value& object, std::string_view name) {
  const Value member = object.member(name);
  return member.is(Kind::integer) ? member.integer() : 0;
}

Result<CallablePtr> decode_function(Interpreter& run, const Value& value) {
  const std::string method_name = text_in(value, "method");
  if (!method_name.empty()) {
    const std::string of = text_in(value, "of");
    const Method* method = value.member("static").is_true() ? find_static(of, method_name)
                           : of.empty()                     ? find_global(method_name)
                                                            : find_method(of, method_name);
    if (method == nullptr) return broken();
    return std::make_shared<const BoundMethod>(
        *method, TRY(decode_value(run, value.member("self"))), value.member("own").is_true());
  }
  std::vector<std::string> names;
  const Value part = value.member("names");
  if (!part.is(Kind::array)) return broken();
  for (const Value& name : part.array()) names.push_back(name.is(Kind::text) ? name.text() : "");
  std::string text = text_in(value, "text");
  text = value.member("projection").is_true() ? "element__ => element__ " + text : "(" + text + ")";
  const Interpreter::AsOf as_of(run, decode_instant(value.member("at")));
  CallablePtr function = TRY(
      compile_within(run, std::move(text), names, TRY(decode_values(run, value.member("values")))));
  const auto* const closure = dynamic_cast<const Closure*>(function.get());
  if (closure != nullptr && value.member("own").is_true()) run.mark_of_query(*closure);
  return function;
}

Result<FqlValue> decode_value(Interpreter& run, const Value& value) {
  if (value.is(Kind::array)) return FqlValue(TRY(decode_values(run, value)));
  if (!value.is(Kind::object)) return from_stored(value);
  const Object& object = value.object();
  if (const Value* set = object.find("#set")) return FqlValue(TRY(decode_set(run, *set)));
  if (const Value* function = object.find("#function")) {
    return FqlValue(TRY(decode_function(run, *function)));
  }
  if (const Value* document = object.find("#document")) {
    const FqlValue handle = from_stored(*document);
    if (!handle.is(FqlKind::document)) return broken();
    DocumentHandle dated = *handle.document();
    dated.at = decode_instant(value.member("at"));
    const Value partition = value.member("in");
    if (partition.is(Kind::binary)) dated.routing = partition.binary().bytes;
    return FqlValue(std::move(dated));
  }
  const Value* members = object.find("#object");
  if (members == nullptr || !members->is(Kind::object)) return broken();
  FqlObject made;
  for (const auto& [name, member] : members->object()) {
    made.append(name, TRY(decode_value(run, member)));
  }
  return FqlValue(std::move(made));
}

// The decoder of each kind of set.
struct DecodeNode {
  Interpreter& run;
  const Value& value;

  Result<SetPtr> in() const { return decode_set(run, value.member("in")); }
  Result<CallablePtr> by() const { return decode_function(run, value.member("by")); }
  Result<FqlArray> array(std::string_view name) const {
    return decode_values(run, value.member(name));
  }
  Result<std::optional<FqlArray>> bound(std::string_view name) const {
    if (value.member(name).is_missing()) return std::nullopt;
    return TRY(array(name));
  }

  Result<FqlSet::Node> all() const {
    FqlSet::All all{.collection = text_in(value, "of")};
    for (auto [name, bound] : {std::pair("from", &all.from), std::pair("to", &all.to)}) {
      const Value part = value.member(name);
      if (!part.is_missing()) *bound = TRY(decode_value(run, part));
    }
    all.is_of_query = value.member("own").is_true();
    return FqlSet::Node(std::move(all));
  }
  Result<FqlSet::Node> index() const {
    FqlSet::IndexRead read{.collection = text_in(value, "of"), .index = text_in(value, "index")};
    read.terms = TRY(array("terms"));
    read.from = TRY(bound("from"));
    read.to = TRY(bound("to"));
    read.is_of_query = value.member("own").is_true();
    return FqlSet::Node(std::move(read));
  }
  Result<FqlSet::Node> where() const {
    FqlSet::Where made;
    made.in = TRY(in());
    made.predicate = TRY(by());
    return FqlSet::Node(std::move(made));
  }
  Result<FqlSet::Node> mapped() const {
    FqlSet::Mapped made;
    made.in = TRY(in());
    made.by = TRY(by());
    made.is_projection = value.member("projection").is_true();
    return FqlSet::Node(std::move(made));
  }
  Result<FqlSet::Node> flat() const {
    FqlSet::FlatMapped made;
    made.in = TRY(in());
    made.by = TRY(by());
    return FqlSet::Node(std::move(made));
  }
  Result<FqlSet::Node> ordered() const {
    FqlSet::Ordered made;
    made.in = TRY(in());
    const Value keys = value.member("keys");
    if (!keys.is(Kind::array)) return broken();
    for (const Value& key : keys.array()) {
      SetOrdering ordering{.is_descending = key.member("descending").is_true()};
      const Value part = key.member("by");
      if (!part.is_missing()) ordering.by = TRY(decode_function(run, part));
      made.keys.push_back(std::move(ordering));
    }
    return FqlSet::Node(std::move(made));
  }
  Result<FqlSet::Node> sliced() const {
    FqlSet::Sliced made;
    made.in = TRY(in());
    made.offset = static_cast<std::size_t>(number_in(value, "offset"));
    if (value.member("limit").is(Kind::integer)) {
      made.limit = static_cast<std::size_t>(number_in(value, "limit"));
    }
    return FqlSet::Node(std::move(made));
  }
  Result<FqlSet::Node> reversed() const {
    FqlSet::Reversed made;
    made.in = TRY(in());
    return FqlSet::Node(std::move(made));
  }
  Result<FqlSet::Node> distinct() const {
    FqlSet::Distinct made;
    made.in = TRY(in());
    return FqlSet::Node(std::move(made));
  }
  Result<FqlSet::Node> concat() const {
    FqlSet::Concat made;
    made.first = TRY(in());
    made.second = TRY(decode_set(run, value.member("then")));
    return FqlSet::Node(std::move(made));
  }
  Result<FqlSet::Node> items() const {
    FqlSet::Items made;
    made.items = std::make_shared<const FqlArray>(TRY(array("items")));
    made.is_single = value.member("single").is_true();
    return FqlSet::Node(std::move(made));
  }
  Result<FqlSet::Node> sequence() const {
    return FqlSet::Node(FqlSet::Sequence{number_in(value, "from"), number_in(value, "until")});
  }
};

using Decode = Result<FqlSet::Node> (DecodeNode::*)() const;
// In the order of the alternatives of FqlSet::Node.
constexpr Decode decoders[] = {&DecodeNode::all,    &DecodeNode::index,    &DecodeNode::where,
                               &DecodeNode::mapped, &DecodeNode::flat,     &DecodeNode::ordered,
                               &DecodeNode::sliced, &DecodeNode::reversed, &DecodeNode::distinct,
                               &DecodeNode::concat, &DecodeNode::items,    &DecodeNode::sequence};

Result<FqlSet::Node> decode_node(Interpreter& run, const std::string& kind, const Value& value) {
  const auto found = std::find(std::begin(encoded_set_kinds), std::end(encoded_set_kinds), kind);
  if (found == std::end(encoded_set_kinds)) return broken();
  const DecodeNode decode{run, value};
  return (decode.*decoders[found - std::begin(encoded_set_kinds)])();
}

}  // namespace

Result<SetPtr> decode_set(Interpreter& run, const Value& value) {
  if (!value.is(Kind::object)) return broken();
  return std::make_shared<const FqlSet>(TRY(decode_node(run, text_in(value, "kind"), value)),
                                        decode_instant(value.member("as_of")));
}

}  // namespace mayfly::fauna
