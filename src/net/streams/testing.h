// Shared by the tests of streamed responses of any protocol: the sender's ends of the streams that
// `/stream` begins.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "net/test_client.h"

namespace mayfly::net {

class StreamsTest : public ServerTest {
 protected:
  StreamsTest() {
    handler.stream = [this](std::shared_ptr<Stream> stream) {
      const std::lock_guard lock(mutex_);
      streams_.push_back(std::move(stream));
    };
  }
  // The sender's end of the stream that began last.
  std::shared_ptr<Stream> taken() {
    const std::lock_guard lock(mutex_);
    auto stream = std::move(streams_.back());
    streams_.pop_back();
    return stream;
  }
  bool streams_are(std::uint64_t open) {
    return becomes_true([this, open] { return server->stats().streams_open == open; });
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<Stream>> streams_;
};

}  // namespace mayfly::net
