// Messages to the Kuzzle dialect over a WebSocket: each is parsed as its members say, or refused
// with a message. It has one answer, which names its request and is no internal error. The sweeper
// changes no answer.
//
// The input is one message per line. A line "+N" moves the clock by N seconds; every line moves it
// by one, so that the commits of the sweeper fall between the instants of the messages.
#include "dialect/kuzzle/requests/message.h"

#include <algorithm>
#include <charconv>

#include "base/crypto/crypto.h"
#include "base/service/logging.h"
#include "db/expiry/sweeper.h"
#include "dialect/common/page_token.h"
#include "dialect/kuzzle/kuzzle.h"
#include "dialect/kuzzle/options.h"
#include "dialect/kuzzle/security/store.h"
#include "fuzz.h"
#include "net/requests/testing.h"
#include "net/utf8.h"
#include "store/memory/memory_store.h"
#include "value/json/json.h"

namespace mayfly::fuzz {
namespace {

using kuzzle::Message;

constexpr std::size_t messages_max = 24;
constexpr int runs_max = 64;  // of the jobs, until the events of one message have been sent
// Of the tokens in the corpus: its user is eve.
constexpr std::string_view key = "a key that no client knows";
constexpr JsonLimits generous{.bytes_max = 64 << 20, .depth_max = 1'000};

bool is_known(std::string_view name) {
  for (const std::string_view one : {"requestId", "controller", "action", "index", "collection",
                                     "jwt", "_id", "body", "volatile"}) {
    if (name == one) return true;
  }
  return false;
}

std::string text_of(const Value& sent, std::string_view name) {
  const Value value = sent.member(name);
  return value.is(Kind::text) ? std::string(value.text()) : std::string();
}

// What a message is understood as, member by member.
void check_understood(const Value& sent, const Message& message) {
  CHECK(message.request_id == text_of(sent, "requestId"));
  CHECK(message.controller == text_of(sent, "controller"));
  CHECK(message.action == text_of(sent, "action"));
  CHECK(message.index == text_of(sent, "index"));
  CHECK(message.collection == text_of(sent, "collection"));
  CHECK(message.token == text_of(sent, "jwt"));
  CHECK(message.id.has_value() == sent.member("_id").is(Kind::text));
  CHECK(message.id.value_or("") == text_of(sent, "_id"));
  CHECK(message.body.is(Kind::object) == sent.member("body").is(Kind::object));
  CHECK(message.volatile_data.is(Kind::object) == sent.member("volatile").is(Kind::object));
  const auto* of_library = kuzzle::generation_of_library(message.volatile_data);
  CHECK(message.generation == (of_library != nullptr ? of_library : &kuzzle::generations::v1));
  std::size_t known = 0;
  for (const auto& [name, value] : sent.object()) {
    const Value* argument = message.arguments.find(name);
    CHECK((argument == nullptr) == is_known(name));
    if (argument == nullptr) {
      ++known;
    } else {
      CHECK(render_json(*argument) == render_json(value));
    }
  }
  CHECK(message.arguments.size() + known == sent.object().size());
}

void check_parsing(const Value& sent) {
  Message message;
  const auto understood = kuzzle::parse_message(sent, message);
  if (understood) return check_understood(sent, message);
  const Code code = understood.error().code;
  CHECK(code == Code::invalid || code == Code::too_large);
  CHECK(!understood.error().message.empty());
  // Whatever is wrong beside it, the answer is for who asked.
  const Value id = sent.member("requestId");
  if (id.is(Kind::text)) CHECK(message.request_id == id.text());
}

// The answers to a client; notifications come from another thread.
class Ear final : public net::WebSocketSender {
 public:
  bool answer(std::string_view text) override {
    answers_.emplace_back(text);
    return true;
  }
  bool send(std::string_view text) override {
    const auto told = parse_json(text, generous);
    CHECK(told.has_value() && told->member("room").is(Kind::text));
    return true;
  }
  bool is_open() const override { return true; }

  bool has_answer() const { return !answers_.empty(); }
  std::string take() {
    CHECK(answers_.size() == 1);
    std::string only = std::move(answers_.front());
    answers_.clear();
    return only;
  }

 private:
  std::vector<std::string> answers_;
};

// A server with a collection, in which documents of another dialect die by and by, and one client.
class Server {
 public:
  Server() : database_(Database::open(store::open_memory(), clock_).value()) {
    dialect_ = make_kuzzle(services_, options_);
    net::Request request{.method = "GET", .target = "/", .path = "/"};
    request.headers = {{"upgrade", "websocket"}};
    talk_ = net::PendingRequest(*dialect_, request)->answer().conversation(ear_);
    send(R"({"controller":"index","action":"create","index":"i"})");
    send(R"({"controller":"collection","action":"create","index":"i","collection":"c"})");
    for (const auto& [id, collection] : database_->catalog()->all_collections()) fill(collection);
    keep(kuzzle::secrets, "jwt", Object{{"key", encode_base64url(key)}});
    keep(kuzzle::users, "eve", Object{{"profileIds", Array{"default"}}});
  }

  std::string send(const std::string& text) {
    talk_->receive(text);
    talk_->answer(Instant::never());
    // The answer to a write may wait for the client's own notification, which the events bring.
    for (int run = 0; run < runs_max && !ear_->has_answer(); ++run) database_->jobs().run_due();
    return ear_->take();
  }
  void sweep() { CHECK(database_->sweeper().run_due(1'000'000).has_value()); }
  void advance(Span span) { clock_.advance(span); }

 private:
  void fill(const CollectionPtr& collection) {
    const auto filled = database_->transact([&](Transaction& transaction) -> Result<void> {
      for (int n = 1; n <= 4; ++n) {
        Bytes packed = TRY(pack(Object{{"n", n}, {"s", "the same"}}));
        const Instant death = clock_.now() + Span::seconds(4 * n);
        TRY(transaction.put(collection, DocumentKey::of("t" + std::to_string(n)), std::move(packed),
                            {.lifetime = Lifetime(At{death})}));
      }
      return {};
    });
    CHECK(filled.has_value());
  }

  void keep(std::string_view collection, const std::string& id, const Object& body) {
    const CollectionPtr place = kuzzle::security_collection(*database_, collection).value();
    const Bytes packed = pack(body).value();
    const auto kept = database_->transact([&](Transaction& transaction) -> Result<void> {
      TRY(transaction.put(place, DocumentKey::of(id), packed, {}));
      return {};
    });
    CHECK(kept.has_value());
  }

  ManualClock clock_{Instant::from_seconds(1'800'000'000)};
  Random random_{7};
  Credentials credentials_;
  const PageTokens page_tokens_{"secret"};
  std::unique_ptr<Database> database_;
  KuzzleOptions options_{.collector = {.every = Span::seconds(10), .documents_max = 2}};
  Services services_{.database = *database_,
                     .manual_clock = &clock_,
                     .random = random_,
                     .credentials = credentials_,
                     .page_tokens = page_tokens_};
  std::unique_ptr<Dialect> dialect_;
  std::shared_ptr<Ear> ear_ = std::make_shared<Ear>();
  std::unique_ptr<net::Conversation> talk_;
};

// Properties that hold whatever the client has sent.
void check_answer(const std::string& text, const Value& answer) {
  const auto sent = parse_json(text, {.bytes_max = text.size()});
  if (sent && sent->member("p").is(Kind::integer)) {
    CHECK(render_json(answer) == R"({"p":2})");
    return;
  }
  CHECK(answer.member("status").is(Kind::integer));
  const std::int64_t status = answer.member("status").integer();
  if (status == 500) std::fprintf(stderr, "%s\n%s\n", text.c_str(), render_json(answer).c_str());
  CHECK(status >= 200 && status < 600 && status != 500);
  if (!sent) {
    const bool is_too_deep = status == 413;
    CHECK((status == 400 || is_too_deep) && answer.member("message").is(Kind::text));
    return;
  }
  const Value room = answer.member("room");
  CHECK(room.is(Kind::text) && room.text() == text_of(answer, "requestId"));
  const std::string asked = text_of(*sent, "requestId");
  if (!asked.empty()) CHECK(room.text() == asked);
  CHECK(answer.member("error").is_null() == (status == 200));
}

// Whether two servers may say other things: of secrets that each makes for itself.
bool tells_secrets(const Message& message) {
  const bool is_of_users = message.controller == "auth" || message.controller == "security";
  return is_of_users || message.arguments.find("scroll") != nullptr;
}

// What is made of a password takes a twentieth of a second, by design: too long for here.
bool takes_password(const Message& message) {
  const std::string_view action = message.action;
  for (const std::string_view one :
       {"login", "createUser", "createRestrictedUser", "createFirstAdmin", "loadSecurities"}) {
    if (action == one) return true;
  }
  return action.find("Credentials") != std::string_view::npos;
}

// One server that sweeps after every message, and one that never does.
class Servers {
 public:
  void send_line(BytesView line) {
    if (line.starts_with('+')) {
      std::uint32_t seconds = 0;
      std::from_chars(line.data() + 1, line.data() + line.size(), seconds);
      return advance(Span::seconds(seconds));
    }
    send(Bytes(line));
    swept_.sweep();
    advance(Span::seconds(1));
  }

  void send(const std::string& text) {
    if (!net::is_utf8(text)) return;  // no message of a WebSocket is that
    Message message;
    if (const auto sent = parse_json(text, {.bytes_max = text.size()})) {
      check_parsing(*sent);
      (void)kuzzle::parse_message(*sent, message);
    }
    if (takes_password(message)) return;
    const std::string one = swept_.send(text);
    const std::string other = unswept_.send(text);
    if (!tells_secrets(message)) {
      if (one != other)
        std::fprintf(stderr, "%s\nswept:   %s\nunswept: %s\n", text.c_str(), one.c_str(),
                     other.c_str());
      CHECK(one == other);
    }
    for (const std::string& answer : {one, other}) {
      const auto read = parse_json(answer, generous);
      CHECK(read.has_value());
      check_answer(text, *read);
    }
  }

 private:
  void advance(Span span) {
    swept_.advance(span);
    unswept_.advance(span);
  }

  Server swept_;
  Server unswept_;
};

void look_around(Servers& servers) {
  constexpr std::string_view place =
      R"(,"index":"i","collection":"c","requestId":"r","volatile":{"sdkVersion":"6.2.8"}})";
  for (const std::string_view asked :
       {R"({"controller":"document","action":"search","body":{"sort":["_meta.createdAt"]})",
        R"({"controller":"document","action":"search","includeTrash":true,"body":{})",
        R"({"controller":"document","action":"count","body":{})",
        R"({"controller":"document","action":"mGet","body":{"ids":["t1","t2","t3","t4","d1"]})",
        R"({"controller":"collection","action":"list")"}) {
    servers.send(std::string(asked) + std::string(place));
  }
}

}  // namespace

void run(BytesView input) {
  start_logging(LogLevel::off, LogFormat::text);  // otherwise each pass of the garbage collector is
                                                  // logged
  Servers servers;
  std::size_t messages = 0;
  while (!input.empty() && ++messages <= messages_max) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    servers.send_line(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  look_around(servers);
}

}  // namespace mayfly::fuzz
