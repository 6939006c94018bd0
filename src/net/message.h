// Requests, responses and messages as plain data: nothing above net/ sees a socket, and dialects
// are tested without one.
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
  std::string method;            // upper case
  std::string target;            // as received, for logs
  std::string path;              // begins with '/'; not decoded: the router splits it first
  std::vector<Pair> parameters;  // of the query string, decoded, in order; a name may repeat
  std::vector<Pair> headers;     // names in lower case
  std::string body;
  std::string peer;        // address of the client with its port, for logs
  std::string network;     // counts as one client: an IPv4 address, or the /64 of an IPv6 one
  bool is_secure = false;  // came over TLS
  // From then on, no client waits for the answer; in the scale of monotonic_now().
  Instant answer_by = Instant::never();

  // The first one of that name, or null. Header names in lower case.
  const std::string* header(std::string_view name) const;
  const std::string* parameter(std::string_view name) const;
};

// The body of a streamed response, sent in pieces. Destroying the stream ends the body. Threads:
// any.
class Stream {
 public:
  virtual ~Stream() = default;
  // False once the client has disconnected, or is so slow that more than
  // limits::stream_unsent_bytes_max would be queued for it: then the connection is closed. If
  // nothing else is queued, a piece of any size is accepted whole. A piece is sent when everything
  // that it can show is durable.
  virtual bool send(std::string piece) = 0;
  // The body is complete. Idempotent; pieces that are sent afterwards are dropped.
  virtual void end() = 0;
  // Whether send() would still deliver a piece.
  virtual bool is_open() const = 0;
  // Queued bytes that the client's socket has not accepted yet.
  virtual std::size_t unsent_bytes() const = 0;
  // Calls `act` once: when nothing is unsent (immediately, if so now) or the client has
  // disconnected. If not immediately, the thread of the connection calls it, so it must be short.
  // One `act` can wait at a time: a second call replaces one that has not been called.
  virtual void when_sent(std::function<void()> act) = 0;
  // Runs `make` on a worker, in the queue of requests: to make the next piece if that takes long.
  // It is never refused for overload, so its caller bounds how many there are. False, and not run,
  // once the client has disconnected.
  virtual bool work(std::function<void()> make) = 0;
};

using StreamCallback = std::function<void(std::shared_ptr<Stream>)>;

// Sends the server's messages of a conversation over a WebSocket. False once the client has
// disconnected. A message is sent when everything that it can show is durable. Threads: any.
class WebSocketSender {
 public:
  virtual ~WebSocketSender() = default;
  // Sends the answer to a message of the client, however much is queued: no further message is read
  // meanwhile.
  virtual bool answer(std::string_view text) = 0;
  // Sends a message without a request. As with Stream::send(), a client that does not read is
  // disconnected, but only once more than limits::conversation_unsent_bytes_max would be queued.
  virtual bool send(std::string_view text) = 0;
  virtual bool is_open() const = 0;
};

// The server's side of one conversation; it ends when the client has disconnected. Messages are
// processed one after the other. Threads: one at a time, but not always the same.
class Conversation {
 public:
  virtual ~Conversation() = default;
  // Receives a message. Returns whether its answer is so fast that the thread that reads the socket
  // may compute it. Then answer() or refuse() is called.
  virtual bool receive(std::string message) = 0;
  // `answer_by` as in Request.
  virtual void answer(Instant answer_by) = 0;
  // The server refuses the message; this answers it in the dialect's words.
  virtual void refuse(const Error& error) = 0;
  // The answer to a message that only checks whether the server is alive, as a ping does; empty for
  // all others. Such a message is answered out of order, and receive() is not called for it. Must
  // be cheap; called for short messages only. Threads: any, also while another member runs.
  virtual std::optional<std::string> answer_ping(std::string_view) const { return std::nullopt; }
};

using ConversationFactory =
    std::function<std::unique_ptr<Conversation>(std::shared_ptr<WebSocketSender> sender)>;

// Whether the request is a WebSocket handshake.
bool is_websocket_handshake(const Request& request);

// Bytes that many responses share without copying: those of a page, of a description of the API.
struct BodyView {
  std::string_view bytes = {};
  std::shared_ptr<const void> keeper = {};  // owns the bytes; null: they outlive the server
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";  // not sent if the body is empty
  std::vector<Pair> headers = {};
  std::string body = {};
  BodyView view = {};  // if not empty, the body in place of `body`
  bool close = false;  // end a connection of HTTP/1.1 after it
  // If set, the response is streamed: after `body` follows what is sent to the stream. Called once
  // the head is being sent, by the thread of the connection, so it must be short. Not called for
  // HEAD, nor if too many streams are open.
  StreamCallback stream = {};
  // If set, in response to a WebSocket handshake: begins a conversation, and nothing else of the
  // response counts. Called once the handshake has been answered. Messages may be as long as
  // bodies.
  ConversationFactory conversation = {};

  std::string_view bytes() const { return view.bytes.empty() ? body : view.bytes; }
};

// Says when answers may be sent: an answer shows only what survives a loss of power. Threads: any.
class Durability {
 public:
  virtual ~Durability() = default;
  // Watermarks of the newest change that an answer made now can show, and of the newest durable
  // one.
  virtual std::uint64_t applied() const = 0;
  virtual std::uint64_t durable() const = 0;
  // Returns once durable() >= watermark. May block for one flush to disk.
  virtual void sync(std::uint64_t watermark) = 0;
};

}  // namespace mayfly::net
