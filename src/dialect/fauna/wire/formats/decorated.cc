// Encodes the decorated format.
#include "dialect/fauna/wire/formats/decorated.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "dialect/fauna/run/functions/callable.h"
#include "dialect/fauna/values/text/literal.h"

namespace mayfly::fauna {
namespace {

// The end marker of a heredoc: the first of END, END0 … END9 that does not occur in the text.
std::optional<std::string> heredoc_end(std::string_view text) {
  std::string end = "END";
  if (text.find(end) == std::string_view::npos) return end;
  for (char digit = '0'; digit <= '9'; ++digit) {
    end = std::string("END") + digit;
    if (text.find(end) == std::string_view::npos) return end;
  }
  return std::nullopt;
}

class DecoratedWriter {
 public:
  std::string take() { return std::move(out_); }

  void value(const FqlValue& value) {
    switch (value.kind()) {
      case FqlKind::array: array(value.array()); return;
      case FqlKind::object: object(value.object()); return;
      case FqlKind::document: out_ += reference_text(shown_reference(*value.document())); return;
      case FqlKind::shown_document: document(value.shown_document()); return;
      case FqlKind::shown_page: page(value.shown_page()); return;
      case FqlKind::text: text(value.text()); return;
      case FqlKind::id: append_quoted(value.id(), out_); return;
      case FqlKind::set_cursor: append_quoted(value.set_cursor(), out_); return;
      case FqlKind::event_source: append_quoted(value.event_source(), out_); return;
      case FqlKind::function: function(value.function()->name()); return;
      case FqlKind::set: out_ += "[set]"; return;
      default: append_literal(value, out_);
    }
  }

 private:
  void line() {
    out_ += '\n';
    out_.append(indent_, ' ');
  }

  void array(const FqlArray& items) {
    if (items.empty()) {
      out_ += "[]";
      return;
    }
    out_ += '[';
    indent_ += 2;
    for (const FqlValue& item : items) {
      if (&item != items.data()) out_ += ',';
      line();
      value(item);
    }
    indent_ -= 2;
    line();
    out_ += ']';
  }

  void object(const FqlObject& object) {
    if (object.empty()) {
      out_ += "{}";
      return;
    }
    out_ += '{';
    indent_ += 2;
    for (const FqlObject::Member& member : object.members()) {
      if (&member != object.members().data()) out_ += ',';
      line();
      append_key(member.first, out_);
      out_ += ": ";
      value(member.second);
    }
    indent_ -= 2;
    line();
    out_ += '}';
  }

  void document(const ShownDocument& document) {
    if (document.form == ShownDocument::Form::whole) {
      object(object_of(document));
    } else {
      out_ += reference_text(document);
    }
  }

  void page(const ShownPage& page) {
    if (page.data) {
      object(object_of(page));
    } else {
      append_quoted(page.cursor.value_or(""), out_);
    }
  }

  // In this format `abs()` is shown without parentheses.
  void function(std::string_view name) {
    if (name.ends_with("()")) name.remove_suffix(2);
    append_quoted("[function " + std::string(name) + "]", out_);
  }

  void text(std::string_view text) {
    const bool is_long = text.find('\n') != std::string_view::npos;
    const auto end = is_long ? heredoc_end(text) : std::nullopt;
    if (!end) {
      append_quoted(text, out_);
      return;
    }
    out_ += "<<-" + *end;
    if (text.ends_with('\n')) text.remove_suffix(1);
    indent_ += 2;
    for (bool is_more = true; is_more;) {
      const std::size_t length = std::min(text.find('\n'), text.size());
      is_more = length < text.size();
      line();
      out_ += text.substr(0, length);
      text.remove_prefix(length + (is_more ? 1 : 0));
    }
    indent_ -= 2;
    line();
    out_ += *end;
  }

  std::string out_;
  std::size_t indent_ = 0;
};

}  // namespace

std::string encode_decorated(const FqlValue& value) {
  DecoratedWriter writer;
  writer.value(value);
  return writer.take();
}

}  // namespace mayfly::fauna
