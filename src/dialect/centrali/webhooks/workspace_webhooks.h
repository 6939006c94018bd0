// The webhooks of one workspace as the dispatcher works on them: matches events to them, and knows
// when each of them is to be called next.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "db/database.h"
#include "dialect/centrali/structures/directory.h"
#include "dialect/centrali/webhooks/webhooks.h"

namespace mayfly::centrali {

// Threads: the dispatcher's job alone.
class WorkspaceWebhooks {
 public:
  WorkspaceWebhooks(Database& database, Directory& directory, Random& random,
                    DatabaseInfoPtr workspace);

  // The calls to one webhook, one at a time.
  struct Line {
    Webhook webhook;
    Choice choice;                        // of its events
    Instant next = Instant::beginning();  // nothing is due before; beginning(): not known
    bool is_under_way = false;
    std::uint64_t call = 0;  // the number of its last call among all; 0: there was none

    bool is_due(Instant now) const { return !is_under_way && webhook.is_active() && next <= now; }
  };
  std::map<std::string, Line>& lines() { return lines_; }  // by the ids of the webhooks
  // A call to the webhook has ended, and that is written down.
  void note_end(const std::string& webhook);
  const DatabaseInfo& workspace() const { return *workspace_; }

  // Reads the subscriptions; when they are called next is not known then.
  Result<void> read();
  // The structures to follow; none where there are no subscriptions. One that is new here may have
  // had events already.
  std::set<CollectionId> find_structures(const CatalogPtr& catalog);
  void note_news(const std::set<CollectionId>& collections);

  bool is_behind() const { return !due_.empty(); }
  // Writes down what comes of one page of the events up to `through`, and its place. The catalog,
  // and what read() has read, are those of `through` or later.
  Result<void> match(const CatalogPtr& catalog, Instant through);

 private:
  using Wanted = std::vector<std::pair<const Webhook*, const Notice*>>;

  Result<void> find_cursor();
  Result<void> match_page(const Workspace& workspace, Instant through);
  Result<void> write(const Wanted& wanted, const DurableCursor& reached);
  // Those that the notice is delivered to.
  std::vector<const Webhook*> takers(const Notice& notice) const;

  Database& database_;
  Directory& directory_;
  Random& random_;
  const DatabaseInfoPtr workspace_;
  std::map<std::string, Line> lines_;
  std::set<CollectionId> structures_;
  std::set<CollectionId> due_;           // may have events behind the cursor
  std::optional<DurableCursor> cursor_;  // may be ahead of what is written down
  Instant written_ = Instant::beginning();
};

}  // namespace mayfly::centrali
