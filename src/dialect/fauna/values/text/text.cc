// Debug texts, and how display texts differ.
#include "dialect/fauna/values/text/text.h"

#include <fmt/format.h>

#include <cmath>

#include "dialect/fauna/values/text/literal.h"
#include "dialect/fauna/values/text/times.h"
#include "value/order/order.h"

namespace mayfly::fauna {
namespace {

void append_debug(const FqlValue& value, std::string& out);

void append_items(const FqlArray& items, std::string& out) {
  out += '[';
  std::string_view before;
  for (const FqlValue& item : items) {
    out += before;
    before = ", ";
    append_debug(item, out);
  }
  out += ']';
}

void append_members(const FqlObject& object, std::string& out) {
  std::string_view before = "{ ";
  for (const auto& [name, value] : object.members()) {
    out += before;
    before = ", ";
    append_key(name, out);
    out += ": ";
    append_debug(value, out);
  }
  out += object.empty() ? "{}" : " }";
}

std::string short_reference(std::string_view id, std::string_view collection) {
  return fmt::format("[doc {} in {}]", id, collection);
}

void append_document(const ShownDocument& document, std::string& out) {
  switch (document.form) {
    case ShownDocument::Form::whole: append_members(object_of(document), out); return;
    case ShownDocument::Form::missing: out += reference_text(document); return;
    case ShownDocument::Form::reference:
      out += short_reference(document.id, module_name(*document.collection));
      return;
  }
}

void append_debug(const FqlValue& value, std::string& out) {
  switch (value.kind()) {
    case FqlKind::array: append_items(value.array(), out); return;
    case FqlKind::object: append_members(value.object(), out); return;
    case FqlKind::document:
      out += short_reference(value.document()->id, value.document()->collection);
      return;
    case FqlKind::shown_document: append_document(value.shown_document(), out); return;
    case FqlKind::set:
    case FqlKind::shown_page: out += "[set]"; return;
    case FqlKind::set_cursor: out += "[set cursor]"; return;
    case FqlKind::event_source: out += "[event source]"; return;
    case FqlKind::function: out += function_text(*value.function()); return;
    default: append_literal(value, out);
  }
}

std::string real_display(double d) {
  const bool is_whole = d == std::trunc(d) && d >= -two_to_63 && d < two_to_63;
  return is_whole ? fmt::to_string(static_cast<std::int64_t>(d)) : java_text(d);
}

}  // namespace

std::string display_text(const FqlValue& value) {
  switch (value.kind()) {
    case FqlKind::text: return value.text();
    case FqlKind::real: return real_display(value.real());
    case FqlKind::id: return value.id();
    case FqlKind::uuid: return value.uuid();
    case FqlKind::time: return render_time(value.time());
    case FqlKind::date: return render_day(value.date());
    case FqlKind::transaction_time: return "[transaction time]";
    default: return debug_text(value);
  }
}

std::string debug_text(const FqlValue& value) {
  std::string out;
  append_debug(value, out);
  return out;
}

std::string type_name(const FqlValue& value) {
  switch (value.kind()) {
    case FqlKind::null: return "Null";
    case FqlKind::boolean: return "Boolean";
    case FqlKind::whole: return value.whole().is_long ? "Long" : "Int";
    case FqlKind::real: return "Double";
    case FqlKind::text: return "String";
    case FqlKind::bytes: return "Bytes";
    case FqlKind::time: return "Time";
    case FqlKind::transaction_time: return "TransactionTime";
    case FqlKind::date: return "Date";
    case FqlKind::uuid: return "UUID";
    case FqlKind::id: return "ID";
    case FqlKind::module: return std::string(module_name(*value.module()));
    case FqlKind::document:
    case FqlKind::shown_document: return "Doc";
    case FqlKind::set:
    case FqlKind::shown_page: return "Set<Any>";
    case FqlKind::function: return "Lambda";
    case FqlKind::object: return "{ *: Any }";
    case FqlKind::array: return "Array<Any>";
    case FqlKind::set_cursor: return "SetCursor";
    case FqlKind::event_source: return "EventSource<Any>";
  }
  return "Any";
}

}  // namespace mayfly::fauna
