// pack and pack_json: encode a document in its stored form.
#include <fmt/format.h>

#include <cmath>

#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "value/json/cursor.h"
#include "value/json/json.h"
#include "value/json/number.h"
#include "value/json/text.h"
#include "value/packed/packed.h"
#include "value/packed/text.h"
#include "value/packed/writer.h"

namespace mayfly {
namespace {

Error too_deep() {
  return Error{Code::too_large,
               fmt::format("a document nested deeper than {}", limits::document_depth_max)};
}

Error too_many_members() {
  return Error{Code::too_large,
               fmt::format("an object of more than {} members", limits::document_fields_max)};
}

Result<void> check_names(PackedWriter::Names names) {
  switch (names) {
    case PackedWriter::Names::unique: return {};
    case PackedWriter::Names::duplicate: return fail(Code::invalid, "an object with a name twice");
    case PackedWriter::Names::too_many: return tl::unexpected<Error>(too_many_members());
  }
  return {};
}

// Writes values as stored text.
class ValuePacker {
 public:
  explicit ValuePacker(PackedWriter& out) : out_(out), json_(out.json()) {}

  Result<void> members(const Object& object, PackedWriter::Open open) {
    if (++depth_ > limits::document_depth_max) return tl::unexpected<Error>(too_deep());
    for (const auto& [name, member] : object) {
      if (member.is_missing()) continue;
      out_.name(open, name);
      TRY(value(member));
    }
    --depth_;
    return check_names(out_.close_object(open));
  }

 private:
  Result<void> value(const Value& value) {
    switch (value.kind()) {
      case Kind::missing:
      case Kind::null:
      case Kind::boolean:
      case Kind::integer:
      case Kind::text: render_json(value, json_); return {};
      case Kind::real: real(value.real()); return {};
      case Kind::time:
      case Kind::date:
      case Kind::binary:
      case Kind::reference: wrap(value); return {};
      case Kind::array: return items(value.array());
      case Kind::object: return members(value.object(), out_.open_object());
    }
    return {};
  }

  Result<void> items(const Array& array) {
    if (++depth_ > limits::document_depth_max) return tl::unexpected<Error>(too_deep());
    json_.push_back('[');
    for (std::size_t i = 0; i < array.size(); ++i) {
      if (i > 0) json_.push_back(',');
      TRY(value(array[i]));
    }
    json_.push_back(']');
    --depth_;
    return {};
  }

  void real(double d) {
    if (std::isfinite(d)) {
      put_stored_real(json_, d);
      return;
    }
    open_wrapper("real");
    render_json_text(std::isnan(d) ? "NaN" : d < 0 ? "-Infinity" : "Infinity", json_);
    json_.append(wrapper_close);
  }

  void wrap(const Value& value) {
    open_wrapper(name_of(value.kind()));
    if (value.is(Kind::time)) {
      put_integer(json_, value.time().micros);
    } else if (value.is(Kind::date)) {
      put_integer(json_, value.date().days);
    } else if (value.is(Kind::binary)) {
      render_json_text(encode_base64(value.binary().bytes), json_);
    } else {
      render_json_text(value.reference().collection, json_);
      json_.push_back(',');
      render_json_text(value.reference().id, json_);
    }
    json_.append(wrapper_close);
  }

  void open_wrapper(std::string_view kind) {
    out_.set_wrapped();
    json_.append(wrapper_open);
    render_json_text(kind, json_);
    json_.push_back(',');
  }

  PackedWriter& out_;
  std::string& json_;
  std::size_t depth_ = 0;
};

// Converts JSON text to stored text, token by token. The cursor's depth bounds the recursion.
class JsonPacker {
 public:
  JsonPacker(JsonCursor& in, PackedWriter& out) : in_(in), out_(out), json_(out.json()) {}

  bool has_duplicates() const { return has_duplicates_; }

  bool document() {
    if (in_.peek() == '{') return members(out_.open_document()) && in_.end_of_text();
    // Checks the whole text first: text that is not JSON gives another error than JSON that is no
    // object.
    return value() && in_.end_of_text() &&
           in_.refuse(Error{Code::invalid, "a document must be an object"});
  }

 private:
  bool value() {
    switch (in_.peek()) {
      case '{': return members(out_.open_object());
      case '[': return items();
      case '"': return text();
      case 'n': json_.append("null"); return in_.literal("null");
      case 'f': json_.append("false"); return in_.literal("false");
      case 't': json_.append("true"); return in_.literal("true");
      default: return number();
    }
  }

  bool members(PackedWriter::Open open) {
    if (!in_.enter()) return false;
    for (bool first = true; in_.more('}', first); first = false) {
      const std::size_t start = in_.position();
      std::string_view raw;
      if (!in_.name(raw)) return false;
      if (is_canonical(raw)) {
        out_.quoted_name(open, with_quotes(raw));
      } else {
        std::string name;
        if (!unescape(raw, start, name)) return false;
        out_.name(open, name);
      }
      if (!value()) return false;
    }
    if (in_.failed()) return false;
    const PackedWriter::Names names = out_.close_object(open);
    has_duplicates_ = has_duplicates_ || names == PackedWriter::Names::duplicate;
    return names != PackedWriter::Names::too_many || in_.refuse(too_many_members());
  }

  bool items() {
    if (!in_.enter()) return false;
    json_.push_back('[');
    for (bool first = true; in_.more(']', first); first = false) {
      if (!first) json_.push_back(',');
      if (!value()) return false;
    }
    json_.push_back(']');
    return !in_.failed();
  }

  bool text() {
    const std::size_t start = in_.position();
    std::string_view raw;
    if (!in_.text(raw)) return false;
    if (is_canonical(raw)) {
      json_.append(with_quotes(raw));
      return true;
    }
    std::string text;
    if (!unescape(raw, start, text)) return false;
    render_json_text(text, json_);
    return true;
  }

  // The tokeniser refuses unescaped characters that need an escape; so a text without escapes is
  // canonical.
  static bool is_canonical(std::string_view raw) {
    return raw.find('\\') == std::string_view::npos;
  }
  static std::string_view with_quotes(std::string_view raw) {
    return {raw.data() - 1, raw.size() + 2};
  }

  bool unescape(std::string_view raw, std::size_t start, std::string& out) {
    auto text = unescape_json(raw);
    if (!text) return in_.refuse(start, "this text holds an escape that stands for nothing");
    out = std::move(*text);
    return true;
  }

  bool number() {
    const char c = in_.peek();
    Value read;
    if (c == '\0') return in_.scalar(read);
    const std::string_view token = in_.take();
    if (const std::string_view form = stored_form(token); !form.empty()) {
      json_.append(form);
      return true;
    }
    if (!in_.number(token, read)) return false;
    if (read.is(Kind::integer)) {
      put_integer(json_, read.integer());
    } else {
      put_stored_real(json_, read.real());
    }
    return true;
  }

  JsonCursor& in_;
  PackedWriter& out_;
  std::string& json_;
  bool has_duplicates_ = false;
};

}  // namespace

Result<Bytes> pack(const Value& object) {
  if (!object.is(Kind::object)) return fail(Code::invalid, "a document must be an object");
  PackedWriter out(256);
  TRY(ValuePacker(out).members(object.object(), out.open_document()));
  if (!is_utf8(out.json())) return fail(Code::invalid, "a document with texts that are not UTF-8");
  return out.finish();
}

Result<Bytes> pack_json(std::string_view text) {
  const JsonLimits limits;
  if (text.size() > limits.bytes_max) {
    return fail(Code::too_large, fmt::format("JSON of {} bytes, where at most {} are taken",
                                             text.size(), limits.bytes_max));
  }
  PackedWriter out(text.size() + 16);
  const bool has_duplicates =
      TRY(with_tokeniser(text.size(), [&](Tokeniser& tokeniser) -> Result<bool> {
        JsonCursor in(TRY(tokeniser.read(text)), limits.depth_max);
        JsonPacker packer(in, out);
        if (!packer.document()) return tl::unexpected<Error>(std::move(in.error()));
        return packer.has_duplicates();
      }));
  // Rare, so the slower way is acceptable.
  if (has_duplicates) return pack(TRY(parse_json(text)));
  return out.finish();
}

}  // namespace mayfly
