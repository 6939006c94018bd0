// Skips, reads and renders stored text.
#include "value/packed/text.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "value/json/json.h"
#include "value/json/number.h"
#include "value/json/text.h"

namespace mayfly {
namespace {

constexpr std::size_t npos = std::string_view::npos;

// The quote that closes the text whose contents begin at `from`.
std::size_t closing_quote(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size(); ++at) {
    const void* found = std::memchr(text.data() + at, '"', text.size() - at);
    if (!found) return npos;
    at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    std::size_t backslashes = 0;
    while (backslashes < at - from && text[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at;
  }
  return npos;
}

std::size_t end_of_container(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (; at < text.size(); ++at) {
    switch (text[at]) {
      case '{':
      case '[': ++depth; break;
      case '}':
      case ']':
        if (--depth == 0) return at + 1;
        break;
      case '"':
        at = closing_quote(text, at + 1);
        if (at == npos) return npos;
        break;
      default: break;
    }
  }
  return npos;
}

// The position after the value at `at`.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  if (at >= text.size()) return npos;
  const char c = text[at];
  if (c == '{' || c == '[') return end_of_container(text, at);
  if (c == '"') {
    const std::size_t close = closing_quote(text, at + 1);
    return close == npos ? npos : close + 1;
  }
  while (at < text.size() && text[at] != ',' && text[at] != ']' && text[at] != '}') ++at;
  return at;
}

// Reads one value after another. Every function returns whether its input was well-formed.
class StoredReader {
 public:
  StoredReader(std::string_view text, Wrappers wrappers) : text_(text), wrappers_(wrappers) {}

  bool done() const { return at_ == text_.size(); }

  bool value(Value& out) {
    switch (peek()) {
      case '"': {
        std::string text;
        if (!read_text(text)) return false;
        out = std::move(text);
        return true;
      }
      case '{':
        return wrappers_ == Wrappers::some && accept(wrapper_open) ? wrapped(out) : object(out);
      case '[': return array(out);
      case 'n': out = Null(); return accept("null");
      case 'f': out = false; return accept("false");
      case 't': out = true; return accept("true");
      default: return number(out);
    }
  }

  bool object(Value& out) {
    if (!accept("{") || depth_ >= limits::document_depth_max) return false;
    ++depth_;
    Object members;
    if (depth_ == 1) members.reserve(usual_members);
    if (!accept("}")) {
      do {
        std::string name;
        Value member;
        if (!read_text(name) || !accept(":") || !value(member)) return false;
        members.append(std::move(name), std::move(member));
      } while (accept(","));
      if (!accept("}")) return false;
    }
    --depth_;
    out = std::move(members);
    return true;
  }

 private:
  // Room for the members of most documents, so that they are not moved while they are read.
  static constexpr std::size_t usual_members = 8;

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool accept(std::string_view word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  bool array(Value& out) {
    if (!accept("[") || depth_ >= limits::document_depth_max) return false;
    ++depth_;
    Array items;
    if (!accept("]")) {
      do {
        if (!value(items.emplace_back())) return false;
      } while (accept(","));
      if (!accept("]")) return false;
    }
    --depth_;
    out = std::move(items);
    return true;
  }

  bool read_text(std::string& out) {
    if (!accept("\"")) return false;
    const std::size_t close = closing_quote(text_, at_);
    if (close == npos) return false;
    const std::string_view raw = text_.substr(at_, close - at_);
    at_ = close + 1;
    if (raw.find('\\') == npos) {
      out = raw;
      return true;
    }
    auto text = unescape_json(raw);
    if (text) out = std::move(*text);
    return text.has_value();
  }

  bool number(Value& out) {
    const std::size_t end = end_of_value(text_, at_);
    if (end == npos) return false;
    const std::string_view token = text_.substr(at_, end - at_);
    at_ = end;
    return read_number(token, out) == NumberFault::none;
  }

  bool wrapped(Value& out) {
    std::string kind;
    if (!read_text(kind) || !accept(",")) return false;
    const bool is_known = kind == "time"        ? time(out)
                          : kind == "date"      ? date(out)
                          : kind == "binary"    ? binary(out)
                          : kind == "reference" ? reference(out)
                          : kind == "real"      ? real(out)
                          : kind == "object"    ? object(out)
                                                : false;
    return is_known && accept(wrapper_close);
  }

  bool integer(std::int64_t& out) {
    Value n;
    if (!number(n) || !n.is(Kind::integer)) return false;
    out = n.integer();
    return true;
  }

  bool time(Value& out) {
    Instant t;
    if (!integer(t.micros)) return false;
    out = t;
    return true;
  }

  bool date(Value& out) {
    std::int64_t days = 0;
    if (!integer(days) || days != static_cast<std::int32_t>(days)) return false;
    out = Date{static_cast<std::int32_t>(days)};
    return true;
  }

  bool binary(Value& out) {
    std::string text;
    if (!read_text(text)) return false;
    auto bytes = decode_base64(text);
    if (bytes) out = Binary{std::move(*bytes)};
    return bytes.has_value();
  }

  bool reference(Value& out) {
    Reference to;
    if (!read_text(to.collection) || !accept(",") || !read_text(to.id)) return false;
    out = std::move(to);
    return true;
  }

  bool real(Value& out) {
    std::string name;
    if (!read_text(name)) return false;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (name == "NaN") {
      out = std::numeric_limits<double>::quiet_NaN();
    } else if (name == "Infinity" || name == "-Infinity") {
      out = name[0] == '-' ? -infinity : infinity;
    } else {
      return false;
    }
    return true;
  }

  std::string_view text_;
  Wrappers wrappers_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

// Walks from one wrapper to the next: the text between them is in the form of responses already. A
// text value is not mistaken for a wrapper, because its quotes are escaped.
void render_packed_object(std::string_view object, std::size_t depth, std::string& out) {
  std::size_t from = 0;
  // The first byte opens the object itself, which is no wrapper.
  for (std::size_t at; (at = object.find(wrapper_open, from == 0 ? 1 : from)) != npos;) {
    const std::size_t end = end_of_value(object, at);
    if (end == npos || depth == 0) break;
    out.append(object, from, at - from);
    const std::string_view wrapper = object.substr(at, end - at);
    Value value;
    if (wrapper.starts_with(object_wrapper_open) && wrapper.ends_with(wrapper_close)) {
      const std::size_t around = object_wrapper_open.size() + wrapper_close.size();
      render_packed_object(wrapper.substr(object_wrapper_open.size(), wrapper.size() - around),
                           depth - 1, out);
    } else {
      read_stored(wrapper, Wrappers::some, value);
      render_json(value, out);
    }
    from = end;
  }
  out.append(object, from);
}

}  // namespace

std::string_view stored_member(std::string_view value, std::string_view escaped_name,
                               Wrappers wrappers) {
  if (wrappers == Wrappers::some && value.starts_with(wrapper_open)) {
    if (!value.starts_with(object_wrapper_open)) return {};
    value.remove_prefix(object_wrapper_open.size());
  }
  if (!value.starts_with('{')) return {};
  for (std::size_t at = 1; at < value.size() && value[at] == '"';) {
    const std::size_t close = closing_quote(value, at + 1);
    if (close == npos) return {};
    const std::size_t end = end_of_value(value, close + 2);
    if (end == npos) return {};
    if (value.substr(at + 1, close - at - 1) == escaped_name) {
      return value.substr(close + 2, end - close - 2);
    }
    if (end >= value.size() || value[end] != ',') return {};
    at = end + 1;
  }
  return {};
}

std::string_view stored_item(std::string_view value, std::size_t index) {
  if (!value.starts_with('[')) return {};
  for (std::size_t at = 1;; --index) {
    const std::size_t end = end_of_value(value, at);
    if (end == npos) return {};
    if (index == 0) return value.substr(at, end - at);
    if (end >= value.size() || value[end] != ',') return {};
    at = end + 1;
  }
}

bool read_stored(std::string_view value, Wrappers wrappers, Value& out) {
  StoredReader in(value, wrappers);
  Value read;
  if (!in.value(read) || !in.done()) return false;
  out = std::move(read);
  return true;
}

bool read_stored_document(std::string_view object, Wrappers wrappers, Value& out) {
  StoredReader in(object, wrappers);
  Value read;
  if (!in.object(read) || !in.done()) return false;
  out = std::move(read);
  return true;
}

void render_stored_document(std::string_view object, std::string& out) {
  render_packed_object(object, limits::document_depth_max, out);
}

}  // namespace mayfly
