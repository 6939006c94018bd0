#include "dialect/centrali/structures/promises.h"

#include "base/limits.h"
#include "dialect/common/requests/json_body.h"

namespace mayfly::centrali {
namespace {

constexpr Span day = Span::seconds(86'400);
constexpr Span month = Span::seconds(30 * 86'400);

struct Kept {
  Span history;
  Span trash;
  bool says_history = false;  // in seconds
  bool says_trash = false;
};

Result<Kept> kept_by(const Object& facet) {
  const Value* versioning = facet.find("enableVersioning");
  const bool keeps_versions = versioning != nullptr && versioning->is_true();
  Kept kept{keeps_versions ? month : day, month};
  const Value* policy = facet.find("retentionPolicy");
  if (policy == nullptr || !policy->is(Kind::object)) return kept;
  MemberReader reader(policy->object(), "retentionPolicy");
  if (const auto seconds = TRY(reader.integer("historySeconds", 0, limits::ttl_seconds_max))) {
    kept.history = Span::seconds(*seconds);
    kept.says_history = true;
  }
  if (const auto seconds = TRY(reader.integer("archiveSeconds", 0, limits::ttl_seconds_max))) {
    kept.trash = Span::seconds(*seconds);
    kept.says_trash = true;
  }
  return kept;
}

}  // namespace

Result<void> promise_keeping(const Object& facet, CollectionChange& change) {
  const Kept kept = TRY(kept_by(facet));
  change.keep_history_for = kept.history;
  change.keep_trash_for = kept.trash;
  change.keep_feed_for = day;
  return {};
}

Result<void> change_keeping(const Object& body, const Object& before, const Object& after,
                            CollectionChange& change) {
  const Kept said = TRY(kept_by(body));
  const Kept now = TRY(kept_by(after));
  const auto kept_before = kept_by(before);
  const Kept was = kept_before ? *kept_before : now;
  if (said.says_history || now.history != was.history) change.keep_history_for = now.history;
  if (said.says_trash || now.trash != was.trash) change.keep_trash_for = now.trash;
  return {};
}

}  // namespace mayfly::centrali
