#include "dialect/kuzzle/realtime/delivery/pending_writes.h"

#include "dialect/kuzzle/realtime/limits.h"

namespace mayfly::kuzzle::realtime {

PendingWrites::Number PendingWrites::begin(NotificationOrigin origin, CollectionName name,
                                           std::vector<Target> targets, Instant now) {
  if (targets_ + targets.size() > limits::realtime_origins_max || targets.empty()) return 0;
  const Number number = next_++;
  Write write{.origin = std::move(origin), .name = std::move(name), .begun_at = now};
  auto& documents = by_document_[write.name];
  for (Target& target : targets) {
    documents[target.id].insert(number);
    write.targets.emplace(std::move(target.id), std::move(target.updated_fields));
  }
  targets_ += write.targets.size();
  writes_.emplace(number, std::move(write));
  return number;
}

void PendingWrites::suppress(Number number) {
  if (const auto found = writes_.find(number); found != writes_.end()) {
    found->second.is_suppressed = true;
  }
}

std::optional<PendingWrites::Committed> PendingWrites::commit(Number number, Instant at) {
  const auto found = writes_.find(number);
  if (found == writes_.end()) return std::nullopt;
  Write& write = found->second;
  // A transaction without writes returns the instant of its snapshot.
  if (at <= write.begun_at) {
    drop(number);
    return std::nullopt;
  }
  write.committed_at = at;
  if (write.is_suppressed) return std::nullopt;
  return Committed{write.origin.connection, write.name};
}

void PendingWrites::drop(Number number) {
  const auto found = writes_.find(number);
  if (found == writes_.end()) return;
  const Write& write = found->second;
  const auto documents = by_document_.find(write.name);
  for (const auto& [id, fields] : write.targets) {
    const auto document = documents->second.find(id);
    document->second.erase(number);
    if (document->second.empty()) documents->second.erase(document);
  }
  if (documents->second.empty()) by_document_.erase(documents);
  targets_ -= write.targets.size();
  writes_.erase(found);
}

PendingWrites::FoundWrite PendingWrites::find(const CollectionName& name, const std::string& id,
                                              Instant committed_at) const {
  FoundWrite found;
  const auto documents = by_document_.find(name);
  if (documents == by_document_.end()) return found;
  const auto document = documents->second.find(id);
  if (document == documents->second.end()) return found;
  for (const Number number : document->second) {
    const Write& write = writes_.at(number);
    if (!write.committed_at) {
      found.may_be_pending = found.may_be_pending || write.begun_at < committed_at;
    } else if (*write.committed_at == committed_at) {
      return {false, write.is_suppressed, write.origin, write.targets.at(id)};
    }
  }
  return found;
}

void PendingWrites::forget(const CollectionName& name, Instant until) {
  const auto documents = by_document_.find(name);
  if (documents == by_document_.end()) return;
  std::set<Number> published;
  for (const auto& [id, numbers] : documents->second) {
    for (const Number number : numbers) {
      const Write& write = writes_.at(number);
      if (write.committed_at && *write.committed_at <= until) published.insert(number);
    }
  }
  for (const Number number : published) drop(number);
}

}  // namespace mayfly::kuzzle::realtime
