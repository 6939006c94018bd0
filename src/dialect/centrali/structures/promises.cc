#include "dialect/centrali/structures/promises.h"

#include "base/limits.h"
#include "dialect/common/requests/json_body.h"

namespace mayfly::centrali {
namespace {

constexpr Span day = Span::seconds(86'400);
constexpr Span month = Span::seconds(30 * 86'400);

struct RetentionSettings {
  Span history;
  Span trash;
  bool sets_history = false;  // in seconds
  bool sets_trash = false;
};

Result<RetentionSettings> retention_of(const Object& facet) {
  const Value* versioning = facet.find("enableVersioning");
  const bool keeps_versions = versioning != nullptr && versioning->is_true();
  RetentionSettings retention{keeps_versions ? month : day, month};
  const Value* policy = facet.find("retentionPolicy");
  if (policy == nullptr || !policy->is(Kind::object)) return retention;
  MemberReader reader(policy->object(), "retentionPolicy");
  if (const auto seconds = TRY(reader.integer("historySeconds", 0, limits::ttl_seconds_max))) {
    retention.history = Span::seconds(*seconds);
    retention.sets_history = true;
  }
  if (const auto seconds = TRY(reader.integer("archiveSeconds", 0, limits::ttl_seconds_max))) {
    retention.trash = Span::seconds(*seconds);
    retention.sets_trash = true;
  }
  return retention;
}

}  // namespace

Result<void> set_retention(const Object& facet, CollectionChange& change) {
  const RetentionSettings retention = TRY(retention_of(facet));
  change.keep_history_for = retention.history;
  change.keep_trash_for = retention.trash;
  change.keep_feed_for = day;
  return {};
}

Result<void> change_retention(const Object& body, const Object& before, const Object& after,
                              CollectionChange& change) {
  const RetentionSettings said = TRY(retention_of(body));
  const RetentionSettings now = TRY(retention_of(after));
  const auto retention_before = retention_of(before);
  const RetentionSettings was = retention_before ? *retention_before : now;
  if (said.sets_history || now.history != was.history) change.keep_history_for = now.history;
  if (said.sets_trash || now.trash != was.trash) change.keep_trash_for = now.trash;
  return {};
}

}  // namespace mayfly::centrali
