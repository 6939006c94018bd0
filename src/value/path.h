// A path into a value: names and array positions, as in `.user.tags[0]`. The empty path is the
// value itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace mayfly {

using Step = std::variant<std::string, std::size_t>;

struct Path {
  std::vector<Step> steps;

  // The path of one name.
  static Path of(std::string_view name);
  // Reads `a.b[3]` (also with a leading dot); a name with other characters than letters, digits, _,
  // - and $ is written ["as JSON text"]. Fails with invalid, naming the position.
  static Result<Path> parse(std::string_view text);
  // What parse reads, with a leading dot.
  std::string render() const;
  bool operator==(const Path&) const = default;
};

// Where a field is looked for: in a document's body or among the facts the database keeps about it.
enum class Part : std::uint8_t { body, metadata };
struct Field {
  Part part = Part::body;
  Path path;

  static Field body(std::string_view name) { return {Part::body, Path::of(name)}; }
  static Field metadata(std::string_view name) { return {Part::metadata, Path::of(name)}; }
  // ".a.b" for the body, "@created_at" for metadata.
  std::string render() const;
  bool operator==(const Field&) const = default;
};

// What lies at the path, or missing.
Value at(const Value& value, const Path& path);
// Sets what lies at the path, making objects on the way where nothing is. Fails with invalid where
// the way leads through something that is neither object nor array, or past the end of an array
// (one past it appends).
Result<void> set_at(Value& value, const Path& path, Value with);
// Removes what lies at the path; not an error if nothing does. Whether something was removed.
bool remove_at(Value& value, const Path& path);

}  // namespace mayfly
