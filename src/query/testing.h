// What the tests of queries share: rows as text, and all pages of a query one after another.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "db/testing.h"
#include "expr/render.h"
#include "query/planning/planner.h"
#include "query/run.h"

namespace mayfly::query {

// The id of the row's document, or its value, or both if it has both.
inline std::string text_of(const QueryRow& row) {
  std::string text = row.document ? std::string(row.document->id) : "";
  if (row.value) text += (text.empty() ? "" : ":") + render_literal(*row.value);
  for (const BoundItem& item : row.bound) text += "/" + render_literal(item.value);
  return text;
}

inline std::vector<std::string> texts_of(const std::vector<QueryRow>& rows) {
  std::vector<std::string> texts;
  for (const QueryRow& row : rows) texts.push_back(text_of(row));
  return texts;
}

inline std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : " ") + text;
  return all;
}

inline std::string message_of(const Error& error) {
  return std::string(name_of(error.code)) + ": " + error.message;
}

// One page with all rows, or the error.
inline std::string rows_of(const QueryPtr& query, View& view, std::size_t rows_max = 100'000) {
  const Result<RowsPage> page = answer(query, view, {.rows_max = rows_max});
  return page ? joined(texts_of(page->rows)) : message_of(page.error());
}

// The bookmark after it was encoded and decoded, as a client sends it back.
inline std::optional<Bookmark> travelled(const std::optional<Bookmark>& bookmark) {
  if (!bookmark) return std::nullopt;
  const Result<Bookmark> decoded = decode_bookmark(encode(*bookmark));
  EXPECT_TRUE(decoded && *decoded == *bookmark);
  return decoded ? std::optional(*decoded) : std::nullopt;
}

// All pages one after another; each bookmark is encoded and decoded.
inline std::string pages_of(const QueryPtr& query, View& view, std::size_t rows_max) {
  std::vector<std::string> texts;
  std::optional<Bookmark> bookmark;
  do {
    const Result<RowsPage> page = answer(query, view, {rows_max, bookmark, {}});
    if (!page) return message_of(page.error());
    EXPECT_LE(page->rows.size(), rows_max);
    EXPECT_FALSE(page->rows.empty() && page->next);
    for (const QueryRow& row : page->rows) texts.push_back(text_of(row));
    bookmark = travelled(page->next);
  } while (bookmark && texts.size() < 1'000);  // so that pages without an end fail
  return joined(texts);
}

}  // namespace mayfly::query
