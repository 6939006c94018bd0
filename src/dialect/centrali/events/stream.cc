#include "dialect/centrali/events/stream.h"

#include <algorithm>
#include <charconv>

#include "base/limits.h"
#include "dialect/centrali/errors.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/common/parameters.h"

namespace mayfly::centrali {
namespace {

// The words of a list with commas that may be given under several names.
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

Result<Choice> parse_choice(Call& call) {
  Choice choice;
  for (const auto& [name, text] : call.request.parameters) {
    if (std::find(std::begin(known), std::end(known), name) != std::end(known)) continue;
    return fail(Code::invalid, "there is no parameter \"" + name + "\" here", name);
  }
  for (const std::string& name : words_of(call.request, {"events"})) {
    TRY(add_event(name, choice));
  }
  const CatalogPtr catalog = call.database().catalog();
  for (const std::string& called : words_of(call.request, {"structures", "collections"})) {
    choice.structures.insert(TRY(find_structure(call, catalog, called, "structures"))->id);
  }
  for (const auto& [name, text] : call.request.parameters) {
    if (name == "filter" && !text.empty()) {
      if (choice.filters.size() >= limits::event_filters_max) {
        return fail(
            Code::invalid,
            "a stream has at most " + std::to_string(limits::event_filters_max) + " filters",
            "filter");
      }
      choice.filters.push_back(TRY(parse_event_filter(text)));
    }
  }
  return choice;
}

// Where a client that comes back goes on: the last id it was told.
Result<std::optional<NoticePosition>> parse_last_id(const net::Request& request) {
  const std::string* header = request.header("last-event-id");
  if (header == nullptr || header->empty()) return std::nullopt;
  return parse_position(*header, "Last-Event-ID");
}

Result<Listener> parse_listener(Call& call) {
  Listener listener{.workspace = call.workspace};
  listener.choice = TRY(parse_choice(call));
  const Instant now = call.database().now();
  const auto last = TRY(parse_last_id(call.request));
  const bool goes_on = last && last->committed_at <= now;
  listener.after = goes_on ? last->committed_at : now;
  // Of the commit that it stopped in the client may not have been told all.
  if (goes_on && *last != NoticePosition::behind(last->committed_at)) {
    listener.after = last->committed_at - Span{1};
    listener.resumed_behind = *last;
  }
  listener.until = call.principal.until;
  return listener;
}

std::string_view code_of(const Error& error, bool has_token) {
  if (error.code == Code::throttled) return "RATE_LIMIT_EXCEEDED";
  if (error.code == Code::forbidden) return "WORKSPACE_MISMATCH";
  if (error.code != Code::unauthenticated) return {};
  if (!has_token) return "MISSING_TOKEN";
  const bool has_expired = error.message.find("expired") != std::string::npos;
  return has_expired ? "TOKEN_EXPIRED" : "INVALID_TOKEN";
}

Result<net::Response> open(Call& call, Announcer& announcer, std::string_view token) {
  call.principal = TRY(authenticate_token(token, {call.services.credentials, call.options},
                                          call.workspace, call.database().now()));
  Listener listener = TRY(parse_listener(call));
  TRY(announcer.admit(call.workspace));
  const NoticePosition from =
      listener.resumed_behind ? *listener.resumed_behind : NoticePosition::behind(listener.after);
  net::Response response{.content_type = "text/event-stream",
                         .body = stream_greeting(call.workspace, from)};
  response.headers = {{"Cache-Control", "no-cache"}, {"X-Accel-Buffering", "no"}};
  response.stream = [listener = std::move(listener),
                     &announcer](std::shared_ptr<net::Stream> stream) {
    Listener opened = listener;
    opened.stream = std::move(stream);
    announcer.add(std::move(opened));
  };
  return response;
}

}  // namespace

net::Response open_event_stream(Call& call, Announcer& announcer, std::string_view request_id) {
  std::string_view token = token_of(call.request);
  const std::string* parameter = call.request.parameter("access_token");
  if (token.empty() && parameter != nullptr) token = *parameter;
  auto response = open(call, announcer, token);
  if (response) return *std::move(response);
  return render_error(response.error(), call.details, request_id,
                      code_of(response.error(), !token.empty()));
}

}  // namespace mayfly::centrali
