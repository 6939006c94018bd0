// The tables of errors.
#include "dialect/fauna/errors.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/common/errors.h"

namespace mayfly::fauna {
namespace {

constexpr QueryErrorCode query_codes[] = {
    {"invalid_query", "The text is no query, or its types do not fit."},
    {"unbound_variable", "Nothing has that name."},
    {"type_mismatch", "A value has another type than its place asks for."},
    {"invalid_argument", "A function does not take that argument."},
    {"invalid_bounds", "A number is outside the bounds of its argument."},
    {"index_out_of_bounds", "An array or string has no element there."},
    {"invalid_regex", "A regular expression cannot be read."},
    {"invalid_function_invocation", "The function is not there, or takes other arguments."},
    {"invalid_index_invocation", "The index cannot be asked."},
    {"null_value", "`!` stands behind a null."},
    {"invalid_null_access", "A field of null was asked for."},
    {"document_not_found", "The document does not exist, or no longer."},
    {"document_deleted", "The document was deleted by this query."},
    {"document_id_exists", "A document with that id exists."},
    {"invalid_document_id", "The id is out of range."},
    {"invalid_id", "The text is no id."},
    {"constraint_failure", "A document breaks a rule of its collection."},
    {"invalid_schema", "A definition does not fit the schema."},
    {"invalid_cursor", "The cursor cannot be read."},
    {"invalid_write", "Nothing can be written there: it lies in the past, or was just changed."},
    {"invalid_effect", "The place allows no such effect."},
    {"invalid_type", "A value of that type cannot be stored."},
    {"invalid_time", "The text is no time, or the time is out of range."},
    {"invalid_date", "The text is no date, or the date is out of range."},
    {"invalid_unit", "The text is no unit of time."},
    {"invalid_secret", "The password is another."},
    {"invalid_receiver", "The set cannot become an event source."},
    {"invalid_computed_field_access", "A computed field needs itself."},
    {"invalid_timestamp_field_access", "`ts` cannot be read there."},
    {"divide_by_zero", "An integer was divided by zero."},
    {"value_too_large", "A string or array is over its bound."},
    {"stack_overflow", "Calls are nested too deep."},
    {"permission_denied", "The secret has no right to do that."},
    {"abort", "The query called `abort`."},
    {"disabled_feature", "The feature is not on."},
    {"internal_failure", "The server failed."},
};

struct ProtocolRow {
  Code code;
  int status;
  std::string_view name;
  std::string_view message;  // replaces the error's own message; empty: keeps it
};
constexpr ProtocolRow protocol_rows[] = {
    {Code::invalid, 400, "invalid_request", ""},
    {Code::unsupported, 400, "invalid_request", ""},
    {Code::unauthenticated, 401, "unauthorized", "Access token required"},
    {Code::forbidden, 403, "forbidden", ""},
    {Code::not_found, 404, "not_found", ""},
    {Code::exists, 409, "conflict", ""},
    {Code::stale, 409, "conflict", ""},
    {Code::contended, 409, "contended_transaction",
     "Transaction was aborted due to detection of concurrent modifications."},
    {Code::too_large, 413, "request_size_exceeded", "Request entity is too large"},
    {Code::throttled, 429, "limit_exceeded", "Rate limit exceeded"},
    {Code::timed_out, 503, "time_out", "Read timed out"},
    {Code::no_space, 503, "internal_error", ""},
    {Code::corrupt, 500, "internal_error", ""},
    {Code::internal, 500, "internal_error", ""},
};

}  // namespace

std::span<const QueryErrorCode> query_error_codes() {
  return query_codes;
}

bool is_query_error_code(std::string_view code) {
  return std::any_of(std::begin(query_codes), std::end(query_codes),
                     [&](const QueryErrorCode& row) { return row.code == code; });
}

ProtocolError protocol_error(const Error& error) {
  const auto* const row = std::find_if(std::begin(protocol_rows), std::end(protocol_rows),
                                       [&](const ProtocolRow& r) { return r.code == error.code; });
  std::string message = client_message(error);
  if (row == std::end(protocol_rows)) return {500, "internal_error", std::move(message)};
  if (!row->message.empty()) message = row->message;
  return {row->status, row->name, std::move(message)};
}

ProtocolError deadline_error(mayfly::Span timeout) {
  constexpr mayfly::Span aggressive = mayfly::Span::seconds(1);
  if (timeout > aggressive) return protocol_error({Code::timed_out, ""});
  return {440, "time_out",
          fmt::format("Client set aggressive deadline: query needs {}, timed out within {}",
                      aggressive.micros / 1'000, timeout.micros / 1'000)};
}

}  // namespace mayfly::fauna
