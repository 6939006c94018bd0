// Converts templates to texts with placeholders. Recursion is bounded by the depth of the JSON that
// was parsed.
#include "dialect/fauna/wire/template.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "dialect/fauna/values/text/literal.h"
#include "dialect/fauna/wire/formats/tagged.h"
#include "dialect/fauna/wire/json.h"

namespace mayfly::fauna {
namespace {

tl::unexpected<Error> bad_body(std::string_view reason) {
  return fail(Code::invalid, fmt::format("Invalid request body: {}", reason));
}

// The content of an object whose only member has that name; null for any other template.
const FqlValue* form_of(const FqlValue& json, std::string_view name) {
  const bool is_form = json.is(FqlKind::object) && json.object().size() == 1;
  return is_form ? json.object().find(name) : nullptr;
}

class TemplateWriter {
 public:
  explicit TemplateWriter(const Names& names) : names_(names) {}

  QueryText take() { return std::move(out_); }

  // Returns whether it is a value. In that case, exactly one placeholder was added and no text.
  Result<bool> put(const FqlValue& json) {
    if (json.is(FqlKind::text)) return put_source(json.text());
    if (const FqlValue* fragments = form_of(json, "fql")) return put_fragments(*fragments);
    if (const FqlValue* tagged = form_of(json, "value")) return put_tagged(*tagged);
    if (const FqlValue* items = form_of(json, "array")) return put_array(*items);
    if (const FqlValue* members = form_of(json, "object")) return put_object(*members);
    return bad_body("a query is a text or an object with one of fql, value, object, array");
  }

 private:
  struct OutputState {
    std::size_t text;
    std::size_t placeholders;
    std::size_t values;
  };
  OutputState state() const {
    return {out_.text.size(), out_.placeholders.size(), out_.values.size()};
  }

  Result<bool> put_source(const std::string& source) {
    if (source.find('\0') != std::string::npos) {
      return bad_body("FQL strings cannot contain NUL characters");
    }
    has_comment_ = has_comment_ || source.find("//") != std::string::npos;
    out_.text += source;
    return false;
  }

  Result<bool> put_fragments(const FqlValue& fragments) {
    if (!fragments.is(FqlKind::array)) return bad_body("fql is an array");
    for (const FqlValue& fragment : fragments.array()) TRY(put(fragment));
    return false;
  }

  Result<bool> put_tagged(const FqlValue& tagged) {
    auto value = decode_tagged(tagged, names_);
    if (!value && !out_.bad_value) {
      out_.bad_value = BadValue{out_.text.size(), std::move(value.error().message)};
    }
    put_value(value ? *std::move(value) : FqlValue());
    return true;
  }

  void put_value(FqlValue value) {
    out_.placeholders.push_back({out_.text.size(), out_.values.size()});
    out_.values.push_back(std::move(value));
  }

  Result<bool> put_array(const FqlValue& items) {
    if (!items.is(FqlKind::array)) return bad_body("array is an array of templates");
    const OutputState begin = state();
    std::string_view before;
    bool are_values = true;
    out_.text += '[';
    for (const FqlValue& item : items.array()) {
      out_.text += before;
      before = ", ";
      are_values = TRY(put_operand(item)) && are_values;
    }
    out_.text += ']';
    if (!are_values) return false;
    put_value(take_back(begin));
    return true;
  }

  Result<bool> put_object(const FqlValue& members) {
    if (!members.is(FqlKind::object)) return bad_body("object is an object of templates");
    const OutputState begin = state();
    std::string_view before = "{ ";
    bool are_values = true;
    for (const auto& [name, member] : members.object().members()) {
      out_.text += before;
      before = ", ";
      append_quoted(name, out_.text);
      out_.text += ": ";
      are_values = TRY(put_operand(member)) && are_values;
    }
    out_.text += " }";
    if (!are_values) return false;
    FqlArray values = take_back(begin);
    FqlObject object;
    auto value = values.begin();
    for (const auto& [name, member] : members.object().members()) {
      object.append(name, std::move(*value++));
    }
    put_value(std::move(object));
    return true;
  }

  // FQL in parentheses; the line break ends a comment on its last line.
  Result<bool> put_operand(const FqlValue& json) {
    const bool is_source = json.is(FqlKind::text) || form_of(json, "fql") != nullptr;
    if (!is_source) return put(json);
    out_.text += '(';
    const bool had_comment = std::exchange(has_comment_, false);
    TRY(put(json));
    out_.text += has_comment_ ? "\n)" : ")";
    has_comment_ = had_comment;
    return false;
  }

  // Removes and returns the values added since `begin`; there are only values and separators.
  FqlArray take_back(const OutputState& begin) {
    const auto first = out_.values.begin() + static_cast<std::ptrdiff_t>(begin.values);
    FqlArray values(std::make_move_iterator(first), std::make_move_iterator(out_.values.end()));
    out_.values.resize(begin.values);
    out_.placeholders.resize(begin.placeholders);
    out_.text.resize(begin.text);
    if (out_.bad_value) out_.bad_value->offset = std::min(out_.bad_value->offset, begin.text);
    return values;
  }

  const Names& names_;
  QueryText out_;
  bool has_comment_ = false;  // since the last opening parenthesis
};

bool is_argument_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
  });
}

tl::unexpected<Error> bad_argument(std::string_view name, std::string_view reason) {
  return fail(Code::invalid, fmt::format("Invalid argument '{}': {}", name, reason),
              std::string(name));
}

Result<FqlObject> parse_arguments(const FqlValue& json, Format format, const Names& names) {
  if (!json.is(FqlKind::object)) return bad_body("arguments are an object");
  FqlObject arguments;
  for (const auto& [name, value] : json.object().members()) {
    if (!is_argument_name(name)) return bad_argument(name, "must be an identifier");
    auto decoded = format == Format::simple ? Result<FqlValue>(value) : decode_tagged(value, names);
    if (!decoded) return bad_argument(name, decoded.error().message);
    arguments.append(name, *std::move(decoded));
  }
  return arguments;
}

}  // namespace

Result<QueryBody> parse_body(std::string_view body, Format format, const Names& names) {
  if (body.empty()) return fail(Code::invalid, "No request body provided");
  const auto json = parse_wire_json(body);
  if (!json && json.error().code != Code::invalid) return tl::unexpected<Error>(json.error());
  if (!json) return bad_body(json.error().message);
  if (!json->is(FqlKind::object)) return bad_body("an object is expected");
  const FqlValue* const query = json->object().find("query");
  if (query == nullptr) return bad_body("Value for key query not found.");
  TemplateWriter writer(names);
  TRY(writer.put(*query));
  QueryBody parsed;
  parsed.query = writer.take();
  if (const FqlValue* arguments = json->object().find("arguments")) {
    parsed.arguments = TRY(parse_arguments(*arguments, format, names));
  }
  return parsed;
}

}  // namespace mayfly::fauna
