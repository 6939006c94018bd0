// Converts FSL to documents.
#include <map>

#include "dialect/fauna/fsl/print.h"
#include "dialect/fauna/push/items.h"

namespace mayfly::fauna {
namespace {

// Builds the fields of a document. Objects and arrays become values only at the end, so that large
// ones are not copied for each part.
class DocumentParts {
 public:
  void set(const std::string& name, FqlValue value) { document_.set(name, std::move(value)); }
  // Appends to the object or array of that name, which is created if missing.
  void add_member(const std::string& to, const std::string& name, FqlObject made) {
    document_.set(to, nullptr);
    objects_[to].append(name, FqlValue(std::move(made)));
  }
  void add_item(const std::string& to, FqlObject made) {
    document_.set(to, nullptr);
    arrays_[to].push_back(FqlValue(std::move(made)));
  }
  FqlObject finish() && {
    for (auto& [name, object] : objects_) document_.set(name, FqlValue(std::move(object)));
    for (auto& [name, array] : arrays_) document_.set(name, FqlValue(std::move(array)));
    return std::move(document_);
  }

 private:
  FqlObject document_;
  std::map<std::string, FqlObject> objects_;
  std::map<std::string, FqlArray> arrays_;
};

FqlObject object_with(std::string name, FqlValue value) {
  FqlObject made;
  made.append(std::move(name), std::move(value));
  return made;
}

FqlObject term_object(const fsl::Term& term) {
  FqlObject made = object_with("field", render_path(term.path));
  made.append("mva", term.is_multiple);
  return made;
}

struct MigrationDocument {
  FqlObject operator()(const fsl::AddField& add) const {
    return object_with("add", object_with("field", render_path(add.path)));
  }
  FqlObject operator()(const fsl::DropField& drop) const {
    return object_with("drop", object_with("field", render_path(drop.path)));
  }
  FqlObject operator()(const fsl::MoveField& move) const {
    FqlObject argument = object_with("field", render_path(move.from));
    argument.append("to", render_path(move.to));
    return object_with("move", std::move(argument));
  }
  FqlObject operator()(const fsl::SplitField& split) const {
    FqlArray into;
    for (const FieldPath& path : split.into) into.push_back(render_path(path));
    FqlObject argument = object_with("field", render_path(split.from));
    argument.append("to", FqlValue(std::move(into)));
    return object_with("split", std::move(argument));
  }
  FqlObject operator()(const fsl::Backfill& fill) const {
    FqlObject argument = object_with("field", render_path(fill.path));
    argument.append("value", fill.value.text);
    return object_with("backfill", std::move(argument));
  }
  FqlObject operator()(const fsl::MoveConflicts& move) const {
    return object_with("move_conflicts", object_with("into", render_path(move.into)));
  }
  FqlObject operator()(const fsl::MoveWildcard& move) const {
    return object_with("move_wildcard", object_with("into", render_path(move.into)));
  }
  FqlObject operator()(const fsl::AddWildcard&) const {
    return object_with("add_wildcard", FqlObject());
  }
};

struct MemberDocument {
  DocumentParts& out;

  void operator()(const fsl::Field& field) const {
    FqlObject made = object_with("signature", field.type.text);
    if (field.default_value) made.append("default", field.default_value->text);
    out.add_member("fields", field.name.text, std::move(made));
  }
  void operator()(const fsl::Computed& field) const {
    FqlObject made = object_with("body", field.body.text);
    if (field.type) made.append("signature", field.type->text);
    out.add_member("computed_fields", field.name.text, std::move(made));
  }
  void operator()(const fsl::Wildcard& wildcard) const { out.set("wildcard", wildcard.type.text); }
  void operator()(const fsl::Index& index) const {
    FqlArray terms;
    for (const fsl::Term& term : index.terms) terms.push_back(FqlValue(term_object(term)));
    FqlArray values;
    for (const fsl::IndexValue& value : index.values) {
      FqlObject made = term_object(value.term);
      made.append("order", value.order == fsl::Order::descending ? "desc" : "asc");
      values.push_back(FqlValue(std::move(made)));
    }
    FqlObject made;
    if (!terms.empty()) made.append("terms", FqlValue(std::move(terms)));
    if (!values.empty()) made.append("values", FqlValue(std::move(values)));
    out.add_member("indexes", index.name.text, std::move(made));
  }
  void operator()(const fsl::Unique& unique) const {
    FqlArray terms;
    for (const fsl::Term& term : unique.terms) {
      terms.push_back(term.is_multiple ? FqlValue(term_object(term))
                                       : FqlValue(render_path(term.path)));
    }
    out.add_item("constraints", object_with("unique", FqlValue(std::move(terms))));
  }
  void operator()(const fsl::Check& check) const {
    FqlObject made = object_with("name", check.name.text);
    made.append("body", check.body.text);
    out.add_item("constraints", object_with("check", std::move(made)));
  }
  void operator()(const fsl::HistoryDays& days) const {
    out.set("history_days", whole_number(days.days));
  }
  void operator()(const fsl::TtlDays& days) const { out.set("ttl_days", whole_number(days.days)); }
  void operator()(const fsl::DocumentTtls& ttls) const {
    out.set("document_ttls", ttls.are_allowed);
  }
  void operator()(const fsl::Migrations& migrations) const {
    for (const fsl::Migration& step : migrations.steps) {
      out.add_item("migrations", std::visit(MigrationDocument(), step.what));
    }
  }
};

FqlValue predicate_or_true(const std::optional<fsl::Code>& predicate) {
  return predicate ? FqlValue(predicate->text) : FqlValue(true);
}

struct RoleDocument {
  DocumentParts& out;

  void operator()(const fsl::Privileges& privileges) const {
    FqlObject actions;
    for (const fsl::Action& action : privileges.actions) {
      actions.append(action.name, predicate_or_true(action.predicate));
    }
    FqlObject made = object_with("resource", privileges.resource.text);
    made.append("actions", FqlValue(std::move(actions)));
    out.add_item("privileges", std::move(made));
  }
  void operator()(const fsl::Membership& membership) const {
    FqlObject made = object_with("resource", membership.resource.text);
    if (membership.predicate) made.append("predicate", membership.predicate->text);
    out.add_item("membership", std::move(made));
  }
};

struct ItemDocument {
  DocumentParts& out;

  void operator()(const fsl::Collection& collection) const {
    for (const fsl::Member& member : collection.members) {
      std::visit(MemberDocument{out}, member.what);
    }
  }
  void operator()(const fsl::Function& function) const {
    if (function.role) out.set("role", function.role->text);
    out.set("body", fsl::lambda_of(function));
    if (const auto signature = fsl::signature_of(function)) out.set("signature", *signature);
  }
  void operator()(const fsl::Role& role) const {
    for (const fsl::RoleMember& member : role.members) std::visit(RoleDocument{out}, member.what);
  }
  void operator()(const fsl::AccessProvider& provider) const {
    out.set("issuer", provider.issuer);
    out.set("jwks_uri", provider.jwks_uri);
    FqlArray roles;
    for (const fsl::ProviderRole& role : provider.roles) {
      FqlObject made = object_with("role", role.name.text);
      if (role.predicate) made.append("predicate", role.predicate->text);
      roles.push_back(role.predicate ? FqlValue(std::move(made)) : FqlValue(role.name.text));
    }
    if (!roles.empty()) out.set("roles", FqlValue(std::move(roles)));
  }
};

}  // namespace

const SystemCollection& kind_of(const fsl::Item& item) {
  constexpr const char* names[] = {"Collection", "Function", "Role", "AccessProvider"};
  return *find_system(names[item.what.index()]);
}

FqlObject document_of(const fsl::Item& item) {
  DocumentParts made;
  if (item.alias) made.set("alias", item.alias->text);
  std::visit(ItemDocument{made}, item.what);
  return std::move(made).finish();
}

std::string normal_text(const SystemCollection& kind, const std::string& name,
                        const FqlObject& document) {
  return fsl::render_item(item_of(kind, name, document));
}

std::string normal_text(const fsl::Item& item) {
  return normal_text(kind_of(item), item.name.text, document_of(item));
}

}  // namespace mayfly::fauna
