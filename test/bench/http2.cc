#include "bench/http2.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <list>

#include "base/check.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

// A request and the received part of its answer.
struct Exchange {
  Http2Request request;
  std::size_t sent = 0;  // of its body
  Instant sent_at;
  int status = 0;
  std::string body;
};

// Called for each complete answer.
using Answered = std::function<void(Exchange& exchange)>;

class Http2Client {
 public:
  Http2Client(std::uint16_t port, Answered answered) : wire_(port), answered_(std::move(answered)) {
    nghttp2_session_callbacks* callbacks = nullptr;
    CHECK(nghttp2_session_callbacks_new(&callbacks) == 0);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    CHECK(nghttp2_session_client_new(&session_, callbacks, this) == 0);
    nghttp2_session_callbacks_del(callbacks);
    // Windows so large that no answer fills them, so that only frames of answers arrive.
    constexpr std::int32_t window = 16 << 20;
    const nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window},
                                               {NGHTTP2_SETTINGS_ENABLE_PUSH, 0}};
    CHECK(nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings)) == 0);
    CHECK(nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, window) == 0);
  }
  ~Http2Client() { nghttp2_session_del(session_); }
  Http2Client(const Http2Client&) = delete;
  Http2Client& operator=(const Http2Client&) = delete;

  void submit(Http2Request request) {
    Exchange& exchange = under_way_.emplace_back(Exchange{std::move(request)});
    exchange.sent_at = monotonic_now();
    const Http2Request& of = exchange.request;
    std::vector<nghttp2_nv> head{header(":method", of.method), header(":scheme", "http"),
                                 header(":authority", "localhost"), header(":path", of.path)};
    for (const auto& [name, value] : of.headers) head.push_back(header(name, value));
    nghttp2_data_provider body{.source = {.ptr = &exchange}, .read_callback = read_body};
    CHECK(nghttp2_submit_request(session_, nullptr, head.data(), head.size(),
                                 of.body.empty() ? nullptr : &body, &exchange) > 0);
  }

  // Sends submitted requests and receives answers, until no request is in flight.
  void run() {
    for (;;) {
      flush();
      if (under_way_.empty()) return;
      wire_.receive();
      const auto* in = reinterpret_cast<const std::uint8_t*>(wire_.in.data());
      CHECK(nghttp2_session_mem_recv(session_, in, wire_.in.size()) ==
            static_cast<ssize_t>(wire_.in.size()));
      wire_.in.clear();
    }
  }

 private:
  static nghttp2_nv header(std::string_view name, std::string_view value) {
    const auto bytes = [](std::string_view text) {
      return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
    };
    return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
  }

  void flush() {
    std::string out;
    const std::uint8_t* bytes = nullptr;
    for (ssize_t n = 0; (n = nghttp2_session_mem_send(session_, &bytes)) > 0;) {
      out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(n));
    }
    if (!out.empty()) wire_.send(out);
  }

  static Exchange& exchange_of(nghttp2_session* session, std::int32_t stream) {
    return *static_cast<Exchange*>(nghttp2_session_get_stream_user_data(session, stream));
  }

  static ssize_t read_body(nghttp2_session*, std::int32_t, std::uint8_t* room, std::size_t bytes,
                           std::uint32_t* flags, nghttp2_data_source* source, void*) {
    Exchange& of = *static_cast<Exchange*>(source->ptr);
    const std::size_t n = std::min(bytes, of.request.body.size() - of.sent);
    std::memcpy(room, of.request.body.data() + of.sent, n);
    of.sent += n;
    if (of.sent == of.request.body.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(n);
  }

  static int on_header(nghttp2_session* session, const nghttp2_frame* frame,
                       const std::uint8_t* name, std::size_t name_bytes, const std::uint8_t* value,
                       std::size_t value_bytes, std::uint8_t, void*) {
    const std::string_view said(reinterpret_cast<const char*>(name), name_bytes);
    if (said != ":status") return 0;
    const char* const digits = reinterpret_cast<const char*>(value);
    std::from_chars(digits, digits + value_bytes, exchange_of(session, frame->hd.stream_id).status);
    return 0;
  }

  static int on_data(nghttp2_session* session, std::uint8_t, std::int32_t stream,
                     const std::uint8_t* bytes, std::size_t size, void*) {
    exchange_of(session, stream).body.append(reinterpret_cast<const char*>(bytes), size);
    return 0;
  }

  static int on_close(nghttp2_session* session, std::int32_t stream, std::uint32_t error,
                      void* self) {
    CHECK(error == NGHTTP2_NO_ERROR);
    Http2Client& client = *static_cast<Http2Client*>(self);
    Exchange* const done = &exchange_of(session, stream);
    client.answered_(*done);
    client.under_way_.remove_if([done](const Exchange& one) { return &one == done; });
    return 0;
  }

  Wire wire_;
  const Answered answered_;
  nghttp2_session* session_ = nullptr;
  std::list<Exchange> under_way_;
};

}  // namespace

LoadResult run(const Http2Load& load) {
  LoadResult result;
  std::vector<std::int64_t> latencies;
  const Instant began = monotonic_now();
  const Instant end = began + load.span;
  Instant now = began;
  Http2Client* asking = nullptr;
  Http2Client client(load.port, [&](Exchange& exchange) {
    now = monotonic_now();
    latencies.push_back((now - exchange.sent_at).micros);
    ++result.requests;
    if (exchange.status != load.expected_status) ++result.unexpected;
    if (now < end) asking->submit(load.next_request());
  });
  asking = &client;
  for (int i = 0; i < load.streams; ++i) client.submit(load.next_request());
  client.run();
  result.requests_per_second = double(result.requests) * 1e6 / double((now - began).micros);
  result.p50_micros = quantile(latencies, 0.5);
  result.p99_micros = quantile(latencies, 0.99);
  return result;
}

std::string call_http2(std::uint16_t port, const Http2Request& request, int expected_status) {
  std::string body;
  Http2Client client(port, [&](Exchange& exchange) {
    CHECK(exchange.status == expected_status);
    body = std::move(exchange.body);
  });
  client.submit(request);
  client.run();
  return body;
}

}  // namespace mayfly::bench
