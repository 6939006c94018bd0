// FairQueue: items of several groups wait for their turn. Groups go round, each with its items in
// their order, so that a group with many slow items delays no other.
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
    arrange(at);
  }

  // Whether it waited.
  bool remove(const std::string& group, const Item& item) {
    const auto at = groups_.find(group);
    if (at == groups_.end() || std::erase(at->second.waiting, item) == 0) return false;
    --waiting_;
    arrange(at);
    return true;
  }

  // The item whose turn it is, if another may start now. It is under way until `end` of its group.
  std::optional<Item> next() {
    if (under_way_ >= bounds_.under_way_max || in_turn_.empty()) return std::nullopt;
    const auto at = in_turn_.front();
    in_turn_.pop_front();
    Group& group = at->second;
    group.is_in_turn = false;
    std::optional<Item> item = std::move(group.waiting.front());
    group.waiting.pop_front();
    --waiting_;
    ++under_way_;
    ++group.under_way;
    arrange(at);
    return item;
  }

  void end(const std::string& group) {
    const auto at = groups_.find(group);
    --under_way_;
    --at->second.under_way;
    arrange(at);
  }

 private:
  struct Group {
    std::size_t under_way = 0;
    std::deque<Item> waiting = {};
    bool is_in_turn = false;  // stands in `in_turn_`
  };
  using Groups = std::map<std::string, Group>;

  // After each change of a group: it has a turn while it may start an item, and is kept while it
  // has any.
  void arrange(typename Groups::iterator at) {
    Group& group = at->second;
    const bool may_start =
        !group.waiting.empty() && group.under_way < bounds_.under_way_of_one_group_max;
    if (may_start && !group.is_in_turn) in_turn_.push_back(at);
    if (!may_start && group.is_in_turn) std::erase(in_turn_, at);
    group.is_in_turn = may_start;
    if (group.under_way == 0 && group.waiting.empty()) groups_.erase(at);
  }

  const Bounds bounds_;
  Groups groups_;
  std::deque<typename Groups::iterator> in_turn_;
  std::size_t under_way_ = 0;
  std::size_t waiting_ = 0;
};

}  // namespace mayfly
