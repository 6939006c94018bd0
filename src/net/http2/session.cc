#include "net/http2/session.h"

#include <nghttp2/nghttp2.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "base/threads/freed.h"
#include "net/http2/limits.h"

namespace mayfly::net {
namespace {

using SessionPtr = std::unique_ptr<nghttp2_session, Freed<nghttp2_session_del>>;
using CallbacksPtr =
    std::unique_ptr<nghttp2_session_callbacks, Freed<nghttp2_session_callbacks_del>>;
using OptionPtr = std::unique_ptr<nghttp2_option, Freed<nghttp2_option_del>>;

std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// No exception passes through the library.
template <class Act>
int guard_library(void* events, Act act) {
  try {
    act(*static_cast<Http2Events*>(events));
    return 0;
  } catch (const std::exception&) {
    return NGHTTP2_ERR_CALLBACK_FAILURE;
  }
}

bool is_request(const nghttp2_frame& frame) {
  return frame.hd.type == NGHTTP2_HEADERS && frame.headers.cat == NGHTTP2_HCAT_REQUEST;
}

bool ends_stream(const nghttp2_frame& frame) {
  return (frame.hd.type == NGHTTP2_HEADERS || frame.hd.type == NGHTTP2_DATA) &&
         (frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
}

// Frames that reset a stream are counted when the stream closes.
bool has_no_request(const nghttp2_frame& frame) {
  const bool is_ack = (frame.hd.flags & NGHTTP2_FLAG_ACK) != 0;
  switch (frame.hd.type) {
    case NGHTTP2_PING:
    case NGHTTP2_SETTINGS: return !is_ack;
    case NGHTTP2_DATA: return frame.hd.length == 0 && !ends_stream(frame);
    default: return false;
  }
}

// By default, bodies are sent one frame of each in turn, so a short one does not wait for a long
// one (RFC 9218).
int on_begin_headers(nghttp2_session* session, const nghttp2_frame* frame, void* events) {
  if (!is_request(*frame)) return 0;
  const nghttp2_extpri in_turn{NGHTTP2_EXTPRI_DEFAULT_URGENCY, 1};
  nghttp2_session_change_extpri_stream_priority(session, frame->hd.stream_id, &in_turn, 0);
  return guard_library(events, [&](Http2Events& of) { of.begins(frame->hd.stream_id); });
}

// Trailers are not used.
int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
              std::size_t name_bytes, const std::uint8_t* value, std::size_t value_bytes,
              std::uint8_t, void* events) {
  if (!is_request(*frame)) return 0;
  return guard_library(events, [&](Http2Events& of) {
    of.has_header(text_of(name, name_bytes), text_of(value, value_bytes));
  });
}

int on_frame_recv(nghttp2_session*, const nghttp2_frame* frame, void* events) {
  return guard_library(events, [&](Http2Events& of) {
    if (is_request(*frame)) of.has_head(frame->hd.stream_id);
    if (ends_stream(*frame)) of.is_whole(frame->hd.stream_id);
    if (has_no_request(*frame)) of.on_idle_frame();
  });
}

int on_invalid_frame(nghttp2_session*, const nghttp2_frame* frame, int, void* events) {
  if (!is_request(*frame)) return 0;
  return guard_library(events, [&](Http2Events& of) { of.has_broken_head(frame->hd.stream_id); });
}

int on_data(nghttp2_session*, std::uint8_t, std::int32_t stream, const std::uint8_t* bytes,
            std::size_t size, void* events) {
  return guard_library(events, [&](Http2Events& of) { of.has_data(stream, text_of(bytes, size)); });
}

int on_frame_send(nghttp2_session*, const nghttp2_frame* frame, void* events) {
  if (!ends_stream(*frame)) return 0;
  return guard_library(events, [&](Http2Events& of) { of.is_answered(frame->hd.stream_id); });
}

int on_stream_close(nghttp2_session*, std::int32_t stream, std::uint32_t error, void* events) {
  return guard_library(
      events, [&](Http2Events& of) { of.is_closed(stream, static_cast<Http2Error>(error)); });
}

ssize_t read_body(nghttp2_session*, std::int32_t stream, std::uint8_t* room, std::size_t room_bytes,
                  std::uint32_t* flags, nghttp2_data_source*, void* events) {
  Http2Events::Taken taken;
  const int failed = guard_library(events, [&](Http2Events& of) {
    taken = of.take(stream, {reinterpret_cast<char*>(room), room_bytes});
  });
  if (failed != 0) return failed;
  if (taken.next == Http2Events::Taken::Next::none) *flags |= NGHTTP2_DATA_FLAG_EOF;
  const bool waits = taken.next == Http2Events::Taken::Next::later && taken.bytes == 0;
  return waits ? static_cast<ssize_t>(NGHTTP2_ERR_DEFERRED) : static_cast<ssize_t>(taken.bytes);
}

CallbacksPtr make_callbacks() {
  nghttp2_session_callbacks* made = nullptr;
  if (nghttp2_session_callbacks_new(&made) != 0) throw std::bad_alloc();
  nghttp2_session_callbacks_set_on_begin_headers_callback(made, on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(made, on_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(made, on_frame_recv);
  nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(made, on_invalid_frame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, on_data);
  nghttp2_session_callbacks_set_on_frame_send_callback(made, on_frame_send);
  nghttp2_session_callbacks_set_on_stream_close_callback(made, on_stream_close);
  return CallbacksPtr(made);
}

OptionPtr make_options() {
  nghttp2_option* made = nullptr;
  if (nghttp2_option_new(&made) != 0) throw std::bad_alloc();
  nghttp2_option_set_max_continuations(made, limits::http2_continuations_max);
  nghttp2_option_set_max_settings(made, limits::http2_settings_max);
  nghttp2_option_set_max_outbound_ack(made, limits::http2_acks_max);
  nghttp2_option_set_no_closed_streams(made, 1);
  return OptionPtr(made);
}

// The calls are valid, so they fail only if memory runs out.
void check_done(int returned) {
  if (returned == NGHTTP2_ERR_NOMEM) throw std::bad_alloc();
}

}  // namespace

struct Http2Session::Library {
  SessionPtr session;
};

Http2Session::Http2Session(Http2Events& events) : library_(std::make_unique<Library>()) {
  static const CallbacksPtr callbacks = make_callbacks();
  static const OptionPtr options = make_options();
  nghttp2_session* made = nullptr;
  if (nghttp2_session_server_new2(&made, callbacks.get(), &events, options.get()) != 0) {
    throw std::bad_alloc();
  }
  library_->session.reset(made);
  const nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits::http2_streams_max},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, limits::http2_stream_window_bytes},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits::request_head_bytes_max},
      {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1}};
  check_done(nghttp2_submit_settings(made, NGHTTP2_FLAG_NONE, settings, std::size(settings)));
  check_done(nghttp2_session_set_local_window_size(made, NGHTTP2_FLAG_NONE, 0,
                                                   limits::http2_connection_window_bytes));
}

Http2Session::~Http2Session() = default;

bool Http2Session::receive(std::string_view bytes) {
  const ssize_t taken = nghttp2_session_mem_recv(
      library_->session.get(), reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (taken == NGHTTP2_ERR_NOMEM || taken == NGHTTP2_ERR_CALLBACK_FAILURE) throw std::bad_alloc();
  return taken >= 0;
}

std::string_view Http2Session::next() {
  const std::uint8_t* bytes = nullptr;
  const ssize_t size = nghttp2_session_mem_send(library_->session.get(), &bytes);
  if (size < 0) throw std::bad_alloc();
  return text_of(bytes, static_cast<std::size_t>(size));
}

bool Http2Session::is_over() const {
  return nghttp2_session_want_read(library_->session.get()) == 0 &&
         nghttp2_session_want_write(library_->session.get()) == 0;
}

void Http2Session::respond(std::int32_t stream, const std::vector<Pair>& head, bool has_body) {
  std::vector<nghttp2_nv> list;
  list.reserve(head.size());
  for (const auto& [name, value] : head) {
    auto* const name_bytes = reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data()));
    auto* const value_bytes = reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data()));
    list.push_back({name_bytes, value_bytes, name.size(), value.size(), NGHTTP2_NV_FLAG_NONE});
  }
  const nghttp2_data_provider body{{}, read_body};
  check_done(nghttp2_submit_response(library_->session.get(), stream, list.data(), list.size(),
                                     has_body ? &body : nullptr));
}

void Http2Session::ask_for_body(std::int32_t stream) {
  static std::string name = ":status";
  static std::string value = "100";
  const nghttp2_nv status{reinterpret_cast<std::uint8_t*>(name.data()),
                          reinterpret_cast<std::uint8_t*>(value.data()), name.size(), value.size(),
                          NGHTTP2_NV_FLAG_NONE};
  const std::int32_t done = nghttp2_submit_headers(library_->session.get(), NGHTTP2_FLAG_NONE,
                                                   stream, nullptr, &status, 1, nullptr);
  check_done(static_cast<int>(done));
}

void Http2Session::resume(std::int32_t stream) {
  check_done(nghttp2_session_resume_data(library_->session.get(), stream));
}

void Http2Session::reset(std::int32_t stream, Http2Error error) {
  check_done(nghttp2_submit_rst_stream(library_->session.get(), NGHTTP2_FLAG_NONE, stream,
                                       static_cast<std::uint32_t>(error)));
}

void Http2Session::announce_end() {
  check_done(nghttp2_submit_shutdown_notice(library_->session.get()));
}

void Http2Session::refuse_streams() {
  nghttp2_session* const session = library_->session.get();
  check_done(nghttp2_submit_goaway(session, NGHTTP2_FLAG_NONE,
                                   nghttp2_session_get_last_proc_stream_id(session),
                                   NGHTTP2_NO_ERROR, nullptr, 0));
}

void Http2Session::end(Http2Error error) {
  check_done(nghttp2_session_terminate_session(library_->session.get(),
                                               static_cast<std::uint32_t>(error)));
}

}  // namespace mayfly::net
