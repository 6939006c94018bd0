#include "app/dialects.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/centrali/centrali.h"
#include "dialect/console/console.h"
#include "dialect/cosmos/cosmos.h"
#include "dialect/fauna/fauna.h"
#include "dialect/kuzzle/kuzzle.h"
#include "dialect/native/native.h"

namespace mayfly::app {

const std::vector<DialectRow>& dialects() {
  static const std::vector<DialectRow> rows{
      native_dialect(), console_dialect(), centrali_dialect(),
      cosmos_dialect(), kuzzle_dialect(),   fauna_dialect(),
  };
  return rows;
}

std::string port_setting(const DialectRow& row) {
  return std::string(row.guest_of.empty() ? row.name : row.guest_of) + ".port";
}

std::string closing_settings(std::string_view word) {
  std::vector<std::string> names{"auth.keys"};
  for (const DialectRow& row : dialects()) {
    if (!row.closing_setting.empty()) names.emplace_back(row.closing_setting);
  }
  return enumerate(names, word);
}

std::string enumerate(const std::vector<std::string>& parts, std::string_view word) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 < parts.size() ? ", " : fmt::format(" {} ", word);
    text += parts[i];
  }
  return text;
}

void SharedPort::add(std::unique_ptr<Dialect> dialect) {
  parts_.push_back({std::move(dialect)});
}

void SharedPort::set_metrics(Metrics& metrics) {
  for (Part& part : parts_) {
    part.answers = std::make_unique<AnswerMetrics>(metrics, part.dialect->name());
  }
}

SharedPort::Part& SharedPort::of(std::string_view path) {
  for (std::size_t guest = 1; guest < parts_.size(); ++guest) {
    if (parts_[guest].dialect->claims(path)) return parts_[guest];
  }
  return parts_.front();
}

net::AcceptedRequest& SharedPort::begin(const net::Request& request,
                                        net::AcceptedStorage& storage) {
  Part& part = of(request.path);
  net::AcceptedRequest& accepted = part.dialect->begin(request, storage);
  accepted.body_bytes_max = part.dialect->body_bytes_max();
  accepted.meter = part.answers.get();
  return accepted;
}

net::Response SharedPort::refuse(const Error& error) const {
  return parts_.front().dialect->refuse(error);
}

std::size_t SharedPort::body_bytes_max() const {
  std::size_t most = 0;
  for (const Part& part : parts_) most = std::max(most, part.dialect->body_bytes_max());
  return most;
}

bool SharedPort::is_open() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return part.dialect->is_open(); });
}

PortAccess SharedPort::access(const std::string& url) const {
  PortAccess access = parts_.front().dialect->access(url);
  std::vector<std::string> sentences;
  for (std::size_t guest = 1; guest < parts_.size(); ++guest) {
    std::string sentence = parts_[guest].dialect->access(url).sentence;
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  }
  sentences.push_back(std::move(access.sentence));
  access.sentence = fmt::format("{}", fmt::join(sentences, "; "));
  return access;
}

Result<void> SharedPort::may_answer() const {
  return readiness_ == nullptr ? Result<void>{} : readiness_->is_in_time();
}

}  // namespace mayfly::app
