// SubjectTemplate: the subject of a NATS message, with placeholders for properties of its event.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "delivery/message.h"

namespace mayfly::delivery {

// "mayfly.{database}.{collection}.{event}". Immutable; threads: any.
class SubjectTemplate {
 public:
  // Fails with invalid if the text is no subject, or begins with a placeholder, or with `$` or `_`,
  // which are reserved by the broker.
  static Result<SubjectTemplate> parse(std::string_view text);

  // In names, each byte that has a meaning in subjects or is not printable becomes %XX.
  std::string render(const Message& message) const;
  // The tokens before the one with the first placeholder, or before the last one, with a dot at the
  // end. Each rendered subject begins with the prefix and is longer.
  const std::string& prefix() const { return prefix_; }
  // The subjects that a stream must hold: all that begin with the prefix.
  std::string pattern() const { return prefix_ + ">"; }

 private:
  struct Part {
    std::string text;                         // before the placeholder
    std::string Message::* member = nullptr;  // null: no placeholder follows
  };
  std::vector<Part> parts_;
  std::string prefix_;
};

}  // namespace mayfly::delivery
