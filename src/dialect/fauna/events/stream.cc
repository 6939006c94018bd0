// Streams: the objects that the hub gets for a stream, and the reading of its events.
#include <fmt/format.h>

#include <utility>

#include "base/crypto/crypto.h"
#include "base/service/logging.h"
#include "base/threads/thread_time.h"
#include "dialect/common/events/stream.h"
#include "dialect/fauna/errors.h"
#include "dialect/fauna/events/body.h"
#include "dialect/fauna/events/event_text.h"
#include "dialect/fauna/events/feed.h"
#include "dialect/fauna/events/sources/opened.h"
#include "dialect/fauna/events/sources/reader.h"
#include "dialect/fauna/events/sources/streamable.h"
#include "dialect/fauna/limits.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view stream_stop;  // messages of streams have no full stop
// REACHES CLIENTS: every event is a line.
constexpr std::string_view line_end = "\r\n";

std::string line(std::string text) {
  return std::move(text) + std::string(line_end);
}

std::string permission_loss() {
  return line(render_event_error("permission_loss", "Stream authentication is no longer valid."));
}

std::string internal_error(const Error& error) {
  if (error.code == Code::timed_out) {
    return line(render_event_error("internal_error", "An event takes too long to be made."));
  }
  if (error.code == Code::not_found)
    return line(render_event_error("internal_error", error.message));
  log(LogLevel::warn, "events could not be read", {{"error", error.message}});
  return line(render_event_error("internal_error", "The events could not be read."));
}

// Tags a piece that is the last one of its stream.
struct LastPiece {};

// Streams with the same token and the same secret share their output.
std::string name_of_source(const OpenedSource& opened, const std::string& token) {
  return "fauna " + encode_base64url(sha256(token + "\n" + opened.authorization));
}

class FqlStreamSource final : public mayfly::EventSource {
 public:
  FqlStreamSource(OpenedSourcePtr opened, const std::string& token)
      : opened_(std::move(opened)), name_(name_of_source(*opened_, token)) {}

  const std::string& name() const override { return name_; }
  // Computed fields and roles call functions as well, so every source is charged to its topmost
  // database.
  std::string_view payer() const override {
    const DatabasePath& database_path = opened_->principal.database_path;
    return database_path.is_root() ? root_database : std::string_view(database_path.names.front());
  }
  bool calls_functions() const override {
    return &followed_set(*opened_->source.set) != opened_->source.set.get();
  }
  std::set<CollectionId> collections(const CatalogPtr&) override { return {opened_->collection}; }

  // A failure is the last piece of a stream. `only` is set if no event was missed, however long
  // none has occurred.
  Result<EventPage> read(const EventPosition& after, Instant through,
                         const std::set<CollectionId>* only) override {
    EventPage page{.upto = EventPosition::behind(through)};
    if (!is_still_authorized(*opened_)) {
      end(page, after, permission_loss());
      return page;
    }
    EventReader reader(*opened_, after, through);
    const auto done = read_events(reader, page, after, only != nullptr);
    if (!done) end(page, after, internal_error(done.error()));
    return page;
  }

 private:
  static void end(EventPage& page, const EventPosition& at, std::string text) {
    page.pieces.push_back({at, std::move(text), LastPiece{}});
  }

  Result<void> read_events(EventReader& reader, EventPage& page, const EventPosition& after,
                           bool misses_no_events) {
    std::optional<View> view;
    const Instant begun = thread_time();
    for (;;) {
      const auto event = TRY(reader.next());
      if (reader.has_gap() && !misses_no_events) {
        end(page, after, line(render_too_old(after.committed_at)));
        return {};
      }
      if (!event) return {};
      if (!view) view.emplace(opened_->database.view());
      const EventPosition at = event_position(FeedPosition{event->committed_at, event->number});
      // Measured in CPU time of the thread, so that a busy machine does not end streams.
      const Meter meter(thread_time, thread_time() + limits::fql_event_time_max);
      EventText made = TRY(render_event(*opened_, *view, *event, meter));
      if (made.is_error) {
        end(page, at, line(*std::move(made.text)));
        return {};
      }
      if (made.text) page.pieces.push_back({at, line(*std::move(made.text))});
      if (thread_time() - begun >= limits::fql_events_time_max) {
        page.upto = at;
        return {};
      }
    }
  }

  const OpenedSourcePtr opened_;
  const std::string name_;
};

Subscription subscription_of(OpenedSourcePtr opened, const std::string& token,
                             const EventPosition& after) {
  return {
      .source = std::make_shared<FqlStreamSource>(opened, token),
      .after = after,
      .stream = nullptr,
      .wants = [](const EventPiece& piece) -> Result<bool> {
        if (piece.about.has_value()) return fail(Code::invalid, piece.text);
        return true;
      },
      .status = [opened](const EventPosition& at) -> Result<std::string> {
        if (!is_still_authorized(*opened)) return fail(Code::invalid, permission_loss());
        return line(render_status(at));
      },
      .status_every = limits::fql_stream_status_every,
      .final_text =
          [](std::string_view reason) {
            return reason.empty() ? permission_loss() : std::string(reason);
          },
      .age_max = limits::fql_stream_age_max,
      .until = opened->principal.until,
  };
}

Result<net::Response> open_stream(const net::Request& request, const SharedServices& shared,
                                  const Principal& principal) {
  EventHub* const hub = shared.services.events;
  if (hub == nullptr) return fail(Code::unsupported, "this server has no event streams");
  const EventsBody body = TRY(parse_events_body(request.body, stream_stop));
  auto opened = open_source(request, shared, principal, body.token);
  if (!opened && opened.error().code == Code::invalid) return invalid_event_source(stream_stop);
  const OpenedSourcePtr source = TRY(std::move(opened));
  const Instant created_at = source->source.created_at;
  if (body.after && body.after->committed_at < created_at) {
    return fail(Code::invalid,
                "Invalid stream start time: Stream start time can not be before the stream create "
                "time.");
  }
  const EventPosition after = body.after.value_or(EventPosition::behind(created_at));
  net::Response response{.content_type = "application/json;charset=utf-8"};
  response.body = line(render_status(after));
  EventReader reader(*source, after, shared.services.database.now());
  TRY(reader.next());
  if (reader.has_gap()) {
    response.body += line(render_too_old(after.committed_at));
    return response;
  }
  response.headers = {{"Cache-Control", "no-cache"}};
  response.stream = [subscription = subscription_of(source, body.token, after),
                     hub](std::shared_ptr<net::Stream> stream) {
    Subscription taken = subscription;
    taken.stream = std::move(stream);
    hub->subscribe(std::move(taken));
  };
  return response;
}

}  // namespace

net::Response answer_stream(const net::Request& request, const SharedServices& shared,
                            const Principal& principal) {
  auto opened = open_stream(request, shared, principal);
  return opened ? *std::move(opened) : render(protocol_error(opened.error()));
}

}  // namespace mayfly::fauna
