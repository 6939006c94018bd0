// WebhookDispatcher: matches the events of each workspace to its webhooks, and calls them. What is
// to be delivered is written down in one commit with the place in the feed up to which it was
// matched, so that each event becomes just one delivery; a delivery is tried until its receiver
// takes it, at growing distances, so it may arrive more than once. No request waits for any of it.
//
// It is one job. Calls are under way beside it, one for each webhook; the job writes down what has
// become of them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/random.h"
#include "db/jobs/jobs.h"
#include "dialect/centrali/structures/directory.h"
#include "net/calls/caller.h"

namespace mayfly::centrali {

// Begins a call, and ends it by its second argument, in any thread: net::Caller::call.
using SendCall = std::function<void(net::Call, net::Caller::Done)>;

// Threads: any.
class WebhookDispatcher {
 public:
  // All of them outlive it. Calls that are under way at its end are tried again after a restart.
  WebhookDispatcher(Database& database, Directory& directory, Random& random, SendCall send);
  ~WebhookDispatcher();

  // Held while webhooks, deliveries or structures of a workspace are changed, from before the
  // commit until it has succeeded or failed: they are read again only then. Cheap.
  class Change {
   public:
    Change(WebhookDispatcher& dispatcher, std::string workspace);
    ~Change();
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

   private:
    WebhookDispatcher& dispatcher_;
    const std::string workspace_;
  };

 private:
  struct Inbox;
  class Work;
  Result<NextRun> run();

  Database& database_;
  Directory& directory_;
  Random& random_;
  const std::shared_ptr<Inbox> inbox_;  // also of the calls under way
  SendCall send_;
  std::unique_ptr<Work> work_;  // the job's alone
  JobHandle job_;
};

}  // namespace mayfly::centrali
