// The command `sort`: members in the order of their values, or of other keys.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "dialect/kuzzle/memory/command.h"
#include "dialect/kuzzle/memory/limits.h"

namespace mayfly::kuzzle::memory {
namespace {

struct SortOptions {
  bool by_text = false;
  bool is_descending = false;
  std::optional<std::string> by = {};
  std::vector<std::string> get = {};
  std::int64_t offset = 0;
  std::int64_t count = -1;  // negative: all
  std::optional<std::string> store = {};
};

// One member with its sort key: a number, or a text.
struct Sorted {
  std::string member;
  double number = 0;
  std::string text = {};
};

Result<SortOptions> sort_options(const Arguments& arguments) {
  SortOptions options{.by_text = arguments.flag("alpha"), .get = arguments.texts("get")};
  const std::vector<std::string> directions = arguments.texts("direction");
  if (!directions.empty()) {
    options.is_descending = directions.front() == "DESC";
    if (!options.is_descending && directions.front() != "ASC") {
      return wrong_argument("direction", "\"ASC\", \"DESC\"");
    }
  }
  if (arguments.has("by")) options.by = arguments.text("by");
  if (arguments.has("store")) options.store = arguments.text("store");
  if (!arguments.has("limit")) return options;
  const std::vector<std::string> limit = arguments.texts("limit");
  const auto offset = integer_of(limit.front());
  const auto count = integer_of(limit.back());
  if (limit.size() != 2 || !offset || !count) return wrong_argument("limit", "[offset, count]");
  options.offset = std::max<std::int64_t>(*offset, 0);
  options.count = *count;
  return options;
}

// In stored order.
struct MembersOf {
  Result<List> operator()(List& list) const { return std::move(list); }
  Result<List> operator()(const Set& set) const { return List(set.begin(), set.end()); }
  Result<List> operator()(const SortedSet& set) const {
    List members;
    for (const Ranked& item : ranked(set)) members.emplace_back(item.member);
    return members;
  }
  template <class Other>
  Result<List> operator()(const Other&) const {
    return wrong_type_of_value();
  }
};

tl::unexpected<Error> too_many_lookups() {
  return fail(Code::too_large, fmt::format("\"by\" and \"get\" look at most {} times for keys",
                                           limits::memory_sort_lookups_max));
}

// Reads other keys by a pattern, whose first `*` is replaced by the member: a text, or after `->` a
// field of a hash.
class Lookups {
 public:
  explicit Lookups(Space& space) : space_(space) {}

  // Nothing if there is no such key or field.
  Result<std::optional<std::string>> find(const std::string& pattern, const std::string& member) {
    if (++count_ > limits::memory_sort_lookups_max) return too_many_lookups();
    TRY(space_.charge(member.size()));
    if (pattern == "#") return member;
    const std::size_t star = pattern.find('*');
    if (star == std::string::npos) return std::nullopt;
    const std::size_t arrow = pattern.find("->", star);
    const bool has_field = arrow != std::string::npos && arrow + 2 < pattern.size();
    const std::size_t end = has_field ? arrow : pattern.size();
    const std::string key =
        pattern.substr(0, star) + member + pattern.substr(star + 1, end - star - 1);
    if (check_key(key).has_value()) return read(key, has_field ? pattern.substr(end + 2) : "");
    return std::nullopt;
  }

 private:
  Result<std::optional<std::string>> read(const std::string& key, const std::string& field) {
    const auto entry = TRY(space_.find(key));
    if (!entry) return std::nullopt;
    if (field.empty()) {
      const auto* text = std::get_if<Text>(&entry->content);
      return text == nullptr ? std::nullopt : std::optional(*text);
    }
    const auto* hash = std::get_if<Hash>(&entry->content);
    if (hash == nullptr) return std::nullopt;
    const auto found = hash->find(field);
    if (found == hash->end()) return std::nullopt;
    TRY(space_.charge(found->second.size()));
    return found->second;
  }

  Space& space_;
  std::size_t count_ = 0;
};

// A missing key sorts as zero, or as the empty text.
Result<std::vector<Sorted>> weighed(Lookups& lookups, List members, const SortOptions& options) {
  std::vector<Sorted> items;
  for (std::string& member : members) {
    const auto weight = options.by ? TRY(lookups.find(*options.by, member)) : std::optional(member);
    Sorted item{.member = std::move(member)};
    if (options.by_text) {
      item.text = weight.value_or("");
    } else if (weight) {
      const auto number = real_of(*weight);
      if (!number) return refused("ERR One or more scores can't be converted into double");
      item.number = *number;
    }
    items.push_back(std::move(item));
  }
  return items;
}

Result<List> in_order(Lookups& lookups, List members, const SortOptions& options) {
  // A pattern without `*` requests no order.
  const bool is_ordered = !options.by || options.by->find('*') != std::string::npos;
  if (!is_ordered) return members;
  std::vector<Sorted> items = TRY(weighed(lookups, std::move(members), options));
  std::sort(items.begin(), items.end(), [&](const Sorted& a, const Sorted& b) {
    const Sorted& first = options.is_descending ? b : a;
    const Sorted& second = options.is_descending ? a : b;
    return std::tie(first.number, first.text, first.member) <
           std::tie(second.number, second.text, second.member);
  });
  List sorted;
  for (Sorted& item : items) sorted.push_back(std::move(item.member));
  return sorted;
}

List limited_to(List members, const SortOptions& options) {
  const auto size = static_cast<std::int64_t>(members.size());
  const std::int64_t from = std::min(options.offset, size);
  const std::int64_t rest = size - from;
  const std::int64_t count = options.count < 0 ? rest : std::min(options.count, rest);
  return {members.begin() + from, members.begin() + from + count};
}

using Texts = std::vector<std::optional<std::string>>;

Result<Texts> looked_up(Lookups& lookups, const List& members, const SortOptions& options) {
  Texts texts;
  for (const std::string& member : members) {
    if (options.get.empty()) texts.emplace_back(member);
    for (const std::string& pattern : options.get) {
      texts.push_back(TRY(lookups.find(pattern, member)));
    }
  }
  return texts;
}

Result<Value> sort_members(Space& space, const Arguments& arguments) {
  const SortOptions options = TRY(sort_options(arguments));
  Lookups lookups(space);
  List members;
  if (auto entry = TRY(space.find(arguments.key()))) {
    members = TRY(std::visit(MembersOf(), entry->content));
  }
  members = limited_to(TRY(in_order(lookups, std::move(members), options)), options);
  Texts texts = TRY(looked_up(lookups, members, options));
  if (options.store) {
    List list;
    for (auto& text : texts) list.push_back(text ? *std::move(text) : "");
    const auto count = static_cast<std::int64_t>(list.size());
    TRY(space.put(*options.store, {.content = std::move(list)}));
    return Value(count);
  }
  Array answer;
  for (auto& text : texts) answer.push_back(text ? shown(*std::move(text)) : Value(nullptr));
  return Value(std::move(answer));
}

// clang-format off: one row a line
constexpr Command sort_rows[] = {
    {"sort", "POST /ms/_sort/:_id", slow, writes, sort_members,
     {{key_argument, {"alpha", From::body, Type::flag, Need::optional},
      {"direction", From::body, Type::words, Need::optional},
      {"by", From::body, Type::text, Need::optional},
      {"limit", From::body, Type::texts, Need::optional},
      {"get", From::body, Type::texts, Need::optional},
      {"store", From::body, Type::text, Need::optional}}}},
};
// clang-format on

}  // namespace

std::span<const Command> sort_commands() {
  return sort_rows;
}

}  // namespace mayfly::kuzzle::memory
