// SharedText: bytes that are sent to many clients and shared in memory, and the interface that
// sends them.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "net/message.h"

namespace mayfly::net {

// Immutable, except for the number of connections that keep it. Threads: any.
class SharedBytes {
 public:
  explicit SharedBytes(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }

  // How much the shared memory grows with one more connection that keeps it, and shrinks with one
  // less: only the first and the last count.
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

// The sender of every WebSocket conversation is also a SharedTextSender; a conversation in a test
// may have another. Threads: any.
class SharedTextSender : public WebSocketSender {
 public:
  // As send(), with one message that joins both texts.
  virtual bool send_event_shared(const SharedText& begin, std::string_view end) = 0;
  // Ends the conversation as if its client were too slow.
  virtual void give_up() = 0;
};

}  // namespace mayfly::net
