// One client on a WebSocket: its messages, one after the other, and its notifications.
//
// A message names its route and contains its token, as Kuzzle's clients send it. So rights can be
// checked only after parsing. Where there is an administrator, messages before login must therefore
// be small. Large messages are parsed by a worker and count for the memory that they take.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dialect/kuzzle/realtime/realtime.h"
#include "dialect/kuzzle/requests/envelope.h"
#include "dialect/kuzzle/requests/routes.h"
#include "dialect/kuzzle/security/auth/logins.h"
#include "dialect/kuzzle/server/load.h"
#include "net/websocket/bounded_conversation.h"

namespace mayfly::kuzzle {

// Threads: one at a time. `shared` outlives it.
class WebSocketConversation final : public net::BoundedConversation {
 public:
  // The request is the one that opened the WebSocket. `generation`: of messages that do not name
  // their client's library.
  WebSocketConversation(std::shared_ptr<net::WebSocketSender> sender, const ServerContext& shared,
                        const net::Request& request, const Generation& generation);
  ~WebSocketConversation() override;

  bool receive(std::string text) override;
  void answer(Instant answer_by) override;
  void refuse(const Error& error) override;
  std::optional<std::string> answer_ping(std::string_view message) const override;
  std::size_t message_bytes_max() const override;
  std::size_t held_bytes() const override { return held_bytes_; }
  bool is_costly() const override { return route_ != nullptr && route_->pace == net::Pace::costly; }

 private:
  Result<void> parse(const Value& sent);
  void remember_user(const KuzzleCall& call);
  void forget_message();
  void send_reply(const Reply& reply);

  const std::shared_ptr<net::WebSocketSender> sender_;
  const ServerContext& shared_;
  const std::string peer_;
  const std::string network_;
  const std::string cookie_token_;  // for requests without a token
  const Generation& generation_;
  const realtime::ConnectionId connection_;
  Logins logins_;
  Message message_;
  UsedToken used_token_;        // of the message
  std::size_t held_bytes_ = 0;  // of the message
  Result<void> parsed_;
  const Route* route_ = nullptr;
  std::optional<Load::Admission> admission_;      // while a request is being answered
  Instant received_at_;                           // of the message, on the monotonic clock
  std::string bare_error_;                        // the answer to a message that is not a request
  Instant token_ends_at_ = Instant::beginning();  // when the token of the known user ends
};

}  // namespace mayfly::kuzzle
