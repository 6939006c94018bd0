// Commands on ranges of sorted sets: by rank, by score, and by member if all scores are equal.
#include <algorithm>

#include "dialect/kuzzle/memory/command.h"

namespace mayfly::kuzzle::memory {
namespace {

enum class Order : std::uint8_t { upwards, downwards };

// One end of a range of scores: `1.5`, or `(1.5`, which excludes it. Leading spaces are ignored: if
// a client does not encode `+inf` in a URL, its `+` becomes a space.
struct ScoreEnd {
  double score = 0;
  bool is_open = false;
};
Result<ScoreEnd> score_end(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const bool is_open = text.starts_with('(');
  const auto score = real_of(is_open ? text.substr(1) : text);
  if (!score) return refused("ERR min or max is not a float");
  return ScoreEnd{*score, is_open};
}

// One end of a range of members: `[a`, or `(a`, which excludes it; `-` and `+` are before and after
// all.
struct MemberEnd {
  enum class Kind : std::uint8_t { first, closed, open, last };
  Kind kind = Kind::first;
  std::string member = {};
};
Result<MemberEnd> member_end(const std::string& text) {
  if (text == "-") return MemberEnd{MemberEnd::Kind::first};
  if (text == "+") return MemberEnd{MemberEnd::Kind::last};
  if (text.starts_with('[')) return MemberEnd{MemberEnd::Kind::closed, text.substr(1)};
  if (text.starts_with('(')) return MemberEnd{MemberEnd::Kind::open, text.substr(1)};
  return refused("ERR min or max not valid string range item");
}

bool is_from(const MemberEnd& least, std::string_view member) {
  if (least.kind == MemberEnd::Kind::first) return true;
  if (least.kind == MemberEnd::Kind::last) return false;
  return least.kind == MemberEnd::Kind::open ? member > least.member : member >= least.member;
}
bool is_up_to(const MemberEnd& most, std::string_view member) {
  if (most.kind == MemberEnd::Kind::first) return false;
  if (most.kind == MemberEnd::Kind::last) return true;
  return most.kind == MemberEnd::Kind::open ? member < most.member : member <= most.member;
}

// --- which members: each gives those of the range, in the order of their ranks ---

using Members = std::vector<Ranked>;
using Select = Result<Members> (*)(const SortedSet&, const Arguments&);

Result<Members> between_scores(const SortedSet& set, const Arguments& arguments) {
  const ScoreEnd least = TRY(score_end(arguments.text("min")));
  const ScoreEnd most = TRY(score_end(arguments.text("max")));
  Members members = ranked(set);
  std::erase_if(members, [&](const Ranked& item) {
    const bool is_below = least.is_open ? item.score <= least.score : item.score < least.score;
    const bool is_above = most.is_open ? item.score >= most.score : item.score > most.score;
    return is_below || is_above;
  });
  return members;
}

Result<Members> between_members(const SortedSet& set, const Arguments& arguments) {
  const MemberEnd least = TRY(member_end(arguments.text("min")));
  const MemberEnd most = TRY(member_end(arguments.text("max")));
  Members members = ranked(set);
  std::erase_if(members, [&](const Ranked& item) {
    return !is_from(least, item.member) || !is_up_to(most, item.member);
  });
  return members;
}

Result<Members> between_ranks(const SortedSet& set, const Arguments& arguments) {
  const Members members = ranked(set);
  const auto [from, count] =
      range_within(members.size(), arguments.integer("start"), arguments.integer("stop"));
  const auto begin = members.begin() + static_cast<std::ptrdiff_t>(from);
  return Members(begin, begin + static_cast<std::ptrdiff_t>(count));
}

// The ranks count from the last.
Result<Members> between_ranks_from_end(const SortedSet& set, const Arguments& arguments) {
  const Members members = ranked(set);
  const auto [from, count] =
      range_within(members.size(), arguments.integer("start"), arguments.integer("stop"));
  const auto end = members.end() - static_cast<std::ptrdiff_t>(from);
  return Members(end - static_cast<std::ptrdiff_t>(count), end);
}

// --- what is done with them ---

// The part that `limit` selects: an offset and a count; a negative count means all.
Result<ItemRange> limited(const Arguments& arguments, std::size_t size) {
  if (!arguments.has("limit")) return ItemRange{0, size};
  const std::vector<std::string> limit = arguments.texts("limit");
  if (limit.size() != 2) return wrong_argument("limit", "[offset, count]");
  const auto offset = integer_of(limit[0]);
  const auto count = integer_of(limit[1]);
  if (!offset || !count) return not_an_integer();
  if (*offset < 0 || static_cast<std::uint64_t>(*offset) >= size) return ItemRange{};
  const auto from = static_cast<std::size_t>(*offset);
  const std::size_t rest = size - from;
  const std::size_t most = *count < 0 ? rest : static_cast<std::size_t>(*count);
  return ItemRange{from, std::min(rest, most)};
}

Result<bool> requests_scores(const Arguments& arguments) {
  const std::vector<std::string> words = arguments.texts("options");
  if (words.size() > 1 || (words.size() == 1 && words.front() != "WITHSCORES")) {
    return syntax_error();
  }
  return !words.empty();
}

Result<Value> show_range(Space& space, const Arguments& arguments, Select select, Order order) {
  const bool with_scores = TRY(requests_scores(arguments));
  const SortedSet set = TRY(space.read<SortedSet>(arguments.key()));
  Members members = TRY(select(set, arguments));
  if (order == Order::downwards) std::reverse(members.begin(), members.end());
  const auto [from, count] = TRY(limited(arguments, members.size()));
  Array answer;
  for (std::size_t i = from; i < from + count; ++i) {
    answer.push_back(shown(std::string(members[i].member)));
    if (with_scores) answer.emplace_back(render_score(members[i].score));
  }
  return Value(std::move(answer));
}

Result<Value> count_range(Space& space, const Arguments& arguments, Select select) {
  const SortedSet set = TRY(space.read<SortedSet>(arguments.key()));
  return Value(static_cast<std::int64_t>(TRY(select(set, arguments)).size()));
}

Result<Value> remove_range(Space& space, const Arguments& arguments, Select select) {
  Entry entry = TRY(space.open<SortedSet>(arguments.key()));
  SortedSet& set = std::get<SortedSet>(entry.content);
  const Members members = TRY(select(set, arguments));
  // The erased element may own the name that is looked up.
  for (const Ranked& item : members) set.erase(set.find(std::string(item.member)));
  if (!members.empty()) TRY(space.put(arguments.key(), entry));
  return Value(static_cast<std::int64_t>(members.size()));
}

template <Select select, Order order = Order::upwards>
Result<Value> show_by(Space& space, const Arguments& arguments) {
  return show_range(space, arguments, select, order);
}
template <Select select>
Result<Value> count_by(Space& space, const Arguments& arguments) {
  return count_range(space, arguments, select);
}
template <Select select>
Result<Value> erase_by(Space& space, const Arguments& arguments) {
  return remove_range(space, arguments, select);
}

constexpr Argument query_least{"min"};
constexpr Argument query_most{"max"};
constexpr Argument first_rank{"start", From::query, Type::integer};
constexpr Argument last_rank{"stop", From::query, Type::integer};
constexpr Argument score_words{"options", From::query, Type::words, Need::optional};
constexpr Argument limit_argument{"limit", From::query, Type::texts, Need::optional};
constexpr Argument body_least{"min", From::body};
constexpr Argument body_most{"max", From::body};

// clang-format off: one row a line
constexpr Command sorted_range_rows[] = {
    {"zrange", "GET /ms/_zrange/:_id", slow, reads, show_by<between_ranks>,
     {{key_argument, first_rank, last_rank, score_words}}},
    {"zrevrange", "GET /ms/_zrevrange/:_id", slow, reads,
     show_by<between_ranks_from_end, Order::downwards>,
     {{key_argument, first_rank, last_rank, score_words}}},
    {"zrangebyscore", "GET /ms/_zrangebyscore/:_id", slow, reads, show_by<between_scores>,
     {{key_argument, query_least, query_most, score_words, limit_argument}}},
    {"zrevrangebyscore", "GET /ms/_zrevrangebyscore/:_id", slow, reads,
     show_by<between_scores, Order::downwards>,
     {{key_argument, query_least, query_most, score_words, limit_argument}}},
    {"zrangebylex", "GET /ms/_zrangebylex/:_id", slow, reads, show_by<between_members>,
     {{key_argument, query_least, query_most, limit_argument}}},
    {"zrevrangebylex", "GET /ms/_zrevrangebylex/:_id", slow, reads,
     show_by<between_members, Order::downwards>,
     {{key_argument, query_least, query_most, limit_argument}}},
    {"zcount", "GET /ms/_zcount/:_id", slow, reads, count_by<between_scores>,
     {{key_argument, query_least, query_most}}},
    {"zlexcount", "GET /ms/_zlexcount/:_id", slow, reads, count_by<between_members>,
     {{key_argument, query_least, query_most}}},
    {"zremrangebyrank", "DELETE /ms/_zremrangebyrank/:_id", slow, writes, erase_by<between_ranks>,
     {{key_argument, {"start", From::body, Type::integer}, {"stop", From::body, Type::integer}}}},
    {"zremrangebyscore", "DELETE /ms/_zremrangebyscore/:_id", slow, writes,
     erase_by<between_scores>,
     {{key_argument, body_least, body_most}}},
    {"zremrangebylex", "DELETE /ms/_zremrangebylex/:_id", slow, writes, erase_by<between_members>,
     {{key_argument, body_least, body_most}}},
};
// clang-format on

}  // namespace

std::span<const Command> sorted_range_commands() {
  return sorted_range_rows;
}

}  // namespace mayfly::kuzzle::memory
