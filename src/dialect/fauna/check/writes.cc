// The types of arguments of functions that write documents.
#include <array>

#include "dialect/fauna/check/checker.h"
#include "dialect/fauna/check/types/fits.h"
#include "dialect/fauna/documents/writing.h"

namespace mayfly::fauna {
namespace {

struct WritingRow {
  std::string_view name;
  bool is_create;
  bool is_update;  // missing fields keep their values
  bool is_data;    // no `id` and no `ttl`; names have no special meaning
};
constexpr std::array<WritingRow, 6> writing_rows{{{"create", true, false, false},
                                                  {"createData", true, false, true},
                                                  {"update", false, true, false},
                                                  {"updateData", false, true, true},
                                                  {"replace", false, false, false},
                                                  {"replaceData", false, false, true}}};

const WritingRow* find_writing(const Method& row) {
  if (row.effect != Effect::write) return nullptr;
  for (const WritingRow& writing : writing_rows) {
    if (writing.name == row.name) return &writing;
  }
  return nullptr;
}

StaticPtr or_null(const StaticPtr& type) {
  return union_type({type, null_type()});
}

}  // namespace

StaticPtr Checker::written_type(const Method& row, const RowTypes& types) {
  const WritingRow* const how = find_writing(row);
  if (how == nullptr || types.document.empty()) return nullptr;
  const FqlCollectionPtr of = known_.collection(types.document);
  if (!of || of->system != nullptr) return nullptr;
  const CollectionDefinition& definition = *of->definition;
  std::vector<StaticField> fields;
  if (how->is_create && !how->is_data) fields.push_back({"id", or_null(scalar_type("ID"))});
  const bool takes_any = definition.takes_any_field();
  if (!how->is_data && definition.allows_document_ttl()) {
    fields.push_back({"ttl", or_null(scalar_type("Time"))});
  } else if (!how->is_data && takes_any) {
    fields.push_back({"ttl", null_type()});
  }
  if (!how->is_data && takes_any) fields.push_back({"data", null_type()});
  for (const FieldDefinition& field : definition.fields) {
    StaticPtr type = known_.written_field(field);
    if (how->is_update || field.initial) type = or_null(type);
    fields.push_back({field.name, std::move(type)});
  }
  return object_type(std::move(fields), takes_any ? any_type() : nullptr);
}

}  // namespace mayfly::fauna
