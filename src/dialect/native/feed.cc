// What happened to a collection's documents, in the order of the commits. A position is the instant
// of the commit in microseconds and the event's number within it: "1767225600000000.0".
#include "db/feed.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "dialect/common/parameters.h"
#include "dialect/native/actions.h"
#include "dialect/native/envelope.h"
#include "value/json.h"

namespace mayfly::native {
namespace {

std::string text_of(const FeedPosition& position) {
  return fmt::format("{}.{}", position.committed_at.micros, position.number);
}

Result<FeedPosition> parse_position(std::string_view text) {
  const std::size_t dot = text.find('.');
  const auto micros = parse_integer(text.substr(0, dot), "after", limits::instant_min.micros,
                                    limits::instant_max.micros);
  const auto number = dot == std::string_view::npos
                          ? Result<std::int64_t>(fail(Code::invalid, ""))
                          : parse_integer(text.substr(dot + 1), "after", 0, UINT32_MAX);
  if (micros && number) {
    return FeedPosition{Instant{*micros}, static_cast<std::uint32_t>(*number)};
  }
  return fail(Code::invalid, "\"after\" must be a position, as in 1767225600000000.0", "after");
}

void render_event(const Event& event, std::string& out) {
  out += R"({"kind":)";
  render_json_text(name_of(event.kind), out);
  out += R"(,"id":)";
  render_json_text(event.key.id, out);
  render_time("version_at", event.version_at, out);
  if (event.kind == Event::Kind::expired) render_time("death", event.death, out);
  render_time("committed_at", event.committed_at, out);
  out += R"(,"position":)";
  render_json_text(text_of({event.committed_at, event.number}), out);
  out += '}';
}

}  // namespace

Result<net::Response> read_feed(Call& call) {
  const auto limit = TRY(integer_parameter(call.request, "limit", 1, limits::page_rows_max));
  const auto after = TRY(text_parameter(call.request, "after"));
  const FeedPosition from = after ? TRY(parse_position(*after)) : FeedPosition();
  Database& database = call.database();
  const auto collection = TRY(find_collection(call, *database.catalog()));
  const FeedPage page =
      TRY(database.feed().read(*collection, from, limit.value_or(limits::page_rows_default)));
  std::string body = R"({"events":[)";
  for (const Event& event : page.events) {
    if (body.back() != '[') body += ',';
    render_event(event, body);
  }
  body += R"(],"last":)";
  if (page.events.empty() && !after) {
    body += "null";
  } else {
    render_json_text(text_of(page.last), body);
  }
  body += fmt::format(R"(,"has_more":{},"gap":{}}})", page.has_more, page.has_gap);
  return json_response(200, std::move(body));
}

}  // namespace mayfly::native
