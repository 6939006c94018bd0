// JSON text to Value.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/threads/run_permit.h"
#include "value/json/cursor.h"
#include "value/json/json.h"
#include "value/json/text.h"
#include "value/limits.h"
#include "value/packed/name_table.h"

namespace mayfly {
namespace {

// Parses tokens to a Value. The cursor's depth bounds the recursion.
class ValueReader {
 public:
  explicit ValueReader(JsonCursor& in) : in_(in) {}

  std::size_t value_bytes() const { return value_bytes_; }

  bool value(Value& out) {
    switch (in_.peek()) {
      case '{': return object(out);
      case '[': return array(out);
      case '"': {
        std::string text;
        if (!read_text(text, &JsonCursor::text) || !count_bytes(text.size())) return false;
        out = std::move(text);
        return true;
      }
      default: return in_.scalar(out);
    }
  }

 private:
  bool array(Value& out) {
    if (!in_.enter()) return false;
    if (!count_bytes(container_bytes)) return false;
    Array items;
    for (bool first = true; in_.more(']', first); first = false) {
      if (!count_growth(items.size(), sizeof(Value))) return false;
      if (!value(items.emplace_back())) return false;
    }
    out = std::move(items);
    return !in_.failed();
  }

  bool object(Value& out) {
    if (!in_.enter()) return false;
    if (!count_bytes(container_bytes)) return false;
    Object members;
    for (bool first = true; in_.more('}', first); first = false) {
      std::string name;
      Value member;
      if (!count_growth(members.size(), sizeof(Object::Member))) return false;
      if (!read_text(name, &JsonCursor::name) || !count_bytes(name.size())) return false;
      if (!value(member)) return false;
      members.append(std::move(name), std::move(member));
    }
    if (in_.failed()) return false;
    merge_duplicates(members);
    out = std::move(members);
    return true;
  }

  // Counts the memory of the value; fails beyond the bound.
  bool count_bytes(std::size_t bytes) {
    value_bytes_ += bytes;
    if (value_bytes_ <= limits::parsed_bytes_max) return true;
    return in_.refuse(
        Error{Code::too_large,
              fmt::format("JSON that takes more than {} bytes of memory: it has too many "
                          "values, up to byte {}",
                          limits::parsed_bytes_max, in_.position())});
  }
  // Counts one more item after `count` items of a vector that doubles its capacity.
  bool count_growth(std::size_t count, std::size_t bytes_each) {
    if (count == 0) return count_bytes(bytes_each);
    return !std::has_single_bit(count) || count_bytes(count * bytes_each);
  }

  bool read_text(std::string& out, bool (JsonCursor::*take)(std::string_view&)) {
    const std::size_t start = in_.position();
    std::string_view raw;
    if (!(in_.*take)(raw)) return false;
    if (raw.find('\\') == std::string_view::npos) {
      out = raw;
      return true;
    }
    auto text = unescape_json(raw);
    if (!text) return in_.refuse(start, "this text holds an escape that stands for nothing");
    out = std::move(*text);
    return true;
  }

  // The last member of a name replaces the value of the first.
  static void merge_duplicates(Object& members) {
    NameTable names(members.size());
    bool unique = true;
    for (const Object::Member& member : members) unique = !names.add(member.first) && unique;
    if (unique) return;
    std::vector<const Value*> last(names.size());
    for (const Object::Member& member : members) last[*names.find(member.first)] = &member.second;
    Object merged;
    for (const Object::Member& member : members) {
      const Value*& value = last[*names.find(member.first)];
      if (value) merged.append(member.first, *value);
      value = nullptr;
    }
    members = std::move(merged);
  }

  // An empty shared container, with the allocator's overhead.
  static constexpr std::size_t container_bytes = 64;

  JsonCursor& in_;
  std::size_t value_bytes_ = 0;
};

}  // namespace

Result<Value> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes_max) {
    return fail(Code::too_large, fmt::format("JSON of {} bytes, where at most {} are taken",
                                             text.size(), limits.bytes_max));
  }
  return with_tokeniser(text.size(), [&](Tokeniser& tokeniser) -> Result<Value> {
    RunPermit* permit =
        text.size() > limits::quickly_parsed_bytes_max ? current_run_permit() : nullptr;
    if (permit != nullptr) TRY(permit->become_long());
    JsonCursor in(TRY(tokeniser.read(text)), limits.depth_max);
    ValueReader reader(in);
    Value value;
    const bool is_read = reader.value(value) && in.end_of_text();
    if (permit != nullptr) permit->report_peak(reader.value_bytes());
    if (!is_read) return tl::unexpected<Error>(std::move(in.error()));
    return value;
  });
}

}  // namespace mayfly
