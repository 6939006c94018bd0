// Permissions: what the principal of a query may do with documents and functions. Every access to a
// document is checked here.
//
// The rights of several roles add up. Within one role, `true` or any predicate that holds is
// enough. A predicate runs with all read rights and may not write; a predicate that fails counts as
// a denial.
//
// Threads: one at a time, the interpreter's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dialect/fauna/auth/principal.h"
#include "dialect/fauna/documents/collection.h"
#include "dialect/fauna/run/functions/callable.h"

namespace mayfly::fauna {

class Interpreter;

// An action that a privilege allows.
enum class Action : std::uint8_t {
  read,
  write,
  create,
  remove,
  create_with_id,
  history_read,
  history_write,
  unrestricted_read,
  call
};

// Whether one action on one resource is allowed: always, if a predicate holds, or never (no
// predicates).
struct Grant {
  bool is_always = false;
  std::vector<std::shared_ptr<const Callable>> predicates = {};

  bool is_never() const { return !is_always && predicates.empty(); }
};

class Permissions {
 public:
  // The interpreter must outlive this object. The constructor does not call it.
  Permissions(Interpreter& run, const Principal& principal);
  ~Permissions();

  // Whether the current role may do everything, so that no check is needed.
  bool is_unrestricted() const { return active_roles_->is_unrestricted; }
  // The grant to read a collection, now or as of an instant.
  Result<Grant> reading(const FqlCollection& of, const std::optional<Instant>& at);
  Result<bool> may_read(const FqlCollection& of, const DocumentHandle& handle,
                        const Document& document);
  // Whether the principal may create, change or delete any document of the collection at all.
  Result<bool> may_ever_write(const FqlCollection& of);
  // These fail with permission_denied.
  Result<void> check_create(const FqlCollection& of, const FqlObject& fields,
                            const std::optional<std::string>& id);
  Result<void> check_change(const FqlCollection& of, const DocumentHandle& handle,
                            const FqlObject& fields);
  Result<void> check_delete(const FqlCollection& of, const DocumentHandle& handle);
  Result<void> check_call(std::string_view function, std::string_view alias,
                          std::span<const FqlValue> arguments);
  // Checks that the principal may assign this role to keys and functions.
  Result<void> check_assign_role(std::string_view role);

  // Drops cached decisions: about documents only, or about roles as well.
  void clear_document_decisions();
  void clear_roles();

 private:
  // One set of roles with its cached grants and decisions.
  struct ActiveRoles {
    BuiltInRole role = BuiltInRole::none;
    std::vector<std::string> roles = {};  // of the schema
    // use the roles that have the principal's identity as a member
    bool is_identity = false;
    bool is_unrestricted = false;
    std::optional<std::vector<Document>> documents = {};  // the documents of its roles
    std::map<std::string, Grant, std::less<>> grants = {};
    // results of read predicates, by document
    std::map<std::string, bool, std::less<>> read_decisions = {};
  };

 public:
  // Scope guard: checks use another role in place of the principal's.
  class RoleScope {
   public:
    // Grants every right.
    explicit RoleScope(Permissions& of);
    // A built-in role or one of the schema's.
    RoleScope(Permissions& of, std::string_view role);
    ~RoleScope() { of_.active_roles_ = before_; }
    RoleScope(const RoleScope&) = delete;
    RoleScope& operator=(const RoleScope&) = delete;

   private:
    Permissions& of_;
    ActiveRoles* const before_;
  };
  // Scope guard: if `is_of_query`, checks use the principal's own rights again. The query may pass
  // its functions and sets to a function with a role; they must not gain more rights than the query
  // has.
  class OwnRightsScope {
   public:
    OwnRightsScope(Permissions& of, bool is_of_query) : of_(of), before_(of.active_roles_) {
      if (is_of_query) of.active_roles_ = of.own_roles_.get();
    }
    ~OwnRightsScope() { of_.active_roles_ = before_; }
    OwnRightsScope(const OwnRightsScope&) = delete;
    OwnRightsScope& operator=(const OwnRightsScope&) = delete;

   private:
    Permissions& of_;
    ActiveRoles* const before_;
  };
  bool uses_other_role() const { return active_roles_ != own_roles_.get(); }

  // Scope guard: reads as of that instant count as reads of the present. All pages of one set are
  // read as of one instant.
  class SnapshotScope {
   public:
    SnapshotScope(Permissions& of, std::optional<Instant> at)
        : of_(of), before_(std::exchange(of.present_, at)) {}
    ~SnapshotScope() { of_.present_ = before_; }
    SnapshotScope(const SnapshotScope&) = delete;
    SnapshotScope& operator=(const SnapshotScope&) = delete;

   private:
    Permissions& of_;
    const std::optional<Instant> before_;
  };

  // Scope guard: reads as of any instant count as reads of the present. Each event is read as of
  // its own instant and needs no right to the history.
  class EventScope {
   public:
    explicit EventScope(Permissions& of)
        : of_(of), before_(std::exchange(of.is_reading_events_, true)) {}
    ~EventScope() { of_.is_reading_events_ = before_; }
    EventScope(const EventScope&) = delete;
    EventScope& operator=(const EventScope&) = delete;

   private:
    Permissions& of_;
    const bool before_;
  };

 private:
  Result<Grant> grant(Action action, std::string_view resource, std::string_view alias = {});
  Result<Grant> build_grant(Action action, std::string_view resource, std::string_view alias);
  Result<void> add_role(const Document& role, Action action, std::string_view resource,
                        std::string_view alias, Grant& grant);
  Result<const std::vector<Document>*> roles();
  Result<bool> is_member(const Document& role);
  Result<bool> is_allowed(const Grant& grant, std::span<const FqlValue> arguments);
  Result<bool> holds(const Callable& predicate, std::span<const FqlValue> arguments);
  bool is_own(const FqlCollection& of, const DocumentHandle& handle,
              const Document& document) const;
  Result<void> check(const Grant& grant, std::span<const FqlValue> arguments);

  Interpreter& run_;
  std::map<std::string, std::unique_ptr<ActiveRoles>, std::less<>> other_roles_;  // by role name
  std::unique_ptr<ActiveRoles> own_roles_;
  std::unique_ptr<ActiveRoles> all_rights_;
  ActiveRoles* active_roles_;
  std::optional<Instant> present_;
  bool is_reading_events_ = false;
};

}  // namespace mayfly::fauna
