#include "dialect/fauna/push/check_pushed.h"

#include "dialect/fauna/check/schema.h"
#include "dialect/fauna/push/items.h"

namespace mayfly::fauna {
namespace {

struct PushedItem {
  const fsl::File* file = nullptr;
  const fsl::Item* item = nullptr;
};

PushedItem find_item(const std::vector<fsl::File>& files, const SchemaError& error) {
  for (const fsl::File& file : files) {
    for (const fsl::Item& item : file.items) {
      if (kind_of(item).name == error.kind && item.name.text == error.name) return {&file, &item};
    }
  }
  return {};
}

// Where the text stands in the item; of a function its block, before which its parameters are
// written otherwise.
Span place_in_item(const PushedItem& pushed, Span span) {
  const std::string& file = pushed.file->source->text;
  const std::string_view item =
      std::string_view(file).substr(0, pushed.item->span.end).substr(pushed.item->span.begin);
  std::string_view text = span.source->text;
  std::size_t at = item.find(text);
  std::size_t skipped = 0;
  if (at == item.npos) {
    constexpr std::string_view arrow = "=> ";
    const std::size_t behind = text.find(arrow);
    if (behind == text.npos) return pushed.item->name.span;
    skipped = behind + arrow.size();
    at = item.find(text.substr(skipped));
  }
  if (at == item.npos || span.begin < skipped) return pushed.item->name.span;
  const std::size_t from = pushed.item->span.begin + at - skipped;
  return {static_cast<std::uint32_t>(from + span.begin),
          static_cast<std::uint32_t>(from + span.end), pushed.file->source.get()};
}

// The names that the item refers to in that way.
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
  const Span said = error.what.span;
  const std::string_view missing =
      std::string_view(said.source->text).substr(said.begin, said.end - said.begin);
  for (const fsl::Name& name : names_in(item, error.part)) {
    if (name.text == missing) return name.span;
  }
  return item.name.span;
}

Diagnostic placed(const std::vector<fsl::File>& files, const SchemaError& error) {
  Diagnostic made = error.what;
  const PushedItem pushed = find_item(files, error);
  if (pushed.item == nullptr) return made;
  if (error.part != SchemaPart::code) {
    made.span = place_of_name(*pushed.item, error);
    return made;
  }
  made.span = place_in_item(pushed, made.span);
  for (Hint& hint : made.hints) hint.span = place_in_item(pushed, hint.span);
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
