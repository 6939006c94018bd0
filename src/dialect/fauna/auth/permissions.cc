#include "dialect/fauna/auth/permissions.h"

#include <fmt/format.h>

#include <algorithm>

#include "db/rows/keys.h"
#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/run/functions/compile.h"
#include "dialect/fauna/run/interpreter.h"

namespace mayfly::fauna {
namespace {

constexpr std::size_t read_decisions_max = 2'000;  // cached decisions

constexpr std::string_view action_names[] = {"read",
                                             "write",
                                             "create",
                                             "delete",
                                             "create_with_id",
                                             "history_read",
                                             "history_write",
                                             "unrestricted_read",
                                             "call"};

std::string_view name_of(Action action) {
  return action_names[static_cast<std::size_t>(action)];
}

bool is_reading(Action action) {
  return action == Action::read || action == Action::history_read ||
         action == Action::unrestricted_read;
}

// Whether a built-in role allows the action.
bool built_in_grant(BuiltInRole role, Action action, std::string_view resource) {
  if (role == BuiltInRole::admin) return true;
  const SystemCollection* const system = find_system(resource);
  if (system != nullptr && !system->property.empty()) return false;
  if (role == BuiltInRole::server) return true;
  return role == BuiltInRole::server_readonly && is_reading(action);
}

// A single object, or a list of objects.
std::vector<Value> items_of(const Value& value) {
  if (value.is(Kind::object)) return {value};
  if (!value.is(Kind::array)) return {};
  return {value.array().begin(), value.array().end()};
}

bool names(const Value& privilege, std::string_view resource, std::string_view alias) {
  const Value stored = privilege.member("resource");
  if (!stored.is(Kind::text)) return false;
  return stored.text() == resource || (!alias.empty() && stored.text() == alias);
}

std::string_view alias_of(const FqlCollection& of) {
  return of.definition ? std::string_view(of.definition->alias) : std::string_view();
}

FqlValue as_argument(const FqlCollection& of, const FqlObject& fields,
                     const std::optional<std::string>& id) {
  FqlObject shown;
  if (id && !of.is_named()) shown.append("id", FqlValue(Id{*id}));
  if (id && of.is_named()) shown.append("name", FqlValue(*id));
  shown.append("coll", FqlValue(module_of(of.name)));
  for (const auto& [name, value] : fields.members()) shown.set(name, value);
  return FqlValue(std::move(shown));
}

}  // namespace

Permissions::Permissions(Interpreter& run, const Principal& principal)
    : run_(run),
      own_roles_(std::make_unique<ActiveRoles>()),
      all_rights_(std::make_unique<ActiveRoles>()) {
  own_roles_->role = principal.role;
  own_roles_->roles = principal.roles;
  own_roles_->is_identity = principal.identity.has_value();
  own_roles_->is_unrestricted = principal.is_admin();
  all_rights_->role = BuiltInRole::admin;
  all_rights_->is_unrestricted = true;
  active_roles_ = own_roles_.get();
}

Permissions::~Permissions() = default;

Permissions::RoleScope::RoleScope(Permissions& of) : of_(of), before_(of.active_roles_) {
  of.active_roles_ = of.all_rights_.get();
}

Permissions::RoleScope::RoleScope(Permissions& of, std::string_view role)
    : of_(of), before_(of.active_roles_) {
  auto& other = of.other_roles_[std::string(role)];
  if (!other) {
    other = std::make_unique<ActiveRoles>();
    if (const auto built_in = built_in_role(role)) {
      other->role = *built_in;
    } else {
      other->roles = {std::string(role)};
    }
    other->is_unrestricted = other->role == BuiltInRole::admin;
  }
  of.active_roles_ = other.get();
}

void Permissions::clear_document_decisions() {
  own_roles_->read_decisions.clear();
  for (auto& [role, acting] : other_roles_) acting->read_decisions.clear();
}

void Permissions::clear_roles() {
  clear_document_decisions();
  const auto forget = [](ActiveRoles& acting) {
    acting.documents.reset();
    acting.grants.clear();
  };
  forget(*own_roles_);
  for (auto& [role, acting] : other_roles_) forget(*acting);
}

// --- predicates ---

Result<bool> Permissions::holds(const Callable& predicate, std::span<const FqlValue> arguments) {
  const RoleScope all(*this);
  const Run::EffectScope reads_only(run_, {Effect::read, "auth predicates"});
  const std::size_t logged = run_.logs.count();
  auto stored = run_.call_predicate(predicate, "predicate", arguments);
  run_.logs.forget_from(logged);
  if (stored) return *stored;
  if (!run_.failure()) return tl::unexpected(std::move(stored).error());
  run_.forget_failure();
  return false;
}

Result<bool> Permissions::is_allowed(const Grant& grant, std::span<const FqlValue> arguments) {
  if (grant.is_always) return true;
  for (const auto& predicate : grant.predicates) {
    if (TRY(holds(*predicate, arguments))) return true;
  }
  return false;
}

Result<void> Permissions::check(const Grant& grant, std::span<const FqlValue> arguments) {
  if (TRY(is_allowed(grant, arguments))) return {};
  return run_.fail_denied();
}

// --- roles ---

Result<bool> Permissions::is_member(const Document& role) {
  const DocumentHandle& identity = *run_.environment().principal.identity;
  const FqlCollectionPtr of = TRY(run_.collection(identity.collection));
  const std::string_view alias = of ? alias_of(*of) : std::string_view();
  for (const Value& membership : items_of(role.body.member("membership"))) {
    if (!names(membership, identity.collection, alias)) continue;
    const Value stored = membership.member("predicate");
    if (stored.is(Kind::boolean) && !stored.boolean()) continue;
    if (!stored.is(Kind::text)) return true;
    auto predicate = compile(run_, "*membership*", stored.text());
    if (!predicate) {
      run_.forget_failure();
      continue;
    }
    const FqlValue document(identity);
    if (TRY(holds(**predicate, std::span(&document, 1)))) return true;
  }
  return false;
}

Result<const std::vector<Document>*> Permissions::roles() {
  ActiveRoles& acting = *active_roles_;
  if (acting.documents) return &*acting.documents;
  std::vector<Document> found;
  const SystemCollection& kind = *find_system("Role");
  for (const std::string& name : acting.roles) {
    auto role = TRY(run_.reading().get_system(kind, name));
    if (role) found.push_back(*std::move(role));
  }
  const CollectionPtr table = run_.reading().system_table();
  if (acting.is_identity && table) {
    const auto add = [&](const Document& role) -> Result<void> {
      if (TRY(is_member(role))) found.push_back(role);
      return {};
    };
    TRY(each_of_system(run_.reading().view(), *table, kind, add));
  }
  acting.documents = std::move(found);
  return &*acting.documents;
}

Result<void> Permissions::add_role(const Document& role, Action action, std::string_view resource,
                                   std::string_view alias, Grant& grant) {
  for (const Value& privilege : items_of(role.body.member("privileges"))) {
    if (!names(privilege, resource, alias)) continue;
    const Value stored = privilege.member("actions").member(name_of(action));
    grant.is_always = grant.is_always || stored.is_true();
    if (!stored.is(Kind::text)) continue;
    auto predicate = compile(run_, "*predicate*", stored.text());
    if (predicate) {
      grant.predicates.push_back(*std::move(predicate));
    } else {
      run_.forget_failure();
    }
  }
  return {};
}

Result<Grant> Permissions::build_grant(Action action, std::string_view resource,
                                       std::string_view alias) {
  Grant grant{.is_always = built_in_grant(active_roles_->role, action, resource)};
  if (grant.is_always) return grant;
  for (const Document& role : *TRY(roles())) {
    TRY(add_role(role, action, resource, alias, grant));
    if (action == Action::read) {
      Grant unrestricted;
      TRY(add_role(role, Action::unrestricted_read, resource, alias, unrestricted));
      grant.is_always = grant.is_always || unrestricted.is_always;
    }
  }
  return grant;
}

Result<Grant> Permissions::grant(Action action, std::string_view resource, std::string_view alias) {
  if (is_unrestricted()) return Grant{.is_always = true};
  const std::string key = fmt::format("{} {}", name_of(action), resource);
  if (const auto known = active_roles_->grants.find(key); known != active_roles_->grants.end()) {
    return known->second;
  }
  Grant made = TRY(build_grant(action, resource, alias));
  active_roles_->grants.emplace(key, made);
  return made;
}

// --- questions ---

Result<Grant> Permissions::reading(const FqlCollection& of, const std::optional<Instant>& at) {
  const bool is_past = at && !is_reading_events_ && at != present_;
  Grant found = TRY(grant(is_past ? Action::history_read : Action::read, of.name, alias_of(of)));
  return found;
}

// Whether it is the token's own document, or the credential of its identity.
bool Permissions::is_own(const FqlCollection& of, const DocumentHandle& handle,
                         const Document& document) const {
  const Principal& principal = run_.environment().principal;
  if (active_roles_ != own_roles_.get() || of.system == nullptr || !principal.identity)
    return false;
  if (of.name != "Token" && of.name != "Credential") return false;
  if (of.name == "Token" && principal.token && principal.token->id == handle.id) return true;
  // belongs to an earlier document with the same id
  if (document.created_at < principal.identity_created_at) return false;
  const Value stored = document.body.member("document");
  return stored.is(Kind::reference) &&
         stored.reference().collection == principal.identity->collection &&
         stored.reference().id == principal.identity->id;
}

Result<bool> Permissions::may_read(const FqlCollection& of, const DocumentHandle& handle,
                                   const Document& document) {
  if (is_unrestricted()) return true;
  const Grant found = TRY(reading(of, handle.at));
  if (found.is_always || is_own(of, handle, document)) return true;
  if (found.is_never()) return false;
  const bool is_past = handle.at && !is_reading_events_ && handle.at != present_;
  const std::string key = Interpreter::cache_key(handle) + (is_past ? "past" : "");
  auto& read_decisions = active_roles_->read_decisions;
  if (const auto known = read_decisions.find(key); known != read_decisions.end())
    return known->second;
  const FqlValue argument(handle);
  const bool is_readable = TRY(is_allowed(found, std::span(&argument, 1)));
  if (read_decisions.size() >= read_decisions_max) read_decisions.clear();
  read_decisions[key] = is_readable;
  return is_readable;
}

Result<void> Permissions::check_create(const FqlCollection& of, const FqlObject& fields,
                                       const std::optional<std::string>& id) {
  if (is_unrestricted()) return {};
  const FqlValue argument = as_argument(of, fields, id);
  const std::span<const FqlValue> arguments(&argument, 1);
  TRY(check(TRY(grant(Action::create, of.name, alias_of(of))), arguments));
  if (!id || of.is_named()) return {};
  if (TRY(is_allowed(TRY(grant(Action::create_with_id, of.name, alias_of(of))), arguments))) {
    return {};
  }
  return check(TRY(grant(Action::history_write, of.name, alias_of(of))), arguments);
}

Result<void> Permissions::check_change(const FqlCollection& of, const DocumentHandle& handle,
                                       const FqlObject& fields) {
  if (is_unrestricted()) return {};
  DocumentHandle present = handle;
  present.at.reset();
  const FqlValue arguments[] = {FqlValue(std::move(present)), as_argument(of, fields, handle.id)};
  return check(TRY(grant(Action::write, of.name, alias_of(of))), arguments);
}

Result<void> Permissions::check_delete(const FqlCollection& of, const DocumentHandle& handle) {
  if (is_unrestricted()) return {};
  DocumentHandle present = handle;
  present.at.reset();
  const auto document = TRY(run_.find(present));
  if (document && of.name == "Token" && is_own(of, handle, *document)) return {};
  const FqlValue argument(std::move(present));
  return check(TRY(grant(Action::remove, of.name, alias_of(of))), std::span(&argument, 1));
}

Result<bool> Permissions::may_ever_write(const FqlCollection& of) {
  for (const Action action : {Action::create, Action::write, Action::remove}) {
    if (!TRY(grant(action, of.name, alias_of(of))).is_never()) return true;
  }
  return false;
}

Result<void> Permissions::check_call(std::string_view function, std::string_view alias,
                                     std::span<const FqlValue> arguments) {
  if (is_unrestricted()) return {};
  const FqlValue argument(FqlArray(arguments.begin(), arguments.end()));
  return check(TRY(grant(Action::call, function, alias)), std::span(&argument, 1));
}

Result<void> Permissions::check_assign_role(std::string_view role) {
  if (is_unrestricted()) return {};
  if (active_roles_->role == BuiltInRole::server && role != "admin") return {};
  return run_.fail_denied();
}

}  // namespace mayfly::fauna
