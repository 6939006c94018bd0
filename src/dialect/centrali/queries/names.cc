#include "dialect/centrali/queries/names.h"

namespace mayfly::centrali {
namespace {

struct FieldRow {
  std::string_view name;
  NamedField::Kind kind;
  std::string_view metadata;
};
constexpr FieldRow fields[] = {
    {"id", NamedField::Kind::text, "id"},
    {"createdAt", NamedField::Kind::time, "created_at"},
    {"updatedAt", NamedField::Kind::time, "written_at"},
    {"expiresAt", NamedField::Kind::time, "expires_at"},
    {"status", NamedField::Kind::status, "removed_at"},
    {"version", NamedField::Kind::number, "revision"},
    {"createdBy", NamedField::Kind::text, "author"},
    {"updatedBy", NamedField::Kind::text, "updater"},
};

constexpr Operator operators[] = {
    {"eq", Operator::Kind::equal, "equal"},
    {"ne", Operator::Kind::not_equal, "equal"},
    {"gt", Operator::Kind::order, "greater"},
    {"gte", Operator::Kind::order, "greater_or_equal"},
    {"lt", Operator::Kind::order, "less"},
    {"lte", Operator::Kind::order, "less_or_equal"},
    {"in", Operator::Kind::equal, "in", true},
    {"nin", Operator::Kind::not_equal, "in", true},
    {"contains", Operator::Kind::contains, "contains"},
    {"startsWith", Operator::Kind::text, "starts_with"},
    {"endsWith", Operator::Kind::text, "ends_with"},
    {"hasAny", Operator::Kind::has_any, "array_contains_any", true},
    {"hasAll", Operator::Kind::has_all, "array_contains_any", true},
    {"exists", Operator::Kind::exists, "exists"},
};

// Names between dots. No field has an empty name.
Result<Path> path_of(std::string_view text, std::string_view whole) {
  Path path;
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view name = text.substr(0, dot);
    if (name.empty()) {
      return fail(Code::invalid, "'" + std::string(whole) + "' does not name a field",
                  std::string(whole));
    }
    path.steps.emplace_back(std::string(name));
    if (dot == std::string_view::npos) return path;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace

Result<NamedField> parse_field(std::string_view name) {
  constexpr std::string_view prefix = "data.";
  if (name.starts_with(prefix)) {
    Path path = TRY(path_of(name.substr(prefix.size()), name));
    return NamedField{NamedField::Kind::data, std::string(name), {Part::body, std::move(path)}};
  }
  for (const FieldRow& row : fields) {
    if (row.name == name) {
      return NamedField{row.kind, std::string(name), Field::metadata(row.metadata)};
    }
  }
  return fail(Code::invalid,
              "'" + std::string(name) +
                  "' is not a field of a record; fields of its data are written data." +
                  std::string(name),
              std::string(name));
}

const Operator* find_operator(std::string_view name) {
  for (const Operator& op : operators) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

std::string operator_names() {
  std::string names;
  for (const Operator& op : operators) {
    names += (names.empty() ? "" : ", ") + std::string(op.name);
  }
  return names;
}

Result<NamedComparison> parse_comparison(std::string_view name) {
  std::string_view op = "eq";
  std::string_view field = name;
  if (const std::size_t open = name.find('['); open != std::string_view::npos) {
    if (!name.ends_with(']')) {
      return fail(Code::invalid, "a bracket is not closed", std::string(name));
    }
    op = name.substr(open + 1, name.size() - open - 2);
    field = name.substr(0, open);
  }
  NamedField named = TRY(parse_field(field));
  NamedComparison comparison{std::move(named), find_operator(op)};
  if (comparison.op != nullptr) return comparison;
  return fail(Code::invalid,
              "'" + std::string(op) + "' is not an operator; there are " + operator_names(),
              std::string(name));
}

}  // namespace mayfly::centrali
