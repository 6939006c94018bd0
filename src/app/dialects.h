// The dialects this binary speaks, one row each.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/readiness.h"
#include "dialect/common/answer_metrics.h"
#include "dialect/dialect.h"
#include "net/handler.h"

namespace mayfly::app {

struct DialectRow {
  std::string_view name;
  std::string_view port_setting;  // dialects with the same one share the port
  std::unique_ptr<Dialect> (*make)(const Services&);
  std::string_view closed_by;  // what it asks for, once that is set
  // Makes internal what earlier versions kept under names that anyone can choose; null: nothing.
  Result<void> (*make_internal)(Database&) = nullptr;
  bool wants_tls = false;           // its clients insist on it
  bool answers_preflights = false;  // its clients look for more than headers in them
};

const std::vector<DialectRow>& dialects();

// Several dialects on one port: each request goes to the first that claims its path; the last
// claims what is left. Which one is found once, when the request begins.
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
  net::AnswerMeter* meter() override { return parts_.back().answers.get(); }

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
