#include "dialect/centrali/webhooks/workspace_webhooks.h"

#include <algorithm>
#include <iterator>

#include "dialect/centrali/events/page.h"
#include "dialect/centrali/limits.h"

namespace mayfly::centrali {

WorkspaceWebhooks::WorkspaceWebhooks(Database& database, Directory& directory, Random& random,
                                     DatabaseInfoPtr workspace)
    : database_(database),
      directory_(directory),
      random_(random),
      workspace_(std::move(workspace)) {}

Result<void> WorkspaceWebhooks::read() {
  View view = database_.view();
  const WebhookTables tables = find_webhook_tables(view.catalog(), workspace_->id);
  std::map<std::string, Line> before = std::exchange(lines_, {});
  auto webhooks = read_webhooks(view, tables);
  if (!webhooks) {
    lines_ = std::move(before);
    return tl::unexpected(webhooks.error());
  }
  for (Webhook& webhook : *webhooks) {
    Line& line = lines_[webhook.id];
    if (const auto known = before.find(webhook.id); known != before.end()) {
      line.is_under_way = known->second.is_under_way;
      line.call = known->second.call;
    }
    line.choice = webhook.choice();
    line.webhook = std::move(webhook);
  }
  // The first that subscribes writes down where to begin.
  if (lines_.empty()) cursor_.reset();
  return {};
}

void WorkspaceWebhooks::note_end(const std::string& webhook) {
  const auto found = lines_.find(webhook);
  if (found == lines_.end()) return;
  found->second.is_under_way = false;
  found->second.next = Instant::beginning();
}

std::set<CollectionId> WorkspaceWebhooks::find_structures(const CatalogPtr& catalog) {
  const std::set<CollectionId> before = std::exchange(structures_, {});
  const WorkspacePtr workspace = directory_.workspace(catalog, workspace_->name);
  if (workspace && !lines_.empty()) {
    for (const StructurePtr& structure : workspace->structures()) {
      structures_.insert(structure->collection->id);
    }
  }
  std::ranges::set_difference(structures_, before, std::inserter(due_, due_.end()));
  std::erase_if(due_, [this](CollectionId id) { return !structures_.contains(id); });
  return structures_;
}

void WorkspaceWebhooks::note_news(const std::set<CollectionId>& collections) {
  std::ranges::set_intersection(structures_, collections, std::inserter(due_, due_.end()));
}

Result<void> WorkspaceWebhooks::find_cursor() {
  if (cursor_) return {};
  View view = database_.view();
  cursor_ = TRY(read_cursor(view, find_webhook_tables(view.catalog(), workspace_->id)));
  if (!cursor_) {
    cursor_ = DurableCursor{Instant::never()};
    for (const auto& [id, line] : lines_) {
      cursor_->after = std::min(cursor_->after, line.webhook.created_at);
    }
  }
  written_ = cursor_->after;
  return {};
}

Result<void> WorkspaceWebhooks::match(const CatalogPtr& catalog, Instant through) {
  const WorkspacePtr workspace = directory_.workspace(catalog, workspace_->name);
  if (workspace && !lines_.empty()) {
    TRY(find_cursor());
    if (cursor_->after < through) TRY(match_page(*workspace, through));
    if (cursor_->after < through) return {};
  }
  due_.clear();
  return {};
}

std::vector<const Webhook*> WorkspaceWebhooks::takers(const Notice& notice) const {
  std::vector<const Webhook*> takers;
  for (const auto& [id, line] : lines_) {
    const Webhook& webhook = line.webhook;
    if (!webhook.is_active() || notice.committed_at <= webhook.active_since()) continue;
    if (line.choice.wants(notice).value_or(false)) takers.push_back(&webhook);
  }
  return takers;
}

Result<void> WorkspaceWebhooks::match_page(const Workspace& workspace, Instant through) {
  NoticePage page =
      TRY(read_notices(database_, workspace, workspace_->name, cursor_->after, through, &due_));
  Wanted wanted;
  std::size_t bytes = 0;
  DurableCursor reached = *cursor_;
  for (; reached.done < page.notices.size(); ++reached.done) {
    if (wanted.size() >= limits::deliveries_at_once || bytes >= limits::delivery_bytes_at_once) {
      break;
    }
    Notice& notice = page.notices[reached.done];
    const auto takers = this->takers(notice);
    // The deliveries of one notice are one commit.
    if (takers.size() * notice.json.size() > limits::delivery_bytes_at_once) leave_out_all(notice);
    bytes += takers.size() * notice.json.size();
    for (const Webhook* webhook : takers) wanted.emplace_back(webhook, &notice);
  }
  if (reached.done >= page.notices.size()) reached = {page.upto};
  if (!wanted.empty() || reached.after - written_ >= DurableCursor::written_every) {
    TRY(write(wanted, reached));
  }
  for (const auto& [webhook, notice] : wanted) lines_[webhook->id].next = Instant::beginning();
  cursor_ = reached;
  return {};
}

Result<void> WorkspaceWebhooks::write(const Wanted& wanted, const DurableCursor& reached) {
  TRY(database_.transact([&](Transaction& transaction) -> Result<void> {
    const WebhookTables tables = find_webhook_tables(transaction.view().catalog(), workspace_->id);
    if (!tables) return {};
    for (const auto& [webhook, notice] : wanted) {
      TRY(put_delivery(transaction, tables, "msg_" + random_.uuid(), *webhook, *notice));
    }
    return put_cursor(transaction, tables, reached);
  }));
  written_ = reached.after;
  return {};
}

}  // namespace mayfly::centrali
