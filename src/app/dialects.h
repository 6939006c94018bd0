// The dialects of this binary, one row each, and SharedPort, a port that several of them share.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/readiness.h"
#include "dialect/common/answer_metrics.h"
#include "dialect/dialect.h"
#include "dialect/row.h"
#include "net/handler.h"

namespace mayfly::app {

// A guest comes after its host. Ports, rows of tables and printed lines have this order.
const std::vector<DialectRow>& dialects();

// NAME.port: the setting of the dialect's port, its own or its host's.
std::string port_setting(const DialectRow& row);
// "auth.keys or b.keys", if the word is "or": the settings that each close the server to requests
// without credentials.
std::string closing_settings(std::string_view word);
// "a, b or c", if the word is "or".
std::string enumerate(const std::vector<std::string>& parts, std::string_view word);

// Several dialects on one port: each request goes to the first guest that claims its path,
// otherwise to the host, which was added first. The dialect is chosen once, when the request
// begins.
class SharedPort final : public net::Handler {
 public:
  void add(std::unique_ptr<Dialect> dialect);
  // While a commit stalls beyond the bound, requests are refused instead of answered with data of
  // an instant long past. `readiness` outlives this.
  void set_readiness(const Readiness& readiness) { readiness_ = &readiness; }
  // Counts answers in `metrics`, by the name of the dialect. `metrics` outlives this.
  void set_metrics(Metrics& metrics);

  // The port's bound is the largest bound of its dialects; each dialect also applies its own.
  net::AcceptedRequest& begin(const net::Request& request, net::AcceptedStorage& storage) override;
  net::Response refuse(const Error& error) const override;
  std::size_t body_bytes_max() const override;
  bool is_open() const override;
  Result<void> may_answer() const override;
  // The access rules of the guests, then those of the host.
  PortAccess access(const std::string& url) const;
  net::AnswerMeter* meter() override { return parts_.front().answers.get(); }

 private:
  struct Part {
    std::unique_ptr<Dialect> dialect;
    std::unique_ptr<AnswerMetrics> answers = {};
  };
  Part& of(std::string_view path);

  std::vector<Part> parts_;
  const Readiness* readiness_ = nullptr;
};

}  // namespace mayfly::app
