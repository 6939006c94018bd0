#include "dialect/kuzzle/memory/entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/crypto/crypto.h"
#include "dialect/kuzzle/memory/limits.h"
#include "dialect/kuzzle/memory/words.h"
#include "net/utf8.h"

namespace mayfly::kuzzle::memory {
namespace {

constexpr std::size_t hash_digits = 13;

// The names of the types, in the order of Content. REACHES DISK.
constexpr std::string_view type_names[] = {"string", "list", "set", "hash", "zset", "elements"};

Value stored_text(const std::string& text) {
  if (net::is_utf8(text)) return text;
  return Binary{text};
}

Result<std::string> loaded_text(const Value& value) {
  if (value.is(Kind::text)) return value.text();
  if (value.is(Kind::binary)) return value.binary().bytes;
  return fail(Code::corrupt, "a value of the memory storage is no text");
}

Value stored_score(double score) {
  return is_finite(score) ? Value(score) : Value(render_score(score));
}

Result<double> loaded_score(const Value& value) {
  if (value.is_number()) return value.number();
  const auto score = value.is(Kind::text) ? real_of(value.text()) : std::nullopt;
  if (!score) return fail(Code::corrupt, "a score of the memory storage is no number");
  return *score;
}

struct Store {
  Value operator()(const Text& text) const { return stored_text(text); }
  Value operator()(const List& list) const { return items(list); }
  Value operator()(const Set& set) const { return items(set); }
  Value operator()(const Elements& elements) const { return items(elements.members); }
  Value operator()(const Hash& hash) const {
    Array items;
    for (const auto& [field, text] : hash) {
      items.push_back(stored_text(field));
      items.push_back(stored_text(text));
    }
    return items;
  }
  Value operator()(const SortedSet& set) const {
    Array items;
    for (const auto& [member, score] : set) {
      items.push_back(stored_text(member));
      items.push_back(stored_score(score));
    }
    return items;
  }
  template <class Members>
  static Value items(const Members& members) {
    Array items;
    for (const std::string& member : members) items.push_back(stored_text(member));
    return items;
  }
};

Result<Content> load_text(const Value& value) {
  return TRY(loaded_text(value));
}
Result<Content> load_list(const Value& value) {
  List list;
  for (const Value& item : value.array()) list.push_back(TRY(loaded_text(item)));
  return list;
}
Result<Set> load_members(const Value& value) {
  Set set;
  for (const Value& item : value.array()) set.insert(set.end(), TRY(loaded_text(item)));
  return set;
}
Result<Content> load_set(const Value& value) {
  return TRY(load_members(value));
}
Result<Content> load_elements(const Value& value) {
  Elements elements;
  elements.members = TRY(load_members(value));
  return elements;
}
Result<Content> load_hash(const Value& value) {
  Hash hash;
  const Array& items = value.array();
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    hash.emplace_hint(hash.end(), TRY(loaded_text(items[i])), TRY(loaded_text(items[i + 1])));
  }
  return hash;
}
Result<Content> load_sorted_set(const Value& value) {
  SortedSet set;
  const Array& items = value.array();
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    set.emplace_hint(set.end(), TRY(loaded_text(items[i])), TRY(loaded_score(items[i + 1])));
  }
  return set;
}

using Load = Result<Content> (*)(const Value&);
constexpr Load loads[] = {load_text, load_list,       load_set,
                          load_hash, load_sorted_set, load_elements};
static_assert(std::size(loads) == std::size(type_names));
static_assert(std::size(loads) == std::variant_size_v<Content>);

struct CountMembers {
  std::size_t operator()(const Text&) const { return 1; }
  std::size_t operator()(const Elements& elements) const { return elements.members.size(); }
  template <class Members>
  std::size_t operator()(const Members& members) const {
    return members.size();
  }
};

struct CountBytes {
  std::size_t operator()(const Text& text) const { return text.size(); }
  std::size_t operator()(const List& list) const { return sum(list); }
  std::size_t operator()(const Set& set) const { return sum(set); }
  std::size_t operator()(const Elements& elements) const { return sum(elements.members); }
  std::size_t operator()(const Hash& hash) const {
    std::size_t bytes = 0;
    for (const auto& [field, text] : hash) bytes += field.size() + text.size();
    return bytes;
  }
  std::size_t operator()(const SortedSet& set) const {
    std::size_t bytes = 0;
    for (const auto& [member, score] : set) bytes += member.size() + sizeof score;
    return bytes;
  }
  template <class Members>
  static std::size_t sum(const Members& members) {
    std::size_t bytes = 0;
    for (const std::string& member : members) bytes += member.size();
    return bytes;
  }
};

}  // namespace

std::optional<std::size_t> stored_type(const Document& document) {
  const Value type = document.body.member("t");
  for (std::size_t i = 0; i < std::size(type_names); ++i) {
    if (type.is(Kind::text) && type.text() == type_names[i]) return i;
  }
  return std::nullopt;
}

Result<Entry> Entry::decode(const Document& document) {
  const auto type = stored_type(document);
  const Value value = document.body.member("v");
  if (!type || (*type > 0 && !value.is(Kind::array))) {
    return fail(Code::corrupt, "a key of the memory storage has no known type");
  }
  Entry entry;
  entry.content = TRY(loads[*type](value));
  entry.ends_at = document.death;
  entry.written_at = document.version.written_at;
  return entry;
}

Result<Value> Entry::encode() const {
  return Value(Object{{"t", type_names[content.index()]}, {"v", std::visit(Store(), content)}});
}

std::string_view type_of(const Content& content) {
  return std::holds_alternative<Elements>(content) ? type_names[0] : type_names[content.index()];
}

std::size_t members_of(const Content& content) {
  return std::visit(CountMembers(), content);
}

std::size_t bytes_of(const Content& content) {
  return std::visit(CountBytes(), content);
}

Result<void> check_bounds(const Content& content) {
  if (members_of(content) > limits::memory_members_max) {
    return fail(Code::too_large, fmt::format("a value of the memory storage has at most {} members",
                                             limits::memory_members_max));
  }
  if (bytes_of(content) > limits::memory_value_bytes_max) {
    return fail(Code::too_large, fmt::format("a value of the memory storage has at most {} bytes",
                                             limits::memory_value_bytes_max));
  }
  return {};
}

std::vector<Ranked> ranked(const SortedSet& set) {
  std::vector<Ranked> members;
  members.reserve(set.size());
  for (const auto& [member, score] : set) members.push_back({score, member});
  std::sort(members.begin(), members.end());
  return members;
}

std::uint64_t hash_of(std::string_view key) {
  constexpr int bits = 4 * hash_digits;
  const Bytes digest = sha256(key);
  return Reader(digest).u64() >> (64 - bits);
}

std::string first_id_of(std::uint64_t hash) {
  return fmt::format("{:013x}", hash);
}

DocumentKey key_of(std::string_view key) {
  return DocumentKey::of(first_id_of(hash_of(key)).append(key));
}

std::string_view name_in(std::string_view id) {
  return id.substr(std::min(hash_digits, id.size()));
}

std::uint64_t hash_in(std::string_view id) {
  std::uint64_t hash = 0;
  std::from_chars(id.data(), id.data() + std::min(hash_digits, id.size()), hash, 16);
  return hash;
}

}  // namespace mayfly::kuzzle::memory
