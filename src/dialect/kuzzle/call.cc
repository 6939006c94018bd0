#include "dialect/kuzzle/call.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/common/requests/parameters.h"
#include "dialect/kuzzle/errors.h"

namespace mayfly::kuzzle {

Result<std::string> KuzzleCall::index() const {
  if (message.index.empty()) return missing_argument("index", "an");
  if (message.index.front() == '%') {
    return problem("services.storage.index_reserved",
                   fill_words(generation().words.reserved_index, message.index));
  }
  return message.index;
}

Result<std::string> KuzzleCall::collection() const {
  if (message.collection.empty()) return missing_argument("collection");
  return message.collection;
}

Result<std::string> KuzzleCall::id() const {
  if (!message.id || message.id->empty()) return missing_argument("_id", "an");
  return *message.id;
}

Result<const Object*> KuzzleCall::body() const {
  if (!message.body.is(Kind::object)) {
    return problem("api.assert.body_required", "The request must specify a body.");
  }
  return &message.body.object();
}

Result<const Array*> KuzzleCall::body_array(std::string_view name) const {
  const Object& object = *TRY(body());
  const Value* value = object.find(name);
  if (value == nullptr) return missing_in_body(name);
  if (!value->is(Kind::array)) {
    return problem(
        "api.assert.invalid_type",
        fmt::format("The request must specify the body attribute \"{}\" of type \"array\".", name));
  }
  return &value->array();
}

Result<std::string> KuzzleCall::body_text(std::string_view name) const {
  const Object& object = *TRY(body());
  const Value* value = object.find(name);
  if (value == nullptr) return missing_in_body(name);
  if (value->is(Kind::text)) return value->text();
  return problem(
      "api.assert.invalid_type",
      fmt::format("The request must specify the body attribute \"{}\" of type \"string\".", name));
}

Result<bool> KuzzleCall::flag(std::string_view name) const {
  const Value* value = message.arguments.find(name);
  if (value == nullptr || value->is_null()) return false;
  if (value->is(Kind::boolean)) return value->boolean();
  // A parameter without a value is true.
  const std::string text = value->is(Kind::text) ? value->text() : "";
  if (value->is(Kind::text) && (text.empty() || text == "true" || text == "1")) return true;
  if (value->is(Kind::text) && (text == "false" || text == "0")) return false;
  return wrong_type(name, "boolean");
}

Result<std::optional<std::int64_t>> KuzzleCall::integer(std::string_view name) const {
  const Value* value = message.arguments.find(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->is(Kind::integer) && value->integer() >= 0) return value->integer();
  if (!value->is(Kind::text)) return wrong_type(name, "integer");
  auto parsed = parse_integer(value->text(), std::string(name), 0, INT64_MAX);
  if (!parsed) return wrong_type(name, "integer");
  return *parsed;
}

Result<std::optional<std::string>> KuzzleCall::text(std::string_view name) const {
  const Value* value = message.arguments.find(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (!value->is(Kind::text)) return wrong_type(name, "string");
  return value->text();
}

std::vector<std::string> split_at_commas(std::string_view list) {
  std::vector<std::string> texts;
  while (!list.empty()) {
    const std::string_view text = list.substr(0, list.find(','));
    if (!text.empty()) texts.emplace_back(text);
    list.remove_prefix(std::min(text.size() + 1, list.size()));
  }
  return texts;
}

bool KuzzleCall::includes_trash() const {
  return flag("includeTrash").value_or(false);
}

Result<bool> KuzzleCall::asks_for_source() const {
  if (!generation().takes_source_flag) return false;
  return flag("source");
}

Result<void> KuzzleCall::check_refresh() const {
  const Value* value = message.arguments.find("refresh");
  if (value == nullptr || value->is_null() || value->is(Kind::boolean)) return {};
  const bool is_known =
      value->is(Kind::text) && (value->text() == "wait_for" || value->text() == "false" ||
                                value->text() == "true" || value->text().empty());
  if (is_known) return {};
  return problem("api.assert.invalid_argument",
                 "Refresh parameter only supports the value \"wait_for\" or false");
}

}  // namespace mayfly::kuzzle
