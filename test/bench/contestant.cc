#include "bench/contestant.h"

#include <unistd.h>

#include <filesystem>
#include <optional>

#include "base/check.h"
#include "bench/engine.h"
#include "bench/process.h"
#include "bench/rows.h"
#include "bench/wire.h"

namespace mayfly::bench {
namespace {

constexpr const char* documents = "/v1/databases/b/collections/c/documents/";

constexpr const char* all_swept = R"("overdue_collections":0)";

class HttpSession final : public Session {
 public:
  explicit HttpSession(std::uint16_t port) : wire_(port) {}
  bool read(const std::string& id) override {
    const int status = call(wire_, http_request("GET", documents + id)).status;
    CHECK(status == 200 || status == 404);
    return status == 200;
  }
  void write(const std::string& id, const std::string& json) override {
    const std::string target = documents + id + "?ttl=86400";
    CHECK(call(wire_, http_request("PUT", target, json)).status == 201);
  }

 private:
  Wire wire_;
};

// Filled within this process, served by its own.
class Mayfly final : public Contestant {
 public:
  Mayfly(std::string directory, bool is_told, std::vector<std::string> flags)
      : directory_(std::move(directory)), flags_(std::move(flags)) {
    engine_.emplace(directory_, clock_);
    if (is_told) engine_->change({.keep_feed_for = Span::seconds(86'400)});
  }
  ~Mayfly() override {
    server_.reset();
    engine_.reset();
    std::filesystem::remove_all(directory_);
  }

  std::string name() const override { return "Mayfly"; }
  void fill(const std::string& prefix, std::uint64_t from, std::uint64_t to,
            Instant death) override {
    engine_->fill(prefix, from, to, [death](std::uint64_t) -> LifetimeChange {
      if (death.is_never()) return Keep{};
      return Lifetime(At{death});
    });
  }
  void settle() override {
    engine_->settle();
    engine_.reset();
    server_ = std::make_unique<ServerProcess>(directory_, ServerOptions{.flags = flags_});
  }
  std::unique_ptr<Session> connect() override {
    return std::make_unique<HttpSession>(server_->port());
  }
  void compact() override {
    if (server_) {
      while (server_->call("GET", "/v1/sweeper").find(all_swept) == std::string::npos)
        rest(100'000);
      server_->end();
      written_ = server_->bytes_written();
      server_.reset();
    }
    const double before = bytes_written_by(getpid());
    engine_.emplace(directory_, clock_);
    engine_->settle();
    engine_.reset();
    written_ += bytes_written_by(getpid()) - before;
  }
  double resident_mib() const override { return server_->resident_mib(); }
  double bytes_written() const override { return server_ ? server_->bytes_written() : written_; }

 private:
  const std::string directory_;
  const std::vector<std::string> flags_;
  SystemClock clock_;
  std::optional<Engine> engine_;
  std::unique_ptr<ServerProcess> server_;
  double written_ = 0;  // by a server that has ended, and by compactions after it
};

}  // namespace

std::unique_ptr<Contestant> make_mayfly(const std::string& directory, bool is_told,
                                        std::vector<std::string> flags) {
  return std::make_unique<Mayfly>(directory, is_told, std::move(flags));
}

}  // namespace mayfly::bench
