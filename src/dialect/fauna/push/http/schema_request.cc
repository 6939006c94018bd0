#include "dialect/fauna/push/http/schema_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/auth/schema_rights.h"
#include "dialect/fauna/errors.h"
#include "dialect/fauna/push/http/schema_call.h"
#include "dialect/fauna/push/http/stage.h"
#include "dialect/fauna/push/merge.h"
#include "dialect/fauna/routes.h"
#include "dialect/fauna/wire/multipart.h"
#include "dialect/fauna/wire/wire_limits.h"
#include "net/router.h"
#include "value/json/json.h"

namespace mayfly::fauna {
namespace {

net::Response schema_response(int status, const Object& body) {
  return {.status = status,
          .content_type = "application/json;charset=utf-8",
          .body = render_json(Value(body))};
}

net::Response schema_error(const Error& error) {
  const ProtocolError known = protocol_error(error);
  const bool is_refused = error.code == Code::invalid;
  Object inner;
  inner.set("code", Value(is_refused ? std::string("invalid_schema") : std::string(known.code)));
  inner.set("message", Value(is_refused ? error.message : known.message));
  Object body;
  body.set("error", Value(std::move(inner)));
  return schema_response(known.status, body);
}

// The files of the request.
Result<SchemaFiles> request_files(const SchemaCall& call) {
  const std::string* type = call.request.header("content-type");
  // Node's fetch sends an empty form without a body.
  auto parts = call.request.body.empty()
                   ? Result<std::vector<FormPart>>(std::vector<FormPart>())
                   : read_multipart(type == nullptr ? "" : *type, call.request.body);
  if (!parts) return tl::unexpected(std::move(parts).error());
  SchemaFiles files;
  for (FormPart& part : *parts) {
    if (!part.name.ends_with(".fsl") || part.name.starts_with('*')) {
      return fail(Code::invalid, fmt::format("Invalid filename `{}`", part.name));
    }
    std::erase_if(files, [&](const SchemaFile& file) { return file.name == part.name; });
    files.push_back({std::move(part.name), std::move(part.content)});
  }
  return files;
}

// The given files alone; with `override=false`, merged into the existing ones.
Result<SchemaFiles> whole_files(const SchemaCall& call, Reading& reading,
                                const SchemaFiles& new_files) {
  SchemaFiles files;
  if (!call.flag("override", true)) files = TRY(requested_files(call, reading));
  for (const SchemaFile& file : new_files) {
    std::erase_if(files, [&](const SchemaFile& there) { return there.name == file.name; });
    files.push_back(file);
  }
  if (files.size() > limits::schema_files_max) return fail(Code::invalid, "Too many files");
  std::sort(files.begin(), files.end(),
            [](const SchemaFile& a, const SchemaFile& b) { return a.name < b.name; });
  return files;
}

// The files that the request is compared with, and the staged ones.
struct CurrentFiles {
  SchemaFiles active;
  std::optional<SchemaFiles> staged;
};
Result<CurrentFiles> current_files(Reading& reading) {
  CurrentFiles known;
  known.active = TRY(active_files(reading));
  known.staged = TRY(staged_files(reading));
  return known;
}

// Both spellings are in use. nullopt if neither is present.
std::optional<DiffForm> requested_diff_form(const SchemaCall& call) {
  const std::string format = call.text("format");
  return diff_form(format.empty() ? call.text("diff") : format);
}

Value diff_value(const SchemaCall& call, const SchemaFiles& before, const SchemaFiles& after) {
  const std::string diff =
      render_diff(before, after, requested_diff_form(call).value_or(DiffForm::semantic));
  return Value(call.text("color") == "ansi" ? colored_diff(diff) : diff);
}

SchemaResult list_files(SchemaCall& call) {
  Array names;
  TRY(call.read([&](Interpreter& run) -> Result<void> {
    for (const SchemaFile& file : TRY(requested_files(call, run.reading()))) {
      Object one;
      one.set("filename", Value(file.name));
      names.push_back(Value(std::move(one)));
    }
    return {};
  }));
  SchemaReply reply{call.version()};
  reply.rest.set("files", Value(std::move(names)));
  return reply;
}

SchemaResult show_file(SchemaCall& call) {
  const std::string name = TRY(net::decode_percent(call.rest));
  SchemaReply reply{call.version()};
  TRY(call.read([&](Interpreter& run) -> Result<void> {
    for (const SchemaFile& file : TRY(requested_files(call, run.reading()))) {
      if (file.name == name) reply.rest.set("content", Value(file.content));
    }
    return {};
  }));
  if (reply.rest.empty()) return fail(Code::not_found, "Not found");
  return reply;
}

SchemaResult update(SchemaCall& call) {
  const SchemaFiles new_files = TRY(request_files(call));
  if (new_files.empty() && call.flag("override", true) && !call.flag("force", false)) {
    return fail(Code::invalid,
                "No schema files were given: this would delete the whole schema. Send force=true "
                "to do so.");
  }
  const auto make = [&](Reading& reading) { return whole_files(call, reading, new_files); };
  return put_files(call, make, call.flag("staged", false));
}

// Files of an import: they replace items with the same names and leave all others.
SchemaResult merge(SchemaCall& call) {
  const SchemaFiles new_files = TRY(request_files(call));
  const auto make = [&](Reading& reading) -> Result<SchemaFiles> {
    return merged_files(TRY(active_files(reading)), new_files);
  };
  return put_files(call, make, false);
}

SchemaResult diff(SchemaCall& call) {
  const SchemaFiles new_files = TRY(request_files(call));
  Value shown;
  TRY(call.write(true, [&](Interpreter& run) -> Result<void> {
    const SchemaFiles before = TRY(requested_files(call, run.reading()));
    const SchemaFiles after = TRY(whole_files(call, run.reading(), new_files));
    TRY(push_files(run, after));
    shown = diff_value(call, before, after);
    return {};
  }));
  SchemaReply reply{call.version()};
  reply.rest.set("diff", std::move(shown));
  return reply;
}

SchemaResult status(SchemaCall& call) {
  CurrentFiles known;
  TRY(call.read([&](Interpreter& run) -> Result<void> {
    known = TRY(current_files(run.reading()));
    return {};
  }));
  SchemaReply reply{call.version()};
  const StageState state = known.staged ? TRY(try_stage(call)) : StageState{"none", ""};
  reply.rest.set("status", Value(std::string(state.status)));
  if (!requested_diff_form(call)) return reply;
  reply.rest.set("pending_summary", Value(state.pending));
  reply.rest.set("diff", known.staged ? diff_value(call, known.active, *known.staged) : Value(""));
  return reply;
}

constexpr net::Pace pooled = net::Pace::worker;
constexpr RouteEffect read = RouteEffect::read;
constexpr RouteEffect write = RouteEffect::write;
constexpr std::string_view items_path = "items/";

// A diff evaluates the new schema on trial, so it needs the same rights as an update.
constexpr SchemaRoute schema_table[] = {
    {{"GET", "files", pooled, read}, list_files},
    {{"GET", "files/", pooled, read}, show_file},
    {{"POST", "update", pooled, write}, update},
    {{"POST", "merge", pooled, write}, merge},
    {{"POST", "diff", pooled, write}, diff},
    {{"POST", "validate", pooled, write}, diff},
    {{"GET", "status", pooled, read}, status},
    {{"GET", "staged/status", pooled, read}, status},
    {{"POST", "commit", pooled, write}, commit_stage},
    {{"POST", "staged/commit", pooled, write}, commit_stage},
    {{"POST", "abandon", pooled, write}, abandon_stage},
    {{"POST", "staged/abandon", pooled, write}, abandon_stage},
    {{"GET", items_path, pooled, read}, answer_item},
    {{"POST", items_path, pooled, write}, answer_item},
    {{"DELETE", items_path, pooled, write}, answer_item},
};

// Null if there is none.
const SchemaRoute* find_schema_route(std::string_view method, std::string_view path) {
  for (const SchemaRoute& row : schema_table) {
    if (row.method == method && is_for_path(row, path)) return &row;
  }
  return nullptr;
}

// Rights are checked first, also for a path without a route.
Result<void> check_rights(const SchemaCall& call, const SchemaRoute* row, std::string_view path) {
  const SystemCollection* kind = nullptr;
  if (path.starts_with(items_path)) kind = kind_of_items(path.substr(items_path.size()));
  const bool is_reading =
      row == nullptr ? call.request.method == "GET" : row->effect == RouteEffect::read;
  return call.read([&](Interpreter& run) -> Result<void> {
    const bool is_allowed =
        TRY(is_reading ? may_read_schema(run, kind) : may_write_schema(run, kind));
    return is_allowed ? Result<void>() : fail(Code::forbidden, "Access denied");
  });
}

SchemaResult route(SchemaCall& call, std::string_view path) {
  const SchemaRoute* const row = find_schema_route(call.request.method, path);
  TRY(call.begin());
  TRY(check_rights(call, row, path));
  TRY(call.check_version(call.version()));
  if (row == nullptr) return fail(Code::not_found, "Not found");
  call.rest = path.substr(row->pattern.size());
  return row->answer(call);
}

}  // namespace

std::span<const SchemaRoute> schema_routes() {
  return schema_table;
}

Result<SchemaFiles> requested_files(const SchemaCall& call, Reading& reading) {
  if (call.flag("staged", false)) {
    if (auto staged = TRY(staged_files(reading))) return *std::move(staged);
  }
  return active_files(reading);
}

SchemaResult put_files(SchemaCall& call, const MakeFiles& make, bool is_staged) {
  if (is_staged) {
    // Validated now, so that the commit does not fail for reasons that are already known.
    TRY(call.write(true, [&](Interpreter& run) -> Result<void> {
      return push_files(run, TRY(make(run.reading())));
    }));
  }
  const Instant at = TRY(call.write(false, [&](Interpreter& run) -> Result<void> {
    const SchemaFiles made = TRY(make(run.reading()));
    if (is_staged) return store_staged(run, made);
    TRY(push_files(run, made));
    return store_active(run, made);
  }));
  return SchemaReply{at};
}

net::Response answer_schema(const net::Request& request, const SharedServices& shared,
                            const Principal& principal) {
  const std::string_view path = std::string_view(request.path).substr(schema_path.size());
  SchemaCall call(request, shared, principal);
  auto answered = route(call, path);
  if (!answered) return schema_error(answered.error());
  Object body;
  body.set("version", Value(answered->version.micros));
  for (const auto& [name, value] : answered->rest) body.set(name, value);
  return schema_response(200, body);
}

}  // namespace mayfly::fauna
