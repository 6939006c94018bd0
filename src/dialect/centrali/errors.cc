#include "dialect/centrali/errors.h"

#include <algorithm>

#include "dialect/common/errors.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

// One row for each code. The status is the one that all dialects over HTTP use.
struct ErrorRow {
  Code code;
  std::string_view error;
  std::string_view name;
};
constexpr ErrorRow rows[] = {
    {Code::invalid, "Validation Failed", "VALIDATION_FAILED"},
    {Code::unauthenticated, "Unauthorized", "UNAUTHORIZED"},
    {Code::forbidden, "Forbidden", "FORBIDDEN"},
    {Code::not_found, "Not Found", "NOT_FOUND"},
    {Code::exists, "Conflict", "CONFLICT"},
    {Code::stale, "Precondition Failed", "PRECONDITION_FAILED"},
    {Code::contended, "Conflict", "CONTENDED"},
    {Code::too_large, "Payload Too Large", "TOO_LARGE"},
    {Code::throttled, "Too Many Requests", "RATE_LIMIT_EXCEEDED"},
    {Code::timed_out, "Gateway Timeout", "TIMED_OUT"},
    {Code::unsupported, "Not Supported", "NOT_SUPPORTED"},
    {Code::no_space, "Insufficient Storage", "NO_SPACE"},
    {Code::corrupt, "Internal Server Error", "CORRUPT"},
    {Code::internal, "Internal Server Error", "INTERNAL"},
};

const ErrorRow& row_of(Code code) {
  for (const ErrorRow& row : rows) {
    if (row.code == code) return row;
  }
  return rows[std::size(rows) - 1];
}

net::Response respond(int status, std::string_view error, std::string_view message,
                      std::string_view code, const std::vector<Detail>& details,
                      std::string_view request_id) {
  Array told;
  for (const Detail& detail : details) {
    told.push_back(Object{{"field", detail.field}, {"message", detail.message}});
  }
  net::Response response{.status = status};
  render_json(Object{{"error", error},
                     {"message", message},
                     {"details", std::move(told)},
                     {"code", code},
                     {"requestId", request_id}},
              response.body);
  response.headers.emplace_back("x-request-id", request_id);
  return response;
}

// Official clients search the message for these two words.
std::string with_not_found(const std::string& message) {
  const bool has_words = message.find("not found") != std::string::npos;
  return has_words ? message : "not found: " + message;
}

}  // namespace

net::Response render_error(const Error& error, const std::vector<Detail>& details,
                           std::string_view request_id, std::string_view code) {
  const ErrorRow& row = row_of(error.code);
  std::string message = client_message(error);
  std::vector<Detail> told = details;
  if (told.empty() && !error.field.empty()) {
    // A unique index reports its field as a path: .email
    const std::size_t from = error.field.starts_with('.') ? 1 : 0;
    told.push_back({error.field.substr(from), message});
  }
  if (error.code == Code::not_found) message = with_not_found(message);
  net::Response response = respond(http_status(error.code), row.error, message,
                                   code.empty() ? row.name : code, told, request_id);
  add_error_headers(error.code, response);
  return response;
}

net::Response render_token_error(int status, std::string_view name, std::string_view message,
                                 std::string_view request_id) {
  return respond(status, name, message, status == 401 ? "UNAUTHORIZED" : "VALIDATION_FAILED", {},
                 request_id);
}

net::Response render_method_not_allowed(const std::vector<std::string>& methods,
                                        std::string_view request_id) {
  std::string allowed;
  for (const std::string& method : methods) {
    if (allowed.find(method) == std::string::npos)
      allowed += (allowed.empty() ? "" : ", ") + method;
  }
  net::Response response = respond(405, "Method Not Allowed", "this path answers " + allowed,
                                   "METHOD_NOT_ALLOWED", {}, request_id);
  response.headers.emplace_back("allow", allowed);
  return response;
}

std::string request_id_of(const net::Request& request, Random& random) {
  constexpr std::size_t longest = 128;  // it goes back in a header
  const std::string* given = request.header("x-request-id");
  const auto is_plain = [](char c) { return c > 0x20 && c < 0x7F; };
  const bool is_sensible = given != nullptr && !given->empty() && given->size() <= longest &&
                           std::all_of(given->begin(), given->end(), is_plain);
  return is_sensible ? *given : random.uuid();
}

}  // namespace mayfly::centrali
