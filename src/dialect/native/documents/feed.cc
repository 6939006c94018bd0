// The feed: events of a collection's documents, in the order of the commits. A position is the
// instant of the commit in microseconds and the event's number within it: "1767225600000000.0"; "0"
// is before all events. The feed is read page by page, by a long poll that waits for the next
// event, or as a stream.
#include "db/feed/feed.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "db/rows/partition.h"
#include "dialect/common/events/stream.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/native/actions.h"
#include "dialect/native/documents/envelope.h"
#include "dialect/native/documents/feed.h"
#include "dialect/native/limits.h"
#include "value/json/writer.h"

namespace mayfly::native {
namespace {

constexpr std::string_view before_all = "0";  // the position before all events
constexpr int retry_millis = 2'000;           // how long a client waits before it reconnects

std::string text_of(const FeedPosition& position) {
  if (position == FeedPosition()) return std::string(before_all);
  return fmt::format("{}.{}", position.committed_at.micros, position.number);
}

Result<FeedPosition> parse_position(std::string_view text, const char* field) {
  if (text == before_all) return FeedPosition();
  const std::size_t dot = text.find('.');
  const auto micros = parse_integer(text.substr(0, dot), field, limits::instant_min.micros,
                                    limits::instant_max.micros);
  const auto number = dot == std::string_view::npos
                          ? Result<std::int64_t>(fail(Code::invalid, ""))
                          : parse_integer(text.substr(dot + 1), field, 0, UINT32_MAX);
  if (micros && number) {
    return FeedPosition{Instant{*micros}, static_cast<std::uint32_t>(*number)};
  }
  return fail(Code::invalid,
              fmt::format("\"{}\" must be a position, as in 1767225600000000.0, or 0 for the "
                          "beginning",
                          field),
              field);
}

}  // namespace

void render_event(const Event& event, std::string& out) {
  JsonWriter json(out);
  json.begin_object();
  json.member("kind", name_of(event.kind));
  json.member("id", event.key.id);
  if (!event.key.routing.empty()) {
    json.raw_member("partition", render_partition(event.key.routing));
  }
  json.time_or_null("version_at", event.version_at);
  if (event.kind == Event::Kind::expired) json.time_or_null("death", event.death);
  json.time_or_null("committed_at", event.committed_at);
  json.member("position", text_of({event.committed_at, event.number}));
  json.end_object();
}

namespace {

// The parameters of a page.
struct PageParameters {
  std::optional<FeedPosition> after;
  std::size_t events_max = 0;
};

std::string render_page(const FeedPage& page, const PageParameters& asked) {
  const bool has_last = !page.events.empty() || asked.after;
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  json.name("events").begin_array();
  for (const Event& event : page.events) render_event(event, body);
  json.end_array();
  json.text_or_null("last", has_last ? text_of(page.last) : std::string());
  json.member("has_more", page.has_more);
  json.member("gap", page.has_gap);
  json.end_object();
  return body;
}

bool has_news(const FeedPage& page) {
  return !page.events.empty() || page.has_gap;
}

Result<FeedPage> read_page(Database& database, const CollectionPtr& collection,
                           const PageParameters& asked) {
  return database.feed().read(*collection, asked.after.value_or(FeedPosition()), asked.events_max);
}

Result<EventHub*> hub_of(const NativeCall& call) {
  if (call.shared.services.events != nullptr) return call.shared.services.events;
  return fail(Code::unsupported, "this server has no event streams: leave out wait_seconds");
}

// Answers when there are events, or with an empty page when the time is over.
net::Response answer_later(EventHub& hub, Database& database, CollectionId id,
                           const PageParameters& asked, Span time_max) {
  net::Response response = json_response(200, {});
  response.stream = [&hub, &database, id, asked, time_max](std::shared_ptr<net::Stream> stream) {
    auto answer = [&database, id, asked](bool is_late) -> std::optional<std::string> {
      const FeedPage empty{.last = asked.after.value_or(FeedPosition())};
      const auto collection = database.catalog()->collection(id);
      // Dropped, or without a feed by now: the client gets the error with its next request.
      if (!collection) return render_page(empty, asked);
      const auto page = read_page(database, collection, asked);
      if (!page) return render_page(empty, asked);
      if (!has_news(*page) && !is_late) return std::nullopt;
      return render_page(*page, asked);
    };
    hub.wait({id, time_max, std::move(stream), std::move(answer)});
  };
  return response;
}

bool wants_stream(const net::Request& request) {
  const std::string* accept = request.header("accept");
  return accept != nullptr && accept->find("text/event-stream") != std::string::npos;
}

// id, event and data, as in server-sent events.
std::string render_pushed(const Event& event) {
  std::string text =
      fmt::format("id: {}\nevent: {}\ndata: ", text_of({event.committed_at, event.number}),
                  name_of(event.kind));
  render_event(event, text);
  text += "\n\n";
  return text;
}

// Streams the feed, from the client's position or otherwise from now on.
Result<net::Response> follow_feed(NativeCall& call) {
  for (const char* name : {"limit", "wait_seconds"}) {
    if (call.request.parameter(name) == nullptr) continue;
    return fail(Code::invalid, fmt::format("a stream has no \"{}\"", name), name);
  }
  EventHub& hub = *TRY(hub_of(call));
  Database& database = call.database();
  FeedPosition from{database.now(), UINT32_MAX};
  if (const auto after = TRY(text_parameter(call.request, "after"))) {
    from = TRY(parse_position(*after, "after"));
  }
  if (const std::string* last = call.request.header("last-event-id"); last && !last->empty()) {
    from = TRY(parse_position(*last, "Last-Event-ID"));
  }
  const auto collection = TRY(find_collection(call, *database.catalog()));
  TRY(database.feed().read(*collection, from, 1));  // checks that there is a feed
  static const auto render = std::make_shared<const RenderEvent>(
      [](const Collection&, const Event& event, EventImages&) -> std::optional<std::string> {
        return render_pushed(event);
      });
  net::Response response{.content_type = "text/event-stream"};
  response.headers.emplace_back("Cache-Control", "no-store");
  // The client gets an id before the first event, so it misses nothing if it reconnects.
  response.body = fmt::format("retry: {}\nid: {}\n\n", retry_millis, text_of(from));
  response.stream = [&hub, source = feed_source(database, {collection->id}, render),
                     from](std::shared_ptr<net::Stream> stream) {
    hub.subscribe({.source = source,
                   .after = event_position(from),
                   .stream = std::move(stream),
                   .gap_notice = "event: gap\ndata: {}\n\n",
                   .keep_alive = ": ping\n\n"});
  };
  return response;
}

}  // namespace

Result<net::Response> read_feed(NativeCall& call) {
  if (wants_stream(call.request)) return follow_feed(call);
  const auto limit = TRY(integer_parameter(call.request, "limit", 1, limits::page_rows_max));
  const auto after = TRY(text_parameter(call.request, "after"));
  const auto wait_seconds =
      TRY(integer_parameter(call.request, "wait_seconds", 0, limits::feed_wait_seconds_max));
  PageParameters asked{.events_max =
                           static_cast<std::size_t>(limit.value_or(limits::page_rows_default))};
  if (after) asked.after = TRY(parse_position(*after, "after"));
  Database& database = call.database();
  const auto collection = TRY(find_collection(call, *database.catalog()));
  const FeedPage page = TRY(read_page(database, collection, asked));
  if (has_news(page) || wait_seconds.value_or(0) == 0) {
    return json_response(200, render_page(page, asked));
  }
  EventHub& hub = *TRY(hub_of(call));
  return answer_later(hub, database, collection->id, asked, Span::seconds(*wait_seconds));
}

}  // namespace mayfly::native
