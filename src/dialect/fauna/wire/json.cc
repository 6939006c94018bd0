// Parses JSON to FqlValue, using the tokens of simdjson.
#include "dialect/fauna/wire/json.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "base/threads/run_permit.h"
#include "dialect/fauna/wire/wire_limits.h"
#include "value/json/cursor.h"
#include "value/json/text.h"
#include "value/limits.h"
#include "value/packed/name_table.h"

namespace mayfly::fauna {
namespace {

// Recursion is bounded by the cursor's depth.
class WireReader {
 public:
  explicit WireReader(JsonCursor& in) : in_(in) {}

  std::size_t bytes_held() const { return held_; }

  bool value(FqlValue& out) {
    switch (in_.peek()) {
      case '{': return object(out);
      case '[': return array(out);
      case '"': {
        std::string text;
        if (!read_text(text, &JsonCursor::text)) return false;
        out = std::move(text);
        return true;
      }
      default: return scalar(out);
    }
  }

 private:
  bool scalar(FqlValue& out) {
    Value plain;
    if (!count_bytes(sizeof(FqlValue)) || !in_.scalar(plain)) return false;
    switch (plain.kind()) {
      case Kind::boolean: out = plain.boolean(); break;
      case Kind::integer: out = whole_number(plain.integer()); break;
      case Kind::real: out = plain.real(); break;
      default: out = nullptr;
    }
    return true;
  }

  bool array(FqlValue& out) {
    if (!in_.enter() || !count_bytes(container_bytes)) return false;
    FqlArray items;
    for (bool first = true; in_.more(']', first); first = false) {
      if (!value(items.emplace_back())) return false;
    }
    out = std::move(items);
    return !in_.failed();
  }

  bool object(FqlValue& out) {
    if (!in_.enter() || !count_bytes(container_bytes)) return false;
    FqlObject object;
    for (bool first = true; in_.more('}', first); first = false) {
      std::string name;
      FqlValue member;
      if (!read_text(name, &JsonCursor::name) || !value(member)) return false;
      object.append(std::move(name), std::move(member));
    }
    if (in_.failed() || !has_unique_names(object)) return false;
    out = std::move(object);
    return true;
  }

  bool has_unique_names(const FqlObject& object) {
    NameTable names(object.size());
    for (const FqlObject::Member& member : object.members()) {
      if (!names.add(member.first)) continue;
      return in_.refuse(
          Error{Code::invalid, fmt::format("Duplicate object field `{}`", member.first)});
    }
    return true;
  }

  bool read_text(std::string& out, bool (JsonCursor::*take)(std::string_view&)) {
    const std::size_t start = in_.position();
    std::string_view raw;
    if (!(in_.*take)(raw) || !count_bytes(text_bytes + raw.size())) return false;
    auto text = unescape_json(raw);
    if (!text) return in_.refuse(start, "this text holds an escape that stands for nothing");
    out = *std::move(text);
    return true;
  }

  bool count_bytes(std::size_t bytes) {
    held_ += bytes;
    return held_ <= limits::fql_parsed_bytes_max ||
           in_.refuse(Error{Code::invalid, "JSON holds too many values"});
  }

  // Includes the overhead of the allocator and of growing vectors.
  static constexpr std::size_t container_bytes = 96;
  static constexpr std::size_t text_bytes = 64;

  JsonCursor& in_;
  std::size_t held_ = 0;
};

// The cursor fails with too_large only for depth.
Error told_to_client(Error error) {
  if (error.code == Code::too_large) error = {Code::invalid, "JSON exceeds nesting limit"};
  return error;
}

}  // namespace

Result<FqlValue> parse_wire_json(std::string_view text) {
  RunPermit* const permit =
      text.size() > limits::quickly_parsed_bytes_max ? current_run_permit() : nullptr;
  if (permit != nullptr) TRY(permit->become_long());
  return with_tokeniser(text.size(), [&](Tokeniser& tokeniser) -> Result<FqlValue> {
    JsonCursor in(TRY(tokeniser.read(text)), limits::fql_request_depth_max);
    WireReader reader(in);
    FqlValue value;
    const bool is_read = reader.value(value) && in.end_of_text();
    if (permit != nullptr) permit->report_peak(reader.bytes_held());
    if (!is_read) return tl::unexpected<Error>(told_to_client(std::move(in.error())));
    return value;
  });
}

}  // namespace mayfly::fauna
