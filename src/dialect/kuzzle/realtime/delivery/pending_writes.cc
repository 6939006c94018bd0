#include "dialect/kuzzle/realtime/delivery/pending_writes.h"

#include "dialect/kuzzle/realtime/limits.h"

namespace mayfly::kuzzle::realtime {

Writings::Number Writings::begin(Origin origin, CollectionName name, std::vector<Target> targets,
                                 Instant now) {
  if (targets_ + targets.size() > limits::realtime_origins_max || targets.empty()) return 0;
  const Number number = next_++;
  Writing writing{.origin = std::move(origin), .name = std::move(name), .begun_at = now};
  auto& documents = by_document_[writing.name];
  for (Target& target : targets) {
    documents[target.id].insert(number);
    writing.targets.emplace(std::move(target.id), std::move(target.updated_fields));
  }
  targets_ += writing.targets.size();
  writings_.emplace(number, std::move(writing));
  return number;
}

void Writings::silence(Number number) {
  if (const auto found = writings_.find(number); found != writings_.end()) {
    found->second.is_silent = true;
  }
}

std::optional<Writings::Committed> Writings::commit(Number number, Instant at) {
  const auto found = writings_.find(number);
  if (found == writings_.end()) return std::nullopt;
  Writing& writing = found->second;
  // A transaction without writes returns the instant of its snapshot.
  if (at <= writing.begun_at) {
    drop(number);
    return std::nullopt;
  }
  writing.committed_at = at;
  if (writing.is_silent) return std::nullopt;
  return Committed{writing.origin.connection, writing.name};
}

void Writings::drop(Number number) {
  const auto found = writings_.find(number);
  if (found == writings_.end()) return;
  const Writing& writing = found->second;
  const auto documents = by_document_.find(writing.name);
  for (const auto& [id, fields] : writing.targets) {
    const auto document = documents->second.find(id);
    document->second.erase(number);
    if (document->second.empty()) documents->second.erase(document);
  }
  if (documents->second.empty()) by_document_.erase(documents);
  targets_ -= writing.targets.size();
  writings_.erase(found);
}

Writings::Found Writings::find(const CollectionName& name, const std::string& id,
                               Instant committed_at) const {
  Found found;
  const auto documents = by_document_.find(name);
  if (documents == by_document_.end()) return found;
  const auto document = documents->second.find(id);
  if (document == documents->second.end()) return found;
  for (const Number number : document->second) {
    const Writing& writing = writings_.at(number);
    if (!writing.committed_at) {
      found.is_open = found.is_open || writing.begun_at < committed_at;
    } else if (*writing.committed_at == committed_at) {
      return {false, writing.is_silent, writing.origin, writing.targets.at(id)};
    }
  }
  return found;
}

void Writings::forget(const CollectionName& name, Instant until) {
  const auto documents = by_document_.find(name);
  if (documents == by_document_.end()) return;
  std::set<Number> told;
  for (const auto& [id, numbers] : documents->second) {
    for (const Number number : numbers) {
      const Writing& writing = writings_.at(number);
      if (writing.committed_at && *writing.committed_at <= until) told.insert(number);
    }
  }
  for (const Number number : told) drop(number);
}

}  // namespace mayfly::kuzzle::realtime
