#include "bench/nats.h"

#include <nats/nats.h>
#include <signal.h>

#include "base/check.h"

namespace mayfly::bench {
namespace {

constexpr const char* stream = "mayfly";
constexpr std::int64_t message_time_max = 30'000;  // milliseconds

void must(natsStatus status) {
  CHECK(status == NATS_OK);
}

}  // namespace

struct NatsBroker::Client {
  explicit Client(const std::string& url) {
    must(natsConnection_ConnectTo(&connection, url.c_str()));
    must(natsConnection_JetStream(&streams, connection, nullptr));
  }
  ~Client() {
    jsCtx_Destroy(streams);
    natsConnection_Destroy(connection);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  natsConnection* connection = nullptr;
  jsCtx* streams = nullptr;
};

NatsBroker::NatsBroker(const std::string& directory)
    : port_(free_port()),
      directory_(directory),
      process_({.words = {"nice", "-n", "19", "/usr/sbin/nats-server", "-a", "127.0.0.1", "-p",
                          std::to_string(port_), "-js", "-sd", directory},
                .log = directory + "/log",
                .port = port_,
                .end_signal = SIGTERM}),
      client_(std::make_unique<Client>(url())) {}

NatsBroker::~NatsBroker() = default;

std::uint64_t NatsBroker::messages() const {
  jsStreamInfo* info = nullptr;
  jsErrCode error = {};
  if (js_GetStreamInfo(&info, client_->streams, stream, nullptr, &error) != NATS_OK) return 0;
  const std::uint64_t count = info->State.Msgs;
  jsStreamInfo_Destroy(info);
  return count;
}

void NatsBroker::consume(const std::string& subject,
                         const std::function<bool(const std::string& payload)>& take) const {
  jsSubOptions options;
  must(jsSubOptions_Init(&options));
  options.Stream = stream;
  options.Config.DeliverPolicy = js_DeliverNew;
  options.Config.AckPolicy = js_AckNone;
  natsSubscription* subscription = nullptr;
  jsErrCode error = {};
  must(js_SubscribeSync(&subscription, client_->streams, subject.c_str(), nullptr, &options,
                        &error));
  for (bool goes_on = true; goes_on;) {
    natsMsg* message = nullptr;
    must(natsSubscription_NextMsg(&message, subscription, message_time_max));
    const auto bytes = static_cast<std::size_t>(natsMsg_GetDataLength(message));
    goes_on = take(std::string(natsMsg_GetData(message), bytes));
    natsMsg_Destroy(message);
  }
  natsSubscription_Destroy(subscription);
}

}  // namespace mayfly::bench
