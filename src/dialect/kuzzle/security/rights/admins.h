// Admins: whether there is an administrator, and what clients without a login may do, remembered
// between the changes of users, profiles and roles.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/security/store.h"

namespace mayfly::kuzzle {

// Users, profiles and roles as they are together at one instant: what is asked of rights for one
// request is asked of one of these.
struct RightsView {
  View view;
  // Which changes it has seen; none where one is under way: then nothing that is remembered counts.
  std::optional<std::uint64_t> changes;
};

// Threads: any.
class Admins {
 public:
  // A change of users, profiles or roles, from before its first commit until behind its last.
  class Change {
   public:
    explicit Change(Admins& admins) : admins_(admins) { ++admins_.under_way_; }
    ~Change() {
      admins_.changed();
      --admins_.under_way_;
    }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

   private:
    Admins& admins_;
  };

  RightsView view(Database& database) const {
    const std::uint64_t before = changes_.load();
    View view = database.view();
    const bool is_still = under_way_.load() == 0 && changes_.load() == before;
    return {std::move(view), is_still ? std::optional(before) : std::nullopt};
  }

  // Reads nothing where users have not changed since it was last asked, and one of them where they
  // have and the administrator that it remembers is still one.
  Result<bool> exist(RightsView& seen) {
    const std::uint64_t known = known_at_.load();
    if (seen.changes && known / 2 == *seen.changes) return known % 2 == 1;
    const std::lock_guard lock(mutex_);
    if (!TRY(is_admin(seen.view, id_))) id_ = TRY(find_admin(seen.view));
    const bool exists = !id_.empty();
    if (seen.changes) known_at_ = *seen.changes * 2 + (exists ? 1 : 0);
    return exists;
  }
  // As named_anonymous_rights(); likewise reads nothing where nothing has changed.
  Result<AnonymousRights> anonymous(RightsView& seen) {
    constexpr std::uint64_t kinds = 4;
    const std::uint64_t known = anonymous_at_.load();
    if (seen.changes && known / kinds == *seen.changes) {
      return static_cast<AnonymousRights>(known % kinds);
    }
    const AnonymousRights rights = TRY(named_anonymous_rights(seen.view));
    if (seen.changes) anonymous_at_ = *seen.changes * kinds + static_cast<std::uint64_t>(rights);
    return rights;
  }
  // Users, profiles or roles may have changed; called behind the commit.
  void changed() { ++changes_; }

 private:
  std::atomic<std::uint64_t> changes_ = 1;
  std::atomic<std::uint64_t> under_way_ = 0;
  std::atomic<std::uint64_t> known_at_ = 0;      // twice the changes, and one if there was one
  std::atomic<std::uint64_t> anonymous_at_ = 0;  // four times the changes, and the rights
  std::mutex mutex_;
  std::string id_;  // the administrator that was seen last; empty where there was none
};

}  // namespace mayfly::kuzzle
