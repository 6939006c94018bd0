// Sets and functions as stored values, and back.
#include <algorithm>

#include "dialect/fauna/run/bound.h"
#include "dialect/fauna/run/closure.h"
#include "dialect/fauna/run/compile.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/cursor.h"
#include "dialect/fauna/values/stored.h"

namespace mayfly::fauna {
namespace {

using mayfly::Value;

// REACHES CLIENTS: names in cursors.
constexpr std::string_view kind_names[] = {"all",      "index",  "where", "map",
                                           "flat",     "order",  "slice", "reversed",
                                           "distinct", "concat", "items", "sequence"};

tl::unexpected<Error> not_portable() {
  return fail(Code::unsupported, "the set holds a function that no cursor can hold");
}
tl::unexpected<Error> broken() {
  return fail(Code::invalid, "the cursor is broken");
}

Result<Value> encode_value(const FqlValue& value);

Result<Value> encode_values(std::span<const FqlValue> values) {
  Array items;
  for (const FqlValue& value : values) items.push_back(TRY(encode_value(value)));
  return Value(std::move(items));
}

Value instant_value(const std::optional<Instant>& at) {
  return at ? Value(at->micros) : Value(nullptr);
}

// The values of a template have names that can be written.
std::string writable(std::string text) {
  for (std::size_t at = 0; (at = text.find('\0', at)) != std::string::npos;) {
    text.replace(at, 1, "value__");
  }
  return text;
}

// A closure knows the text of its body. The parameters of one that was written stand before it.
std::string source_of(const Closure& closure) {
  const Lambda& lambda = closure.lambda();
  std::string text(text_of(closure.span()));
  if (lambda.form == Lambda::Form::hidden) return text;
  std::string parameters;
  for (const Parameter& parameter : lambda.parameters) {
    if (!parameters.empty()) parameters += ", ";
    const bool is_rest = lambda.is_variadic && &parameter == &lambda.parameters.back();
    parameters += (is_rest ? "..." : "") + (parameter.name.empty() ? "_" : parameter.name);
  }
  return "(" + parameters + ") => " + text;
}

Result<Value> encode_method(const BoundMethod& bound) {
  Object made{{"method", std::string(bound.method().name)},
              {"of", std::string(bound.method().of)},
              {"static", bound.method().is_static}};
  made.append("self", TRY(encode_value(bound.self())));
  return Value(std::move(made));
}

Result<Value> encode_function(const Callable& callable) {
  if (const auto* bound = dynamic_cast<const BoundMethod*>(&callable)) {
    return encode_method(*bound);
  }
  const auto* closure = dynamic_cast<const Closure*>(&callable);
  if (closure == nullptr) return not_portable();
  Array names;
  for (const Capture& capture : closure->lambda().captures) {
    std::string name = capture.name;
    if (name.starts_with('$')) name.replace(0, 1, "value__");
    if (name == hidden_parameter) return not_portable();
    names.emplace_back(std::move(name));
  }
  const bool is_projection = closure->lambda().form == Lambda::Form::hidden &&
                             closure->lambda().body->as<ObjectOf>() != nullptr;
  Object made{{"text", writable(source_of(*closure))},
              {"projection", is_projection},
              {"names", std::move(names)},
              {"at", instant_value(closure->at())}};
  made.append("values", TRY(encode_values(closure->captured())));
  return Value(std::move(made));
}

// An object of one member.
Value tagged_with(const char* tag, Value value) {
  Object made;
  made.append(tag, std::move(value));
  return made;
}

Value encode_document(const DocumentHandle& handle) {
  Object made{{"#document", Reference{handle.collection, handle.id}},
              {"at", instant_value(handle.at)}};
  return made;
}

Result<Value> encode_value(const FqlValue& value) {
  switch (value.kind()) {
    case FqlKind::set: return tagged_with("#set", TRY(encode_set(*value.set())));
    case FqlKind::function:
      return tagged_with("#function", TRY(encode_function(*value.function())));
    case FqlKind::array: return encode_values(value.array());
    case FqlKind::object: {
      Object members;
      for (const auto& [name, member] : value.object().members()) {
        members.set(name, TRY(encode_value(member)));
      }
      return tagged_with("#object", Value(std::move(members)));
    }
    case FqlKind::document:
      return value.document()->at ? Result<Value>(encode_document(*value.document()))
                                  : to_stored(value);
    default: return to_stored(value);
  }
}

struct EncodeNode {
  static Result<Object> over(const SetPtr& in) {
    Object made;
    made.append("in", TRY(encode_set(*in)));
    return made;
  }
  static Result<Value> over(const SetPtr& in, const Callable& by) {
    Object made = TRY(over(in));
    made.append("by", TRY(encode_function(by)));
    return Value(std::move(made));
  }

  Result<Value> operator()(const FqlSet::All& all) const {
    Object made{{"of", all.collection}};
    if (all.from) made.append("from", TRY(encode_value(*all.from)));
    if (all.to) made.append("to", TRY(encode_value(*all.to)));
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::IndexRead& read) const {
    Object made{{"of", read.collection}, {"index", read.index}};
    made.append("terms", TRY(encode_values(read.terms)));
    if (read.from) made.append("from", TRY(encode_values(*read.from)));
    if (read.to) made.append("to", TRY(encode_values(*read.to)));
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::Where& where) const {
    return over(where.in, *where.predicate);
  }
  Result<Value> operator()(const FqlSet::Mapped& mapped) const {
    Value made = TRY(over(mapped.in, *mapped.by));
    made.mutable_object().append("projection", mapped.is_projection);
    return made;
  }
  Result<Value> operator()(const FqlSet::FlatMapped& flat) const { return over(flat.in, *flat.by); }
  Result<Value> operator()(const FqlSet::Ordered& ordered) const {
    Array keys;
    for (const SetOrdering& key : ordered.keys) {
      Object row{{"descending", key.is_descending}};
      if (key.by) row.append("by", TRY(encode_function(*key.by)));
      keys.emplace_back(std::move(row));
    }
    Object made = TRY(over(ordered.in));
    made.append("keys", std::move(keys));
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::Sliced& sliced) const {
    Object made = TRY(over(sliced.in));
    made.append("offset", static_cast<std::int64_t>(sliced.offset));
    if (sliced.limit) made.append("limit", static_cast<std::int64_t>(*sliced.limit));
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::Reversed& reversed) const {
    return Value(TRY(over(reversed.in)));
  }
  Result<Value> operator()(const FqlSet::Distinct& distinct) const {
    return Value(TRY(over(distinct.in)));
  }
  Result<Value> operator()(const FqlSet::Concat& concat) const {
    Object made = TRY(over(concat.first));
    made.append("then", TRY(encode_set(*concat.second)));
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::Items& items) const {
    Object made{{"single", items.is_single}};
    made.append("items", TRY(encode_values(*items.items)));
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::Sequence& sequence) const {
    return Value(Object{{"from", sequence.from}, {"until", sequence.until}});
  }
};

// --- back ---

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
    return std::make_shared<const BoundMethod>(*method,
                                               TRY(decode_value(run, value.member("self"))));
  }
  std::vector<std::string> names;
  const Value said = value.member("names");
  if (!said.is(Kind::array)) return broken();
  for (const Value& name : said.array()) names.push_back(name.is(Kind::text) ? name.text() : "");
  std::string text = text_in(value, "text");
  text = value.member("projection").is_true() ? "element__ => element__ " + text : "(" + text + ")";
  const Interpreter::AsOf as_of(run, decode_instant(value.member("at")));
  return compile_within(run, std::move(text), names,
                        TRY(decode_values(run, value.member("values"))));
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

// What a set of each kind is decoded from.
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
      const Value said = value.member(name);
      if (!said.is_missing()) *bound = TRY(decode_value(run, said));
    }
    return FqlSet::Node(std::move(all));
  }
  Result<FqlSet::Node> index() const {
    FqlSet::IndexRead read{.collection = text_in(value, "of"), .index = text_in(value, "index")};
    read.terms = TRY(array("terms"));
    read.from = TRY(bound("from"));
    read.to = TRY(bound("to"));
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
      const Value said = key.member("by");
      if (!said.is_missing()) ordering.by = TRY(decode_function(run, said));
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
// As the alternatives of FqlSet::Node.
constexpr Decode decoders[] = {&DecodeNode::all,    &DecodeNode::index,    &DecodeNode::where,
                               &DecodeNode::mapped, &DecodeNode::flat,     &DecodeNode::ordered,
                               &DecodeNode::sliced, &DecodeNode::reversed, &DecodeNode::distinct,
                               &DecodeNode::concat, &DecodeNode::items,    &DecodeNode::sequence};

Result<FqlSet::Node> decode_node(Interpreter& run, const std::string& kind, const Value& value) {
  const auto found = std::find(std::begin(kind_names), std::end(kind_names), kind);
  if (found == std::end(kind_names)) return broken();
  const DecodeNode decode{run, value};
  return (decode.*decoders[found - std::begin(kind_names)])();
}

}  // namespace

Result<Value> encode_set(const FqlSet& set) {
  Value node = TRY(std::visit(EncodeNode(), set.node));
  node.mutable_object().set("kind", Value(std::string(kind_names[set.node.index()])));
  if (set.at) node.mutable_object().set("as_of", instant_value(set.at));
  return node;
}

Result<SetPtr> decode_set(Interpreter& run, const Value& value) {
  if (!value.is(Kind::object)) return broken();
  return std::make_shared<const FqlSet>(TRY(decode_node(run, text_in(value, "kind"), value)),
                                        decode_instant(value.member("as_of")));
}

}  // namespace mayfly::fauna
