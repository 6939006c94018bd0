// What travels over the wire, as plain data: nothing above net/ sees a socket, and dialects are
// tested without one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace mayfly::net {

using Pair = std::pair<std::string, std::string>;

struct Request {
  std::string method;  // upper case
  std::string target;  // as it came, for logs
  std::string path;  // percent-decoding is left to the router, which splits first: begins with '/'
  std::vector<Pair> parameters;  // of the query string, decoded, in order; a name may repeat
  std::vector<Pair> headers;     // names in lower case
  std::string body;
  std::string peer;        // address of the client with its port, for logs
  std::string network;     // whose clients count as one: an IPv4 address, or the /64 of an IPv6 one
  bool is_secure = false;  // came over TLS
  // When nobody waits for the answer any more, on the scale of monotonic_now().
  Instant answer_by = Instant::never();

  // The first of that name, or null pointer. Header names in lower case.
  const std::string* header(std::string_view name) const;
  const std::string* parameter(std::string_view name) const;
};

// What follows the head of a response that goes on: pieces of its body, for as long as somebody has
// some. Letting go of it ends it. Threads: any.
class Stream {
 public:
  virtual ~Stream() = default;
  // False once the client is gone, or so slow that more than limits::stream_unsent_bytes_max would
  // wait for it: then the connection is closed. A piece is taken whole, however large, where
  // nothing else waits. It leaves when all that it can show is durable.
  virtual bool send(std::string piece) = 0;
  // The body is complete. Idempotent; what is sent afterwards goes nowhere.
  virtual void end() = 0;
  // Whether a piece that is sent now would be on its way to a client.
  virtual bool is_open() const = 0;
  // Bytes that the client's side has not taken yet.
  virtual std::size_t unsent_bytes() const = 0;
  // Calls `act` once: when nothing is unsent (at once, if so now) or the client is gone. Later it
  // comes from the thread of the connection, so it must be short.
  virtual void when_sent(std::function<void()> act) = 0;
  // Runs `make` on a worker, among the requests that wait there: for making what is to be sent next
  // where that takes long. However many wait, it is not refused, so its caller bounds how many
  // there are. False, and not run, once the client is gone.
  virtual bool work(std::function<void()> make) = 0;
};

using StreamTaker = std::function<void(std::shared_ptr<Stream>)>;

// What a server says in a conversation over a WebSocket, in whole messages. False once the client
// is gone. Each leaves when all that it can show is durable. Threads: any.
class Speaker {
 public:
  virtual ~Speaker() = default;
  // To what the client has said: however much waits for him, for he is not listened to meanwhile.
  virtual bool answer(std::string_view text) = 0;
  // Unasked: as Stream::send() has it, a client who does not listen is left; but only where more
  // than limits::conversation_unsent_bytes_max would wait for it.
  virtual bool tell(std::string_view text) = 0;
  virtual bool is_open() const = 0;
};

// The server's side of one conversation; it ends when the client is gone. Messages are taken one
// after the other. Threads: one at a time, but not always the same.
class Conversation {
 public:
  virtual ~Conversation() = default;
  // A message has come. Whether its answer comes so fast that the thread which reads the socket may
  // give it itself. Then either of the next two is called.
  virtual bool receive(std::string message) = 0;
  // `answer_by` as in Request.
  virtual void answer(Instant answer_by) = 0;
  // The server says no in its stead, in the dialect's words.
  virtual void refuse(const Error& error) = 0;
  // The answer to a message that asks only whether the server is there, as a ping does; nothing for
  // every other one. It is answered out of turn, so receive() does not come for it. Cheap; asked of
  // short messages only. Threads: any, also while another member runs.
  virtual std::optional<std::string> answer_ping(std::string_view) const { return std::nullopt; }
};

using ConversationTaker =
    std::function<std::unique_ptr<Conversation>(std::shared_ptr<Speaker> speaker)>;

// Whether the client wants to talk over a WebSocket from here on.
bool asks_for_conversation(const Request& request);

// Bytes that lie in memory once for all responses that show them: those of a page, of a description
// of the API.
struct BodyView {
  std::string_view bytes = {};
  std::shared_ptr<const void> keeper = {};  // of the bytes; null: they outlive the server
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";  // none is sent where the body is empty
  std::vector<Pair> headers = {};
  std::string body = {};
  BodyView view = {};  // the body in place of `body`, where it is not empty
  bool close = false;  // end a connection of HTTP/1.1 after it
  // Set: after the body the response goes on with what is sent to the stream. Called once the head
  // is on its way, by the thread of the connection, so it must be short; not for HEAD, nor where
  // too many streams are open already.
  StreamTaker stream = {};
  // Set: to a request that asks for a conversation; nothing else of the response counts. Called
  // once the client has been told that it may begin. Messages are as long as bodies may be.
  ConversationTaker conversation = {};

  std::string_view bytes() const { return view.bytes.empty() ? body : view.bytes; }
};

// Tells the server when answers may leave: an answer shows only what survives a loss of power.
// Threads: any.
class Durability {
 public:
  virtual ~Durability() = default;
  // A mark of the newest change an answer given now can show, and of the newest that is safe.
  virtual std::uint64_t applied() const = 0;
  virtual std::uint64_t durable() const = 0;
  // Returns once durable() >= mark. May block for one flush to disk.
  virtual void sync(std::uint64_t mark) = 0;
};

}  // namespace mayfly::net
