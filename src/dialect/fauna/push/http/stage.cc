#include "dialect/fauna/push/http/stage.h"

#include <map>
#include <set>

#include "dialect/fauna/schema/indexes/unique_status.h"
#include "dialect/fauna/schema/members.h"

namespace mayfly::fauna {
namespace {

// By collection: constraints and indexes that its documents violate.
using FailedParts = std::map<std::string, std::set<std::string>>;

Result<FailedParts> failed_parts(Reading& reading) {
  FailedParts failed;
  for (const LiveItem& item : TRY(live_items(reading))) {
    if (item.kind->name != "Collection") continue;
    for (const FqlValue& constraint : member_list(item.document, "constraints")) {
      if (!constraint.is(FqlKind::object) || member_text(constraint.object(), "status") != "failed")
        continue;
      const FqlValue* unique = constraint.object().find("unique");
      if (unique == nullptr) continue;
      failed[item.name].insert("unique constraint " + render_unique(*unique));
    }
  }
  return failed;
}

std::string pending_text(const FailedParts& failed) {
  std::string out;
  for (const auto& [collection, parts] : failed) {
    out += "* Collection " + collection + ":\n";
    for (const std::string& part : parts) out += "  ! " + part + ": failed\n";
  }
  return out;
}

// Pushes the staged files. Returns the constraints and indexes that fail now and did not before.
Result<FailedParts> push_stage(Interpreter& run, const SchemaFiles& staged) {
  // Its commit would silently undo changes made since it was staged.
  if (!TRY(is_staged_over(run.reading(), TRY(active_files(run.reading()))))) {
    return fail(Code::invalid,
                "The schema has been changed since this one was staged. Push it again, or abandon "
                "it.");
  }
  const FailedParts before = TRY(failed_parts(run.reading()));
  TRY(push_files(run, staged));
  FailedParts failed;
  for (const auto& [collection, parts] : TRY(failed_parts(run.reading()))) {
    const auto known = before.find(collection);
    for (const std::string& part : parts) {
      const bool is_old = known != before.end() && known->second.contains(part);
      if (!is_old) failed[collection].insert(part);
    }
  }
  return failed;
}

tl::unexpected<Error> not_ready() {
  return fail(Code::invalid,
              "Cannot commit schema before it is in the `ready` state. Check schema status for "
              "details.");
}

}  // namespace

Result<StageState> try_stage(const SchemaCall& call) {
  StageState state;
  const auto tried = call.write(true, [&](Interpreter& run) -> Result<void> {
    state = {};
    const auto staged = TRY(staged_files(run.reading()));
    if (!staged) return {};
    // It was staged with its writer's rights; this request only reads.
    const Permissions::RoleScope all(run.permissions());
    auto failed = push_stage(run, *staged);
    if (!failed && failed.error().code != Code::invalid) return tl::unexpected(failed.error());
    state.pending = failed ? pending_text(*failed) : failed.error().message + "\n";
    state.status = failed && failed->empty() ? "ready" : "failed";
    return {};
  });
  if (!tried) return tl::unexpected(tried.error());
  return state;
}

SchemaResult commit_stage(SchemaCall& call) {
  const Instant at = TRY(call.write(false, [](Interpreter& run) -> Result<void> {
    const auto staged = TRY(staged_files(run.reading()));
    if (!staged) return fail(Code::invalid, "There is no staged schema to commit");
    const auto failed = push_stage(run, *staged);
    if (!failed && failed.error().code == Code::invalid) return not_ready();
    if (!failed) return tl::unexpected(failed.error());
    if (!failed->empty()) return not_ready();
    TRY(remove_staged(run));
    return store_active(run, *staged);
  }));
  return SchemaReply{at};
}

SchemaResult abandon_stage(SchemaCall& call) {
  const Instant at = TRY(call.write(false, [](Interpreter& run) -> Result<void> {
    if (!TRY(staged_files(run.reading()))) {
      return fail(Code::invalid, "There is no staged schema to abandon");
    }
    return remove_staged(run);
  }));
  return SchemaReply{at};
}

}  // namespace mayfly::fauna
