#include "dialect/fauna/push/check_pushed.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "dialect/fauna/check/schema.h"
#include "dialect/fauna/push/items.h"

namespace mayfly::fauna {
namespace {

const fsl::Item* find_item(const std::vector<fsl::File>& files, const SchemaError& error) {
  for (const fsl::File& file : files) {
    for (const fsl::Item& item : file.items) {
      if (kind_of(item).name == error.kind && item.name.text == error.name) return &item;
    }
  }
  return nullptr;
}

// Maps a piece of the text of a part, up to the next piece, to its place in the file.
struct PlacedPiece {
  std::size_t begin = 0;
  Span whole = {};
  // The part that the file has byte by byte, from `as_written_begin` on; empty if the file spells
  // it differently.
  std::size_t as_written_begin = 0;
  Span as_written = {};
};
// In text order.
using PlacedText = std::vector<PlacedPiece>;

PlacedPiece placed_piece(std::size_t begin, const fsl::Code& code) {
  const std::size_t end = begin + code.text.size();
  const std::size_t as_written = code.as_written.end - code.as_written.begin;
  return {begin, code.span, end - as_written, code.as_written};
}

// The places in the file that each code of an item's document comes from, by the names that
// SchemaError uses.
struct PlacedParts {
  std::map<std::string, PlacedText> texts = {};

  void add(std::string part, const std::optional<fsl::Code>& code) {
    if (code) texts[std::move(part)] = {placed_piece(0, *code)};
  }

  void operator()(const fsl::Field& field) {
    add("fields." + field.name.text + ".signature", field.type);
    add("fields." + field.name.text + ".default", field.default_value);
  }
  void operator()(const fsl::Computed& field) {
    add("computed_fields." + field.name.text + ".signature", field.type);
    add("computed_fields." + field.name.text + ".body", field.body);
  }
  void operator()(const fsl::Check& check) { add("constraints." + check.name.text, check.body); }
  void operator()(const fsl::Privileges& privileges) {
    for (const fsl::Action& action : privileges.actions) {
      add("privileges." + privileges.resource.text + "." + action.name, action.predicate);
    }
  }
  void operator()(const fsl::Membership& membership) {
    add("membership." + membership.resource.text, membership.predicate);
  }
  template <class Other>
  void operator()(const Other&) {}

  void operator()(const fsl::Collection& collection) {
    for (const fsl::Member& member : collection.members) std::visit(*this, member.what);
  }
  void operator()(const fsl::Role& role) {
    for (const fsl::RoleMember& member : role.members) std::visit(*this, member.what);
  }
  // Its lambda and its signature end with text of the file; the text before that is generated.
  void operator()(const fsl::Function& function) {
    const std::size_t head = fsl::lambda_of(function).size() - function.body.text.size();
    texts["body"] = {placed_piece(head, function.body)};
    const auto signature = fsl::signature_of(function);
    if (!signature) return;
    PlacedText& text = texts["signature"];
    std::size_t at = 1;  // after its bracket
    for (const fsl::FunctionParameter& one : function.parameters) {
      at = signature->find(": ", at) + 2;
      if (one.takes_rest) at += 3;
      if (one.type) text.push_back(placed_piece(at, *one.type));
      at += one.type ? one.type->text.size() : 0;
    }
    text.push_back(
        placed_piece(signature->size() - function.result->text.size(), *function.result));
  }
};

Span place_in(const PlacedText& text, Span span, Span otherwise) {
  const auto is_behind = [&](const PlacedPiece& piece) { return piece.begin > span.begin; };
  const auto behind = std::find_if(text.begin(), text.end(), is_behind);
  if (behind == text.begin()) return otherwise;
  const PlacedPiece& piece = *std::prev(behind);
  const bool is_as_written = piece.as_written.source != nullptr;
  if (!is_as_written || span.begin < piece.as_written_begin) return piece.whole;
  const std::size_t begin = piece.as_written.begin + span.begin - piece.as_written_begin;
  const std::size_t end = begin + span.end - span.begin;
  if (begin > piece.as_written.end) return piece.whole;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
          piece.as_written.source};
}

// The names to which the item refers in that part.
std::vector<fsl::Name> names_in(const fsl::Item& item, SchemaPart part) {
  std::vector<fsl::Name> names;
  if (const auto* const role = std::get_if<fsl::Role>(&item.what)) {
    for (const fsl::RoleMember& member : role->members) {
      const auto* const privileges = std::get_if<fsl::Privileges>(&member.what);
      if ((privileges != nullptr) != (part == SchemaPart::privileges)) continue;
      names.push_back(privileges != nullptr ? privileges->resource
                                            : std::get<fsl::Membership>(member.what).resource);
    }
  }
  if (const auto* const provider = std::get_if<fsl::AccessProvider>(&item.what)) {
    for (const fsl::ProviderRole& role : provider->roles) names.push_back(role.name);
  }
  return names;
}

Span place_of_name(const fsl::Item& item, const SchemaError& error) {
  const Span reported = error.what.span;
  const std::string_view missing =
      std::string_view(reported.source->text).substr(reported.begin, reported.end - reported.begin);
  for (const fsl::Name& name : names_in(item, error.part)) {
    if (name.text == missing) return name.span;
  }
  return item.name.span;
}

Diagnostic placed(const std::vector<fsl::File>& files, const SchemaError& error) {
  Diagnostic made = error.what;
  const fsl::Item* const item = find_item(files, error);
  if (item == nullptr) return made;
  if (error.part != SchemaPart::code) {
    made.span = place_of_name(*item, error);
    return made;
  }
  PlacedParts parts;
  std::visit(parts, item->what);
  const PlacedText& text = parts.texts[error.code];
  made.span = place_in(text, made.span, item->name.span);
  for (Hint& hint : made.hints) hint.span = place_in(text, hint.span, item->name.span);
  return made;
}

}  // namespace

Result<void> check_pushed(Interpreter& run, const std::vector<fsl::File>& files) {
  const CheckedSchema checked = TRY(check_schema(run));
  if (checked.errors.empty()) return {};
  Diagnostics wrong;
  for (const SchemaError& error : checked.errors) wrong.push_back(placed(files, error));
  return fail(Code::invalid, schema_update_text(render(wrong)));
}

}  // namespace mayfly::fauna
