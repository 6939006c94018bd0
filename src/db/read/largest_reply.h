// LargestReply: a store that records the size in bytes of its largest answer to a read, so that
// tests can check the bounds on reading bodies.
#pragma once

#include <algorithm>
#include <memory>

#include "store/wrappers/forward.h"

namespace mayfly::testing {

// Threads: one at a time.
class LargestReply final : public store::Forward {
 public:
  LargestReply(std::unique_ptr<store::Store> inner, std::size_t& bytes)
      : Forward(std::move(inner)), bytes_(bytes) {}

  Result<store::ReadReply> read(const store::ReadBatch& batch,
                                const store::Snapshot* snapshot) override {
    auto reply = Forward::read(batch, snapshot);
    if (!reply) return reply;
    std::size_t bytes = reply->gets.bytes();
    for (const store::Page& page : reply->scans) bytes += page.rows.bytes();
    bytes_ = std::max(bytes_, bytes);
    return reply;
  }

 private:
  std::size_t& bytes_;
};

}  // namespace mayfly::testing
