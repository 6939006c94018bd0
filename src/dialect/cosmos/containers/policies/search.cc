#include "dialect/cosmos/containers/policies/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/limits.h"
#include "query/vectors/limits.h"

namespace mayfly::cosmos {
namespace {

struct Language {
  std::string_view name;
  std::string_view stemmer;
};
constexpr Language languages[] = {
    {"en-US", "english"}, {"fr-FR", "french"},     {"de-DE", "german"},     {"es-ES", "spanish"},
    {"it-IT", "italian"}, {"pt-BR", "portuguese"}, {"pt-PT", "portuguese"},
};

const Language* find_language(const Value& name) {
  const auto* found = std::find_if(
      std::begin(languages), std::end(languages),
      [&](const Language& row) { return name.is(Kind::text) && name.text() == row.name; });
  return found == std::end(languages) ? nullptr : found;
}

Result<void> check_language(const Value& name) {
  if (name.is_missing() || find_language(name) != nullptr) return {};
  std::string known;
  for (const Language& row : languages) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
  }
  return tl::unexpected(bad_request(
      fmt::format("The Full Text Policy contains an unsupported language {}. Supported languages "
                  "are: {}.",
                  name.is(Kind::text) ? name.text() : "", known),
      "fullTextPolicy"));
}

// The path in the spelling by which paths are compared.
std::string plain(const Value& path) {
  return path.is(Kind::text) ? plain_key_path(path.text()) : std::string();
}

Value rows_of(const Object& definition, std::string_view policy, std::string_view rows) {
  const Value* found = definition.find(policy);
  return found == nullptr ? Value() : found->member(rows);
}

const Value* row_of_path(const Value& rows, std::string_view path) {
  if (!rows.is(Kind::array)) return nullptr;
  for (const Value& row : rows.array()) {
    if (plain(row.member("path")) == path) return &row;
  }
  return nullptr;
}

Result<void> check_rows(const Value& rows, std::string_view name) {
  if (rows.is_missing() || rows.is_null()) return {};
  if (rows.is(Kind::array) && rows.array().size() > limits::search_policy_rows_max) {
    return tl::unexpected(
        bad_request(fmt::format("{} has more than {} rows.", name, limits::search_policy_rows_max),
                    std::string(name)));
  }
  if (rows.is(Kind::array)) return {};
  return tl::unexpected(bad_request(fmt::format("{} must be an array.", name), std::string(name)));
}

Result<void> check_dimensions(const Value& embeddings) {
  if (!embeddings.is(Kind::array)) return {};
  constexpr auto most = static_cast<std::int64_t>(limits::vector_dimensions_max);
  for (const Value& row : embeddings.array()) {
    const Value dimensions = row.member("dimensions");
    if (dimensions.is(Kind::integer) && dimensions.integer() >= 1 && dimensions.integer() <= most) {
      continue;
    }
    return tl::unexpected(bad_request(
        fmt::format("The Vector Embedding Policy has an invalid number of dimensions: it must be a "
                    "whole number from 1 to {}.",
                    most),
        "vectorEmbeddingPolicy"));
  }
  return {};
}

// Checks that the path of every index is in the policy.
Result<void> check_vector_indexes(const Object& definition) {
  const Value indexes = rows_of(definition, "indexingPolicy", "vectorIndexes");
  const Value embeddings = rows_of(definition, "vectorEmbeddingPolicy", "vectorEmbeddings");
  TRY(check_rows(indexes, "vectorIndexes"));
  TRY(check_rows(embeddings, "vectorEmbeddings"));
  TRY(check_dimensions(embeddings));
  if (!indexes.is(Kind::array)) return {};
  for (const Value& index : indexes.array()) {
    const std::string path = plain(index.member("path"));
    if (!path.empty() && row_of_path(embeddings, path) != nullptr) continue;
    return tl::unexpected(
        bad_request(fmt::format("The Vector Indexing Policy's path::{} not matching in "
                                "Embedding's path.",
                                path),
                    "vectorIndexes"));
  }
  return {};
}

Result<void> check_full_text_policy(const Object& definition) {
  const Value paths = rows_of(definition, "fullTextPolicy", "fullTextPaths");
  TRY(check_rows(paths, "fullTextPaths"));
  TRY(check_language(rows_of(definition, "fullTextPolicy", "defaultLanguage")));
  if (!paths.is(Kind::array)) return {};
  for (const Value& row : paths.array()) {
    const Value path = row.member("path");
    if (!path.is(Kind::text) || !parse_key_path(path.text())) {
      return tl::unexpected(bad_request("Missing path in Full Text Policy.", "fullTextPolicy"));
    }
    TRY(check_language(row.member("language")));
  }
  return {};
}

Result<void> check_full_text_indexes(const Object& definition) {
  const Value indexes = rows_of(definition, "indexingPolicy", "fullTextIndexes");
  const Value paths = rows_of(definition, "fullTextPolicy", "fullTextPaths");
  TRY(check_rows(indexes, "fullTextIndexes"));
  if (!indexes.is(Kind::array)) return {};
  for (std::size_t i = 0; i < indexes.array().size(); ++i) {
    const std::string path = plain(indexes.array()[i].member("path"));
    if (path.empty()) {
      return tl::unexpected(bad_request(
          fmt::format("Missing path in full-text index specification at index ({}).", i),
          "fullTextIndexes"));
    }
    if (row_of_path(paths, path) != nullptr) continue;
    return tl::unexpected(
        bad_request(fmt::format("The path of the Full Text Index {} does not match the path "
                                "specified in the Full Text Policy.",
                                path),
                    "fullTextIndexes"));
  }
  return {};
}

}  // namespace

Result<void> check_search_policies(const Object& definition) {
  TRY(check_vector_indexes(definition));
  TRY(check_full_text_policy(definition));
  return check_full_text_indexes(definition);
}

Value policy_row(const Object& definition, std::string_view policy, std::string_view rows,
                 std::string_view path) {
  const Value all = rows_of(definition, policy, rows);
  const Value* row = row_of_path(all, path);
  return row == nullptr ? Value() : *row;
}

std::optional<std::string> full_text_language(const Object& definition, std::string_view path) {
  const Value paths = rows_of(definition, "fullTextPolicy", "fullTextPaths");
  const Value* row = row_of_path(paths, path);
  if (row == nullptr) return std::nullopt;
  const Language* language = find_language(row->member("language"));
  if (language == nullptr) {
    language = find_language(rows_of(definition, "fullTextPolicy", "defaultLanguage"));
  }
  return std::string(language == nullptr ? languages[0].stemmer : language->stemmer);
}

}  // namespace mayfly::cosmos
