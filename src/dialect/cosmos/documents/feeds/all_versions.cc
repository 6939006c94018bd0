#include "dialect/cosmos/documents/feeds/all_versions.h"

#include <fmt/format.h>

#include "db/feed/event_images.h"
#include "db/feed/feed.h"
#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/feeds/feed.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/reply.h"
#include "value/json/writer.h"
#include "value/order/sort_key.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view too_old =
    "You must read the change feed from within the retention period.";
constexpr std::string_view has_no_policy =
    "The container keeps no versions: set changeFeedPolicy with a retentionDuration, in minutes, "
    "in "
    "its definition.";

std::string tag_of(Instant position) {
  return fmt::format("\"{}\"", position.micros);
}

std::string_view operation_of(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::created:
    case Event::Kind::restored: return "create";
    case Event::Kind::replaced: return "replace";
    case Event::Kind::removed:
    case Event::Kind::expired: return "delete";
    case Event::Kind::forgotten: break;
  }
  return {};
}

// The partition key values of the document; none if they were too long to be stored.
Object key_values_of(const Container& container, const DocumentKey& key) {
  Object values;
  Reader routing(key.routing);
  for (const Path& path : container.definition.key.paths) {
    if (routing.done()) break;
    auto value = take_sort_key(routing);
    if (!value) break;
    values.set(render_key_path(path).substr(1), *std::move(value));
  }
  return values;
}

void render_image(std::string_view name, const Container& container,
                  const std::optional<Document>& document, JsonWriter& json) {
  if (document) render_document(container, *document, json.name(name).begin_value());
}

// When the version that the event ended was written; nothing if it ended none, or the version is
// not kept.
std::optional<Instant> previous_written_at(const Event& event, EventImages& images) {
  if (event.kind == Event::Kind::removed || event.kind == Event::Kind::expired) {
    return event.version_at;
  }
  const std::optional<Document>& before = images.before();
  if (!before) return std::nullopt;
  return before->version.written_at;
}

void render_event(const Container& container, const Event& event, EventImages& images,
                  std::string& out) {
  const bool has_expired = event.kind == Event::Kind::expired;
  JsonWriter json(out);
  json.begin_object();
  render_image("current", container, images.after(), json);
  render_image("previous", container, images.before(), json);
  // An expiry is reported with the second of the expiration, whenever the sweeper recorded it.
  const Instant happened_at = has_expired ? event.death : event.committed_at;
  json.name("metadata").begin_object();
  json.member("operationType", operation_of(event.kind));
  json.member("lsn", event.committed_at.micros);
  json.member("crts", happened_at.whole_seconds());
  if (const auto written_at = previous_written_at(event, images)) {
    json.member("previousImageLSN", written_at->micros);
  }
  if (has_expired) json.member("timeToLiveExpired", true);
  json.member("id", event.key.id);
  json.member("partitionKey", key_values_of(container, event.key));
  json.end_object();
  json.end_object();
}

// Whether the event is within the restriction. If none of its documents is kept, its EPK is
// unknown, and all ranges report it.
bool is_within_restriction(const Event& event, const Restriction& restriction,
                           const Container& container, EventImages& images) {
  const PartitionKey& key = container.definition.key;
  // Of the first values of a hierarchical key, the routing is a prefix.
  const Bytes routing = restriction.routing.value_or(routing_of(key, restriction.values));
  const bool is_routed =
      restriction.routing ? event.key.routing == routing : event.key.routing.starts_with(routing);
  if (!is_routed || !restriction.epks) return is_routed;
  const std::optional<Document>& after = images.after();
  const std::optional<Document>& document = after ? after : images.before();
  return !document || restriction.epks->contains(epk_of_document(key, document->body));
}

// Reads events up to the end of a commit, so its instant is enough to continue.
Result<std::vector<Event>> read_events(CosmosCall& call, const Collection& collection,
                                       Instant position, Instant now, std::size_t events_max) {
  std::vector<Event> events;
  FeedPosition at{position, UINT32_MAX};
  bool more = true;
  while (more) {
    const FeedPage page = TRY(call.database().feed().read(collection, at, events_max, now));
    if (page.has_gap) return tl::unexpected(bad_request(std::string(too_old)));
    for (const Event& event : page.events) {
      const bool is_full = events.size() >= events_max;
      if (is_full && event.committed_at != events.back().committed_at) return events;
      events.push_back(event);
    }
    at = page.last;
    more = page.has_more;
  }
  return events;
}

}  // namespace

Result<net::Response> answer_all_versions(CosmosCall& call, Instant now, const Container& container,
                                          Instant position) {
  const Collection& collection = *container.collection;
  const Retention& retention = collection.policy.feed;
  if (retention.span == Span{0}) return tl::unexpected(bad_request(std::string(has_no_policy)));
  const bool is_kept = position >= retention.floor(now) && position >= retention.since;
  if (!is_kept || position.micros == 0) return tl::unexpected(bad_request(std::string(too_old)));
  const query::RunOptions paging = TRY(page_size_of(call));
  const auto restriction = TRY(restriction_of(call, container));
  Instant read_through = position;
  Feed feed(ResourceKind::document, container.rid);
  LazyView view(call.database());
  bool is_late = false;
  // Continues past pages without matching events: a client stops reading when a page is empty.
  while (feed.size() == 0 && !is_late) {
    const auto events = TRY(read_events(call, collection, read_through, now, paging.rows_max));
    if (events.empty()) return not_modified(tag_of(read_through));
    for (const Event& event : events) {
      const bool is_full = feed.bytes() > limits::feed_page_bytes_max;
      if (is_full && event.committed_at != read_through) break;
      read_through = event.committed_at;
      if (operation_of(event.kind).empty()) continue;
      EventImages images(view, collection, event);
      if (!is_within_restriction(event, restriction, container, images)) continue;
      render_event(container, event, images, feed.next());
    }
    is_late = monotonic_now() >= call.request.answer_by;
  }
  net::Response response = feed.finish();
  response.headers.emplace_back("etag", tag_of(read_through));
  return response;
}

}  // namespace mayfly::cosmos
