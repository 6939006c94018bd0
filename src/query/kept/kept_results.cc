#include "query/kept/kept_results.h"

#include <algorithm>

namespace mayfly::query {
namespace {

// Whether its value may change without a write: it calls a function of a dialect, or an impure one.
bool depends_on_more(const Expr& e) {
  if (e.as<expr::Foreign>() != nullptr || effect_of(e) != Effect::pure) return true;
  bool depends = false;
  for_each_operand(e, [&](const Expr& operand) { depends = depends || depends_on_more(operand); });
  return depends;
}

bool depends_on_more(const PlanTree& tree) {
  const auto any = [](const auto& list) {
    return std::any_of(list.begin(), list.end(), [](const auto& e) { return depends_on_more(*e); });
  };
  return any(expressions_of(tree)) || any(inputs_of(tree));
}

void put_range(Bytes& out, const ByteRange& range) {
  put_text(out, range.from);
  put_text(out, range.to);
}

// The exact bytes of the routing and the ranges: an identity contains only a text for people.
Bytes where_read(const Access& access) {
  Bytes out;
  if (access.routing) put_text(out, *access.routing);
  if (const auto* keys = std::get_if<KeyScan>(&access.path)) put_range(out, keys->range);
  if (const auto* index = std::get_if<IndexScan>(&access.path)) {
    for (const ByteRange& range : index->ranges) put_range(out, range);
  }
  return out;
}

}  // namespace

std::shared_ptr<const void> KeptResults::find(const Source& source, Instant now,
                                              std::type_index type) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(source.work);
  if (found == entries_.end()) return nullptr;
  Entry& entry = found->second;
  const bool holds = entry.type == type && entry.collection == source.collection &&
                     entry.validity.made_at <= now && now < entry.validity.until &&
                     source.collection->commits->unraised_since(entry.validity.made_at);
  if (!holds) return nullptr;
  entry.used_at = std::max(entry.used_at, now);
  return entry.result;
}

void KeptResults::keep(Source source, Entry entry) {
  if (entry.bytes > bounds_.result_bytes_max) return;
  const std::lock_guard lock(mutex_);
  if (const auto old = entries_.find(source.work); old != entries_.end()) drop(old);
  drop_unused(entry.used_at);
  while (!entries_.empty() &&
         (entries_.size() >= bounds_.results_max || bytes_ + entry.bytes > bounds_.bytes_max)) {
    const auto is_older = [](const auto& a, const auto& b) {
      return a.second.used_at < b.second.used_at;
    };
    drop(std::min_element(entries_.begin(), entries_.end(), is_older));
  }
  bytes_ += entry.bytes;
  entry.collection = std::move(source.collection);
  entries_.emplace(std::move(source.work), std::move(entry));
}

void KeptResults::drop(Entries::iterator entry) {
  bytes_ -= entry->second.bytes;
  entries_.erase(entry);
}

void KeptResults::drop_unused(Instant now) {
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (entry->second.used_at + limits::kept_unused_max < now) drop(entry);
    entry = next;
  }
}

std::optional<KeptResults::Source> source_of(const PlanTree& node, const View& view) {
  const Access* access = only_access(node);
  if (view.is_of_transaction()) return std::nullopt;
  if (access == nullptr || access->lens.shows_trash || !access->lens.is_current(view.now())) {
    return std::nullopt;
  }
  // An identity contains only the first keys of a list.
  if (std::holds_alternative<Points>(access->path) || depends_on_more(node)) return std::nullopt;
  return KeptResults::Source{identity(node) + where_read(*access), access->collection};
}

}  // namespace mayfly::query
