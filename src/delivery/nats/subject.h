// SubjectTemplate: the subject of a NATS message, with places for what its event says.
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
  // Fails with invalid where it is no subject, where it begins with a place, or with `$` or `_`,
  // which are the broker's own.
  static Result<SubjectTemplate> parse(std::string_view text);

  // Of names each byte that has a meaning in subjects, or none in texts, becomes %XX.
  std::string render(const Message& message) const;
  // The tokens before the one with the first place, or before the last one, with a dot at the end:
  // each subject that it renders begins with it and has more.
  const std::string& prefix() const { return prefix_; }
  // What a stream must hold: the prefix and all behind it.
  std::string pattern() const { return prefix_ + ">"; }

 private:
  struct Part {
    std::string text;                         // before the place
    std::string Message::* member = nullptr;  // null: there is none
  };
  std::vector<Part> parts_;
  std::string prefix_;
};

}  // namespace mayfly::delivery
