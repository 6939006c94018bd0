#include "dialect/cosmos/errors.h"

#include <fmt/format.h>

#include <iterator>

#include "base/limits.h"
#include "dialect/common/errors.h"
#include "value/json/json.h"
#include "value/json/tokens.h"
#include "value/json/writer.h"

namespace mayfly::cosmos {
namespace {

// One row for each code. 503 and 410 would make clients look for another region, or for moved data.
struct ErrorRow {
  Code code;
  int status;
  int substatus = 0;
};
constexpr ErrorRow error_rows[] = {
    {Code::invalid, 400},   {Code::unauthenticated, 401}, {Code::forbidden, 403},
    {Code::not_found, 404}, {Code::exists, 409},          {Code::stale, 412},
    {Code::contended, 449}, {Code::too_large, 413},       {Code::throttled, 429, 3200},
    {Code::timed_out, 408}, {Code::unsupported, 400},     {Code::no_space, 403, 14},
    {Code::corrupt, 500},   {Code::internal, 500},
};

struct StatusName {
  int status;
  std::string_view name;
};
constexpr StatusName names[] = {
    {400, "BadRequest"},         {401, "Unauthorized"},
    {403, "Forbidden"},          {404, "NotFound"},
    {405, "MethodNotAllowed"},   {408, "RequestTimeout"},
    {409, "Conflict"},           {410, "Gone"},
    {412, "PreconditionFailed"}, {413, "RequestEntityTooLarge"},
    {424, "FailedDependency"},   {429, "TooManyRequests"},
    {449, "RetryWith"},          {500, "InternalServerError"},
    {503, "ServiceUnavailable"},
};

const ErrorRow& row_of(Code code) {
  for (const ErrorRow& row : error_rows) {
    if (row.code == code) return row;
  }
  return error_rows[std::size(error_rows) - 1];
}

// Makes the text valid UTF-8. Messages may quote what a client has sent, and headers may contain
// any bytes.
std::string readable(std::string text) {
  if (is_utf8(text)) return text;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return text;
}

Error too_much_memory() {
  constexpr std::size_t megabytes = limits::query_bytes_max >> 20;
  return bad_request(fmt::format(
      "Query exceeded the maximum allowed memory usage of {} MB. Please consider adding "
      "more filters to reduce the query response size.",
      megabytes));
}
Error timed_out() {
  return {Code::timed_out, "Request timed out."};
}
Error lost_race() {
  return {Code::contended, "Retry the request."};
}

// Errors of the core, which name the core's own bounds, and the service's messages for them.
struct MessageRow {
  Code code;
  std::string_view bound;  // named in the message; empty: any message
  Error (*of_service)();
};
constexpr MessageRow message_rows[] = {
    {Code::too_large, "sort_rows_max", too_much_memory},
    {Code::too_large, "query_bytes_max", too_much_memory},
    {Code::timed_out, "request_time_max", timed_out},
    {Code::contended, "", lost_race},
};

Error service_message_of(const Error& error) {
  for (const MessageRow& row : message_rows) {
    const bool is_it = row.code == error.code && error.message.find(row.bound) != std::string::npos;
    if (is_it) return row.of_service();
  }
  return error;
}

// The message on the wire. Errors of queries are already JSON, and those of a signature are not
// changed.
std::string message_of(const Error& error, std::string_view activity_id) {
  const std::string text = readable(client_message(error));
  std::string message;
  if (error.code == Code::invalid && !text.starts_with("{")) {
    message = "Message: " + render_json(Object{{"Errors", Array{Value(text)}}});
  } else {
    message = text.starts_with("{") ? "Message: " + text : text;
  }
  message += "\r\nActivityId: ";
  message += activity_id;
  return message;
}

}  // namespace

int status_of(Code code) {
  return row_of(code).status;
}

std::string_view name_of_status(int status) {
  for (const StatusName& row : names) {
    if (row.status == status) return row.name;
  }
  return "InternalServerError";
}

net::Response render_error(const Error& failure, WireStatus reported,
                           std::string_view activity_id) {
  const Error error = service_message_of(failure);
  const ErrorRow& row = row_of(error.code);
  net::Response response{.status = reported.status != 0 ? reported.status : row.status};
  const int substatus = reported.substatus != 0 ? reported.substatus : row.substatus;
  JsonWriter json(response.body);
  json.begin_object();
  json.member("code", name_of_status(response.status));
  json.member("message", message_of(error, activity_id));
  if (!reported.additional_info.empty()) {
    json.member("additionalErrorInfo", reported.additional_info);
  }
  json.end_object();
  if (substatus != 0) response.headers.emplace_back("x-ms-substatus", std::to_string(substatus));
  if (response.status == 429 || response.status == 449) {
    response.headers.emplace_back("x-ms-retry-after-ms", "100");
  }
  return response;
}

Error no_such_resource() {
  return {Code::not_found,
          R"({"Errors":["Resource Not Found. Learn more: https://aka.ms/cosmosdb-tsg-not-found",)"
          R"("Entity with the specified id does not exist in the system."]})"};
}

Error id_is_taken() {
  return {Code::exists, "Entity with the specified id already exists in the system."};
}

Error condition_failed() {
  return {Code::stale,
          "Operation cannot be performed because one of the specified precondition is not met."};
}

Error wrong_header(std::string_view name, std::string_view value) {
  return bad_request(
      fmt::format("Value '{}' specified for the header '{}' is invalid.", value, name),
      std::string(name));
}

Error bad_request(std::string message, std::string field) {
  return {Code::invalid, std::move(message), std::move(field)};
}

}  // namespace mayfly::cosmos
