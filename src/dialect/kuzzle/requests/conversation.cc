#include "dialect/kuzzle/requests/conversation.h"

#include <utility>

#include "base/free_text.h"
#include "base/threads/no_wait.h"
#include "dialect/common/answer_metrics.h"
#include "dialect/common/limits.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/requests/answer.h"
#include "dialect/kuzzle/security/rights/grants.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/server/statistics.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

// Sends notifications to the client unchanged; a client that does not read them is dropped.
class NotificationSender final : public realtime::Sender {
 public:
  explicit NotificationSender(std::shared_ptr<net::WebSocketSender> sender)
      : sender_(std::move(sender)), shared_(dynamic_cast<net::SharedTextSender*>(sender_.get())) {}
  bool send(const net::SharedText& begin, std::string_view end) override {
    if (shared_ != nullptr) return shared_->send_event_shared(begin, end);
    return sender_->send(begin->text() + std::string(end));
  }
  void give_up() override {
    if (shared_ != nullptr) shared_->give_up();
  }

 private:
  const std::shared_ptr<net::WebSocketSender> sender_;
  net::SharedTextSender* const shared_;  // the same object, if it is one
};

// The request itself has been executed.
const Error no_room_for_answer{
    Code::throttled, "The answer is too large for the memory that is left: ask for less, or later"};

// The approximate memory of a parsed value with all its contents.
std::size_t memory_of(const Value& value) {
  constexpr std::size_t holder_bytes = 48;  // of an array or object besides its items
  constexpr std::size_t inline_bytes = 15;  // of a text that is stored in the value itself
  if (value.is(Kind::text)) {
    return value.text().size() > inline_bytes ? value.text().capacity() : 0;
  }
  std::size_t sum = 0;
  if (value.is(Kind::array)) {
    sum = holder_bytes + value.array().capacity() * sizeof(Value);
    for (const Value& item : value.array()) sum += memory_of(item);
  } else if (value.is(Kind::object)) {
    sum = holder_bytes + value.object().size() * sizeof(Object::Member);
    for (const auto& [name, member] : value.object()) {
      sum += memory_of(member) + (name.size() > inline_bytes ? name.capacity() : 0);
    }
  }
  return sum;
}

// A web page cannot send pings of the protocol, so Kuzzle's clients send a message instead.
constexpr std::string_view pong = R"({"p":2})";
bool is_ping(const Value& sent) {
  return sent.member("p").is(Kind::integer);
}

}  // namespace

WebSocketConversation::WebSocketConversation(std::shared_ptr<net::WebSocketSender> sender,
                                             const ServerContext& shared,
                                             const net::Request& request,
                                             const Generation& generation)
    : sender_(std::move(sender)),
      shared_(shared),
      peer_(request.peer),
      network_(request.network),
      cookie_token_(token_of_cookie(request)),
      generation_(generation),
      connection_(shared.realtime.connect(std::make_shared<NotificationSender>(sender_))) {
  shared_.statistics.connected(Protocol::websocket, shared_.services.database.now());
}

WebSocketConversation::~WebSocketConversation() {
  shared_.statistics.disconnected(Protocol::websocket, shared_.services.database.now());
  shared_.realtime.disconnect(connection_);
  shared_.grants.disconnect(connection_);
}

bool WebSocketConversation::receive(std::string text) {
  if (admission_) forget_message();
  received_at_ = monotonic_now();
  auto sent = parse_json(text, {.bytes_max = text.size()});
  free_text(text);
  if (!sent) {
    bare_error_ = render_bare_error(render_error(sent.error(), generation_));
    return true;
  }
  if (is_ping(*sent)) {
    bare_error_ = pong;
    return true;
  }
  held_bytes_ = memory_of(*sent);
  parsed_ = parse(*sent);
  return route_ == nullptr || route_->pace == net::Pace::quick;
}

Result<void> WebSocketConversation::parse(const Value& sent) {
  message_.generation = &generation_;
  const auto parsed = parse_message(sent, message_);
  if (message_.token.empty()) {
    message_.token = cookie_token_;
    message_.has_cookie_token = !cookie_token_.empty();
  }
  if (message_.request_id.empty()) message_.request_id = shared_.services.random.uuid();
  admission_ = shared_.load.enter(shared_.services.database.now());
  if (admission_->is_discarded()) return tl::unexpected(overloaded());
  TRY(parsed);
  route_ = TRY(route_of(message_));
  return {};
}

std::optional<std::string> WebSocketConversation::answer_ping(std::string_view message) const {
  if (message.find(R"("p")") == std::string_view::npos) return std::nullopt;
  const auto sent = parse_json(message, {.bytes_max = message.size()});
  if (!sent || !is_ping(*sent)) return std::nullopt;
  return std::string(pong);
}

void WebSocketConversation::answer(Instant answer_by) {
  if (!bare_error_.empty()) {
    sender_->answer(std::exchange(bare_error_, {}));
    return;
  }
  KuzzleCall call{.message = message_,
                  .shared = shared_,
                  .answer_by = answer_by,
                  .connection = connection_,
                  .logins = &logins_,
                  .used_token = &used_token_,
                  .peer = peer_,
                  .network = network_};
  const Reply reply = route_ != nullptr            ? answer_route(*route_, call)
                      : admission_->is_discarded() ? reply_of(parsed_.error(), message_)
                                                   : refuse_unroutable(parsed_.error(), call);
  if (NoWait::has_refused_here()) return;  // a thread that may block will answer it
  send_reply(reply);
  if (route_ != nullptr) remember_user(call);
  forget_message();
}

void WebSocketConversation::refuse(const Error& error) {
  send_reply(reply_of(to_kuzzle_error(error), message_));
  forget_message();
}

std::size_t WebSocketConversation::message_bytes_max() const {
  Database& database = shared_.services.database;
  if (database.now() < token_ends_at_) return limits::bulk_body_bytes_max;
  const auto rights = anonymous_rights(shared_);
  return rights && *rights == AnonymousRights::all ? limits::bulk_body_bytes_max
                                                   : limits::message_before_login_bytes_max;
}

// An invalid token or a logout ends it.
void WebSocketConversation::remember_user(const KuzzleCall& call) {
  const bool is_logout = route_->traits.ends_login;
  const bool is_anonymous_user = call.principal.is_anonymous();
  if (!is_logout && !is_anonymous_user) {
    token_ends_at_ = call.principal.token_ends_at;
  } else if (is_logout || !message_.token.empty()) {
    token_ends_at_ = Instant::beginning();
  }
}

// An idle client keeps no memory.
void WebSocketConversation::forget_message() {
  admission_.reset();
  (void)std::exchange(message_, {});  // assignment would keep the texts' memory
  used_token_ = {};
  held_bytes_ = 0;
  route_ = nullptr;
  parsed_ = {};
  bare_error_.clear();
}

void WebSocketConversation::send_reply(const Reply& reply) {
  if (shared_.answers != nullptr) {
    shared_.answers->answered(reply.status, monotonic_now() - received_at_);
  }
  std::string text = render_envelope(message_, reply);
  const bool must_wait = shared_.realtime.holds_answers(connection_);
  if (!must_wait && (sender_->answer(text) || !sender_->is_open())) return;
  // There may be no memory for it. A client that cannot be sent even that is too slow.
  message_.volatile_data = Value();
  std::string refusal = render_envelope(message_, reply_of(no_room_for_answer, message_));
  if (!must_wait) {
    sender_->send(refusal);
    return;
  }
  const std::size_t bytes = text.size();
  auto send = [sender = sender_, text = std::move(text), refusal = std::move(refusal)] {
    if (!sender->answer(text) && sender->is_open()) sender->send(refusal);
  };
  if (!shared_.realtime.hold_answer(connection_, bytes, send)) send();
}

}  // namespace mayfly::kuzzle
