#include "dialect/fauna/schema/indexes/index_specs.h"

namespace mayfly::fauna {
namespace {

IndexField plain_field(const Term& term) {
  IndexField indexed{.is_descending = term.is_descending};
  indexed.field.path = term.path;
  return indexed;
}

// The FQL names of a document's metadata.
bool is_metadata(const Term& term, std::string_view name) {
  return term.path.steps.size() == 1 && term.path.steps.front() == mayfly::Step(std::string(name));
}

IndexField index_field(const Term& term) {
  IndexField field = plain_field(term);
  field.null_is_greatest = true;
  field.is_each = term.is_each;
  if (term.computed) {
    field.field = {};
    field.computed = term.computed;
  }
  if (is_metadata(term, "ts")) field.field = Field::metadata("written_at");
  if (is_metadata(term, "ttl")) field.field = Field::metadata("ends_at");
  if (is_metadata(term, "id")) field.field = Field::metadata("id_number");
  return field;
}

// Documents with equal values in an index are ordered by id, and so are those of all().
IndexField by_id_number() {
  IndexField field;
  field.field = Field::metadata("id_number");
  return field;
}

}  // namespace

IndexSpec core_index(const UniqueDefinition& unique) {
  IndexSpec spec{.name = core_index_name(unique), .unique = Uniqueness::of_complete};
  for (const Term& term : unique.terms) spec.fields.push_back(index_field(term));
  return spec;
}

std::vector<IndexSpec> core_indexes(const CollectionDefinition& definition) {
  std::vector<IndexSpec> specs{{.name = std::string(ids_index), .fields = {by_id_number()}}};
  for (const IndexDefinition& index : definition.indexes) {
    if (index.is_failed) continue;
    IndexSpec spec{.name = core_index_name(index)};
    for (const Term& term : index.terms) spec.fields.push_back(index_field(term));
    for (const Term& value : index.values) spec.fields.push_back(index_field(value));
    spec.fields.push_back(by_id_number());
    specs.push_back(std::move(spec));
  }
  for (const UniqueDefinition& unique : definition.uniques) {
    if (!unique.terms.empty() && !unique.is_failed) specs.push_back(core_index(unique));
  }
  return specs;
}

}  // namespace mayfly::fauna
