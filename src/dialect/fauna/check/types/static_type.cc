#include "dialect/fauna/check/types/static_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/limits.h"
#include "dialect/fauna/syntax/print.h"

namespace mayfly::fauna {
namespace {

constexpr std::size_t literal_bytes_max = 64;   // longer ones do not help a reader
constexpr std::size_t type_text_max = 2 << 10;  // a screen

StaticPtr finished_type(StaticType made) {
  std::size_t size = 1;
  for (const StaticPtr& part : made.parts) size += part->size;
  for (const StaticField& field : made.fields) size += field.type->size;
  if (made.rest) size += made.rest->size;
  if (size > limits::fql_type_size_max) return any_type();
  made.size = static_cast<std::uint32_t>(size);
  return std::make_shared<const StaticType>(std::move(made));
}

// Adds a type unless it is a member already; false if there are too many.
bool add_member(StaticList& members, const StaticPtr& added) {
  const auto is_it = [&](const StaticPtr& member) { return is_same(*member, *added); };
  if (std::any_of(members.begin(), members.end(), is_it)) return true;
  if (members.size() == limits::fql_type_members_max) return false;
  members.push_back(added);
  return true;
}

bool add_members(StaticList& members, const StaticPtr& added, bool are_widened) {
  if (added->is(StaticKind::never)) return true;
  if (added->is(StaticKind::one_of)) {
    return std::all_of(added->parts.begin(), added->parts.end(), [&](const StaticPtr& part) {
      return add_members(members, part, are_widened);
    });
  }
  return add_member(members, are_widened ? widened(added) : added);
}

class StaticPrinter {
 public:
  std::string out;

  void print(const StaticType& type, bool is_in_brackets = false) {
    if (out.size() > type_text_max) return;
    switch (type.kind) {
      case StaticKind::any: out += "Any"; return;
      case StaticKind::never: out += "Never"; return;
      case StaticKind::literal:
      case StaticKind::scalar:
      case StaticKind::document: out += type.name; return;
      case StaticKind::reference: out += "Ref<" + type.name + ">"; return;
      case StaticKind::missing: out += "Null" + type.name; return;
      case StaticKind::module: out += type.name + type.base; return;
      case StaticKind::array: return in_angles("Array", *type.parts[0]);
      case StaticKind::set: return in_angles("Set", *type.parts[0]);
      case StaticKind::event_source: return in_angles("EventSource", *type.parts[0]);
      case StaticKind::tuple:
        out += '[';
        list(type.parts, ", ");
        out += ']';
        return;
      case StaticKind::object: return object(type);
      case StaticKind::function: return function(type, is_in_brackets);
      case StaticKind::one_of:
        if (is_in_brackets) out += '(';
        list(type.parts, " | ", true);
        if (is_in_brackets) out += ')';
        return;
    }
  }

 private:
  void in_angles(std::string_view name, const StaticType& inner) {
    out.append(name).append("<");
    print(inner);
    out += '>';
  }
  void list(const StaticList& types, std::string_view between, bool are_in_brackets = false) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (i != 0) out += between;
      print(*types[i], are_in_brackets);
    }
  }
  void object(const StaticType& type) {
    std::string_view before = "{ ";
    for (const StaticField& field : type.fields) {
      out.append(before).append(key_text(field.name)).append(": ");
      before = ", ";
      print(*field.type);
    }
    if (type.rest) {
      out.append(before).append("*: ");
      print(*type.rest);
    }
    out += type.fields.empty() && !type.rest ? "{}" : " }";
  }
  void function(const StaticType& type, bool is_in_brackets) {
    if (is_in_brackets) out += '(';
    const bool is_short = type.parts.size() == 1 && type.arity.max == 1 && type.arity.min == 1 &&
                          !type.parts[0]->is(StaticKind::function);
    if (is_short) {
      print(*type.parts[0], true);
    } else {
      out += '(';
      list(type.parts, ", ");
      if (type.arity.max == Arity::any) out += type.parts.empty() ? "...Any" : ", ...Any";
      out += ')';
    }
    out += " => ";
    print(*type.rest);
    if (is_in_brackets) out += ')';
  }
};

bool are_same(const StaticList& a, const StaticList& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const StaticPtr& x, const StaticPtr& y) { return is_same(*x, *y); });
}

StaticPtr type_of_element(StaticKind kind, StaticPtr element) {
  return finished_type({.kind = kind, .parts = {std::move(element)}});
}

}  // namespace

const StaticPtr* StaticType::find_field(std::string_view field) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const StaticField& one) { return one.name == field; });
  return found == fields.end() ? nullptr : &found->type;
}

StaticPtr any_type() {
  static const StaticPtr made = std::make_shared<const StaticType>();
  return made;
}

StaticPtr never_type() {
  static const StaticPtr made =
      std::make_shared<const StaticType>(StaticType{.kind = StaticKind::never});
  return made;
}

StaticPtr scalar_type(std::string_view name) {
  return named_type(StaticKind::scalar, name);
}

StaticPtr null_type() {
  return scalar_type("Null");
}

StaticPtr literal_type(std::string written, std::string_view base) {
  if (written.size() > literal_bytes_max) return scalar_type(base);
  return finished_type(
      {.kind = StaticKind::literal, .name = std::move(written), .base = std::string(base)});
}

StaticPtr text_literal_type(std::string_view text) {
  if (text.size() > literal_bytes_max) return scalar_type("String");
  return literal_type(in_quotes(text), "String");
}

StaticPtr array_type(StaticPtr element) {
  return type_of_element(StaticKind::array, std::move(element));
}

StaticPtr tuple_type(StaticList items) {
  if (items.size() <= limits::fql_type_members_max) {
    return finished_type({.kind = StaticKind::tuple, .parts = std::move(items)});
  }
  return array_type(union_type(items));
}

StaticPtr set_type(StaticPtr element) {
  return type_of_element(StaticKind::set, std::move(element));
}

StaticPtr event_source_type(StaticPtr element) {
  return type_of_element(StaticKind::event_source, std::move(element));
}

StaticPtr object_type(std::vector<StaticField> fields, StaticPtr rest) {
  return finished_type(
      {.kind = StaticKind::object, .fields = std::move(fields), .rest = std::move(rest)});
}

StaticPtr function_type(StaticList parameters, StaticPtr result, Arity arity) {
  return finished_type({.kind = StaticKind::function,
                        .parts = std::move(parameters),
                        .rest = std::move(result),
                        .arity = arity});
}

StaticPtr named_type(StaticKind kind, std::string_view name) {
  return std::make_shared<const StaticType>(StaticType{.kind = kind, .name = std::string(name)});
}

StaticPtr collection_type(std::string_view name) {
  return std::make_shared<const StaticType>(
      StaticType{.kind = StaticKind::module, .name = std::string(name), .base = "Collection"});
}

StaticPtr module_type(std::string_view name) {
  return std::make_shared<const StaticType>(
      StaticType{.kind = StaticKind::module, .name = std::string(name), .base = "Module"});
}

StaticPtr union_type(const StaticList& members) {
  const auto is_any = [](const StaticPtr& member) { return member->is(StaticKind::any); };
  if (std::any_of(members.begin(), members.end(), is_any)) return any_type();
  StaticList kept;
  const auto add = [&](bool are_widened) {
    kept.clear();
    return std::all_of(members.begin(), members.end(), [&](const StaticPtr& member) {
      return add_members(kept, member, are_widened);
    });
  };
  if (!add(false) && !add(true)) return any_type();
  if (kept.empty()) return never_type();
  if (kept.size() == 1) return kept[0];
  return finished_type({.kind = StaticKind::one_of, .parts = std::move(kept)});
}

StaticPtr inferred(const StaticPtr& type, Span at) {
  if (type->is(StaticKind::any) || type->inferred_at.source != nullptr) return type;
  StaticType copy = *type;
  copy.inferred_at = at;
  return std::make_shared<const StaticType>(std::move(copy));
}

StaticPtr widened(const StaticPtr& type) {
  if (!type->is(StaticKind::literal)) return type;
  return inferred(scalar_type(type->base), type->inferred_at);
}

StaticPtr element_of(const StaticType& type) {
  if (type.is(StaticKind::tuple)) return union_type(type.parts);
  const bool has_one =
      type.is(StaticKind::array) || type.is(StaticKind::set) || type.is(StaticKind::event_source);
  return has_one ? type.parts[0] : any_type();
}

bool is_same(const StaticType& a, const StaticType& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.name != b.name || a.size != b.size || a.base != b.base) return false;
  if ((a.rest == nullptr) != (b.rest == nullptr) || a.fields.size() != b.fields.size()) {
    return false;
  }
  if (a.rest && !is_same(*a.rest, *b.rest)) return false;
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    if (a.fields[i].name != b.fields[i].name) return false;
    if (!is_same(*a.fields[i].type, *b.fields[i].type)) return false;
  }
  return are_same(a.parts, b.parts);
}

std::string render_static(const StaticType& type) {
  StaticPrinter printer;
  printer.print(type);
  if (printer.out.size() <= type_text_max) return printer.out;
  std::size_t end = type_text_max;
  while ((static_cast<unsigned char>(printer.out[end]) & 0xC0) == 0x80) --end;
  return printer.out.substr(0, end) + "…";
}

}  // namespace mayfly::fauna
