// The messages that differ between generations, with a `{}` for each name in them.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

namespace mayfly::kuzzle {

// The message of one generation for the errors with that id.
struct ErrorMessageRow {
  std::string_view id;
  std::string_view words;
};

struct Words {
  std::string_view reserved_index;
  std::string_view no_document;
  std::string_view no_cache_database;
  // --- one of several documents that cannot be written; empty: the error's own message ---
  std::string_view no_body;
  std::string_view no_changes;
  std::string_view no_default;
  std::string_view no_text_id;
  std::string_view no_id;
  std::string_view one_not_found;
  // --- specifications ---
  std::string_view violation_of_document;
  std::string_view violation_of_field;
  // --- users, profiles and roles ---
  std::string_view missing_reference;
  std::string_view still_in_use;
  std::string_view login_required;
  // --- of errors that carry the names in their message ---
  std::span<const ErrorMessageRow> error_messages = {};
};

extern const Words words_of_v1;
extern const Words words_of_v1_late;
extern const Words words_of_v2;

// A message with the names in it. The generations' messages may leave the last names out.
template <class... Names>
std::string fill_words(std::string_view words, const Names&... names) {
  return fmt::format(fmt::runtime(words), names...);
}

}  // namespace mayfly::kuzzle
