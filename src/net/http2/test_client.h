// For the tests of HTTP/2: a client that uses nghttp2 over the plain client of test_client.h, and
// hand-made frames that no library sends.
#pragma once

#include <nghttp2/nghttp2.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/threads/freed.h"
#include "net/test_client.h"

namespace mayfly::net {

// What has been received on one stream so far.
struct Http2Answer {
  std::map<std::string, std::string> headers;
  std::string body;
  std::vector<std::string> statuses;  // interim ones, too
  bool is_closed = false;
  std::uint32_t error = 0;  // of the reset, once it is closed

  std::string status() const { return statuses.empty() ? "" : statuses.back(); }
  std::string text() const { return status() + " " + body; }
};

struct Http2RequestSpec {
  std::string method = "GET";
  std::string path = "/";
  std::string authority = "h";
  std::vector<Pair> headers = {};
  std::string body = {};
  bool ends = true;  // the request is complete with this body
  std::vector<Pair> trailers = {};
};

struct Http2ClientOptions {
  std::uint32_t window = 65'535;  // of each stream
  bool opens_windows = true;      // automatically, as it reads
};

// Reads block until data arrives, as those of Client. Not movable.
class Http2Client {
 public:
  explicit Http2Client(std::unique_ptr<Client> wire, const Http2ClientOptions& options = {})
      : wire_(std::move(wire)) {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_option* option = nullptr;
    nghttp2_option_new(&option);
    nghttp2_option_set_no_auto_window_update(option, options.opens_windows ? 0 : 1);
    nghttp2_session* made = nullptr;
    nghttp2_session_client_new2(&made, callbacks, this, option);
    session_.reset(made);
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(callbacks);
    const nghttp2_settings_entry setting{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, options.window};
    nghttp2_submit_settings(made, NGHTTP2_FLAG_NONE, &setting, 1);
  }
  explicit Http2Client(std::uint16_t port, const Http2ClientOptions& options = {})
      : Http2Client(std::make_unique<Client>(port), options) {}

  // Sends a request, as far as flow control permits, and returns its stream.
  std::int32_t ask(const Http2RequestSpec& spec) {
    std::vector<Pair> headers = {{":method", spec.method},
                                 {":scheme", "http"},
                                 {":path", spec.path},
                                 {":authority", spec.authority}};
    if (spec.authority.empty()) headers.pop_back();
    headers.insert(headers.end(), spec.headers.begin(), spec.headers.end());
    auto list = list_of(headers);
    auto body = std::make_unique<Body>(Body{spec.body, spec.ends, spec.trailers});
    nghttp2_data_provider provider{{.ptr = body.get()}, read_body};
    const bool has_body = !spec.body.empty() || !spec.ends || !spec.trailers.empty();
    const std::int32_t stream = nghttp2_submit_request(
        session_.get(), nullptr, list.data(), list.size(), has_body ? &provider : nullptr, nullptr);
    bodies_[stream] = std::move(body);
    flush();
    return stream;
  }
  // Sends more of an incomplete body.
  void add_body(std::int32_t stream, std::string_view bytes, bool ends) {
    bodies_[stream]->bytes += bytes;
    bodies_[stream]->ends = ends;
    nghttp2_session_resume_data(session_.get(), stream);
    flush();
  }
  // Waits until the stream is closed.
  Http2Answer read(std::int32_t stream) {
    wait_until([&] { return answers_[stream].is_closed; });
    return answers_[stream];
  }
  Http2Answer get(const std::string& path) { return read(ask({.path = path})); }
  // What has been received so far; does not wait.
  const Http2Answer& answer(std::int32_t stream) { return answers_[stream]; }
  // False once the server has closed the connection, or nothing arrives.
  bool wait_until(const std::function<bool()>& claim) {
    for (;;) {
      flush();
      if (claim()) return true;
      const std::string bytes = wire_->read_some();
      if (bytes.empty()) return false;
      const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
      if (nghttp2_session_mem_recv(session_.get(), begin, bytes.size()) < 0) return false;
    }
  }
  bool has_body(std::int32_t stream, const std::string& body) {
    return wait_until([&] { return answers_[stream].body == body; });
  }
  void reset(std::int32_t stream) {
    nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, stream, NGHTTP2_CANCEL);
    flush();
  }
  // Opens the windows of the stream and of the connection by so much.
  void open_window(std::int32_t stream, std::int32_t bytes) {
    nghttp2_submit_window_update(session_.get(), NGHTTP2_FLAG_NONE, stream, bytes);
    nghttp2_submit_window_update(session_.get(), NGHTTP2_FLAG_NONE, 0, bytes);
    flush();
  }
  void flush() {
    const std::uint8_t* bytes = nullptr;
    for (;;) {
      const ssize_t size = nghttp2_session_mem_send(session_.get(), &bytes);
      if (size <= 0) return;
      wire_->send({reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)});
    }
  }
  // Whether the server has announced the end of the connection, its reason, and whether it has
  // closed.
  int goaways() const { return goaways_; }
  std::uint32_t goaway_error() const { return goaway_error_; }
  bool gets_closed() {
    return !wait_until([] { return false; }) && wire_->is_closed();
  }
  std::uint32_t streams_max() {
    wait_until([this] { return has_settings_; });
    return nghttp2_session_get_remote_settings(session_.get(),
                                               NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
  }
  Client& wire() { return *wire_; }

 private:
  struct Body {
    std::string bytes;
    bool ends = true;
    std::vector<Pair> trailers;
  };

  static Http2Client& of(void* client) { return *static_cast<Http2Client*>(client); }
  static std::vector<nghttp2_nv> list_of(const std::vector<Pair>& headers) {
    std::vector<nghttp2_nv> list;
    for (const auto& [name, value] : headers) {
      list.push_back({reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
                      reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(),
                      value.size(), NGHTTP2_NV_FLAG_NONE});
    }
    return list;
  }
  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                       std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                       std::uint8_t, void* client) {
    Http2Answer& answer = of(client).answers_[frame->hd.stream_id];
    const std::string key(reinterpret_cast<const char*>(name), name_size);
    const std::string text(reinterpret_cast<const char*>(value), value_size);
    if (key == ":status") answer.statuses.push_back(text);
    answer.headers[key] = text;
    return 0;
  }
  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t stream, const std::uint8_t* bytes,
                     std::size_t size, void* client) {
    of(client).answers_[stream].body.append(reinterpret_cast<const char*>(bytes), size);
    return 0;
  }
  static int on_close(nghttp2_session*, std::int32_t stream, std::uint32_t error, void* client) {
    Http2Answer& answer = of(client).answers_[stream];
    answer.is_closed = true;
    answer.error = error;
    return 0;
  }
  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* client) {
    if (frame->hd.type == NGHTTP2_SETTINGS) of(client).has_settings_ = true;
    if (frame->hd.type != NGHTTP2_GOAWAY) return 0;
    ++of(client).goaways_;
    of(client).goaway_error_ = frame->goaway.error_code;
    return 0;
  }
  static ssize_t read_body(nghttp2_session* session, std::int32_t stream, std::uint8_t* room,
                           std::size_t size, std::uint32_t* flags, nghttp2_data_source* source,
                           void*) {
    Body& body = *static_cast<Body*>(source->ptr);
    const std::size_t taken = body.bytes.copy(reinterpret_cast<char*>(room), size);
    body.bytes.erase(0, taken);
    if (!body.bytes.empty()) return static_cast<ssize_t>(taken);
    if (!body.ends && taken == 0) return NGHTTP2_ERR_DEFERRED;
    if (!body.ends) return static_cast<ssize_t>(taken);
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (!body.trailers.empty()) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      const auto list = list_of(body.trailers);
      nghttp2_submit_trailer(session, stream, list.data(), list.size());
    }
    return static_cast<ssize_t>(taken);
  }

  std::unique_ptr<Client> wire_;
  std::unique_ptr<nghttp2_session, Freed<nghttp2_session_del>> session_;
  std::map<std::int32_t, Http2Answer> answers_;
  std::map<std::int32_t, std::unique_ptr<Body>> bodies_;
  int goaways_ = 0;
  std::uint32_t goaway_error_ = 0;
  bool has_settings_ = false;
};

inline constexpr std::string_view http2_hello = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// One frame (RFC 9113, section 4.1): length(24 bits) type(8) flags(8) stream(32) payload.
inline std::string frame(int type, int flags, std::uint32_t stream, std::string_view payload) {
  std::string bytes;
  for (const int shift : {16, 8, 0}) bytes += static_cast<char>(payload.size() >> shift);
  bytes += static_cast<char>(type);
  bytes += static_cast<char>(flags);
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(stream >> shift);
  return bytes.append(payload);
}

inline std::string settings_frame() {
  return frame(NGHTTP2_SETTINGS, 0, 0, "");
}
inline std::string ping_frame() {
  return frame(NGHTTP2_PING, 0, 0, "12345678");
}
inline std::string reset_frame(std::uint32_t stream) {
  return frame(NGHTTP2_RST_STREAM, 0, stream, std::string_view("\0\0\0\x08", 4));
}

// The head of `GET path` in HPACK: entries of the static table, and two literals.
inline std::string packed_head(const std::string& path) {
  return "\x82\x86\x44" + std::string(1, static_cast<char>(path.size())) + path + "\x41\x01h";
}
// A complete request, or its head if a body follows.
inline std::string request_frame(std::uint32_t stream, const std::string& path, bool ends = true) {
  const int flags = NGHTTP2_FLAG_END_HEADERS | (ends ? NGHTTP2_FLAG_END_STREAM : 0);
  return frame(NGHTTP2_HEADERS, flags, stream, packed_head(path));
}

struct Http2Frame {
  int type = -1;  // none arrived
  std::uint32_t stream = 0;
  std::string payload;

  // The error of a reset, or of the end of the connection.
  std::uint32_t error() const {
    const std::size_t at = type == NGHTTP2_GOAWAY ? 4 : 0;
    std::uint32_t code = 0;
    for (std::size_t i = at; i < at + 4 && i < payload.size(); ++i) {
      code = code << 8 | static_cast<std::uint8_t>(payload[i]);
    }
    return code;
  }
};

// The next frame of that type; skips others.
inline Http2Frame next_frame(Client& client, int type) {
  for (;;) {
    const std::string head = client.read_bytes(9);
    if (head.size() < 9) return {};
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(head[i]); };
    const std::size_t size = byte(0) << 16 | byte(1) << 8 | byte(2);
    const std::uint32_t stream = byte(5) << 24 | byte(6) << 16 | byte(7) << 8 | byte(8);
    Http2Frame found{byte(3), stream, client.read_bytes(size)};
    if (found.type == type) return found;
  }
}

}  // namespace mayfly::net
