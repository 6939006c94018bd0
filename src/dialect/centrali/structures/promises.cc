#include "dialect/centrali/structures/promises.h"

#include "base/limits.h"
#include "dialect/common/json_body.h"

namespace mayfly::centrali {
namespace {

constexpr Span day = Span::seconds(86'400);
constexpr Span month = Span::seconds(30 * 86'400);

}  // namespace

Result<void> promise_keeping(const Object& facet, CollectionChange& change) {
  const Value* versioning = facet.find("enableVersioning");
  const bool keeps_versions = versioning != nullptr && versioning->is_true();
  change.keep_history_for = keeps_versions ? month : day;
  change.keep_trash_for = month;
  change.keep_feed_for = day;
  const Value* policy = facet.find("retentionPolicy");
  if (policy == nullptr || !policy->is(Kind::object)) return {};
  MemberReader reader(policy->object(), "retentionPolicy");
  if (const auto seconds = TRY(reader.integer("historySeconds", 0, limits::ttl_seconds_max))) {
    change.keep_history_for = Span::seconds(*seconds);
  }
  if (const auto seconds = TRY(reader.integer("archiveSeconds", 0, limits::ttl_seconds_max))) {
    change.keep_trash_for = Span::seconds(*seconds);
  }
  return {};
}

}  // namespace mayfly::centrali
