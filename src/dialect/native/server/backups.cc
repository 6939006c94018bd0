// Backups, if the server has a directory for them.
#include "store/backups.h"

#include <mutex>

#include "base/service/logging.h"
#include "db/rows/records.h"
#include "dialect/common/requests/json_body.h"
#include "dialect/native/actions.h"

namespace mayfly::native {
namespace {

Result<std::string> directory_of(const NativeCall& call) {
  const std::string& directory = call.shared.backup_directory;
  if (!directory.empty()) return directory;
  return fail(Code::unsupported,
              "the server makes no backups: its setting backup.directory is empty");
}

Value backup_value(const store::BackupInfo& backup) {
  return Object{{"name", Value(backup.name)},
                {"instant", Value(records::to_instant(backup.version))},
                {"bytes", Value(static_cast<std::int64_t>(backup.bytes))},
                {"files", Value(static_cast<std::int64_t>(backup.files))}};
}

// Hides paths of the server from clients: a failure to write there is logged.
Error told(Error error) {
  if (error.code == Code::internal || error.code == Code::corrupt) {
    log(LogLevel::error, "a backup failed", {{"error", error.message}});
  }
  if (error.code == Code::internal) error.message = "the backup failed; the server's log says why";
  if (error.code == Code::corrupt)
    error.message = "the data is damaged; the server's log says where";
  if (error.code == Code::no_space) error.message = "the disk is too full for a backup";
  return error;
}

}  // namespace

Result<net::Response> create_backup(NativeCall& call) {
  const std::string directory = TRY(directory_of(call));
  const Object body = TRY(parse_object(call.request.body));
  MemberReader members(body);
  const auto name = TRY(members.text("name"));
  TRY(members.finish());
  if (!name) return tl::unexpected(members.wrong_kind("name", "given"));
  TRY(store::check_backup_name(*name));
  const std::unique_lock lock(call.shared.backup_is_made, std::try_to_lock);
  if (!lock.owns_lock()) return fail(Code::contended, "another backup is being made");
  // Everything that was answered by now is before the backup's instant.
  TRY(call.database().persist_clock());
  const auto made =
      TRY(store::make_backup(call.database().store(), directory, *name).map_error(told));
  return json_response(201, render_json(backup_value(made)));
}

Result<net::Response> remove_backup(NativeCall& call) {
  const std::string directory = TRY(directory_of(call));
  const std::unique_lock lock(call.shared.backup_is_made, std::try_to_lock);
  if (!lock.owns_lock()) return fail(Code::contended, "a backup is being made");
  TRY(store::remove_backup(directory, call["name"]).map_error(told));
  return empty_response();
}

Result<net::Response> list_backups(NativeCall& call) {
  Array all;
  for (const auto& backup : TRY(store::list_backups(TRY(directory_of(call))).map_error(told))) {
    all.push_back(backup_value(backup));
  }
  return json_response(200, render_json(Object{{"backups", std::move(all)}}));
}

}  // namespace mayfly::native
