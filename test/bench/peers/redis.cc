// Redis: its protocol and its server.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/check.h"
#include "bench/peers/peer_process.h"
#include "bench/peers/peers.h"
#include "bench/rows.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

std::string command(const std::vector<std::string>& words) {
  std::string text = fmt::format("*{}\r\n", words.size());
  for (const std::string& word : words) text += fmt::format("${}\r\n{}\r\n", word.size(), word);
  return text;
}

// Takes one reply from the wire: nothing for an absent value. Stops the program at an error.
std::optional<std::string> take_reply(Wire& wire) {
  std::size_t end = 0;
  while ((end = wire.in.find("\r\n")) == std::string::npos) wire.receive();
  const std::string line = wire.in.substr(0, end);
  CHECK(line[0] == '+' || line[0] == '$' || line[0] == ':');
  std::size_t whole = end + 2;
  std::optional<std::string> reply = line.substr(1);
  if (line[0] == '$') {
    int length = 0;
    std::from_chars(line.data() + 1, line.data() + line.size(), length);
    reply.reset();
    if (length >= 0) {
      const auto size = static_cast<std::size_t>(length);
      while (wire.in.size() < whole + size + 2) wire.receive();
      reply = wire.in.substr(whole, size);
      whole += size + 2;
    }
  }
  wire.in.erase(0, whole);
  return reply;
}

class RedisSession final : public Session {
 public:
  explicit RedisSession(std::uint16_t port) : wire_(port) {}
  bool read(const std::string& id) override {
    wire_.send(command({"GET", id}));
    return take_reply(wire_).has_value();
  }
  void write(const std::string& id, const std::string& json) override {
    wire_.send(command({"SET", id, json, "EX", "86400"}));
    CHECK(take_reply(wire_) == "OK");
  }

 private:
  Wire wire_;
};

class Redis final : public Contestant {
 public:
  Redis(const std::string& directory, std::string fsync)
      : directory_(directory),
        fsync_(std::move(fsync)),
        process_({.words = {"redis-server", "--port", std::to_string(port_), "--bind", "127.0.0.1",
                            "--dir", directory, "--save", "", "--appendonly", "yes",
                            "--appendfsync", fsync_, "--auto-aof-rewrite-percentage", "0"},
                  .log = directory + ".log",
                  .port = port_,
                  .end_signal = SIGTERM}) {}

  std::string name() const override { return "Redis, " + fsync_; }
  void fill(const std::string& prefix, std::uint64_t from, std::uint64_t to,
            Instant death) override {
    constexpr std::uint64_t at_once = 1'000;
    Wire wire(port_);
    const std::string millis = std::to_string(death.micros / 1'000);
    for (std::uint64_t n = from; n < to; n += at_once) {
      const std::uint64_t end = std::min(n + at_once, to);
      std::string commands;
      for (std::uint64_t i = n; i < end; ++i) {
        std::vector<std::string> words{"SET", prefix + std::to_string(i), sample_json(300, i)};
        if (!death.is_never()) words.insert(words.end(), {"PXAT", millis});
        commands += command(words);
      }
      wire.send(commands);
      for (std::uint64_t i = n; i < end; ++i) CHECK(take_reply(wire) == "OK");
    }
  }
  std::unique_ptr<Session> connect() override { return std::make_unique<RedisSession>(port_); }
  double resident_mib() const override { return process_.resident_mib(); }
  double bytes_written() const override { return process_.bytes_written(); }

 private:
  OwnDirectory directory_;
  std::string fsync_;
  std::uint16_t port_ = free_port();
  PeerProcess process_;
};

}  // namespace

std::unique_ptr<Contestant> make_redis(const std::string& directory, const std::string& fsync) {
  return std::make_unique<Redis>(directory, fsync);
}

}  // namespace mayfly::bench
