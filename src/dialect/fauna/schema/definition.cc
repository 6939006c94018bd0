#include "dialect/fauna/schema/definition.h"

#include <algorithm>

namespace mayfly::fauna {
namespace {

std::string text_of(const Value& object, std::string_view name) {
  const Value member = object.member(name);
  return member.is(Kind::text) ? member.text() : std::string();
}

std::optional<std::string> optional_text(const Value& object, std::string_view name) {
  const Value member = object.member(name);
  return member.is(Kind::text) ? std::optional(member.text()) : std::nullopt;
}

bool has_failed(const Value& said) {
  return text_of(said, "status") == "failed";
}

template <class Read>
void each_member(const Value& body, std::string_view name, const Read& read) {
  const Value members = body.member(name);
  if (!members.is(Kind::object)) return;
  for (const auto& [key, value] : members.object()) read(key, value);
}

// "a.b", or { field: "a.b", mva: true, order: "desc" }.
std::optional<Term> read_term(const Value& said) {
  Term term;
  term.text = said.is(Kind::text) ? said.text() : text_of(said, "field");
  auto path = Path::parse(term.text);
  if (!path || path->steps.empty()) return std::nullopt;
  term.path = *std::move(path);
  term.is_each = said.member("mva").is_true();
  term.is_descending = text_of(said, "order") == "desc";
  return term;
}

std::vector<Term> read_terms(const Value& said) {
  std::vector<Term> terms;
  if (!said.is(Kind::array)) return terms;
  for (const Value& item : said.array()) {
    if (auto term = read_term(item)) terms.push_back(*std::move(term));
  }
  return terms;
}

void read_constraints(const Value& body, CollectionDefinition& definition) {
  const Value constraints = body.member("constraints");
  if (!constraints.is(Kind::array)) return;
  for (const Value& constraint : constraints.array()) {
    const Value unique = constraint.member("unique");
    if (!unique.is_missing()) {
      definition.uniques.push_back({read_terms(unique), has_failed(constraint)});
    }
    const Value check = constraint.member("check");
    if (check.is(Kind::object)) {
      definition.checks.push_back({text_of(check, "name"), text_of(check, "body")});
    }
  }
}

std::optional<std::int64_t> days_of(const Value& body, std::string_view name) {
  const Value days = body.member(name);
  return days.is(Kind::integer) ? std::optional(days.integer()) : std::nullopt;
}

template <class Rows>
auto find_named(const Rows& rows, std::string_view name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

const FieldDefinition* CollectionDefinition::find_field(std::string_view field) const {
  return find_named(fields, field);
}

const ComputedField* CollectionDefinition::find_computed(std::string_view field) const {
  return find_named(computed_fields, field);
}

const IndexDefinition* CollectionDefinition::find_index(std::string_view index) const {
  return find_named(indexes, index);
}

CollectionDefinition read_definition(std::string name, const Value& body) {
  CollectionDefinition definition{.name = std::move(name), .alias = text_of(body, "alias")};
  each_member(body, "fields", [&](const std::string& field, const Value& said) {
    definition.fields.push_back(
        {field, text_of(said, "signature"), optional_text(said, "default")});
  });
  each_member(body, "computed_fields", [&](const std::string& field, const Value& said) {
    definition.computed_fields.push_back(
        {field, text_of(said, "body"), optional_text(said, "signature")});
  });
  each_member(body, "indexes", [&](const std::string& index, const Value& said) {
    definition.indexes.push_back({index, read_terms(said.member("terms")),
                                  read_terms(said.member("values")), has_failed(said)});
  });
  read_constraints(body, definition);
  definition.has_wildcard = !body.member("wildcard").is_missing();
  definition.history_days = days_of(body, "history_days").value_or(0);
  definition.ttl_days = days_of(body, "ttl_days");
  const Value ttls = body.member("document_ttls");
  if (ttls.is(Kind::boolean)) definition.document_ttls = ttls.boolean();
  return definition;
}

std::string core_index_name(const IndexDefinition& index) {
  return index.name == ids_index ? index.name + " index" : index.name;
}

std::string core_index_name(const UniqueDefinition& unique) {
  std::string name = "unique";
  for (const Term& term : unique.terms) {
    name += term.is_each ? " each " : " ";
    name += term.path.render();
  }
  std::replace(name.begin(), name.end(), '/', ' ');
  return name;
}

}  // namespace mayfly::fauna
