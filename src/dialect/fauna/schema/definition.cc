#include "dialect/fauna/schema/definition.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/schema/indexes/lower_computed.h"
#include "dialect/fauna/syntax/parser.h"

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

bool has_failed(const Value& stored) {
  return text_of(stored, "status") == "failed";
}

FqlCode code_of(std::string source, const std::string& text,
                Parsed<ProgramPtr> (*parse)(const SourcePtr&)) {
  FqlCode code{make_source(std::move(source), text), nullptr};
  if (auto parsed = parse(code.source)) code.program = *std::move(parsed);
  return code;
}

template <class Read>
void each_member(const Value& body, std::string_view name, const Read& read) {
  const Value members = body.member(name);
  if (!members.is(Kind::object)) return;
  for (const auto& [key, value] : members.object()) read(key, value);
}

// "a.b", or { field: "a.b", mva: true, order: "desc" }.
std::optional<Term> read_term(const Value& stored) {
  Term term;
  term.text = stored.is(Kind::text) ? stored.text() : text_of(stored, "field");
  auto path = Path::parse(term.text);
  if (!path || path->steps.empty()) return std::nullopt;
  term.path = *std::move(path);
  term.is_each = stored.member("mva").is_true();
  term.is_descending = text_of(stored, "order") == "desc";
  return term;
}

std::vector<Term> read_terms(const Value& stored) {
  std::vector<Term> terms;
  if (!stored.is(Kind::array)) return terms;
  for (const Value& item : stored.array()) {
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
      CheckDefinition read{text_of(check, "name"), text_of(check, "body")};
      read.code = code_of(fmt::format("*check_constraint:{}*", read.name), read.body, parse_lambda);
      definition.checks.push_back(std::move(read));
    }
  }
}

FieldDefinition read_field(std::string_view of, const std::string& name, const Value& stored) {
  FieldDefinition field{name, text_of(stored, "signature"), optional_text(stored, "default")};
  field.type_source = make_source(fmt::format("*field:{}*", name), field.signature);
  if (auto type = parse_type(field.type_source)) field.type = *std::move(type);
  if (field.initial) {
    const std::string source = fmt::format("*field:{}:{}*", of, name);
    field.initial_code = code_of(source, *field.initial, parse_expression);
  }
  return field;
}

ComputedField read_computed(std::string_view of, const std::string& name, const Value& stored) {
  ComputedField field{name, text_of(stored, "body"), optional_text(stored, "signature")};
  field.code = code_of(fmt::format("*computed_field:{}:{}*", of, name), field.body, parse_lambda);
  return field;
}

std::optional<std::int64_t> days_of(const Value& body, std::string_view name) {
  const Value days = body.member(name);
  return days.is(Kind::integer) ? std::optional(days.integer()) : std::nullopt;
}

// REACHES DISK, in names of indexes. A hash (FNV-1a) of the expressions of computed fields. When an
// expression changes, so does the name, and the old index is not used.
std::string expression_hash(const std::vector<Term>& terms) {
  std::uint64_t hash = 0xCBF29CE484222325;
  bool is_any = false;
  for (const Term& term : terms) {
    is_any = is_any || term.computed;
    for (const char c : term.computed.text + ' ') {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    }
  }
  return is_any ? fmt::format(" of {:016x}", hash) : std::string();
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
  each_member(body, "fields", [&](const std::string& field, const Value& stored) {
    definition.fields.push_back(read_field(definition.name, field, stored));
  });
  each_member(body, "computed_fields", [&](const std::string& field, const Value& stored) {
    definition.computed_fields.push_back(read_computed(definition.name, field, stored));
  });
  each_member(body, "indexes", [&](const std::string& index, const Value& stored) {
    definition.indexes.push_back({index, read_terms(stored.member("terms")),
                                  read_terms(stored.member("values")), has_failed(stored)});
  });
  read_constraints(body, definition);
  lower_terms(definition);
  definition.has_wildcard = !body.member("wildcard").is_missing();
  definition.history_days = days_of(body, "history_days").value_or(0);
  definition.ttl_days = days_of(body, "ttl_days");
  const Value ttls = body.member("document_ttls");
  if (ttls.is(Kind::boolean)) definition.document_ttls = ttls.boolean();
  return definition;
}

FunctionPtr read_function(std::string name, const Value& stored) {
  const std::optional<std::string> body = optional_text(stored, "body");
  if (!body) return nullptr;
  FqlCode code = code_of(fmt::format("*udf:{}*", name), *body, parse_lambda);
  return std::make_shared<const FunctionDefinition>(FunctionDefinition{
      std::move(name), text_of(stored, "alias"), text_of(stored, "role"), std::move(code)});
}

std::string core_index_name(const IndexDefinition& index) {
  const std::string name = index.name == ids_index ? index.name + " index" : index.name;
  return name + expression_hash(index.terms) + expression_hash(index.values);
}

std::string core_index_name(const UniqueDefinition& unique) {
  std::string name = "unique";
  for (const Term& term : unique.terms) {
    name += term.is_each ? " each " : " ";
    name += term.path.render();
  }
  std::replace(name.begin(), name.end(), '/', ' ');
  return name + expression_hash(unique.terms);
}

}  // namespace mayfly::fauna
