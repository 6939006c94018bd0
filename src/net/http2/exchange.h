// HTTP/2 of one stream without its frames: turns headers and bytes into a request, and a response
// into headers and bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/requests/in_flight.h"
#include "net/streams/send_queue.h"

namespace mayfly::net {

// Threads: as RequestInFlight.
class Http2Exchange : public RequestInFlight {
 public:
  explicit Http2Exchange(const RequestOrigin& origin) : RequestInFlight(origin) {}

  // --- in ---
  void add_header(std::string_view name, std::string_view value);
  void add_body(std::string_view bytes);
  // The head is complete. Returns why it is refused; empty if it is not. `is_whole`: the request is
  // complete, too.
  std::optional<Refusal> end_head(bool is_whole);
  // The refusal, if more of the body has arrived than the port accepts.
  std::optional<Refusal> refuse_long_body() const;
  // Whether the client waits for "100 Continue".
  bool expects_continue() const;

  // Prepares the response to be sent. Moves the body out of it, and adds headers.
  void respond(Response& response);
  void add_piece(SendQueue::Piece piece);
  const std::vector<Pair>& head() const { return head_; }
  // Whether the response is streamed and not complete yet.
  bool has_more() const { return has_more_; }
  std::size_t unsent_bytes() const { return own_.size() + view_.bytes.size() - sent_; }
  // Moves as many unsent bytes as fit into `room`; returns how many.
  std::size_t take(std::span<char> room);
  void record_answer() { RequestInFlight::record_answer(head_bytes_out_ + sent_); }
  // Memory of the request, and of its answer.
  std::size_t request_bytes() const { return head_bytes_ + request_.body.size(); }
  std::size_t answer_bytes() const { return own_.size(); }
  // Nothing is unsent: releases the memory of all that has been read and sent.
  void rest();

 private:
  std::optional<Refusal> check_form();

  std::size_t head_bytes_ = 0;  // as HTTP/2 counts them
  std::string authority_;
  std::vector<Pair> head_;
  std::size_t head_bytes_out_ = 0;
  std::string own_;  // to be sent, followed by the view
  BodyView view_;
  std::size_t sent_ = 0;  // of both
  bool has_more_ = false;
  bool is_too_long_ = false;  // the body
};

}  // namespace mayfly::net
