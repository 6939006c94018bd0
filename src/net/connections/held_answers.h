// HeldAnswers: the responses of one loop that wait for the disk.
#pragma once

#include <cstdint>
#include <vector>

#include "net/connections/loop.h"
#include "net/requests/responder.h"
#include "net/threads/flusher.h"

namespace boost::asio {
class io_context;
}

namespace mayfly::net {

// Threads: that of the loop.
class HeldAnswers final : private Flusher::Waiter {
 public:
  // Both outlive it.
  HeldAnswers(boost::asio::io_context& context, Common& common)
      : context_(context), common_(common) {}

  // Releases the response once `watermark` is durable.
  void hold(ResponderPtr responder, std::uint64_t watermark);
  // Forgets responses that are no longer held, and repeats what lack of memory has prevented.
  void tick();

 private:
  void post_check();
  void check();
  void flush();
  void flushed() override;
  void release_durable();

  boost::asio::io_context& context_;
  Common& common_;
  std::vector<ResponderPtr> unflushed_;
  std::vector<ResponderPtr> flushing_;  // a flush for them is in progress
  std::vector<ResponderPtr> released_;
  std::uint64_t unflushed_watermark_ = 0;
  std::uint64_t flushing_watermark_ = 0;
  bool is_check_posted_ = false;
  std::size_t seen_ = 0;  // how many responses waited at the last check
  int checks_ = 0;
};

}  // namespace mayfly::net
