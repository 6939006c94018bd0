// How many bytes of bodies are read, shown and written in one step.
#include <gtest/gtest.h>

#include <span>

#include "db/limits.h"
#include "db/read/largest_reply.h"
#include "db/testing.h"
#include "db/write/revive.h"

namespace mayfly {
namespace {

using testing::LargestReply;
using testing::must;
using testing::World;

constexpr std::size_t largest_body = limits::document_bytes_max - 1'000;

std::string document_of_bytes(std::size_t bytes) {
  return R"({"text":")" + std::string(bytes, 'x') + R"("})";
}

std::string numbered(std::size_t i) {
  return "d" + std::to_string(1'000 + i);
}

// Documents d1000, d1001, …, all of one size.
void put_many(World& w, const CollectionPtr& c, std::size_t count, std::size_t bytes) {
  const std::string json = document_of_bytes(bytes);
  for (std::size_t i = 0; i < count; ++i) must(w.put(c, numbered(i), json));
}

CollectionChange keeping_everything() {
  return {.keep_history_for = Span::seconds(1'000), .keep_trash_for = Span::seconds(1'000)};
}

// --- reading ---

TEST(BodyBounds, ManyAreReadByTheirKeysInGroupsUntilTheyHoldEnough) {
  std::size_t largest = 0;
  World w(std::make_unique<LargestReply>(store::open_memory(), largest));
  const auto c = w.collection("c");
  constexpr std::size_t bytes = 100'000;
  put_many(w, c, 70, bytes);
  std::vector<Bytes> keys;
  for (std::size_t i = 0; i < 71; ++i) keys.push_back(keys::encode(DocumentKey::of(numbered(i))));
  largest = 0;
  View view = w.database->view();
  std::vector<std::string> ids;
  for (std::span<const Bytes> left = keys; !left.empty();) {
    const auto some = must(view.get_many(*c, left, view.live()));
    ASSERT_GT(some.size(), 0u);
    for (const auto& one : some) ids.push_back(one ? std::string(one->id) : "-");
    left = left.subspan(some.size());
  }
  ASSERT_EQ(ids.size(), 71u);
  for (std::size_t i = 0; i < 70; ++i) EXPECT_EQ(ids[i], numbered(i));
  EXPECT_EQ(ids.back(), "-");
  EXPECT_LE(largest, limits::bodies_read_at_once * (bytes + 1'000));
}

// All pages of a list, each of which may have a thousand rows; returns the ids in order.
template <class Scan>
std::vector<std::string> ids_of_pages(std::size_t document_bytes, const Scan& scan) {
  std::vector<std::string> ids;
  Bytes after;
  for (bool more = true; more;) {
    const DocumentPage page = must(scan(after));
    EXPECT_FALSE(page.documents.empty());
    std::size_t bytes = 0;
    for (const Document& document : page.documents) {
      bytes += document.body.bytes().size();
      ids.emplace_back(document.id);
    }
    EXPECT_LE(bytes, limits::list_page_bytes_max + document_bytes);
    more = page.next.has_value();
    if (more) after = *page.next;
  }
  return ids;
}

TEST(BodyBounds, PagesOfTheTrashAndOfHoldsEndByTheirBytes) {
  std::size_t largest = 0;
  World w(std::make_unique<LargestReply>(store::open_memory(), largest));
  const auto c = w.collection("c", {.keep_trash_for = Span::seconds(1'000)});
  constexpr std::size_t bytes = 1'000'000;
  constexpr std::size_t count = 40;
  put_many(w, c, count, bytes);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(numbered(i));
    must(w.remove(c, all.back()));
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      return t.hold(w.now(c), DocumentKey::of(all.back()), {});
    }));
  }
  largest = 0;
  View view = w.database->view();
  const auto read = [&](auto scan) {
    return ids_of_pages(bytes + 1'000,
                        [&](const Bytes& after) { return (view.*scan)(*c, after, 1'000); });
  };
  EXPECT_EQ(read(&View::scan_trash), all);
  EXPECT_EQ(read(&View::scan_holds), all);
  EXPECT_LE(largest, limits::bodies_read_at_once * (bytes + 1'000));
}

TEST(BodyBounds, KeysOfTheTrashAreReadWithoutBodies) {
  std::size_t largest = 0;
  World w(std::make_unique<LargestReply>(store::open_memory(), largest));
  const auto c = w.collection("c", {.keep_trash_for = Span::seconds(1'000)});
  put_many(w, c, 5, 100'000);
  for (std::size_t i = 0; i < 5; ++i) must(w.remove(c, numbered(i)));
  largest = 0;
  View view = w.database->view();
  const KeyPage first = must(view.scan_trash_keys(*c, {}, 3));
  ASSERT_TRUE(first.next);
  const KeyPage second = must(view.scan_trash_keys(*c, *first.next, 3));
  EXPECT_FALSE(second.next);
  std::string ids;
  for (const KeyPage* page : {&first, &second}) {
    for (const Bytes& key : page->keys) ids += std::string(keys::id_of(key)) + " ";
  }
  EXPECT_EQ(ids, "d1000 d1001 d1002 d1003 d1004 ");
  EXPECT_LT(largest, 1'000u);
}

// --- writing ---

// How many of `count` edits one transaction accepts before it is refused as too large. The
// transaction is then abandoned, and must have changed nothing.
template <class Edit>
std::size_t edits_taken(World& w, const CollectionPtr& c, std::size_t count, const Edit& edit) {
  std::size_t taken = 0;
  const std::string before = w.list(c);
  const auto done = w.database->transact([&](Transaction& t) -> Result<void> {
    for (taken = 0; taken < count; ++taken) {
      EXPECT_FALSE(t.is_full());
      const auto edited = edit(t, DocumentKey::of(numbered(taken)));
      EXPECT_EQ(t.is_full(), !edited.has_value());
      TRY(edited);
    }
    return {};
  });
  if (done) return taken;
  EXPECT_EQ(done.error().code, Code::too_large) << done.error().message;
  EXPECT_EQ(w.list(c), before);
  return taken;
}

TEST(BodyBounds, ATransactionRemovesAsManyAsItsBytesAllow) {
  World w;
  const auto plain = w.collection("plain");
  const auto all = w.collection("all", keeping_everything());
  const auto remove_from = [&](const CollectionPtr& c) {
    return [&w, c](Transaction& t, const DocumentKey& key) { return t.remove(w.now(c), key, {}); };
  };
  constexpr std::size_t most = limits::transaction_bytes_max / largest_body;
  for (const auto& c : {plain, all}) {
    put_many(w, c, 40, largest_body);
    const std::string before = w.list(c);
    // Once for the history and once for the trash.
    EXPECT_EQ(edits_taken(w, c, 40, remove_from(c)), c == all ? most / 2 : most);
    EXPECT_EQ(w.list(c), before);
    EXPECT_EQ(w.trash(c), "");
    EXPECT_EQ(edits_taken(w, c, 1, remove_from(c)), 1u);
    EXPECT_EQ(w.list(c), before.substr(before.find(' ') + 1));
  }
  EXPECT_EQ(w.trash(all), numbered(0));
}

TEST(BodyBounds, WhatSmallDocumentsReplaceCounts) {
  World w;
  const auto c = w.collection("c");
  put_many(w, c, 40, largest_body);
  const auto put = [&](Transaction& t, const DocumentKey& key) -> Result<void> {
    TRY(t.put(c, key, TRY(pack_json("{}")), {}));
    return {};
  };
  EXPECT_EQ(edits_taken(w, c, 40, put), limits::transaction_bytes_max / largest_body);
  EXPECT_EQ(edits_taken(w, c, 1, put), 1u);
  EXPECT_EQ(w.get(c, numbered(0)), "{}");
}

TEST(BodyBounds, HoldsRestorationsAndRepeatedRemovalsCount) {
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::seconds(1'000)});
  put_many(w, c, 40, largest_body);
  constexpr std::size_t most = limits::transaction_bytes_max / largest_body;
  const auto hold = [&](Transaction& t, const DocumentKey& key) { return t.hold(c, key, {}); };
  const auto release = [&](Transaction& t, const DocumentKey& key) {
    return t.release(c, key, {});
  };
  EXPECT_EQ(edits_taken(w, c, 40, hold), most);  // living documents
  for (std::size_t i = 0; i < 40; ++i) must(w.remove(c, numbered(i)));
  EXPECT_EQ(edits_taken(w, c, 40, hold), most);  // documents in the trash
  for (std::size_t i = 0; i < 40; ++i) {
    must(w.database->transact(
        [&](Transaction& t) { return hold(t, DocumentKey::of(numbered(i))); }));
  }
  EXPECT_EQ(edits_taken(w, c, 40, release), most);
  for (std::size_t i = 0; i < 40; ++i) {
    must(w.database->transact(
        [&](Transaction& t) { return release(t, DocumentKey::of(numbered(i))); }));
  }
  EXPECT_EQ(edits_taken(w, c, 40,
                        [&](Transaction& t, const DocumentKey& key) {
                          return remove_again(t, c, key, "");
                        }),
            most);
  EXPECT_EQ(
      edits_taken(w, c, 40,
                  [&](Transaction& t, const DocumentKey& key) { return t.restore(c, key, {}); }),
      most);
  EXPECT_EQ(w.list(c), "");
}

TEST(BodyBounds, WhatAFullTransactionDidCanBeCommitted) {
  World w;
  const auto c = w.collection("c", keeping_everything());
  put_many(w, c, 40, largest_body);
  std::size_t gone = 0;
  for (int commits = 0; gone < 40; ++commits) {
    ASSERT_LT(commits, 4);
    std::size_t end = gone;
    must(w.database->transact([&](Transaction& t) -> Result<void> {
      for (end = gone; end < 40; ++end) {
        const auto removed = t.remove(c, DocumentKey::of(numbered(end)), {});
        if (!removed && t.is_full()) return {};
        TRY(removed);
      }
      return {};
    }));
    gone = end;
  }
  EXPECT_EQ(w.list(c), "");
}

}  // namespace
}  // namespace mayfly
