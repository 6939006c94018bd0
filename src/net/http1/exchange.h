// One connection's side of HTTP without its socket: arriving bytes become a request, a response
// becomes bytes to send. Requests are answered one after the other, in the order in which they
// came.
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

// Threads: one at a time; `answer` may run on another than the rest, which then waits for it.
class Exchange : public RequestInFlight {
 public:
  // head: the request but for its body, told once where the body is still to come.
  enum class Step { wait, head, request, refused };

  explicit Exchange(const Origin& origin);

  // All that comes and goes is ciphered.
  void set_secure() { request_.is_secure = true; }

  // --- in ---
  // Where the next bytes go; never empty. Not to be called where nothing has room. Until receive(),
  // keep() or discard() it stays where it is: a read into it may be under way.
  std::span<char> room();
  // Whether more can be kept of what comes ahead of its turn.
  bool has_room() const { return end_ - begin_ < in_.size(); }
  // What the bytes that have arrived amount to; `bytes` of them are new in room().
  Step receive(std::size_t bytes);
  // Keeps what has come in room() ahead of its turn.
  void keep(std::size_t bytes);
  // What has been kept and not been read, and how much of it has been now.
  std::string_view arrived() const { return std::string_view(in_).substr(begin_, end_ - begin_); }
  void consume(std::size_t bytes);
  // Throws away what has arrived and not been read, and keeps no more memory than it must.
  void discard();
  bool has_begun() const { return reader_.has_begun(); }
  bool is_in_body() const { return reader_.state() == RequestReader::State::body; }
  // Whether the client now waits for "100 Continue"; true once a request.
  bool owes_continue();

  // After Step::refused.
  const Refusal& refusal() const { return denial_ ? *denial_ : reader_.refusal(); }
  // Why the request cannot become a conversation, if it cannot.
  std::optional<Refusal> refuse_conversation() const;

  // --- out ---
  // Makes the response ready to be sent. It is the connection's last where the client or the
  // response says so, or the caller does. Where it goes on, its body is only the beginning. Takes
  // the body out of the response, and adds headers.
  void respond(Response& response, bool is_last);
  // Whether the response goes on: all that has been made ready is not yet the whole of it.
  bool goes_on() const { return goes_on_; }
  // Makes the next piece ready to be sent; the one before has been. It may be empty where it is the
  // last. `shared` may be null.
  void go_on(std::string piece, SharedText shared, bool is_end);
  std::array<std::string_view, 2> unsent() const;
  void sent(std::size_t bytes);
  // What has been made ready has left.
  void note_answer() { RequestInFlight::note_answer(sent_); }
  std::size_t unsent_bytes() const { return head_.size() + sent_body().size() - sent_; }
  bool is_last() const { return is_last_; }
  // Memory that bodies take; none where they are so small that they come with the connection.
  std::size_t held_bytes() const;
  // Nothing is unsent, and there may be a long rest: keeps no more memory than it must.
  void rest();
  // After the response has been sent: begins the next request.
  void next();

 private:
  void begin_conversation();
  void shrink_room();
  std::string_view sent_body() const { return view_.bytes.empty() ? body_ : view_.bytes; }

  RequestReader reader_;
  std::string in_;  // arrived; what has not been read lies in [begin_, end_)
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool is_filling_ = false;  // room() has been given away: in_ stays where it is
  std::string head_;         // to be sent; a short body is part of it
  std::string body_;
  BodyView view_;         // in the place of it, where it is not empty
  std::size_t sent_ = 0;  // of the head and the body
  bool is_last_ = false;
  bool goes_on_ = false;
  bool has_chunks_ = false;
  bool continue_is_settled_ = false;
  bool head_is_told_ = false;
  std::optional<Refusal> denial_;  // the guard's
};

}  // namespace mayfly::net
