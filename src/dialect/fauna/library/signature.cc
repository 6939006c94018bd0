#include "dialect/fauna/library/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/check.h"

namespace mayfly::fauna {
namespace {

template <FqlKind kind>
bool has_kind(const FqlValue& value) {
  return value.is(kind);
}

constexpr TypeWord type_words[] = {
    {"Any", "Any", [](const FqlValue&) { return true; }},
    {"Null", "Null", has_kind<FqlKind::null>},
    {"Boolean", "Boolean", has_kind<FqlKind::boolean>},
    {"Number", "Number", [](const FqlValue& value) { return value.is_number(); }},
    {"Int", "Int",
     [](const FqlValue& value) {
       return value.is(FqlKind::whole) && value.whole().number >= INT32_MIN &&
              value.whole().number <= INT32_MAX;
     }},
    {"Long", "Long", has_kind<FqlKind::whole>},
    {"Double", "Double", has_kind<FqlKind::real>},
    {"String", "String", has_kind<FqlKind::text>},
    {"Bytes", "Bytes", has_kind<FqlKind::bytes>},
    {"Time", "Time", has_kind<FqlKind::time>},
    {"Date", "Date", has_kind<FqlKind::date>},
    {"ID", "ID", has_kind<FqlKind::id>},
    {"Array", "Array<Any>", has_kind<FqlKind::array>},
    {"Set", "Set<Any>", has_kind<FqlKind::set>},
    {"Object", "{ *: Any }", has_kind<FqlKind::object>},
    {"Function", "Function", has_kind<FqlKind::function>},
    {"Document", "Doc", has_kind<FqlKind::document>},
};

// The position of `end` outside of all brackets; npos if there is none.
std::size_t find_outside(std::string_view text, std::string_view end) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (depth == 0 && text.substr(i).starts_with(end)) return i;
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
  }
  return std::string_view::npos;
}

// Removes the part of `text` up to and including `end` and returns it without `end`; all of `text`
// if there is no `end`.
std::string_view cut_front(std::string_view& text, std::string_view end) {
  const std::size_t at = find_outside(text, end);
  const std::string_view front = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + end.size());
  return front;
}

MethodParameter::Type parse_type(std::string_view text) {
  constexpr std::string_view array_of = "Array<";
  MethodParameter::Type type{nullptr, text.starts_with(array_of)};
  if (type.is_array_of) text = text.substr(array_of.size(), text.size() - array_of.size() - 1);
  if (text.find("=>") != text.npos) text = "Function";
  const auto* const found = std::ranges::find(type_words, text, &TypeWord::word);
  CHECK(found != std::end(type_words));
  type.word = found;
  return type;
}

MethodParameter parse_parameter(std::string_view text) {
  MethodParameter parameter;
  parameter.is_rest = text.starts_with("...");
  if (parameter.is_rest) text.remove_prefix(3);
  parameter.name = cut_front(text, ": ");
  parameter.is_optional = parameter.name.ends_with('?');
  if (parameter.is_optional) parameter.name.remove_suffix(1);
  parameter.text = text;
  while (!text.empty()) parameter.types.push_back(parse_type(cut_front(text, " | ")));
  return parameter;
}

bool takes_type(const MethodParameter::Type& type, const FqlValue& value) {
  if (!type.is_array_of) return type.word->takes(value);
  return value.is(FqlKind::array) && std::ranges::all_of(value.array(), type.word->takes);
}

}  // namespace

bool MethodParameter::takes(const FqlValue& value) const {
  return std::ranges::any_of(types, [&](const Type& type) { return takes_type(type, value); });
}

std::string MethodParameter::shown_type() const {
  std::string shown;
  for (const Type& type : types) {
    if (!shown.empty()) shown += " | ";
    shown += type.is_array_of ? fmt::format("Array<{}>", type.word->shown)
                              : std::string(type.word->shown);
  }
  return shown;
}

Signature Signature::parse(std::string_view text) {
  Signature signature;
  signature.is_field = !text.starts_with('(');
  if (signature.is_field) {
    signature.result = text;
    return signature;
  }
  text.remove_prefix(1);
  std::string_view list = cut_front(text, ")");
  constexpr std::string_view arrow = " => ";
  signature.result = text.starts_with(arrow) ? text.substr(arrow.size()) : text;
  while (!list.empty()) {
    const MethodParameter parameter = parse_parameter(cut_front(list, ", "));
    if (parameter.is_rest) {
      signature.arity.max = Arity::any;
    } else {
      ++signature.arity.max;
      if (!parameter.is_optional) ++signature.arity.min;
    }
    signature.parameters.push_back(parameter);
  }
  return signature;
}

Result<void> Signature::check(Run& run, std::span<const FqlValue> arguments) const {
  if (!arity.takes(arguments.size())) return run.fail_arity(arity, arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const MethodParameter& parameter = parameters[std::min(i, parameters.size() - 1)];
    if (parameter.takes(arguments[i])) continue;
    return run.fail_argument_type(parameter.name, parameter.shown_type(), arguments[i]);
  }
  return {};
}

}  // namespace mayfly::fauna
