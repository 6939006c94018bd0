// HTTP/1.1 of one connection without its socket: turns arriving bytes into requests, and responses
// into bytes to send. Requests are answered one after the other, in their order.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "net/http1/request_reader.h"
#include "net/message.h"
#include "net/requests/in_flight.h"
#include "net/streams/shared_text.h"

namespace mayfly::net {

// Threads: one at a time. `answer` may run on another thread, and nothing else runs meanwhile.
class Http1Exchange : public RequestInFlight {
 public:
  // head: the request without its body; returned once, if the body has not arrived.
  enum class Step { wait, head, request, refused };

  explicit Http1Exchange(const RequestOrigin& origin);

  // The connection is encrypted.
  void set_secure() { request_.is_secure = true; }

  // Where the next bytes go; never empty. Call only if has_room(). It does not move until
  // receive(), keep() or discard(), because a read into it may be in progress.
  std::span<char> room();
  // Whether there is room for bytes that arrive early.
  bool has_room() const { return end_ - begin_ < in_.size(); }
  // Processes the bytes that have arrived; `bytes` of them are new in room().
  Step receive(std::size_t bytes);
  // Keeps bytes in room() that have arrived early.
  void keep(std::size_t bytes);
  // The unread bytes. Valid until the buffer changes: by room(), receive(), keep() or discard().
  std::string_view arrived() const { return std::string_view(in_).substr(begin_, end_ - begin_); }
  // The first `bytes` of arrived() have been read.
  void consume(std::size_t bytes);
  // Discards unread bytes, and shrinks the buffer to its minimum.
  void discard();
  bool has_begun() const { return reader_.has_begun(); }
  bool is_in_body() const { return reader_.state() == RequestReader::State::body; }
  // Whether the client now waits for "100 Continue"; true once for each request.
  bool owes_continue();

  // After Step::refused.
  const Refusal& refusal() const { return guard_refusal_ ? *guard_refusal_ : reader_.refusal(); }
  // Why the request cannot become a conversation; empty if it can.
  std::optional<Refusal> refuse_conversation() const;

  // Prepares the response to be sent. It is the last one of the connection if the client, the
  // response or `is_last` says so. If it is streamed, its body is only the beginning. Moves the
  // body out of the response, and adds headers.
  void respond(Response& response, bool is_last);
  // Whether the response is streamed and not complete yet.
  bool has_more() const { return has_more_; }
  // Prepares the next piece; the previous one must have been sent. The last one may be empty.
  // `shared` may be null.
  void add_piece(std::string piece, SharedText shared, bool is_end);
  std::array<std::string_view, 2> unsent() const;
  void sent(std::size_t bytes);
  // The prepared bytes have been sent.
  void record_answer() { RequestInFlight::record_answer(sent_); }
  std::size_t unsent_bytes() const { return head_.size() + sent_body().size() - sent_; }
  bool is_last() const { return is_last_; }
  // Memory for bodies; zero if they are so small that they count as part of the connection.
  std::size_t held_bytes() const;
  // Nothing is unsent, and the connection may be idle for long: releases unneeded memory.
  void rest();
  // The same while a response is streamed: the client is expected to send nothing.
  void rest_in_stream();
  // Begins the next request, after the response has been sent.
  void next();

 private:
  void begin_conversation();
  void shrink_room(std::size_t bytes);
  std::string_view sent_body() const { return view_.bytes.empty() ? body_ : view_.bytes; }

  RequestReader reader_;
  std::string in_;  // arrived bytes; the unread ones are [begin_, end_)
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool is_filling_ = false;  // room() is in use: in_ must not move
  std::string head_;         // to be sent; a short body is part of it
  std::string body_;
  BodyView view_;         // if not empty, in place of body_
  std::size_t sent_ = 0;  // of the head and the body
  bool is_last_ = false;
  bool has_more_ = false;
  bool has_chunks_ = false;
  bool is_continue_decided_ = false;
  bool is_head_reported_ = false;
  std::optional<Refusal> guard_refusal_;  // by the guard
};

}  // namespace mayfly::net
