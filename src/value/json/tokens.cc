// The only user of simdjson, whose header is heavy.
#include "value/json/tokens.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <string>

namespace mayfly {
namespace {

// Unused by the first pass: JsonCursor checks the depth.
constexpr std::size_t simdjson_depth = 1;

// The first position that is not part of valid UTF-8. Slow, for error messages.
std::size_t utf8_fault(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto lead = static_cast<std::uint8_t>(text[at]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (size > 1 && !is_utf8(text.substr(at, size))) break;
    at += size;
  }
  return std::min(at, text.size());
}

// The position of a string that is not closed, or of a control character in a string. Slow, for
// error messages.
std::size_t text_fault(std::string_view text) {
  std::size_t opened = text.size();
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (inside && static_cast<std::uint8_t>(text[at]) < 0x20) return at;
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      inside = !inside;
      opened = at;
    }
  }
  return opened;
}

tl::unexpected<Error> refused(simdjson::error_code code, std::string_view text) {
  const auto at = [](std::size_t position, std::string_view what) {
    return fail(Code::invalid, fmt::format("not JSON at byte {}: {}", position, what));
  };
  switch (code) {
    case simdjson::EMPTY: return at(0, "there is nothing but white space");
    case simdjson::UTF8_ERROR: return at(utf8_fault(text), "not valid UTF-8");
    case simdjson::UNCLOSED_STRING: return at(text_fault(text), "this text is never closed");
    case simdjson::UNESCAPED_CHARS:
      return at(text_fault(text), "a control character in a text must be escaped");
    default: return fail(Code::internal, simdjson::error_message(code));
  }
}

}  // namespace

struct Tokeniser::State {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  std::size_t capacity = 0;
  std::string padded;
};

Tokeniser::Tokeniser() : state_(std::make_unique<State>()) {}
Tokeniser::~Tokeniser() = default;

Result<Tokens> Tokeniser::read(std::string_view text) {
  State& state = *state_;
  if (!state.parser || text.size() > state.capacity) {
    const std::size_t capacity = std::max<std::size_t>(4096, text.size() + text.size() / 2);
    const auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(
        capacity, simdjson_depth, state.parser);
    if (error != simdjson::SUCCESS) return fail(Code::internal, simdjson::error_message(error));
    state.capacity = capacity;
    state.padded.resize(capacity + simdjson::SIMDJSON_PADDING);
  }
  std::copy(text.begin(), text.end(), state.padded.begin());
  // Bytes after the text come from an earlier one: white space makes the end of the parse
  // reproducible.
  std::fill_n(state.padded.data() + text.size(), simdjson::SIMDJSON_PADDING, ' ');
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(state.padded.data());
  const auto code = state.parser->stage1(bytes, text.size(), simdjson::stage1_mode::regular);
  if (code != simdjson::SUCCESS) return refused(code, text);
  return Tokens{std::string_view(state.padded).substr(0, text.size()),
                state.parser->structural_indexes.get(), state.parser->n_structural_indexes};
}

Tokeniser& tokeniser_of_thread() {
  thread_local Tokeniser tokeniser;
  return tokeniser;
}

bool is_utf8(std::string_view text) {
  return simdjson::validate_utf8(text);
}

}  // namespace mayfly
