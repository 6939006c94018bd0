// JSON text to Value.
#include <fmt/format.h>

#include <algorithm>

#include "value/json.h"
#include "value/json_cursor.h"
#include "value/json_text.h"
#include "value/name_table.h"

namespace mayfly {
namespace {

// Recursion is bounded by the cursor's depth.
class ValueReader {
 public:
  explicit ValueReader(JsonCursor& in) : in_(in) {}

  bool value(Value& out) {
    switch (in_.peek()) {
      case '{': return object(out);
      case '[': return array(out);
      case '"': {
        std::string text;
        if (!read_text(text, &JsonCursor::text)) return false;
        out = std::move(text);
        return true;
      }
      default: return in_.scalar(out);
    }
  }

 private:
  bool array(Value& out) {
    if (!in_.enter()) return false;
    Array items;
    for (bool first = true; in_.more(']', first); first = false) {
      if (!value(items.emplace_back())) return false;
    }
    out = std::move(items);
    return !in_.failed();
  }

  bool object(Value& out) {
    if (!in_.enter()) return false;
    Object members;
    for (bool first = true; in_.more('}', first); first = false) {
      std::string name;
      Value member;
      if (!read_text(name, &JsonCursor::name) || !value(member)) return false;
      members.append(std::move(name), std::move(member));
    }
    if (in_.failed()) return false;
    settle_duplicates(members);
    out = std::move(members);
    return true;
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

  // The last member of a name takes the place of the first.
  static void settle_duplicates(Object& members) {
    NameTable names(members.size());
    bool unique = true;
    for (const Object::Member& member : members) unique = !names.add(member.first) && unique;
    if (unique) return;
    std::vector<const Value*> last(names.size());
    for (const Object::Member& member : members) last[*names.find(member.first)] = &member.second;
    Object settled;
    for (const Object::Member& member : members) {
      const Value*& value = last[*names.find(member.first)];
      if (value) settled.append(member.first, *value);
      value = nullptr;
    }
    members = std::move(settled);
  }

  JsonCursor& in_;
};

}  // namespace

Result<Value> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes_max) {
    return fail(Code::too_large, fmt::format("JSON of {} bytes, where at most {} are taken",
                                             text.size(), limits.bytes_max));
  }
  return with_tokeniser(text.size(), [&](Tokeniser& tokeniser) -> Result<Value> {
    JsonCursor in(TRY(tokeniser.read(text)), limits.depth_max);
    Value value;
    if (!ValueReader(in).value(value) || !in.end_of_text()) {
      return tl::unexpected<Error>(std::move(in.error()));
    }
    return value;
  });
}

}  // namespace mayfly
