// SharedText: bytes that go to many clients at once and lie in memory once, and the Speaker that
// takes them.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "net/message.h"

namespace mayfly::net {

// Immutable, but for the number of connections that keep it for their clients. Threads: any.
class SharedBytes {
 public:
  explicit SharedBytes(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }

  // What the memory of all connections grows by with one more that keeps it, and shrinks by with
  // one less: only the first and the last count.
  std::size_t keep() const { return keepers_++ == 0 ? text_.size() : 0; }
  std::size_t release() const { return --keepers_ == 0 ? text_.size() : 0; }

 private:
  const std::string text_;
  mutable std::atomic<std::size_t> keepers_ = 0;
};

using SharedText = std::shared_ptr<const SharedBytes>;

inline SharedText make_shared_text(std::string text) {
  return std::make_shared<const SharedBytes>(std::move(text));
}

// The Speaker of a WebSocket is one. Threads: any.
class SharedSpeaker : public Speaker {
 public:
  // As tell() of one message, which is both texts together.
  virtual bool tell_shared(const SharedText& begin, std::string_view end) = 0;
  // Ends the conversation as one whose client is too slow.
  virtual void give_up() = 0;
};

}  // namespace mayfly::net
