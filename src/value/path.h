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
  // Parses `a.b[3]` (also with a leading dot). An empty name, or one with characters of ASCII other
  // than letters, digits, _, - and $, is written ["as JSON text"]. Fails with invalid, naming the
  // position; also for more than limits::document_depth_max steps.
  static Result<Path> parse(std::string_view text);
  // The text that parse reads, with a leading dot.
  std::string render() const;
  bool operator==(const Path&) const = default;
};

// Where a field is: in a document's body or in the metadata that the database keeps about the
// document.
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

// The value at the path, or missing.
Value at(const Value& value, const Path& path);
// Sets the value at the path; creates missing objects on the way, but no arrays. Fails with invalid
// if a name leads into a value that is no object, or a position into one that is no array or past
// its end (one past it appends); and with too_large for more than limits::document_depth_max steps.
// A failure changes nothing.
Result<void> set_at(Value& value, const Path& path, Value with);
// Removes the value at the path; no error if there is none. Returns whether something was removed.
bool remove_at(Value& value, const Path& path);

}  // namespace mayfly
