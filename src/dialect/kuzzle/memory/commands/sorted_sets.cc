// Commands on sorted sets and their single members; ranges are in sorted_ranges.cc.
#include <algorithm>
#include <cmath>

#include "dialect/kuzzle/memory/command.h"

namespace mayfly::kuzzle::memory {
namespace {

struct Scored {
  std::string member;
  double score = 0;
};

Result<double> score_of(const std::string& text) {
  const auto score = real_of(text);
  if (!score) return not_a_real();
  return *score;
}

Result<std::vector<Scored>> scored_members(const Arguments& arguments) {
  std::vector<Scored> members;
  for (const Value& item : arguments.items("elements")) {
    const double score = TRY(score_of(TRY(member_text(item, "score"))));
    members.emplace_back().member = TRY(member_text(item, "member"));
    members.back().score = score;
  }
  if (members.empty()) return wrong_number_of_arguments("zadd");
  return members;
}

// Which members may be written: any, only new ones, or only existing ones.
enum class Only : std::uint8_t { any, absent, present };

bool admits(Only only, bool is_there) {
  return only == Only::any || (only == Only::present) == is_there;
}

struct Added {
  std::int64_t added = 0;
  std::int64_t changed = 0;  // including added ones
};

Added add_all(SortedSet& set, const std::vector<Scored>& members, Only only) {
  Added count;
  for (const Scored& scored : members) {
    const auto found = set.find(scored.member);
    const bool is_there = found != set.end();
    if (!admits(only, is_there) || (is_there && found->second == scored.score)) continue;
    set.insert_or_assign(scored.member, scored.score);
    ++count.changed;
    if (!is_there) ++count.added;
  }
  return count;
}

// The new score as a text, or null if the member may not be written.
Result<Value> add_to_score(Space& space, const std::string& key, const Scored& step, Only only) {
  Entry entry = TRY(space.open<SortedSet>(key));
  SortedSet& set = std::get<SortedSet>(entry.content);
  if (!admits(only, set.contains(step.member))) return Value(nullptr);
  double& score = set[step.member];
  score += step.score;
  if (std::isnan(score)) return refused("ERR resulting score is not a number (NaN)");
  const double sum = score;
  TRY(space.put(key, entry));
  return Value(render_score(sum));
}

Result<Value> add_scored(Space& space, const Arguments& arguments) {
  const bool only_new = arguments.flag("nx");
  if (only_new && arguments.flag("xx")) return excludes("nx", "xx");
  const Only only = only_new ? Only::absent : arguments.flag("xx") ? Only::present : Only::any;
  const std::vector<Scored> members = TRY(scored_members(arguments));
  if (arguments.flag("incr")) {
    if (members.size() == 1) return add_to_score(space, arguments.key(), members.front(), only);
    return refused("ERR INCR option supports a single increment-element pair");
  }
  Entry entry = TRY(space.open<SortedSet>(arguments.key()));
  const Added count = add_all(std::get<SortedSet>(entry.content), members, only);
  if (count.changed > 0) TRY(space.put(arguments.key(), entry));
  return Value(arguments.flag("ch") ? count.changed : count.added);
}

Result<Value> increment_score(Space& space, const Arguments& arguments) {
  const double step = TRY(score_of(arguments.text("value")));
  return add_to_score(space, arguments.key(), {arguments.text("member"), step}, Only::any);
}

Result<Value> count_scored(Space& space, const Arguments& arguments) {
  return Value(static_cast<std::int64_t>(TRY(space.read<SortedSet>(arguments.key())).size()));
}

Result<Value> score_or_null(Space& space, const Arguments& arguments) {
  const SortedSet set = TRY(space.read<SortedSet>(arguments.key()));
  const auto found = set.find(arguments.text("member"));
  return found == set.end() ? Value(nullptr) : Value(render_score(found->second));
}

Result<Value> remove_scored(Space& space, const Arguments& arguments) {
  Entry entry = TRY(space.open<SortedSet>(arguments.key()));
  std::size_t removed = 0;
  for (const std::string& member : arguments.texts("members")) {
    removed += std::get<SortedSet>(entry.content).erase(member);
  }
  if (removed > 0) TRY(space.put(arguments.key(), entry));
  return Value(static_cast<std::int64_t>(removed));
}

// The number of members before this one, or null.
Result<Value> rank_or_null(Space& space, const Arguments& arguments, bool from_end) {
  const SortedSet set = TRY(space.read<SortedSet>(arguments.key()));
  const auto found = set.find(arguments.text("member"));
  if (found == set.end()) return Value(nullptr);
  const Ranked own{found->second, found->first};
  const auto stands_before = [&](const auto& item) {
    const Ranked other{item.second, item.first};
    return from_end ? other > own : other < own;
  };
  return Value(static_cast<std::int64_t>(std::count_if(set.begin(), set.end(), stands_before)));
}
Result<Value> rank_from_begin(Space& space, const Arguments& arguments) {
  return rank_or_null(space, arguments, false);
}
Result<Value> rank_from_end(Space& space, const Arguments& arguments) {
  return rank_or_null(space, arguments, true);
}

// --- several sorted sets ---

using Merge = double (*)(double, double);

// Infinities of both signs add up to zero, as in Redis.
double sum_scores(double a, double b) {
  return std::isnan(a + b) ? 0 : a + b;
}
double lesser_score(double a, double b) {
  return std::min(a, b);
}
double greater_score(double a, double b) {
  return std::max(a, b);
}

Result<Merge> merge_of(const Arguments& arguments) {
  const std::vector<std::string> words = arguments.texts("aggregate");
  const std::string name = words.empty() ? "SUM" : words.front();
  if (name == "SUM") return sum_scores;
  if (name == "MIN") return lesser_score;
  if (name == "MAX") return greater_score;
  return syntax_error();
}

Result<std::vector<double>> weights_of(const Arguments& arguments, std::size_t keys) {
  if (!arguments.has("weights") || arguments.items("weights").empty()) {
    return std::vector<double>(keys, 1);
  }
  std::vector<double> weights;
  for (const Value& item : arguments.items("weights")) {
    const auto weight = real_of(TRY(scalar_text(item, "weights")));
    if (!weight) return refused("ERR weight value is not a float");
    weights.push_back(*weight);
  }
  if (weights.size() != keys) return syntax_error();
  return weights;
}

// A set counts as a sorted set of scores 1.
Result<SortedSet> scores_in(Space& space, const std::string& key, double weight) {
  const auto entry = TRY(space.find(key));
  SortedSet scores;
  if (!entry) return scores;
  if (const auto* set = std::get_if<Set>(&entry->content)) {
    for (const std::string& member : *set) scores.emplace_hint(scores.end(), member, weight);
    return scores;
  }
  const auto* set = std::get_if<SortedSet>(&entry->content);
  if (set == nullptr) return wrong_type_of_value();
  scores = *set;
  for (auto& [member, score] : scores) {
    score = std::isnan(score * weight) ? 0 : score * weight;
  }
  return scores;
}

void unite_scores(SortedSet& into, const SortedSet& other, Merge merge) {
  for (const auto& [member, score] : other) {
    const auto [found, is_new] = into.try_emplace(member, score);
    if (!is_new) found->second = merge(found->second, score);
  }
}

void intersect_scores(SortedSet& into, const SortedSet& other, Merge merge) {
  for (auto at = into.begin(); at != into.end();) {
    const auto found = other.find(at->first);
    if (found == other.end()) {
      at = into.erase(at);
      continue;
    }
    at->second = merge(at->second, found->second);
    ++at;
  }
}

using Join = void (*)(SortedSet&, const SortedSet&, Merge);

Result<Value> store_joined(Space& space, const Arguments& arguments, Join join) {
  const std::vector<std::string> keys = arguments.texts("keys");
  const std::vector<double> weights = TRY(weights_of(arguments, keys.size()));
  const Merge merge = TRY(merge_of(arguments));
  SortedSet joined = TRY(scores_in(space, keys.front(), weights.front()));
  for (std::size_t i = 1; i < keys.size(); ++i) {
    join(joined, TRY(scores_in(space, keys[i], weights[i])), merge);
  }
  const auto count = static_cast<std::int64_t>(joined.size());
  TRY(space.put(arguments.key(), {.content = std::move(joined)}));
  return Value(count);
}
Result<Value> store_united(Space& space, const Arguments& arguments) {
  return store_joined(space, arguments, unite_scores);
}
Result<Value> store_intersected(Space& space, const Arguments& arguments) {
  return store_joined(space, arguments, intersect_scores);
}

constexpr Argument weights_argument{"weights", From::body, Type::items, Need::optional};
constexpr Argument aggregate_argument{"aggregate", From::body, Type::words, Need::optional};

// clang-format off: one row a line
constexpr Command sorted_set_rows[] = {
    {"zadd", "POST /ms/_zadd/:_id", slow, writes, add_scored,
     {{key_argument, {"elements", From::body, Type::items},
      {"nx", From::body, Type::flag, Need::optional},
      {"xx", From::body, Type::flag, Need::optional},
      {"ch", From::body, Type::flag, Need::optional},
      {"incr", From::body, Type::flag, Need::optional}}}},
    {"zincrby", "POST /ms/_zincrby/:_id", slow, writes, increment_score,
     {{key_argument, {"value", From::body, Type::number}, {"member", From::body}}}},
    {"zcard", "GET /ms/_zcard/:_id", slow, reads, count_scored, {{key_argument}}},
    {"zscore", "GET /ms/_zscore/:_id/:member", slow, reads, score_or_null,
     {{key_argument, query_member}}},
    {"zrank", "GET /ms/_zrank/:_id/:member", slow, reads, rank_from_begin,
     {{key_argument, query_member}}},
    {"zrevrank", "GET /ms/_zrevrank/:_id/:member", slow, reads, rank_from_end,
     {{key_argument, query_member}}},
    {"zrem", "DELETE /ms/_zrem/:_id", slow, writes, remove_scored, {{key_argument, body_members}}},
    {"zunionstore", "POST /ms/_zunionstore/:_id", slow, writes, store_united,
     {{key_argument, body_keys, weights_argument, aggregate_argument}}},
    {"zinterstore", "POST /ms/_zinterstore/:_id", slow, writes, store_intersected,
     {{key_argument, body_keys, weights_argument, aggregate_argument}}},
};
// clang-format on

}  // namespace

std::span<const Command> sorted_set_commands() {
  return sorted_set_rows;
}

}  // namespace mayfly::kuzzle::memory
