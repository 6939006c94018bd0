#include "dialect/fauna/import/exported.h"

#include <fmt/format.h>

#include "dialect/fauna/documents/writing.h"
#include "dialect/fauna/syntax/tokens/lexer.h"
#include "dialect/fauna/values/text/ids.h"
#include "dialect/fauna/values/text/times.h"
#include "dialect/fauna/wire/formats/tagged.h"

namespace mayfly::fauna {
namespace {

// Accepts every name: the target of a reference may come later in the export, or never.
class AnyName final : public Names {
 public:
  ModulePtr find_module(std::string_view name) const override {
    return name.starts_with('#') ? nullptr : module_of(std::string(name));
  }
  bool has_named_document(std::string_view, std::string_view) const override { return true; }
};

// The content of an object whose only member is the tag; null for any other value.
const FqlValue* tagged_as(const FqlValue& json, std::string_view tag) {
  if (!json.is(FqlKind::object) || json.object().size() != 1) return nullptr;
  return json.object().find(tag);
}

Result<std::string> read_collection_name(const FqlObject& members, bool& is_tagged) {
  const FqlValue* coll = members.find("coll");
  if (coll == nullptr) return fail(Code::invalid, "the document has no \"coll\"");
  if (const FqlValue* module = tagged_as(*coll, "@mod")) {
    is_tagged = true;
    coll = module;
  }
  if (coll->is(FqlKind::text) && is_identifier(coll->text())) return coll->text();
  return fail(Code::invalid, "\"coll\" is not the name of a collection");
}

Result<std::string> read_document_id(const FqlObject& members) {
  const FqlValue* id = members.find("id");
  if (id == nullptr) return fail(Code::invalid, "the document has no \"id\"");
  if (auto text = id_text(*id); text && !text->starts_with('-')) return *std::move(text);
  return fail(Code::invalid, "\"id\" is not a number from 0 to 9223372036854775807");
}

Result<std::optional<FqlTime>> read_metadata_time(const FqlObject& members, std::string_view name) {
  const FqlValue* json = members.find(name);
  if (json == nullptr || json->is_null()) return std::nullopt;
  if (const FqlValue* time = tagged_as(*json, "@time")) json = time;
  // Older exports have microseconds.
  if (json->is(FqlKind::whole)) return FqlTime::of(Instant{json->whole().number});
  auto time = json->is(FqlKind::text) ? parse_time(json->text()) : std::nullopt;
  if (time) return time;
  return fail(Code::invalid, fmt::format("\"{}\" is not a time", name));
}

Result<FqlValue> field_value(const ExportedDocument& document, const std::string& name,
                             const FqlValue& json, const Type* type) {
  if (!document.is_tagged) return typed(json, type);
  return decode_tagged(json, AnyName()).map_error([&](Error error) {
    error.message = fmt::format("{}: {}", name, error.message);
    return error;
  });
}

}  // namespace

Result<ExportedDocument> read_exported(const FqlValue& json) {
  ExportedDocument document;
  const FqlValue* shown = tagged_as(json, "@doc");
  document.is_tagged = shown != nullptr;
  if (shown == nullptr) shown = &json;
  if (!shown->is(FqlKind::object)) return fail(Code::invalid, "a document is a JSON object");
  const FqlObject& members = shown->object();
  document.collection = TRY(read_collection_name(members, document.is_tagged));
  document.id = TRY(read_document_id(members));
  document.ts = TRY(read_metadata_time(members, "ts"));
  document.ttl = TRY(read_metadata_time(members, "ttl"));
  for (const auto& [name, value] : members.members()) {
    const bool is_metadata = name == "id" || name == "coll" || name == "ts" || name == "ttl";
    if (!is_metadata) document.members.append(name, value);
  }
  return document;
}

Result<FqlObject> exported_fields(const ExportedDocument& document,
                                  const CollectionDefinition& definition, const FieldTypes& types) {
  FqlObject fields;
  for (const auto& [name, json] : document.members.members()) {
    if (definition.find_computed(name) != nullptr) continue;
    FqlValue value = TRY(field_value(document, name, json, types.of(name)));
    if (name != "data") {
      fields.append(name, std::move(value));
      continue;
    }
    if (!value.is(FqlKind::object)) return fail(Code::invalid, "\"data\" is not an object");
    for (const auto& [inner, field] : value.object().members()) fields.set(inner, field);
  }
  return without_nulls(fields);
}

}  // namespace mayfly::fauna
