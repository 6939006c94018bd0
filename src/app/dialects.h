// The dialects this binary speaks, one row each, and the port that several of them share.
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

// A dialect stands behind the one whose guest it is. Ports, rows of tables and lines of what the
// server prints have this order.
const std::vector<DialectRow>& dialects();

// NAME.port: the setting of the port on which the dialect answers, its own or its host's.
std::string port_setting(const DialectRow& row);
// "auth.keys or b.keys", where the word is "or": of these each closes the server once it is set.
std::string closing_settings(std::string_view word);
// "a, b or c", where the word is "or".
std::string enumerate(const std::vector<std::string>& parts, std::string_view word);

// Several dialects on one port: each request goes to the first guest that claims its path, and what
// is left to the host, which was added first. Which one is found once, when the request begins.
class SharedPort final : public net::Handler {
 public:
  void add(std::unique_ptr<Dialect> dialect);
  // While a commit stalls beyond the bound, requests are refused instead of answered for a moment
  // long past; `readiness` outlives this.
  void waits_for(const Readiness& readiness) { readiness_ = &readiness; }
  // Answers are counted here, each by its dialect's name; `metrics` outlives this.
  void counts_in(Metrics& metrics);

  // The port reads as much as the most generous of its dialects takes; each keeps its own bound.
  net::Accepted& begin(const net::Request& request, net::AcceptedStorage& storage) override;
  net::Response refuse(const Error& error) const override;
  std::size_t body_bytes_max() const override;
  bool is_open() const override;
  Result<void> may_answer() const override;
  // Of the host, behind what its guests say.
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
