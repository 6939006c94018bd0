#include "dialect/fauna/events/feed.h"

#include <algorithm>

#include "dialect/fauna/errors.h"
#include "dialect/fauna/events/body.h"
#include "dialect/fauna/events/event_text.h"
#include "dialect/fauna/events/sources/opened.h"
#include "dialect/fauna/events/sources/reader.h"
#include "dialect/fauna/wire/headers.h"
#include "value/json/writer.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view feed_stop = ".";

// Builds one page.
class FeedPageMaker {
 public:
  FeedPageMaker(const OpenedSource& opened, const EventPosition& after, std::size_t page_size)
      : opened_(opened), page_size_(page_size), examined_(after), cursor_(after) {}

  // After `enough_at` the page ends with what it has. Fails with timed_out if it has nothing.
  Result<std::string> make(Instant enough_at) {
    View view = opened_.database.view();
    EventReader reader(opened_, examined_, view.now());
    const Instant begun = monotonic_now();
    for (;;) {
      const auto event = TRY(reader.next());
      if (reader.has_gap()) {
        events_ = {render_too_old(examined_.committed_at)};
        break;
      }
      if (!event) {
        cursor_ = std::max(cursor_, EventPosition::behind(view.now()));
        break;
      }
      if (monotonic_now() >= enough_at) {
        has_next_ = true;
        break;
      }
      auto made = render_event(opened_, view, *event, Meter(monotonic_now, enough_at));
      if (!made && made.error().code == Code::timed_out && has_examined_) {
        has_next_ = true;
        break;
      }
      if (!take(TRY(std::move(made)), event_position({event->committed_at, event->number}))) break;
    }
    if (has_next_ && !has_examined_) return fail(Code::timed_out, "");
    stats_.time = monotonic_now() - begun;
    return render();
  }

 private:
  // False if the page is complete.
  bool take(EventText made, const EventPosition& at) {
    stats_.add(made.stats);
    const bool is_whole = events_.size() == page_size_ || has_failed_;
    if (made.text && is_whole) {
      has_next_ = true;
      return false;
    }
    // After an error, the next page continues with the following event.
    if (!has_failed_) cursor_ = at;
    examined_ = at;
    has_examined_ = true;
    has_failed_ = has_failed_ || made.is_error;
    if (made.text) events_.push_back(*std::move(made.text));
    return true;
  }

  std::string render() const {
    std::string body;
    JsonWriter json(body);
    json.begin_object();
    json.name("events").begin_array();
    for (const std::string& event : events_) json.raw(event);
    json.end_array();
    json.member("cursor", render_cursor(cursor_));
    json.member("has_next", has_next_);
    put_stats(stats_, json);
    json.end_object();
    return body;
  }

  const OpenedSource& opened_;
  const std::size_t page_size_;
  EventPosition examined_;
  EventPosition cursor_;
  std::vector<std::string> events_;
  bool has_failed_ = false;
  bool has_examined_ = false;
  bool has_next_ = false;
  EventStats stats_;
};

Result<std::string> feed(const net::Request& request, const SharedServices& shared,
                         const Principal& principal, const QueryOptions& options) {
  const Instant begun = monotonic_now();
  TRY(wait_for_short_deadline(begun, options.timeout));
  const EventsBody body = TRY(parse_events_body(request.body, feed_stop));
  const auto opened = open_source(request, shared, principal, body.token);
  if (!opened) {
    if (opened.error().code == Code::invalid) return invalid_event_source(feed_stop);
    return tl::unexpected(opened.error());
  }
  const auto created = EventPosition::behind((*opened)->source.created_at);
  auto after = body.after.value_or(created);
  // Earlier events are history, which needs a separate privilege.
  if (!principal.has_all_rights()) after = std::max(after, created);
  const mayfly::Span allowed = std::min(options.timeout, request.answer_by - begun);
  const mayfly::Span enough{allowed.micros / 100 * 95};
  FeedPageMaker maker(**opened, after, body.page_size);
  return maker.make(begun + enough);
}

}  // namespace

net::Response answer_feed(const net::Request& request, const SharedServices& shared,
                          const Principal& principal) {
  const auto options = parse_options(request);
  if (!options) return render(protocol_error(options.error()));
  auto body = feed(request, shared, principal, *options);
  if (body) {
    return {.content_type = "application/json;charset=utf-8", .body = *std::move(body)};
  }
  if (body.error().code == Code::timed_out) return render(deadline_error(options->timeout));
  return render(protocol_error(body.error()));
}

}  // namespace mayfly::fauna
