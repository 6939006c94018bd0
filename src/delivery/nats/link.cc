#include "delivery/nats/link.h"

#include <fmt/format.h>
#include <nats/nats.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "base/service/logging.h"
#include "base/threads/thread.h"
#include "delivery/limits.h"
#include "value/json/json.h"

namespace mayfly::delivery {
namespace {

template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* one) const {
    destroy(one);
  }
};
using Options = std::unique_ptr<natsOptions, Destroy<natsOptions_Destroy>>;
using Connection = std::unique_ptr<natsConnection, Destroy<natsConnection_Destroy>>;
using Answers = std::unique_ptr<natsSubscription, Destroy<natsSubscription_Destroy>>;
using Sent = std::unique_ptr<natsMsg, Destroy<natsMsg_Destroy>>;
using Streams = std::unique_ptr<jsCtx, Destroy<jsCtx_Destroy>>;
using StreamInfo = std::unique_ptr<jsStreamInfo, Destroy<jsStreamInfo_Destroy>>;

std::int64_t millis(Span span) {
  return span.micros / 1'000;
}

// The library's text for a status names no server and no secret.
Result<void> check(natsStatus status, const char* action) {
  if (status == NATS_OK) return {};
  const bool is_refused = status == NATS_CONNECTION_AUTH_FAILED || status == NATS_NOT_PERMITTED;
  return fail(is_refused ? Code::forbidden : Code::throttled,
              fmt::format("{}: {}", action, natsStatus_GetText(status)));
}

Result<void> set_login(natsOptions* made, const NatsOptions& options) {
  if (!options.credentials_file.empty()) {
    TRY(check(
        natsOptions_SetUserCredentialsFromFiles(made, options.credentials_file.c_str(), nullptr),
        "nats.credentials"));
  }
  if (!options.user.empty()) {
    TRY(check(natsOptions_SetUserInfo(made, options.user.c_str(), options.password.c_str()),
              "nats.user"));
  }
  if (!options.token.empty()) {
    TRY(check(natsOptions_SetToken(made, options.token.c_str()), "nats.token"));
  }
  return {};
}

Result<void> set_tls(natsOptions* made, const NatsOptions& options) {
  const bool has_tls_url = std::ranges::any_of(
      options.urls, [](const std::string& url) { return url.starts_with("tls://"); });
  if (!has_tls_url && options.ca_file.empty()) return {};
  TRY(check(natsOptions_SetSecure(made, true), "TLS"));
  if (options.ca_file.empty()) return {};
  return check(natsOptions_LoadCATrustedCertificates(made, options.ca_file.c_str()),
               "nats.ca_file");
}

Result<Options> options_of(const NatsOptions& options) {
  natsOptions* raw = nullptr;
  TRY(check(natsOptions_Create(&raw), "NATS"));
  Options made(raw);
  std::vector<const char*> urls;
  for (const std::string& url : options.urls) urls.push_back(url.c_str());
  TRY(check(natsOptions_SetServers(raw, urls.data(), static_cast<int>(urls.size())), "nats.url"));
  TRY(check(natsOptions_SetNoRandomize(raw, true), "nats.url"));  // they are tried in turns
  TRY(set_login(raw, options));
  TRY(set_tls(raw, options));
  TRY(check(natsOptions_SetName(raw, "mayfly"), "NATS"));
  TRY(check(natsOptions_SetTimeout(raw, millis(limits::nats_connect_time_max)), "NATS"));
  TRY(check(natsOptions_SetWriteDeadline(raw, millis(limits::nats_write_time_max)), "NATS"));
  TRY(check(natsOptions_SetPingInterval(raw, millis(limits::nats_ping_every)), "NATS"));
  TRY(check(natsOptions_SetMaxPingsOut(raw, limits::nats_pings_out_max), "NATS"));
  TRY(check(natsOptions_SetAllowReconnect(raw, false), "NATS"));
  TRY(check(natsOptions_SetIgnoreDiscoveredServers(raw, true), "NATS"));
  return made;
}

constexpr std::string_view no_stream = "no stream of JetStream takes the subject";

std::string_view data_of(natsMsg* message) {
  const int bytes = natsMsg_GetDataLength(message);
  return bytes <= 0 ? std::string_view()
                    : std::string_view(natsMsg_GetData(message), static_cast<std::size_t>(bytes));
}

// The broker's own message, which says more than the library's.
Result<void> check_stream(natsStatus status, const char* action) {
  if (status == NATS_OK) return {};
  if (status == NATS_NO_RESPONDERS) {
    return fail(Code::throttled,
                fmt::format("{}: the broker has no JetStream, or none for this user", action));
  }
  natsStatus last = status;
  const char* words = nats_GetLastError(&last);
  if (words == nullptr || *words == '\0') return check(status, action);
  return fail(Code::throttled, fmt::format("{}: {}", action, words));
}

// --- what the library's threads call ---

using ThreadCallbacks = std::shared_ptr<const LinkCallbacks>;

// The number of the message is the last token of the subject that the answer goes to.
void process_answer(natsMsg* answer, const LinkCallbacks& callbacks) {
  const std::string_view subject = natsMsg_GetSubject(answer);
  const std::string_view token = subject.substr(subject.rfind('.') + 1);
  std::uint64_t number = 0;
  std::from_chars(token.data(), token.data() + token.size(), number);
  if (natsMsg_IsNoResponders(answer)) {
    if (callbacks.no_stream_found) callbacks.no_stream_found();
    return callbacks.answered(number, {AttemptOutcome::Kind::interrupted, std::string(no_stream)});
  }
  callbacks.answered(number, outcome_of_answer(data_of(answer)));
}

void on_answer(natsConnection*, natsSubscription*, natsMsg* raw, void* closure) {
  const Sent answer(raw);
  run_guarded("taking an answer of NATS",
              [&] { process_answer(raw, **static_cast<ThreadCallbacks*>(closure)); });
}

void on_complete(void* closure) {
  const std::unique_ptr<ThreadCallbacks> callbacks(static_cast<ThreadCallbacks*>(closure));
  run_guarded("the end of a connection to NATS", [&] { (*callbacks)->broken(); });
}

// --- the stream ---

bool has_subject(const jsStreamConfig& config, const std::string& subject) {
  return std::any_of(config.Subjects, config.Subjects + config.SubjectsLen,
                     [&](const char* one) { return one == subject; });
}

Result<void> create_stream(jsCtx* streams, const NatsOptions& options) {
  std::vector<const char*> subjects;
  for (const std::string& subject : options.subjects) subjects.push_back(subject.c_str());
  jsStreamConfig config;
  TRY(check(jsStreamConfig_Init(&config), "NATS"));
  config.Name = options.stream.c_str();
  config.Subjects = subjects.data();
  config.SubjectsLen = static_cast<int>(subjects.size());
  config.Storage = js_FileStorage;
  config.Duplicates = options.duplicate_window.micros * 1'000;
  jsErrCode error = {};
  TRY(check_stream(js_AddStream(nullptr, streams, &config, nullptr, &error), "making the stream"));
  log(LogLevel::info, "a stream of JetStream has been made", {{"stream", options.stream}});
  return {};
}

// Adds the subjects that the stream lacks; the rest of its configuration is not changed.
Result<void> add_subjects(jsCtx* streams, jsStreamConfig& config, const NatsOptions& options) {
  if (config.Duplicates < options.duplicate_window.micros * 1'000) {
    log(LogLevel::warn, "a stream of JetStream forgets messages before they may be repeated",
        {{"stream", options.stream},
         {"duplicate_window_seconds", config.Duplicates / 1'000'000'000}});
  }
  std::vector<const char*> subjects(config.Subjects, config.Subjects + config.SubjectsLen);
  for (const std::string& subject : options.subjects) {
    if (!has_subject(config, subject)) subjects.push_back(subject.c_str());
  }
  if (static_cast<int>(subjects.size()) == config.SubjectsLen) return {};
  jsStreamConfig updated = config;
  updated.Subjects = subjects.data();
  updated.SubjectsLen = static_cast<int>(subjects.size());
  jsErrCode error = {};
  return check_stream(js_UpdateStream(nullptr, streams, &updated, nullptr, &error),
                      "adding subjects to the stream");
}

Result<void> prepare_stream(natsConnection* connection, const NatsOptions& options) {
  if (!options.uses_jetstream || options.stream.empty()) return {};
  jsCtx* raw = nullptr;
  TRY(check(natsConnection_JetStream(&raw, connection, nullptr), "JetStream"));
  const Streams streams(raw);
  jsStreamInfo* found = nullptr;
  jsErrCode error = {};
  const natsStatus status = js_GetStreamInfo(&found, raw, options.stream.c_str(), nullptr, &error);
  const StreamInfo info(found);
  if (status == NATS_NOT_FOUND) return create_stream(raw, options);
  TRY(check_stream(status, "looking for the stream"));
  return add_subjects(raw, *info->Config, options);
}

}  // namespace

// The subscription to the answers is destroyed before the connection.
struct Link::Parts {
  Connection connection;
  std::string inbox;  // prefix of the subjects of answers; a dot and the number follow
  Answers answers;
  bool uses_jetstream = true;
};

Link::Link(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Link::~Link() = default;

Result<std::unique_ptr<Link>> Link::open(const NatsOptions& options,
                                         std::shared_ptr<const LinkCallbacks> callbacks) {
  const Options made = TRY(options_of(options));
  auto parts = std::make_unique<Parts>();
  natsConnection* connection = nullptr;
  TRY(check(natsConnection_Connect(&connection, made.get()), "connecting"));
  parts->connection.reset(connection);
  parts->uses_jetstream = options.uses_jetstream;
  TRY(prepare_stream(connection, options));

  natsInbox* inbox = nullptr;
  TRY(check(natsInbox_Create(&inbox), "NATS"));
  parts->inbox = inbox;
  natsInbox_Destroy(inbox);
  auto closure = std::make_unique<ThreadCallbacks>(std::move(callbacks));
  natsSubscription* answers = nullptr;
  TRY(check(natsConnection_Subscribe(&answers, connection, (parts->inbox + ".*").c_str(), on_answer,
                                     closure.get()),
            "listening for answers"));
  parts->answers.reset(answers);
  TRY(check(natsSubscription_SetPendingLimits(answers, -1, -1), "NATS"));
  const auto done =
      check(natsSubscription_SetOnCompleteCB(answers, on_complete, closure.get()), "NATS");
  closure
      .release();  // on_complete() frees it; if setting that failed, the connection has just broken
  TRY(done);
  return std::unique_ptr<Link>(new Link(std::move(parts)));
}

Result<void> Link::publish(const std::string& subject, const std::string& id,
                           const std::string& payload, std::uint64_t number) {
  const std::string reply =
      parts_->uses_jetstream ? fmt::format("{}.{}", parts_->inbox, number) : std::string();
  natsMsg* raw = nullptr;
  TRY(check(natsMsg_Create(&raw, subject.c_str(), reply.empty() ? nullptr : reply.c_str(),
                           payload.data(), static_cast<int>(payload.size())),
            "publishing"));
  const Sent message(raw);
  TRY(check(natsMsgHeader_Set(raw, "Nats-Msg-Id", id.c_str()), "publishing"));
  const natsStatus status = natsConnection_PublishMsg(parts_->connection.get(), raw);
  if (status == NATS_MAX_PAYLOAD) {
    return fail(Code::too_large, "the broker takes no so long message");
  }
  return check(status, "publishing");
}

bool Link::is_broken() const {
  return natsConnection_IsClosed(parts_->connection.get());
}

// {"stream": …, "seq": …}, also with "duplicate": true, or {"error": {"code": …, "description":
// …}}.
AttemptOutcome outcome_of_answer(std::string_view json) {
  const auto answer = parse_json(json);
  if (!answer || !answer->is(Kind::object)) {
    return {AttemptOutcome::Kind::refused, "the broker's answer is not one of JetStream"};
  }
  const Value error = answer->member("error");
  if (!error.is(Kind::object)) {
    if (answer->member("stream").is(Kind::text)) return {};
    return {AttemptOutcome::Kind::refused, "the broker's answer is not one of JetStream"};
  }
  const Value code = error.member("code");
  const Value why = error.member("description");
  constexpr std::int64_t first_of_servers = 500;
  const bool is_full = code.is(Kind::integer) && code.integer() >= first_of_servers;
  std::string words = why.is(Kind::text) ? why.text() : std::string("an error");
  std::ranges::replace_if(words, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return {is_full ? AttemptOutcome::Kind::interrupted : AttemptOutcome::Kind::refused,
          "JetStream: " + words};
}

}  // namespace mayfly::delivery
