// Commands on the bits of texts: bit 0 is the highest of the first byte.
#include <algorithm>
#include <bit>

#include "dialect/kuzzle/memory/command.h"

namespace mayfly::kuzzle::memory {
namespace {

constexpr int bits_per_byte = 8;

bool bit_at(const Text& text, std::size_t offset) {
  const auto byte = static_cast<unsigned char>(text[offset / bits_per_byte]);
  return ((byte >> (bits_per_byte - 1 - offset % bits_per_byte)) & 1) != 0;
}

// The bytes between `start` and `end`; all of them if both are missing.
ItemRange query_range(const Arguments& arguments, std::size_t size) {
  const std::int64_t start = arguments.has("start") ? arguments.integer("start") : 0;
  const std::int64_t end = arguments.has("end") ? arguments.integer("end") : -1;
  return range_within(size, start, end);
}

Result<Value> count_bits(Space& space, const Arguments& arguments) {
  if (arguments.has("start") != arguments.has("end")) return syntax_error();
  const Text text = TRY(space.read<Text>(arguments.key()));
  const auto [from, count] = query_range(arguments, text.size());
  std::int64_t bits = 0;
  for (std::size_t i = from; i < from + count; ++i) {
    bits += std::popcount(static_cast<unsigned char>(text[i]));
  }
  return Value(bits);
}

Result<Value> get_bit(Space& space, const Arguments& arguments) {
  constexpr std::int64_t offset_end = std::int64_t{1} << 32;
  const std::int64_t offset = arguments.integer("offset");
  if (offset < 0 || offset >= offset_end) {
    return refused("ERR bit offset is not an integer or out of range");
  }
  const Text text = TRY(space.read<Text>(arguments.key()));
  const auto at = static_cast<std::size_t>(offset);
  return Value(at / bits_per_byte < text.size() && bit_at(text, at) ? 1 : 0);
}

// Without an `end`, the text continues with zeros. With one, or if it is empty, it does not.
Result<Value> find_bit(Space& space, const Arguments& arguments) {
  const std::int64_t wanted = arguments.integer("bit");
  if (wanted != 0 && wanted != 1) return refused("ERR The bit argument must be 1 or 0.");
  const auto entry = TRY(space.find_as<Text>(arguments.key()));
  if (!entry) return Value(wanted == 1 ? -1 : 0);
  const Text& text = std::get<Text>(entry->content);
  const auto [from, count] = query_range(arguments, text.size());
  const std::size_t end = (from + count) * bits_per_byte;
  for (std::size_t i = from * bits_per_byte; i < end; ++i) {
    if (bit_at(text, i) == (wanted == 1)) return Value(static_cast<std::int64_t>(i));
  }
  const bool goes_on = wanted == 0 && count > 0 && !arguments.has("end");
  return Value(goes_on ? static_cast<std::int64_t>(end) : -1);
}

using Combine = unsigned char (*)(unsigned char, unsigned char);
struct Operation {
  std::string_view name;
  Combine combine;
};
constexpr Operation operations[] = {
    {"AND", [](unsigned char a, unsigned char b) { return static_cast<unsigned char>(a & b); }},
    {"OR", [](unsigned char a, unsigned char b) { return static_cast<unsigned char>(a | b); }},
    {"XOR", [](unsigned char a, unsigned char b) { return static_cast<unsigned char>(a ^ b); }},
};

// A shorter text is padded with zeros.
Text combined(Text into, const Text& other, Combine combine) {
  into.resize(std::max(into.size(), other.size()), '\0');
  for (std::size_t i = 0; i < into.size(); ++i) {
    const char byte = i < other.size() ? other[i] : '\0';
    into[i] = static_cast<char>(
        combine(static_cast<unsigned char>(into[i]), static_cast<unsigned char>(byte)));
  }
  return into;
}

Text inverted(Text text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(~static_cast<unsigned char>(c)); });
  return text;
}

Result<Text> combine_all(Space& space, const std::vector<std::string>& keys, Combine combine) {
  Text result = TRY(space.read<Text>(keys.front()));
  for (std::size_t i = 1; i < keys.size(); ++i) {
    result = combined(std::move(result), TRY(space.read<Text>(keys[i])), combine);
    TRY(space.charge(result.size()));
  }
  return result;
}

Result<Value> operate_on_bits(Space& space, const Arguments& arguments) {
  const std::vector<std::string> keys = arguments.texts("keys");
  const std::vector<std::string> words = arguments.texts("operation");
  const std::string& name = words.empty() ? arguments.key() : words.front();
  Text result;
  const auto* operation = std::find_if(std::begin(operations), std::end(operations),
                                       [&](const Operation& o) { return o.name == name; });
  if (operation != std::end(operations)) {
    result = TRY(combine_all(space, keys, operation->combine));
  } else if (name != "NOT") {
    return syntax_error();
  } else if (keys.size() != 1) {
    return refused("ERR BITOP NOT must be called with a single source key.");
  } else {
    result = inverted(TRY(space.read<Text>(keys.front())));
  }
  const auto bytes = static_cast<std::int64_t>(result.size());
  if (bytes == 0) {
    TRY(space.remove(arguments.key()));
  } else {
    TRY(space.put(arguments.key(), {.content = std::move(result)}));
  }
  return Value(bytes);
}

constexpr Argument start_argument{"start", From::query, Type::integer, Need::optional};
constexpr Argument end_argument{"end", From::query, Type::integer, Need::optional};

// clang-format off: one row a line
constexpr Command bit_rows[] = {
    {"bitcount", "GET /ms/_bitcount/:_id", quick, reads, count_bits,
     {{key_argument, start_argument, end_argument}}},
    {"getbit", "GET /ms/_getbit/:_id", quick, reads, get_bit,
     {{key_argument, {"offset", From::query, Type::integer}}}},
    {"bitpos", "GET /ms/_bitpos/:_id", slow, reads, find_bit,
     {{key_argument, {"bit", From::query, Type::integer}, start_argument, end_argument}}},
    {"bitop", "POST /ms/_bitop/:_id", slow, writes, operate_on_bits,
     {{key_argument, {"operation", From::body, Type::words}, body_keys}}},
};
// clang-format on

}  // namespace

std::span<const Command> bit_commands() {
  return bit_rows;
}

}  // namespace mayfly::kuzzle::memory
