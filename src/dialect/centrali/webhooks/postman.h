// Postman: matches what happens to the webhooks of each workspace, and brings it to them. What is
// to be delivered is written down in one commit with the place in the feed up to which it was
// matched, so that each event becomes just one delivery; a delivery is tried until somebody takes
// it, in growing distances, so that it may arrive more than once. No request waits for any of it.
//
// One thread matches; the others, which deliver, begin with the first delivery.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "db/feed/follower.h"
#include "dialect/centrali/structures/directory.h"
#include "dialect/centrali/webhooks/webhooks.h"
#include "net/calls/client.h"

namespace mayfly::centrali {

// How a call is made; the answer is whatever the other side says.
using CallOut = std::function<Result<net::Response>(const net::Call&)>;

// How long after the attempt of that number (from 1) the next one comes; nothing where there is
// none.
std::optional<Span> wait_after(std::int64_t attempt);

// Threads: any, but for run_due().
class Postman {
 public:
  enum class RunBy { itself, caller };
  struct Options {
    CallOut call_out;
    RunBy run_by = RunBy::itself;
    bool is_virtual = false;  // the clock may jump: look more often
  };
  Postman(Database& database, Directory& directory, Random& random, Options options);
  ~Postman();

  // Something about webhooks has changed.
  void wake();
  // Matches all there is to match and tries what is due, once each. Gives how many were tried.
  std::size_t run_due();

 private:
  struct Round {  // what one webhook is to be brought
    DatabaseId workspace = 0;
    Webhook webhook;
    std::vector<Delivery> due;
  };
  struct Desk;  // what is known of one workspace

  void loop();
  void send_loop();
  bool wait();
  std::vector<Round> collect();
  Result<void> collect(Desk& desk, Instant until, std::vector<Round>& rounds);
  bool is_under_way(const std::string& webhook);
  void look_for_webhooks(const CatalogPtr& catalog);
  Result<void> match(Desk& desk, const std::vector<Webhook>& webhooks, Instant until);
  Result<std::size_t> match_page(Desk& desk, const std::vector<Webhook>& webhooks, Instant until);
  void follow(const CatalogPtr& catalog);
  struct Delivered {
    std::size_t tried = 0;
    bool is_noted = true;  // the outcome of each has been written
  };
  Delivered deliver(const Round& round);
  // Whether it was taken. Fails where the outcome could not be written.
  Result<bool> attempt(const Round& round, Delivery delivery);

  Database& database_;
  Directory& directory_;
  Random& random_;
  const Options options_;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::condition_variable has_round_;
  std::deque<Round> rounds_;
  std::set<std::string> under_way_;  // ids of webhooks that a sender has
  bool is_woken_ = true;            // there may be something from before
  bool is_stopping_ = false;

  // The thread's alone.
  CatalogPtr catalog_;
  std::map<DatabaseId, std::unique_ptr<Desk>> desks_;
  Follower follower_;  // of the structures of all desks

  std::vector<std::thread> threads_;
};

}  // namespace mayfly::centrali
