#include "dialect/fauna/events/body.h"

#include <fmt/format.h>

#include "dialect/fauna/events/event_text.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/values/text/text.h"
#include "dialect/fauna/wire/json.h"

namespace mayfly::fauna {
namespace {

tl::unexpected<Error> refuse(std::string_view why) {
  return fail(Code::invalid, fmt::format("Invalid request body: {}", why));
}

// The member, if it exists and is not null.
const FqlValue* member(const FqlValue& body, std::string_view name) {
  const FqlValue* found = body.object().find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

tl::unexpected<Error> unexpected(const FqlValue& value) {
  if (value.is(FqlKind::text)) {
    return refuse(fmt::format("Unexpected string value '{}'.", value.text()));
  }
  return refuse(fmt::format("Unexpected value '{}'.", display_text(value)));
}

Result<std::optional<std::int64_t>> number(const FqlValue& body, std::string_view name) {
  const FqlValue* field = member(body, name);
  if (field == nullptr) return std::nullopt;
  if (!field->is(FqlKind::whole)) return unexpected(*field);
  return field->whole().number;
}

Result<std::optional<EventPosition>> cursor_in(const FqlValue& body, std::string_view stop) {
  const FqlValue* field = member(body, "cursor");
  if (field == nullptr) return std::nullopt;
  const auto cursor = field->is(FqlKind::text) ? parse_cursor(field->text()) : std::nullopt;
  if (!cursor) return refuse(fmt::format("invalid event cursor provided{}", stop));
  return cursor;
}

Result<std::size_t> page_size_in(const FqlValue& body) {
  const auto field = TRY(number(body, "page_size"));
  if (!field) return limits::fql_page_default;
  if (*field <= 0) return refuse("page size must be greater than zero.");
  if (*field > static_cast<std::int64_t>(limits::fql_elements_max)) {
    return refuse(fmt::format("page size can not be greater than {}.", limits::fql_elements_max));
  }
  return static_cast<std::size_t>(*field);
}

}  // namespace

tl::unexpected<Error> invalid_event_source(std::string_view stop) {
  return refuse(fmt::format("invalid event source provided{}", stop));
}

Result<EventsBody> parse_events_body(const std::string& text, std::string_view stop) {
  const auto parsed = parse_wire_json(text);
  if (!parsed) return refuse(parsed.error().message);
  if (!parsed->is(FqlKind::object)) return unexpected(*parsed);
  const FqlValue* token = member(*parsed, "token");
  if (token == nullptr) return refuse("Value for key token not found.");
  if (!token->is(FqlKind::text)) return unexpected(*token);
  EventsBody body{.token = token->text()};
  const auto start = TRY(number(*parsed, "start_ts"));
  body.after = TRY(cursor_in(*parsed, stop));
  if (start && body.after) {
    return refuse(fmt::format("can not provide both `start_ts` and `cursor`{}", stop));
  }
  if (start) body.after = EventPosition::behind(Instant{*start});
  body.page_size = TRY(page_size_in(*parsed));
  return body;
}

}  // namespace mayfly::fauna
