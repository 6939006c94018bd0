// Reads packed bytes.
#include "value/packed/packed.h"

#include <algorithm>
#include <cstring>

#include "value/json/text.h"
#include "value/packed/format.h"
#include "value/packed/text.h"

namespace mayfly {
namespace {

// The parts of packed bytes. If the bytes are damaged, `json` is empty; the directory's contents
// are not validated yet.
struct Layout {
  Wrappers wrappers = Wrappers::none;
  std::size_t count = 0;
  const char* directory = nullptr;
  std::string_view json;

  std::uint32_t entry(std::size_t i) const {
    const auto* e = reinterpret_cast<const std::uint8_t*>(directory + i * packed_entry_bytes);
    return static_cast<std::uint32_t>(e[0]) | static_cast<std::uint32_t>(e[1]) << 8 |
           static_cast<std::uint32_t>(e[2]) << 16 | static_cast<std::uint32_t>(e[3]) << 24;
  }
};

std::size_t position_of(std::uint32_t entry) {
  return entry & packed_position_max;
}

Layout layout_of(BytesView bytes) {
  Layout layout;
  if (bytes.size() < 2 || bytes[0] != packed_format || (bytes[1] & ~packed_has_wrappers) != 0) {
    return layout;
  }
  Reader in(bytes.substr(2));
  const std::uint64_t count = in.varint();
  const BytesView rest = in.rest();
  if (!in.ok() || count > rest.size() / packed_entry_bytes) return layout;
  const BytesView json = rest.substr(count * packed_entry_bytes);
  if (json.size() < 2 || json.front() != '{' || json.back() != '}') return layout;
  layout.wrappers = bytes[1] == packed_has_wrappers ? Wrappers::some : Wrappers::none;
  layout.count = count;
  layout.directory = rest.data();
  layout.json = json;
  return layout;
}

// The canonical escaped form of a name, which is nearly always the name itself.
class EscapedName {
 public:
  explicit EscapedName(std::string_view name) : view_(name) {
    if (!needs_escapes(name)) return;
    put_escaped_json(escaped_, name);
    view_ = escaped_;
  }
  EscapedName(const EscapedName&) = delete;
  std::string_view view() const { return view_; }

 private:
  std::string escaped_;
  std::string_view view_;
};

// The text of the value after the name of the i-th entry.
std::string_view value_at(const Layout& layout, std::size_t i, std::size_t name_size) {
  const std::size_t start = position_of(layout.entry(i)) + name_size + 2;
  const std::size_t after =
      i + 1 < layout.count ? position_of(layout.entry(i + 1)) : layout.json.size() + 1;
  // After the value there are a comma and a quote, or the last brace.
  if (after < start + 2 || after > layout.json.size() + 1) return {};
  return layout.json.substr(start, after - 2 - start);
}

std::string_view member_text(const Layout& layout, std::string_view name) {
  const EscapedName escaped(name);
  const std::string_view wanted_name = escaped.view();
  const std::size_t size = wanted_name.size();
  const std::uint32_t size_byte = std::min<std::size_t>(size, packed_long_name);
  for (std::size_t i = 0; i < layout.count; ++i) {
    const std::uint32_t entry = layout.entry(i);
    if (entry >> 24 != size_byte) continue;
    const std::size_t at = position_of(entry);
    if (at + size >= layout.json.size() || layout.json[at + size] != '"') continue;
    if (std::memcmp(layout.json.data() + at, wanted_name.data(), size) != 0) continue;
    return value_at(layout, i, size);
  }
  return {};
}

// The value at all steps after the first, starting from the value of the first.
std::string_view follow(std::string_view text, const Path& path, Wrappers wrappers) {
  for (std::size_t i = 1; i < path.steps.size() && !text.empty(); ++i) {
    if (const auto* index = std::get_if<std::size_t>(&path.steps[i])) {
      text = stored_item(text, *index);
    } else {
      const EscapedName name(std::get<std::string>(path.steps[i]));
      text = stored_member(text, name.view(), wrappers);
    }
  }
  return text;
}

Value read_member(std::string_view text, Wrappers wrappers) {
  Value value;
  if (!text.empty()) read_stored(text, wrappers, value);
  return value;
}

}  // namespace

bool Packed::plain() const {
  const Layout layout = layout_of(bytes_);
  return layout.wrappers == Wrappers::none && !layout.json.empty();
}

std::string_view Packed::json() const {
  return layout_of(bytes_).json;
}

bool Packed::render_members(std::string& out) const {
  const Layout layout = layout_of(bytes_);
  if (layout.json.size() <= 2) return false;
  if (layout.wrappers == Wrappers::none) {
    out.append(layout.json.substr(1, layout.json.size() - 2));
    return true;
  }
  std::string rendered;
  render_stored_document(layout.json, rendered);
  out.append(rendered, 1, rendered.size() - 2);
  return true;
}

void Packed::render(std::string& out) const {
  const Layout layout = layout_of(bytes_);
  if (layout.wrappers == Wrappers::none) {
    out.append(layout.json);
  } else {
    render_stored_document(layout.json, out);
  }
}

std::string_view Packed::raw_member(std::string_view name) const {
  return member_text(layout_of(bytes_), name);
}

Value Packed::member(std::string_view name) const {
  const Layout layout = layout_of(bytes_);
  return read_member(member_text(layout, name), layout.wrappers);
}

Value Packed::at(const Path& path) const {
  if (path.steps.empty()) return unpack();
  const auto* name = std::get_if<std::string>(&path.steps[0]);
  if (!name) return {};
  const Layout layout = layout_of(bytes_);
  return read_member(follow(member_text(layout, *name), path, layout.wrappers), layout.wrappers);
}

Value Packed::unpack() const {
  const Layout layout = layout_of(bytes_);
  Value value;
  if (!layout.json.empty()) read_stored_document(layout.json, layout.wrappers, value);
  return value;
}

// Every document has exactly one packed form, so packing the unpacked document again finds all
// damage that can be found.
Result<void> Packed::check() const {
  const Value value = unpack();
  if (value.is_missing()) return fail(Code::corrupt, "packed bytes that cannot be read");
  const auto again = pack(value);
  if (!again || *again != bytes_)
    return fail(Code::corrupt, "packed bytes that pack did not write");
  return {};
}

}  // namespace mayfly
