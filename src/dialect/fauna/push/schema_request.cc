#include "dialect/fauna/push/schema_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/errors.h"
#include "dialect/fauna/push/merge.h"
#include "dialect/fauna/push/schema_call.h"
#include "dialect/fauna/wire/multipart.h"
#include "net/router.h"
#include "value/json.h"

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

// The files of the request, over those that are there where it says `override=false`.
Result<SchemaFiles> given_files(SchemaCall& call, bool is_staged) {
  const std::string* type = call.request.header("content-type");
  // Node's fetch sends an empty form without a body.
  auto parts = call.request.body.empty()
                   ? Result<std::vector<FormPart>>(std::vector<FormPart>())
                   : read_multipart(type == nullptr ? "" : *type, call.request.body);
  if (!parts) return tl::unexpected(std::move(parts).error());
  SchemaFiles files;
  if (!call.flag("override", true)) {
    TRY(call.read([&](Reading& reading) -> Result<void> {
      const auto staged = is_staged ? TRY(staged_files(reading)) : std::nullopt;
      files = staged ? *staged : TRY(active_files(reading));
      return {};
    }));
  }
  for (FormPart& part : *parts) {
    if (!part.name.ends_with(".fsl") || part.name.starts_with('*')) {
      return fail(Code::invalid, fmt::format("Invalid filename `{}`", part.name));
    }
    std::erase_if(files, [&](const SchemaFile& file) { return file.name == part.name; });
    files.push_back({std::move(part.name), std::move(part.content)});
  }
  std::sort(files.begin(), files.end(),
            [](const SchemaFile& a, const SchemaFile& b) { return a.name < b.name; });
  return files;
}

// What the request's differences are shown against, and those that are staged.
struct KnownFiles {
  SchemaFiles active;
  std::optional<SchemaFiles> staged;
};
Result<KnownFiles> known_files(SchemaCall& call) {
  KnownFiles known;
  TRY(call.read([&](Reading& reading) -> Result<void> {
    known.active = TRY(active_files(reading));
    known.staged = TRY(staged_files(reading));
    return {};
  }));
  return known;
}

// Both spellings are in use. Nothing where neither is there.
std::optional<DiffForm> asked_form(const SchemaCall& call) {
  const std::string format = call.text("format");
  return diff_form(format.empty() ? call.text("diff") : format);
}

Value diff_value(const SchemaCall& call, const SchemaFiles& before, const SchemaFiles& after) {
  const std::string diff =
      render_diff(before, after, asked_form(call).value_or(DiffForm::semantic));
  return Value(call.text("color") == "ansi" ? colored_diff(diff) : diff);
}

SchemaResult list_files(SchemaCall& call) {
  const KnownFiles known = TRY(known_files(call));
  const bool is_staged = call.flag("staged", false) && known.staged;
  Array names;
  for (const SchemaFile& file : is_staged ? *known.staged : known.active) {
    Object one;
    one.set("filename", Value(file.name));
    names.push_back(Value(std::move(one)));
  }
  SchemaReply reply{call.version()};
  reply.rest.set("files", Value(std::move(names)));
  return reply;
}

SchemaResult show_file(SchemaCall& call, std::string_view encoded) {
  const std::string name = TRY(net::decode_percent(encoded));
  const KnownFiles known = TRY(known_files(call));
  const bool is_staged = call.flag("staged", false) && known.staged;
  for (const SchemaFile& file : is_staged ? *known.staged : known.active) {
    if (file.name != name) continue;
    SchemaReply reply{call.version()};
    reply.rest.set("content", Value(file.content));
    return reply;
  }
  return fail(Code::not_found, "Not found");
}

SchemaResult update(SchemaCall& call) {
  const bool is_staged = call.flag("staged", false);
  const SchemaFiles files = TRY(given_files(call, is_staged));
  if (files.empty() && !call.flag("force", false)) {
    return fail(Code::invalid,
                "No schema files were given: this would delete the whole schema. Send force=true "
                "to do so.");
  }
  return put_files(call, files, is_staged);
}

// Files of an import: they replace what they name and leave the rest.
SchemaResult merge(SchemaCall& call) {
  const SchemaFiles files = TRY(given_files(call, false));
  const Instant at = TRY(call.write(false, [&](Interpreter& run) -> Result<void> {
    const SchemaFiles merged = TRY(merged_files(TRY(active_files(run.reading())), files));
    TRY(push_files(run, merged));
    return store_active(run, merged);
  }));
  return SchemaReply{at};
}

SchemaResult diff(SchemaCall& call) {
  const bool is_staged = call.flag("staged", false);
  const SchemaFiles files = TRY(given_files(call, is_staged));
  const KnownFiles known = TRY(known_files(call));
  TRY(call.write(true, [&](Interpreter& run) { return push_files(run, files); }));
  SchemaReply reply{call.version()};
  reply.rest.set("diff",
                 diff_value(call, is_staged && known.staged ? *known.staged : known.active, files));
  return reply;
}

SchemaResult status(SchemaCall& call) {
  const KnownFiles known = TRY(known_files(call));
  SchemaReply reply{call.version()};
  // Indexes are built at the commit, so what is staged can be committed at once.
  reply.rest.set("status", Value(known.staged ? "ready" : "none"));
  if (!asked_form(call)) return reply;
  reply.rest.set("pending_summary", Value(""));
  reply.rest.set("diff", known.staged ? diff_value(call, known.active, *known.staged) : Value(""));
  return reply;
}

SchemaResult commit(SchemaCall& call) {
  const Instant at = TRY(call.write(false, [](Interpreter& run) -> Result<void> {
    const auto staged = TRY(staged_files(run.reading()));
    if (!staged) return fail(Code::invalid, "There is no staged schema to commit");
    TRY(push_files(run, *staged));
    TRY(remove_staged(run));
    return store_active(run, *staged);
  }));
  return SchemaReply{at};
}

SchemaResult abandon(SchemaCall& call) {
  const Instant at = TRY(call.write(false, [](Interpreter& run) -> Result<void> {
    if (!TRY(staged_files(run.reading()))) {
      return fail(Code::invalid, "There is no staged schema to abandon");
    }
    return remove_staged(run);
  }));
  return SchemaReply{at};
}

struct SchemaRoute {
  std::string_view method;
  std::string_view path;
  SchemaResult (*answer)(SchemaCall& call);
};
constexpr SchemaRoute schema_routes[] = {
    {"GET", "files", list_files},
    {"POST", "update", update},
    {"POST", "merge", merge},
    {"POST", "diff", diff},
    {"POST", "validate", diff},
    {"GET", "status", status},
    {"GET", "staged/status", status},
    {"POST", "commit", commit},
    {"POST", "staged/commit", commit},
    {"POST", "abandon", abandon},
    {"POST", "staged/abandon", abandon},
};

SchemaResult route(SchemaCall& call, std::string_view path) {
  constexpr std::string_view files = "files/";
  constexpr std::string_view items = "items/";
  TRY(call.begin());
  for (const SchemaRoute& row : schema_routes) {
    if (row.path == path && row.method == call.request.method) return row.answer(call);
  }
  if (path.starts_with(files) && call.request.method == "GET") {
    return show_file(call, path.substr(files.size()));
  }
  if (path.starts_with(items)) return answer_item(call, path.substr(items.size()));
  return fail(Code::not_found, "Not found");
}

// Differences and files are read; all else that is no GET writes.
bool is_allowed(const Principal& who, const std::string& method, std::string_view path) {
  const bool is_reading = method == "GET" || path == "diff" || path == "validate";
  if (who.is_admin()) return true;
  return is_reading &&
         (who.role == BuiltInRole::server || who.role == BuiltInRole::server_readonly);
}

}  // namespace

SchemaResult put_files(SchemaCall& call, const SchemaFiles& files, bool is_staged) {
  if (is_staged) {
    // Tried now, so that the commit does not fail for what could be seen before.
    TRY(call.write(true, [&](Interpreter& run) { return push_files(run, files); }));
  }
  const Instant at = TRY(call.write(false, [&](Interpreter& run) -> Result<void> {
    if (is_staged) return store_staged(run, files);
    TRY(push_files(run, files));
    return store_active(run, files);
  }));
  return SchemaReply{at};
}

net::Response answer_schema(const net::Request& request, const SharedServices& shared,
                            const Principal& who) {
  const std::string_view path = std::string_view(request.path).substr(schema_path.size());
  // What diffs try is evaluated with an administrator's rights, so only one may ask for them.
  const bool may_try = request.method == "GET" || who.is_admin();
  if (!may_try || !is_allowed(who, request.method, path)) {
    return schema_error({Code::forbidden, "Access denied"});
  }
  // What diffs try is written by an administrator's rights, and taken back.
  Principal writer = who;
  writer.role = BuiltInRole::admin;
  SchemaCall call(request, shared, writer);
  auto answered = route(call, path);
  if (!answered) return schema_error(answered.error());
  Object body;
  body.set("version", Value(answered->version.micros));
  for (const auto& [name, value] : answered->rest) body.set(name, value);
  return schema_response(200, body);
}

}  // namespace mayfly::fauna
