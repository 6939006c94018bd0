// Encodes sets and functions for cursors and tokens of clients.
#include <fmt/format.h>

#include <span>

#include "dialect/fauna/run/functions/bound.h"
#include "dialect/fauna/run/functions/closure.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/cursors/cursor.h"
#include "dialect/fauna/sets/cursors/set_kinds.h"
#include "dialect/fauna/values/stored.h"

namespace mayfly::fauna {
namespace {

using mayfly::Value;

tl::unexpected<Error> not_portable() {
  return fail(Code::unsupported, "the set holds a function that no cursor can hold");
}

Value instant_value(const std::optional<Instant>& at) {
  return at ? Value(at->micros) : Value(nullptr);
}

// Replaces the placeholders of template values by names that can appear in a text.
std::string writable(std::string text) {
  for (std::size_t at = 0; (at = text.find('\0', at)) != std::string::npos;) {
    text.replace(at, 1, "value__");
  }
  return text;
}

// The text of a closure: its body, preceded by its parameters unless it is a short lambda.
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

// An object with one member.
Value tagged_with(const char* tag, Value value) {
  Object made;
  made.append(tag, std::move(value));
  return made;
}

Value encode_document(const DocumentHandle& handle) {
  Object made{{"#document", Reference{handle.collection, handle.id}},
              {"at", instant_value(handle.at)}};
  if (!handle.routing.empty()) made.append("in", Binary{handle.routing});
  return made;
}

std::size_t bytes_of_leaf(const FqlValue& value) {
  switch (value.kind()) {
    case FqlKind::text: return value.text().size();
    case FqlKind::bytes: return value.bytes().size();
    case FqlKind::document: return value.document()->id.size() + value.document()->routing.size();
    case FqlKind::id: return value.id().size();
    default: return 0;
  }
}

// Encodes one set with its contents and counts the size. The call operators encode the nodes of
// sets.
class SetEncoder {
 public:
  SetEncoder(Run& run, std::size_t bytes_max) : run_(run), bytes_max_(bytes_max) {}

  Result<Value> set(const FqlSet& set) {
    Value node = TRY(std::visit(*this, set.node));
    node.mutable_object().set("kind", Value(std::string(encoded_set_kinds[set.node.index()])));
    if (set.at) node.mutable_object().set("as_of", instant_value(set.at));
    return node;
  }

  Result<Value> operator()(const FqlSet::All& all) {
    TRY(add(all.collection.size()));
    Object made{{"of", all.collection}};
    if (all.from) made.append("from", TRY(value(*all.from)));
    if (all.to) made.append("to", TRY(value(*all.to)));
    if (all.is_of_query) made.append("own", true);
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::IndexRead& read) {
    TRY(add(read.collection.size() + read.index.size()));
    Object made{{"of", read.collection}, {"index", read.index}};
    made.append("terms", TRY(values(read.terms)));
    if (read.from) made.append("from", TRY(values(*read.from)));
    if (read.to) made.append("to", TRY(values(*read.to)));
    if (read.is_of_query) made.append("own", true);
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::Where& where) { return over(where.in, *where.predicate); }
  Result<Value> operator()(const FqlSet::Mapped& mapped) {
    Value made = TRY(over(mapped.in, *mapped.by));
    made.mutable_object().append("projection", mapped.is_projection);
    return made;
  }
  Result<Value> operator()(const FqlSet::FlatMapped& flat) { return over(flat.in, *flat.by); }
  Result<Value> operator()(const FqlSet::Ordered& ordered) {
    Array keys;
    for (const SetOrdering& key : ordered.keys) {
      Object row{{"descending", key.is_descending}};
      if (key.by) row.append("by", TRY(function(*key.by)));
      keys.emplace_back(std::move(row));
    }
    Object made = TRY(over(ordered.in));
    made.append("keys", std::move(keys));
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::Sliced& sliced) {
    Object made = TRY(over(sliced.in));
    made.append("offset", static_cast<std::int64_t>(sliced.offset));
    if (sliced.limit) made.append("limit", static_cast<std::int64_t>(*sliced.limit));
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::Reversed& reversed) {
    return Value(TRY(over(reversed.in)));
  }
  Result<Value> operator()(const FqlSet::Distinct& distinct) {
    return Value(TRY(over(distinct.in)));
  }
  Result<Value> operator()(const FqlSet::Concat& concat) {
    Object made = TRY(over(concat.first));
    made.append("then", TRY(set(*concat.second)));
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::Items& items) {
    Object made{{"single", items.is_single}};
    made.append("items", TRY(values(*items.items)));
    return Value(std::move(made));
  }
  Result<Value> operator()(const FqlSet::Sequence& sequence) {
    TRY(add(0));
    return Value(Object{{"from", sequence.from}, {"until", sequence.until}});
  }

 private:
  // Estimated size of a value without its text.
  static constexpr std::size_t bytes_of_value = 8;

  // Counts a value with that many bytes of text.
  Result<void> add(std::size_t bytes) {
    TRY(run_.meter().tick());
    bytes_ += bytes_of_value + bytes;
    if (bytes_ <= bytes_max_) return run_.make(sizeof(Value) + bytes);
    return run_.fail("value_too_large",
                     fmt::format("Value too large: a set that is to be carried holds more than {} "
                                 "bytes",
                                 bytes_max_));
  }

  Result<Object> over(const SetPtr& in) {
    TRY(add(0));
    Object made;
    made.append("in", TRY(set(*in)));
    return made;
  }
  Result<Value> over(const SetPtr& in, const Callable& by) {
    Object made = TRY(over(in));
    made.append("by", TRY(function(by)));
    return Value(std::move(made));
  }

  Result<Value> values(std::span<const FqlValue> all) {
    TRY(add(0));
    Array items;
    for (const FqlValue& each : all) items.push_back(TRY(value(each)));
    return Value(std::move(items));
  }

  Result<Value> method(const BoundMethod& bound) {
    TRY(add(bound.method().name.size() + bound.method().of.size()));
    Object made{{"method", std::string(bound.method().name)},
                {"of", std::string(bound.method().of)},
                {"static", bound.method().is_static}};
    made.append("self", TRY(value(bound.self())));
    if (bound.is_of_query()) made.append("own", true);
    return Value(std::move(made));
  }

  Result<Value> function(const Callable& callable) {
    if (const auto* bound = dynamic_cast<const BoundMethod*>(&callable)) return method(*bound);
    const auto* closure = dynamic_cast<const Closure*>(&callable);
    if (closure == nullptr) return not_portable();
    TRY(add(text_of(closure->span()).size()));
    Array names;
    for (const Capture& capture : closure->lambda().captures) {
      std::string name = closure->program()->names[capture.name];
      if (name.starts_with('$')) name.replace(0, 1, "value__");
      if (name == hidden_parameter) return not_portable();
      TRY(add(name.size()));
      names.emplace_back(std::move(name));
    }
    const bool is_projection = closure->lambda().form == Lambda::Form::hidden &&
                               closure->lambda().body->as<ObjectOf>() != nullptr;
    Object made{{"text", writable(source_of(*closure))},
                {"projection", is_projection},
                {"names", std::move(names)},
                {"at", instant_value(closure->at())}};
    made.append("values", TRY(values(closure->captured())));
    if (interpreter(run_).is_of_query(*closure)) made.append("own", true);
    return Value(std::move(made));
  }

  Result<Value> value(const FqlValue& value) {
    switch (value.kind()) {
      case FqlKind::set: return tagged_with("#set", TRY(set(*value.set())));
      case FqlKind::function: return tagged_with("#function", TRY(function(*value.function())));
      case FqlKind::array: return values(value.array());
      case FqlKind::object: return object(value.object());
      default: break;
    }
    TRY(add(bytes_of_leaf(value)));
    if (!value.is(FqlKind::document)) return to_stored(value);
    const DocumentHandle& handle = *value.document();
    const bool is_plain = !handle.at && handle.routing.empty();
    return is_plain ? to_stored(value) : Result<Value>(encode_document(handle));
  }

  Result<Value> object(const FqlObject& object) {
    TRY(add(0));
    Object members;
    for (const auto& [name, member] : object.members()) {
      TRY(add(name.size()));
      members.set(name, TRY(value(member)));
    }
    return tagged_with("#object", Value(std::move(members)));
  }

  Run& run_;
  const std::size_t bytes_max_;
  std::size_t bytes_ = 0;
};

}  // namespace

Result<Value> encode_set(Run& run, const FqlSet& set, std::size_t bytes_max) {
  return SetEncoder(run, bytes_max).set(set);
}

}  // namespace mayfly::fauna
