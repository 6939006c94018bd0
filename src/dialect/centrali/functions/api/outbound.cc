#include "dialect/centrali/functions/api/outbound.h"

#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "dialect/centrali/functions/limits.h"
#include "dialect/common/requests/json_body.h"
#include "net/calls/outbound.h"
#include "net/utf8.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

constexpr std::string_view methods[] = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"};

bool is_plain(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < '\x7F'; });
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

// Headers of the connection are set by net::Caller.
bool is_own(std::string_view name) {
  constexpr std::string_view own[] = {
      "host", "content-length", "connection", "upgrade",   "transfer-encoding",
      "te",   "trailer",        "expect",     "keep-alive"};
  return std::find(std::begin(own), std::end(own), name) != std::end(own);
}

std::string lower_name(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

Result<void> read_headers(const Object& asked, net::OutgoingCall& call) {
  for (const auto& [name, value] : asked) {
    const std::string lower = lower_name(name);
    const bool is_valid = value.is(Kind::text) && is_name(name) && is_plain(value.text());
    if (!is_valid || is_own(lower)) {
      return fail(Code::invalid, "headers cannot have '" + name + "' with this value", "headers");
    }
    call.headers.emplace_back(lower, value.text());
  }
  return {};
}

// As the text() of the Fetch standard: without the mark of the byte order.
std::string text_of_body(const net::Response& response) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  std::string text = net::valid_utf8(response.body);
  if (text.starts_with(mark)) text.erase(0, mark.size());
  return text;
}

// The values of a repeated header are joined in their order.
Object headers_of(const net::Response& response) {
  Object headers;
  std::vector<std::string> names;  // as first written
  for (const auto& [name, value] : response.headers) {
    const auto known = std::ranges::find_if(
        names, [&](const std::string& one) { return lower_name(one) == lower_name(name); });
    std::string text = net::valid_utf8(value);
    if (known == names.end()) {
      names.push_back(name);
      headers.set(name, std::move(text));
    } else {
      headers.set(*known, headers.find(*known)->text() + ", " + text);
    }
  }
  return headers;
}

}  // namespace

Result<net::OutgoingCall> http_call_of(const Value& asked, const CentraliOptions& options,
                                       Instant stop_at) {
  if (!asked.is(Kind::object)) return fail(Code::invalid, "url is required", "url");
  MemberReader reader(asked.object());
  net::OutgoingCall call{.time_max = limits::function_time_max,
                         .until = stop_at,
                         .answer_bytes_max = limits::function_answer_bytes_max,
                         .address_policy = options.may_reach_private
                                               ? net::AddressPolicy::anywhere
                                               : net::AddressPolicy::public_only};
  call.url = TRY(reader.text("url")).value_or("");
  call.method = TRY(reader.text("method")).value_or("GET");
  if (std::find(std::begin(methods), std::end(methods), call.method) == std::end(methods)) {
    return fail(Code::invalid, "method is GET, POST, PUT, PATCH, DELETE or HEAD", "method");
  }
  TRY(net::check_url(call.url, call.address_policy));
  if (const Object* headers = TRY(reader.object("headers"))) TRY(read_headers(*headers, call));
  const Value* body = reader.find("body");
  TRY(reader.finish());
  if (body == nullptr || body->is_null()) return call;
  if (body->is(Kind::text)) {
    call.body = body->text();
    return call;
  }
  call.body = render_json(*body);
  const bool has_type =
      std::any_of(call.headers.begin(), call.headers.end(),
                  [](const net::Pair& one) { return one.first == "content-type"; });
  if (!has_type) call.headers.emplace_back("content-type", "application/json");
  return call;
}

Result<net::Response> send_and_wait(const SendCall& send, net::OutgoingCall call) {
  const auto promise = std::make_shared<std::promise<Result<net::Response>>>();
  auto future = promise->get_future();
  send(std::move(call),
       [promise](Result<net::Response> answer) { promise->set_value(std::move(answer)); });
  auto answer = future.get();
  if (answer) return answer;
  const Error& error = answer.error();
  const bool is_clients =
      error.code == Code::invalid || error.code == Code::forbidden || error.code == Code::too_large;
  return fail(is_clients ? error.code : Code::throttled, error.message, "url");
}

Value http_answer_of(const net::Response& response) {
  std::string text = text_of_body(response);
  const auto data = parse_json(text, {.bytes_max = text.size()});
  return Object{{"status", response.status},
                {"headers", headers_of(response)},
                {"body", std::move(text)},
                {"data", data ? *data : Value(nullptr)}};
}

}  // namespace mayfly::centrali
