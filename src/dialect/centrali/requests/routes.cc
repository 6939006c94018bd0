#include "dialect/centrali/requests/routes.h"

#include <algorithm>
#include <iterator>

#include "dialect/centrali/functions/actions.h"
#include "dialect/centrali/queries/actions.h"
#include "dialect/centrali/records/actions.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/centrali/triggers/actions.h"
#include "dialect/centrali/webhooks/actions.h"
#include "dialect/centrali/webhooks/deliveries.h"

namespace mayfly::centrali {
namespace {

// The sets of parameters, as named in the rows.
namespace takes {
constexpr unsigned place = place_parameters;
constexpr unsigned write = place_parameters | lifetime_parameters;
constexpr unsigned batch = write | stop_parameter;
constexpr unsigned removal = place_parameters | removal_parameters;
constexpr unsigned removals = removal | ids_parameter;
constexpr unsigned batch_removals = removals | stop_parameter;
constexpr unsigned past = place_parameters | archived_parameter;
constexpr unsigned pages_of_past = past | paging_parameters;
constexpr unsigned record = past | expand_parameter;
constexpr unsigned runs = run_parameters | status_parameter;
}  // namespace takes

constexpr Route table[] = {
    {"GET", "/structures", list_structures, paging_parameters},
    {"POST", "/structures", create_structure},
    {"GET", "/structures/slug/{structure}", read_structure},
    {"GET", "/structures/{structure}", read_structure},
    {"PUT", "/structures/{structure}", update_structure},
    {"PATCH", "/structures/{structure}", update_structure},
    {"DELETE", "/structures/{structure}", drop_structure},
    {"GET", "/records", list_records, list_parameters},
    {"POST", "/records", create_record, takes::write},
    {"POST", "/records/query", query_records, takes::place},
    {"GET", "/records/count", count_records, list_parameters},
    {"POST", "/records/by-ids", read_records_by_ids, takes::place},
    {"POST", "/records/upsert", upsert_record, takes::write},
    {"POST", "/records/bulk", bulk_create, takes::write},
    {"PATCH", "/records/bulk", bulk_patch, takes::write},
    {"DELETE", "/records/bulk", bulk_remove, takes::removals},
    {"POST", "/records/batch", batch_create, takes::batch},
    {"PATCH", "/records/batch", batch_patch, takes::batch},
    {"DELETE", "/records/batch", batch_remove, takes::batch_removals},
    {"GET", "/records/slug/{slug}", list_records, list_parameters},
    {"POST", "/records/slug/{slug}", create_record, takes::write},
    {"GET", "/records/slug/{slug}/count", count_records, list_parameters},
    {"POST", "/records/slug/{slug}/query", query_records, takes::place},
    {"POST", "/records/slug/{slug}/by-ids", read_records_by_ids, takes::place},
    {"POST", "/records/slug/{slug}/upsert", upsert_record, takes::write},
    {"POST", "/records/slug/{slug}/bulk", bulk_create, takes::write},
    {"PATCH", "/records/slug/{slug}/bulk", bulk_patch, takes::write},
    {"DELETE", "/records/slug/{slug}/bulk", bulk_remove, takes::removals},
    {"POST", "/records/slug/{slug}/batch", batch_create, takes::batch},
    {"PATCH", "/records/slug/{slug}/batch", batch_patch, takes::batch},
    {"DELETE", "/records/slug/{slug}/batch", batch_remove, takes::batch_removals},
    {"GET", "/records/{record}/versions", list_versions, takes::pages_of_past},
    {"GET", "/records/{record}/versions/{version}", read_version, takes::past},
    {"GET", "/records/{record}/changes", list_changes, takes::pages_of_past},
    {"GET", "/records/{record}", read_record, takes::record},
    {"PATCH", "/records/{record}", patch_record, takes::write},
    {"PUT", "/records/{record}", replace_record, takes::write},
    {"DELETE", "/records/{record}", remove_record, takes::removal},
    {"POST", "/records/{record}/restore", restore_record, takes::place},
    {"GET", "/webhook-subscriptions", list_webhooks},
    {"POST", "/webhook-subscriptions", create_webhook},
    {"GET", "/webhook-subscriptions/{webhook}", read_webhook},
    {"PATCH", "/webhook-subscriptions/{webhook}", update_webhook},
    {"PUT", "/webhook-subscriptions/{webhook}", update_webhook},
    {"DELETE", "/webhook-subscriptions/{webhook}", remove_webhook},
    {"POST", "/webhook-subscriptions/{webhook}/rotate-secret", rotate_webhook_secret},
    {"GET", "/webhook-subscriptions/{webhook}/deliveries", list_deliveries, status_parameter},
    {"GET", "/webhook-deliveries/{delivery}", read_delivery},
    {"POST", "/webhook-deliveries/{delivery}/replay", replay_delivery},
    {"POST", "/webhook-deliveries/{delivery}/cancel", cancel_delivery},
    {"GET", "/compute-functions", list_functions},
    {"POST", "/compute-functions", create_function},
    {"GET", "/compute-functions/{function}", read_function},
    {"PATCH", "/compute-functions/{function}", update_function},
    {"PUT", "/compute-functions/{function}", update_function},
    {"DELETE", "/compute-functions/{function}", remove_function},
    {"GET", "/compute-functions/{function}/runs", list_runs_of_function, status_parameter},
    {"GET", "/function-triggers", list_triggers, run_parameters},
    {"POST", "/function-triggers", create_trigger},
    {"GET", "/function-triggers/{trigger}", read_trigger},
    {"PATCH", "/function-triggers/{trigger}", update_trigger},
    {"PUT", "/function-triggers/{trigger}", update_trigger},
    {"DELETE", "/function-triggers/{trigger}", remove_trigger},
    {"POST", "/function-triggers/{trigger}/pause", pause_trigger},
    {"POST", "/function-triggers/{trigger}/resume", resume_trigger},
    {"POST", "/function-triggers/{trigger}/invoke", invoke_trigger},
    {"POST", "/function-triggers/{trigger}/execute", invoke_trigger},
    {"GET", "/function-triggers/{trigger}/runs", list_runs_of_trigger, status_parameter},
    {"GET", "/function-runs", list_runs, takes::runs},
    {"GET", "/function-runs/{run}", read_run},
    {"GET", "/http-trigger/{path...}", answer_http_trigger, list_parameters},
    {"POST", "/http-trigger/{path...}", answer_http_trigger, list_parameters},
    {"PUT", "/http-trigger/{path...}", answer_http_trigger, list_parameters},
    {"PATCH", "/http-trigger/{path...}", answer_http_trigger, list_parameters},
    {"DELETE", "/http-trigger/{path...}", answer_http_trigger, list_parameters},
};

struct ParameterRow {
  std::string_view name;
  Parameters set;
};
constexpr ParameterRow parameter_rows[] = {
    {"structureId", place_parameters},   {"collectionId", place_parameters},
    {"ttlSeconds", lifetime_parameters}, {"expiresAt", lifetime_parameters},
    {"clearTtl", lifetime_parameters},   {"hard", removal_parameters},
    {"hardDelete", removal_parameters},  {"permanent", removal_parameters},
    {"page", paging_parameters},         {"pageSize", paging_parameters},
    {"limit", paging_parameters},        {"includeArchived", archived_parameter},
    {"expand", expand_parameter},        {"ids", ids_parameter},
    {"stopOnError", stop_parameter},     {"status", status_parameter},
    {"functionId", run_parameters},      {"triggerId", run_parameters}};

constexpr std::string_view structures = "/structures";

// The part of the path after the workspace and the version; nothing if it has no such parts.
std::optional<std::string_view> without_base(std::string_view path, std::string& workspace) {
  constexpr std::string_view data = "/data";
  constexpr std::string_view root = "/workspace/";
  constexpr std::string_view version = "/api/v1";
  if (path.starts_with(data)) path.remove_prefix(data.size());
  if (!path.starts_with(root)) return std::nullopt;
  path.remove_prefix(root.size());
  auto decoded = net::decode_percent(path.substr(0, path.find('/')));
  if (!decoded || decoded->empty()) return std::nullopt;
  workspace = *std::move(decoded);
  path.remove_prefix(std::min(path.find('/'), path.size()));
  if (!path.starts_with(version)) return std::nullopt;
  return path.substr(version.size());
}

}  // namespace

Result<void> check_parameters(const net::Request& request, unsigned parameters) {
  if ((parameters & list_parameters) != 0) return {};
  for (const auto& [name, text] : request.parameters) {
    const bool is_known = std::any_of(
        std::begin(parameter_rows), std::end(parameter_rows),
        [&](const ParameterRow& row) { return (row.set & parameters) != 0 && row.name == name; });
    if (is_known) continue;
    return fail(Code::invalid, "there is no parameter \"" + name + "\" here", name);
  }
  return {};
}

Routes::Routes() {
  for (const Route& route : table) {
    router_.add(route.method, route.pattern);
    rows_.push_back(&route);
    if (!route.pattern.starts_with(structures)) continue;
    router_.add(route.method,
                "/collections" + std::string(route.pattern.substr(structures.size())));
    rows_.push_back(&route);
  }
}

RouteMatch Routes::match(std::string_view method, std::string_view path) const {
  RouteMatch found;
  const auto rest = without_base(path, found.workspace);
  if (!rest) return found;
  found.match = router_.match(method, *rest);
  if (found.match.route == net::Match::none) return found;
  found.action = rows_[found.match.route]->action;
  found.parameters = rows_[found.match.route]->parameters;
  return found;
}

bool is_token_path(std::string_view path) {
  return path == "/oauth/token" || path == "/oidc/token";
}

std::optional<std::string> event_stream_workspace(std::string_view path) {
  constexpr std::string_view prefix = "/realtime/workspace/";
  constexpr std::string_view suffix = "/events";
  if (path.ends_with('/')) path.remove_suffix(1);
  if (!path.starts_with(prefix) || !path.ends_with(suffix)) return std::nullopt;
  if (path.size() <= prefix.size() + suffix.size()) return std::nullopt;
  path = path.substr(prefix.size(), path.size() - prefix.size() - suffix.size());
  if (path.find('/') != std::string_view::npos) return std::nullopt;
  auto decoded = net::decode_percent(path);
  if (!decoded) return std::nullopt;
  return *std::move(decoded);
}

bool is_claimed(std::string_view path) {
  return path.starts_with("/workspace/") || path.starts_with("/data/workspace/") ||
         path.starts_with("/realtime/") || is_token_path(path);
}

bool is_about_one_record(std::string_view method, std::string_view path) {
  constexpr std::string_view records = "/api/v1/records";
  constexpr std::string_view version = "/api/v1/";
  const std::size_t at = path.find(records);
  if (at == std::string_view::npos || at != path.find(version)) return false;
  std::string_view rest = path.substr(at + records.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.empty()) return method == "POST";
  if (method == "DELETE") return false;  // may cascade to other records
  rest.remove_prefix(1);
  constexpr std::string_view others[] = {"query", "count", "by-ids", "upsert", "bulk", "batch"};
  const bool is_other = std::find(std::begin(others), std::end(others), rest) != std::end(others);
  return !is_other && rest.find('/') == std::string_view::npos;
}

bool is_about_many_records(std::string_view path) {
  return path.ends_with("/bulk") || path.ends_with("/batch");
}

}  // namespace mayfly::centrali
