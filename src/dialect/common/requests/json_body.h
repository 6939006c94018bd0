// Typed reading of a JSON body, member by member. Every getter gives nullopt if the member is
// missing, and fails with invalid, naming the member by its path ("stamp_ttl.seconds"), if its
// value is of another kind or out of range. null is a value: call has_null() first to accept it.
//
//   MemberReader reader(object);
//   auto name = TRY(reader.text("name"));
//   TRY(reader.finish());  // refuses members that were not read
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "value/json/json.h"
#include "value/value.h"

namespace mayfly {

// The body as an object. Fails with invalid or too_large; an empty body is not an object.
Result<Object> parse_object(std::string_view body, const JsonLimits& limits = {});
// The same, but an empty body is an object without members.
Result<Object> parse_optional_object(std::string_view body, const JsonLimits& limits = {});

class MemberReader {
 public:
  // `object`, and the names passed to the getters, outlive the reader. `path` is the path of the
  // object in the body; empty for the body itself.
  explicit MemberReader(const Object& object, std::string path = {})
      : object_(object), path_(std::move(path)) {}

  // The member of any kind; null pointer if it is not there.
  const Value* find(std::string_view name);
  bool has_null(std::string_view name);
  Result<std::optional<std::string>> text(std::string_view name);
  Result<std::optional<bool>> boolean(std::string_view name);
  // A whole number within [least, greatest]; 3.0 is one, 3.5 and "3" are not.
  Result<std::optional<std::int64_t>> integer(std::string_view name, std::int64_t least,
                                              std::int64_t greatest);
  Result<std::optional<double>> number(std::string_view name);
  // A text in RFC 3339.
  Result<std::optional<Instant>> time(std::string_view name);
  // Null pointer if it is not there.
  Result<const Array*> array(std::string_view name);
  Result<const Object*> object(std::string_view name);

  // Fails if the object has a member that no call has read; names it.
  Result<void> finish() const;
  // "path.name", as in errors.
  std::string path_of(std::string_view name) const;
  // The error for a member of the wrong kind: `wanted` as in "a text".
  Error wrong_kind(std::string_view name, std::string_view wanted) const;

 private:
  const Object& object_;
  std::string path_;
  std::vector<std::string_view> asked_;
};

}  // namespace mayfly
