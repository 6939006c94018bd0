#include "dialect/centrali/events/stream.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "dialect/centrali/errors.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/common/requests/parameters.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

// The items of a comma-separated parameter that has several names.
std::vector<std::string> words_of(const net::Request& request,
                                  std::initializer_list<std::string_view> names) {
  std::vector<std::string> words;
  for (const auto& [name, text] : request.parameters) {
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      if (!word.empty()) words.emplace_back(word);
    }
  }
  return words;
}

constexpr std::string_view known[] = {"events", "structures", "collections", "filter",
                                      "access_token"};

Result<NoticeFilter> parse_notice_filter(CentraliCall& call) {
  NoticeFilter filter;
  for (const auto& [name, text] : call.request.parameters) {
    if (std::find(std::begin(known), std::end(known), name) != std::end(known)) continue;
    return fail(Code::invalid, "there is no parameter \"" + name + "\" here", name);
  }
  for (const std::string& name : words_of(call.request, {"events"})) {
    TRY(add_event_name(name, filter));
  }
  const CatalogPtr catalog = call.database().catalog();
  for (const std::string& called : words_of(call.request, {"structures", "collections"})) {
    filter.structures.insert(TRY(find_structure(call, catalog, called, "structures"))->id);
  }
  for (const auto& [name, text] : call.request.parameters) {
    if (name == "filter" && !text.empty()) {
      if (filter.filters.size() >= limits::event_filters_max) {
        return fail(
            Code::invalid,
            "a stream has at most " + std::to_string(limits::event_filters_max) + " filters",
            "filter");
      }
      filter.filters.push_back(TRY(parse_event_filter(text)));
    }
  }
  return filter;
}

// The position at which the client resumes: after the last id that it was sent, or else from now
// on.
Result<EventPosition> parse_place(CentraliCall& call) {
  const EventPosition now = EventPosition::behind(call.database().now());
  const std::string* header = call.request.header("last-event-id");
  if (header == nullptr || header->empty()) return now;
  return std::min(now, TRY(parse_position(*header, "Last-Event-ID")));
}

std::string final_text(std::string_view reason) {
  if (reason.empty()) return "event: close\ndata: {}\n\n";
  return "event: close\ndata: " + render_json(Object{{"reason", reason}}) + "\n\n";
}

std::string_view code_of(const Error& error) {
  return error.code == Code::throttled ? "RATE_LIMIT_EXCEEDED" : std::string_view();
}

Result<EventHub*> admit(const CentraliCall& call) {
  EventHub* const hub = call.services.events;
  if (hub == nullptr) return fail(Code::unsupported, "this server has no event streams");
  if (hub->subscribers_of(source_name(call.workspace)) < limits::event_streams_max) return hub;
  return fail(Code::throttled, "the workspace has " + std::to_string(limits::event_streams_max) +
                                   " event streams open");
}

Result<net::Response> open(CentraliCall& call, std::shared_ptr<Directory> directory) {
  NoticeFilter filter = TRY(parse_notice_filter(call));
  const EventPosition place = TRY(parse_place(call));
  EventHub* const hub = TRY(admit(call));
  Subscription subscription = subscription_of(
      workspace_source(call.database(), std::move(directory), call.workspace), std::move(filter));
  subscription.after = place;
  subscription.until = call.principal.until;
  net::Response response{.content_type = "text/event-stream"};
  // The client gets an id before the first event, so it misses nothing if it reconnects.
  response.body = "retry: 3000\nid: " + render(place) + "\n\n: connected to workspace " +
                  call.workspace + "\n\n";
  response.headers = {{"Cache-Control", "no-cache"}, {"X-Accel-Buffering", "no"}};
  response.stream = [subscription = std::move(subscription),
                     hub](std::shared_ptr<net::Stream> stream) {
    Subscription opened = subscription;
    opened.stream = std::move(stream);
    hub->subscribe(std::move(opened));
  };
  return response;
}

}  // namespace

Subscription subscription_of(std::shared_ptr<EventSource> source, NoticeFilter filter) {
  const bool has_filters = !filter.filters.empty();
  return {.source = std::move(source),
          .wants =
              [filter = std::move(filter)](const EventPiece& piece) {
                return filter.wants(std::any_cast<const Notice&>(piece.about));
              },
          .has_filters = has_filters,
          .keep_alive = ": ping\n\n",
          .final_text = final_text};
}

net::Response open_event_stream(CentraliCall& call, std::shared_ptr<Directory> directory,
                                std::string_view request_id) {
  std::string_view token = token_of(call.request);
  const std::string* parameter = call.request.parameter("access_token");
  if (token.empty() && parameter != nullptr) token = *parameter;
  auto principal = authenticate_token(token, {call.services.credentials, call.options},
                                      call.workspace, call.database().now());
  if (!principal) {
    const TokenRefusal& refusal = principal.error();
    return render_error(refusal.error, call.details, request_id, refusal.stream_code);
  }
  call.principal = *std::move(principal);
  auto response = open(call, std::move(directory));
  if (response) return *std::move(response);
  return render_error(response.error(), call.details, request_id, code_of(response.error()));
}

}  // namespace mayfly::centrali
