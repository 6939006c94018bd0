// The dialects this binary speaks, one row each.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/readiness.h"
#include "dialect/common/answer_metrics.h"
#include "dialect/dialect.h"
#include "net/answer_meter.h"
#include "net/head_handler.h"

namespace mayfly::app {

struct DialectRow {
  std::string_view name;
  std::string_view port_setting;  // dialects with the same one share the port
  std::unique_ptr<Dialect> (*make)(const Services&);
  std::string_view closed_by;       // what it asks for, once that is set
  // Makes internal what earlier versions kept under names that anyone can choose; null: nothing.
  Result<void> (*make_internal)(Database&) = nullptr;
  bool wants_tls = false;           // its clients insist on it
  bool answers_preflights = false;  // its clients look for more than headers in them
};

const std::vector<DialectRow>& dialects();

// Several dialects on one port: each request goes to the first that claims its path; the last
// claims what is left.
class SharedPort final : public net::Handler, public net::HeadHandler, public net::AnswerMeter {
 public:
  void add(std::unique_ptr<Dialect> dialect);
  // While a commit stalls beyond the bound, requests are refused instead of answered for a moment
  // long past; `readiness` outlives this.
  void waits_for(const Readiness& readiness) { readiness_ = &readiness; }
  // Answers are counted here, each by its dialect's name; `metrics` outlives this.
  void counts_in(Metrics& metrics);

  net::Response answer(const net::Request& request) override;
  bool is_open() const override;
  bool is_page(const net::Request& request) const override;
  std::string_view body_type(const net::Request& request) const override;
  std::optional<net::Response> refuse_head(const net::Request& request) override;
  bool is_costly(const net::Request& request) const override;
  Error too_many_costly(const net::Request& request) const override;
  std::shared_ptr<const void> admit(const net::Request& request) override;
  bool is_quick(const net::Request& request) const override;
  bool is_urgent(const net::Request& request) const override;
  net::Response refuse(const Error& error) const override;
  std::size_t body_bytes_max() const override;
  void answered(const net::Request& request, int status, Span took) override;

 private:
  struct Part {
    std::unique_ptr<Dialect> dialect;
    net::HeadHandler* head = nullptr;  // the same, or what says nothing
    std::unique_ptr<AnswerMetrics> answers = {};
  };
  const Part& of(const net::Request& request) const;

  std::vector<Part> parts_;
  net::HeadHandler silent_;
  const Readiness* readiness_ = nullptr;
};

}  // namespace mayfly::app
