// Reads JSON bodies, with errors that name the member.
#include "dialect/common/requests/json_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dialect/common/requests/parameters.h"

namespace mayfly {

Result<Object> parse_object(std::string_view body, const JsonLimits& limits) {
  if (body.empty()) return fail(Code::invalid, "the body must be a JSON object; it is empty");
  Value value = TRY(parse_json(body, limits));
  if (!value.is(Kind::object)) return fail(Code::invalid, "the body must be a JSON object");
  return std::move(value.mutable_object());
}

Result<Object> parse_optional_object(std::string_view body, const JsonLimits& limits) {
  if (body.empty()) return Object();
  return parse_object(body, limits);
}

const Value* MemberReader::find(std::string_view name) {
  asked_.push_back(name);
  return object_.find(name);
}

bool MemberReader::has_null(std::string_view name) {
  const Value* value = find(name);
  return value != nullptr && value->is_null();
}

Result<std::optional<std::string>> MemberReader::text(std::string_view name) {
  const Value* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is(Kind::text)) return tl::unexpected(wrong_kind(name, "a text"));
  return value->text();
}

Result<std::optional<bool>> MemberReader::boolean(std::string_view name) {
  const Value* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is(Kind::boolean)) return tl::unexpected(wrong_kind(name, "true or false"));
  return value->boolean();
}

Result<std::optional<std::int64_t>> MemberReader::integer(std::string_view name, std::int64_t least,
                                                          std::int64_t greatest) {
  const Value* value = find(name);
  if (value == nullptr) return std::nullopt;
  std::optional<std::int64_t> n;
  if (value->is(Kind::integer)) n = value->integer();
  if (value->is(Kind::real) && value->real() == std::trunc(value->real()) &&
      std::fabs(value->real()) < 9e18) {
    n = static_cast<std::int64_t>(value->real());
  }
  if (!n || *n < least || *n > greatest) {
    return tl::unexpected(
        wrong_kind(name, fmt::format("a whole number from {} to {}", least, greatest)));
  }
  return n;
}

Result<std::optional<double>> MemberReader::number(std::string_view name) {
  const Value* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) return tl::unexpected(wrong_kind(name, "a number"));
  return value->number();
}

Result<std::optional<Instant>> MemberReader::time(std::string_view name) {
  const auto found = TRY(text(name));
  if (!found) return std::nullopt;
  return TRY(parse_time(*found, path_of(name)));
}

Result<const Array*> MemberReader::array(std::string_view name) {
  const Value* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is(Kind::array)) return tl::unexpected(wrong_kind(name, "an array"));
  return &value->array();
}

Result<const Object*> MemberReader::object(std::string_view name) {
  const Value* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is(Kind::object)) return tl::unexpected(wrong_kind(name, "an object"));
  return &value->object();
}

Result<void> MemberReader::finish() const {
  for (const Object::Member& member : object_) {
    const std::string& name = member.first;
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
    return fail(Code::invalid, fmt::format("there is no member \"{}\" here", path_of(name)),
                path_of(name));
  }
  return {};
}

std::string MemberReader::path_of(std::string_view name) const {
  if (path_.empty()) return std::string(name);
  return path_ + "." + std::string(name);
}

Error MemberReader::wrong_kind(std::string_view name, std::string_view wanted) const {
  std::string path = path_of(name);
  std::string message = fmt::format("\"{}\" must be {}", path, wanted);
  return Error{Code::invalid, std::move(message), std::move(path)};
}

}  // namespace mayfly
