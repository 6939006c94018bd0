// Parses, renders and follows paths.
#include "value/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/limits.h"
#include "value/json/json.h"

namespace mayfly {
namespace {

// Letters of other scripts than Latin are bytes from 0x80 on.
bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_bare_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_bare);
}

// path := "."? | "."? (name | bracket) ("." name | bracket)*
// bracket := "[" (digits | JSON text) "]"
class PathReader {
 public:
  explicit PathReader(std::string_view text) : text_(text) {}

  Result<Path> read() {
    if (text_.empty() || text_ == ".") return Path{};
    Path path;
    for (bool first = true; at_ < text_.size(); first = false) {
      const bool dotted = text_[at_] == '.';
      if (dotted) ++at_;
      if (next() == '[' && (first || !dotted)) {
        path.steps.push_back(TRY(bracket()));
      } else if (first || dotted) {
        path.steps.push_back(TRY(name()));
      } else {
        return refuse("a dot or [ is expected");
      }
      if (path.steps.size() > limits::document_depth_max) return refuse("it has too many steps");
    }
    return path;
  }

 private:
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  tl::unexpected<Error> refuse(std::string_view what) const {
    return fail(Code::invalid, fmt::format("not a path at byte {}: {}", at_, what));
  }

  Result<Step> name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_bare(text_[at_])) ++at_;
    if (at_ == start) return refuse("a name is expected");
    return Step(std::string(text_.substr(start, at_ - start)));
  }

  Result<Step> bracket() {
    ++at_;
    Step step = next() == '"' ? TRY(quoted()) : TRY(index());
    if (next() != ']') return refuse("] is expected");
    ++at_;
    return step;
  }

  Result<Step> index() {
    std::size_t index = 0;
    const char* start = text_.data() + at_;
    const auto read = std::from_chars(start, text_.data() + text_.size(), index);
    const bool has_leading_zero = read.ptr - start > 1 && *start == '0';
    if (read.ec != std::errc() || has_leading_zero) return refuse("an array position is expected");
    at_ += static_cast<std::size_t>(read.ptr - start);
    return Step(index);
  }

  Result<Step> quoted() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return refuse("this name is never closed");
    const auto name = parse_json(text_.substr(at_, end + 1 - at_));
    if (!name || !name->is(Kind::text)) return refuse("this name is not a JSON text");
    at_ = end + 1;
    return Step(name->text());
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

tl::unexpected<Error> no_way(const Path& path, std::size_t step, std::string_view what) {
  const Path until{{path.steps.begin(), path.steps.begin() + static_cast<std::ptrdiff_t>(step)}};
  return fail(Code::invalid, fmt::format("{} {}", until.render(), what));
}

const Value* find(const Value& value, const Step& step) {
  if (const auto* name = std::get_if<std::string>(&step)) {
    return value.is(Kind::object) ? value.object().find(*name) : nullptr;
  }
  const std::size_t index = std::get<std::size_t>(step);
  return value.is(Kind::array) && index < value.array().size() ? &value.array()[index] : nullptr;
}

// Whether set_at can follow the whole path; it is checked first so that a failure changes nothing.
Result<void> check_path(const Value& value, const Path& path) {
  const Value* here = &value;
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const bool is_nothing = !here || here->is_missing();
    if (std::holds_alternative<std::string>(path.steps[i])) {
      if (!is_nothing && !here->is(Kind::object)) return no_way(path, i, "is not an object");
    } else {
      if (is_nothing || !here->is(Kind::array)) return no_way(path, i, "is not an array");
      const std::size_t index = std::get<std::size_t>(path.steps[i]);
      if (index > here->array().size()) return no_way(path, i, "ends before that position");
    }
    here = is_nothing ? nullptr : find(*here, path.steps[i]);
  }
  return {};
}

// The value that a step leads to; created if it is missing. The step must be valid.
Value& enter(Value& value, const Step& step) {
  if (const auto* name = std::get_if<std::string>(&step)) {
    if (value.is_missing()) value = Object();
    Object& members = value.mutable_object();
    if (Value* found = members.find(*name)) return *found;
    members.append(*name, Value());
    return (members.end() - 1)->second;
  }
  Array& items = value.mutable_array();
  const std::size_t index = std::get<std::size_t>(step);
  return index == items.size() ? items.emplace_back() : items[index];
}

const Value* find(const Value& value, const Path& path) {
  const Value* found = &value;
  for (const Step& step : path.steps) {
    found = find(*found, step);
    if (!found) return nullptr;
  }
  return found;
}

}  // namespace

Path Path::of(std::string_view name) {
  return Path{{std::string(name)}};
}

Result<Path> Path::parse(std::string_view text) {
  return PathReader(text).read();
}

std::string Path::render() const {
  if (steps.empty()) return ".";
  std::string out;
  for (const Step& step : steps) {
    const auto* name = std::get_if<std::string>(&step);
    const bool bare = name && is_bare_name(*name);
    if (bare || out.empty()) out.push_back('.');
    if (bare) {
      out.append(*name);
    } else if (name) {
      out.push_back('[');
      render_json_text(*name, out);
      out.push_back(']');
    } else {
      out.append(fmt::format("[{}]", std::get<std::size_t>(step)));
    }
  }
  return out;
}

std::string Field::render() const {
  std::string text = path.render();
  if (part == Part::metadata) text[0] = '@';
  return text;
}

Value at(const Value& value, const Path& path) {
  const Value* found = find(value, path);
  return found ? *found : Value();
}

Result<void> set_at(Value& value, const Path& path, Value with) {
  if (path.steps.size() > limits::document_depth_max) {
    return fail(Code::too_large, "a path of too many steps");
  }
  TRY(check_path(value, path));
  Value* target = &value;
  for (const Step& step : path.steps) target = &enter(*target, step);
  *target = std::move(with);
  return {};
}

bool remove_at(Value& value, const Path& path) {
  const Value* found = find(value, path);
  if (!found) return false;
  if (path.steps.empty()) {
    value = Value();
    return true;
  }
  Value* target = &value;
  for (std::size_t i = 0; i + 1 < path.steps.size(); ++i) target = &enter(*target, path.steps[i]);
  if (const auto* name = std::get_if<std::string>(&path.steps.back())) {
    return target->mutable_object().remove(*name);
  }
  Array& items = target->mutable_array();
  items.erase(items.begin() +
              static_cast<std::ptrdiff_t>(std::get<std::size_t>(path.steps.back())));
  return true;
}

}  // namespace mayfly
