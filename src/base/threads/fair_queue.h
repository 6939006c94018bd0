// FairQueue: a queue that is fair between groups. Groups are served round robin and each group's
// items in their order, so that a group with many slow items delays no other.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace mayfly {

// Threads: one at a time.
template <class Item>
class FairQueue {
 public:
  // How many items may run at once.
  struct Bounds {
    std::size_t under_way_max;
    std::size_t under_way_of_one_group_max;
  };

  explicit FairQueue(Bounds bounds) : bounds_(bounds) {}

  std::size_t waiting() const { return waiting_; }
  std::size_t waiting_of(const std::string& group) const {
    const auto at = groups_.find(group);
    return at == groups_.end() ? 0 : at->second.waiting.size();
  }

  void add(const std::string& group, Item item) {
    const auto at = groups_.try_emplace(group).first;
    at->second.waiting.push_back(std::move(item));
    ++waiting_;
    update(at);
  }

  // Whether the item was waiting.
  bool remove(const std::string& group, const Item& item) {
    const auto at = groups_.find(group);
    if (at == groups_.end() || std::erase(at->second.waiting, item) == 0) return false;
    --waiting_;
    update(at);
    return true;
  }

  // The next item, if another one may start now. It is running until `end` is called for its group.
  std::optional<Item> next() {
    if (under_way_ >= bounds_.under_way_max || ready_groups_.empty()) return std::nullopt;
    const auto at = ready_groups_.front();
    ready_groups_.pop_front();
    Group& group = at->second;
    group.is_ready = false;
    std::optional<Item> item = std::move(group.waiting.front());
    group.waiting.pop_front();
    --waiting_;
    ++under_way_;
    ++group.under_way;
    update(at);
    return item;
  }

  // Only for a group with a running item.
  void end(const std::string& group) {
    const auto at = groups_.find(group);
    --under_way_;
    --at->second.under_way;
    update(at);
  }

 private:
  struct Group {
    std::size_t under_way = 0;
    std::deque<Item> waiting = {};
    bool is_ready = false;  // is in `ready_groups_`
  };
  using Groups = std::map<std::string, Group>;

  // Call it after each change of a group. A group is ready while it may start an item, and exists
  // while it has waiting or running items.
  void update(typename Groups::iterator at) {
    Group& group = at->second;
    const bool may_start =
        !group.waiting.empty() && group.under_way < bounds_.under_way_of_one_group_max;
    if (may_start && !group.is_ready) ready_groups_.push_back(at);
    if (!may_start && group.is_ready) std::erase(ready_groups_, at);
    group.is_ready = may_start;
    if (group.under_way == 0 && group.waiting.empty()) groups_.erase(at);
  }

  const Bounds bounds_;
  Groups groups_;
  std::deque<typename Groups::iterator> ready_groups_;
  std::size_t under_way_ = 0;
  std::size_t waiting_ = 0;
};

}  // namespace mayfly
