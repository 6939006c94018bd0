// One stream's side of HTTP/2 without its frames: headers and bytes become a request, a response
// becomes headers and bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/requests/in_flight.h"
#include "net/streams/outlet.h"

namespace mayfly::net {

// Threads: as RequestInFlight.
class Http2Exchange : public RequestInFlight {
 public:
  explicit Http2Exchange(const Origin& origin) : RequestInFlight(origin) {}

  // --- in ---
  void add_header(std::string_view name, std::string_view value);
  void add_body(std::string_view bytes);
  // The head is whole. Why it is refused, if it is; `is_whole`: so is the request.
  std::optional<Refusal> end_head(bool is_whole);
  // More of the body has come than the port takes.
  std::optional<Refusal> refuse_long_body() const;
  // Whether the client waits for leave to send the body.
  bool expects_continue() const;

  // --- out ---
  // Makes the response ready to be sent. Takes the body out of it, and adds headers.
  void respond(Response& response);
  void go_on(Outlet::Piece piece);
  const std::vector<Pair>& head() const { return head_; }
  // Whether more follows what has been made ready.
  bool goes_on() const { return goes_on_; }
  std::size_t unsent_bytes() const { return own_.size() + view_.bytes.size() - sent_; }
  // Moves what fits of what is unsent.
  std::size_t take(std::span<char> room);
  void note_answer() { RequestInFlight::note_answer(head_bytes_out_ + sent_); }
  // What the request takes, and what its answer does.
  std::size_t request_bytes() const { return head_bytes_ + request_.body.size(); }
  std::size_t answer_bytes() const { return own_.size(); }
  // Nothing is unsent: gives back the memory of all that has been read and sent.
  void rest();

 private:
  std::optional<Refusal> check_form();

  std::size_t head_bytes_ = 0;  // as HTTP/2 counts them
  std::string authority_;
  std::vector<Pair> head_;
  std::size_t head_bytes_out_ = 0;
  std::string own_;  // to be sent, and then the view
  BodyView view_;
  std::size_t sent_ = 0;  // of both
  bool goes_on_ = false;
  bool is_too_long_ = false;  // the body
};

}  // namespace mayfly::net
