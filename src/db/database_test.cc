// Documents, lifetimes and policies, as callers of the document layer see them.
#include "db/database.h"

#include "db/testing.h"

namespace mayfly {
namespace {

using testing::after;
using testing::just_before;
using testing::must;
using testing::second;
using testing::World;

TEST(DatabaseTest, ADocumentIsThereAfterItsPutAndGoneAtItsDeath) {
  World w;
  const auto c = w.collection("sessions");
  must(w.put(c, "a", R"({"user":"ada"})", At{second(1'060)}));
  w.clock.set(just_before(second(1'060)));
  EXPECT_EQ(w.get(c, "a"), R"({"user":"ada"})");
  EXPECT_EQ(w.list(c), "a");
  w.clock.set(second(1'060));
  EXPECT_EQ(w.get(c, "a"), "-");
  EXPECT_EQ(w.list(c), "");
}

TEST(DatabaseTest, ANewLifeKeepsNoFacetOfTheLifeBefore) {
  World w;
  const auto c = w.collection("c");
  const auto facet = [&] {
    const auto found = must(w.database->get(w.now(c), DocumentKey::of("a")));
    return Bytes(found->facet);
  };
  using VersionOrigin = PutOptions::VersionOrigin;
  must(w.put(c, "a", "{}", {.facet = Bytes("one")}));
  must(w.put(c, "a", "{}", PutOptions{}));
  EXPECT_EQ(facet(), "one");
  must(w.put(c, "a", "{}", {.origin = VersionOrigin::replacement}));
  EXPECT_EQ(facet(), "");
  must(w.put(c, "a", "{}", {.facet = Bytes("two"), .origin = VersionOrigin::creation}));
  EXPECT_EQ(facet(), "two");
  must(w.put(c, "a", "{}", {.origin = VersionOrigin::creation}));
  EXPECT_EQ(facet(), "");
}

TEST(DatabaseTest, AnInternalCollectionIsFoundOnlyByInternalLookups) {
  World w;
  w.collection("b");
  const CollectionSpec spec{"#of b", {}, {}, true};
  const auto internal = must(w.database->create_collection(w.place, spec));
  EXPECT_EQ(w.database->create_collection(w.place, spec).error().code, Code::exists);
  const auto catalog = w.database->catalog();
  EXPECT_EQ(catalog->find_internal(w.place, "#of b"), internal);
  EXPECT_EQ(catalog->find_collection(w.place, "#of b"), nullptr);
  EXPECT_EQ(catalog->find_internal(w.place, "b"), nullptr);
  ASSERT_EQ(catalog->collections(w.place).size(), 1U);
  EXPECT_EQ(catalog->collections(w.place)[0]->name, "b");
  EXPECT_EQ(catalog->any_collection(internal->id), internal);
  EXPECT_EQ(catalog->collection(internal->id), nullptr);
}

TEST(DatabaseTest, NamesOfInternalCollectionsAreReserved) {
  World w;
  const auto create = [&](const std::string& name, bool is_internal) {
    return w.database->create_collection(w.place, {name, {}, {}, is_internal});
  };
  for (const bool is_internal : {false, true}) {
    const auto refused = create(is_internal ? "a" : "#a", is_internal);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::invalid);
    EXPECT_EQ(refused.error().field, "name");
  }
  EXPECT_TRUE(create("a#", false));
}

TEST(DatabaseTest, InternalCollectionsGoWithTheirDatabase) {
  World w;
  const auto internal = must(w.database->create_collection(w.place, {"#a", {}, {}, true}));
  const auto other = must(w.database->create_database("other"))->id;
  const auto stays = must(w.database->create_collection(other, {"#a", {}, {}, true}));
  must(w.database->drop_database(w.place));
  EXPECT_EQ(w.database->catalog()->any_collection(internal->id), nullptr);
  EXPECT_EQ(w.database->catalog()->find_internal(other, "#a"), stays);
}

TEST(DatabaseTest, AnUpdateKeepsWhatItDoesNotMention) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", R"({"n":1})", {.lifetime = Lifetime{At{second(2'000)}}, .author = "ada"}));
  w.clock.set(second(1'500));
  must(w.put(c, "a", R"({"n":2})", {.author = "bob"}));
  const auto found = must(w.database->get(w.now(c), DocumentKey::of("a")));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->death, second(2'000));
  EXPECT_EQ(found->revision, 2u);
  EXPECT_EQ(found->author, "ada");
  EXPECT_EQ(found->updater, "bob");
  EXPECT_LT(found->created_at, second(1'500));
  EXPECT_GE(found->version.written_at, second(1'500));
}

TEST(DatabaseTest, AStampIsPutAtCreationOrAtEveryWriteAsThePolicySays) {
  World w;
  using When = Stamp::When;
  const auto once = w.collection("once", {.stamp = Stamp{Span::seconds(100), When::creation}});
  const auto always =
      w.collection("always", {.stamp = Stamp{Span::seconds(100), When::every_write}});
  for (const auto& c : {once, always}) must(w.put(c, "a", "{}", PutOptions{}));
  w.clock.set(second(1'050));
  for (const auto& c : {once, always}) must(w.put(c, "a", R"({"n":1})", PutOptions{}));
  w.clock.set(second(1'101));
  EXPECT_EQ(w.get(once, "a"), "-");
  EXPECT_EQ(w.get(always, "a"), R"({"n":1})");
  must(w.put(always, "a", "{}", Lifetime{Never{}}));
  w.clock.set(second(9'000));
  EXPECT_EQ(w.get(always, "a"), "{}");
}

TEST(DatabaseTest, ADefaultAppliesToOldDocumentsImmediatelyAndExpiredOnesStayExpired) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "old", "{}", PutOptions{}));
  w.clock.set(second(1'090));
  must(w.put(c, "young", "{}", PutOptions{}));
  must(w.put(c, "forever", "{}", Lifetime{Never{}}));
  w.clock.set(second(1'100));
  EXPECT_EQ(w.list(c), "forever old young");
  w.change(c, {.default_lifetime = after(60)});
  EXPECT_EQ(w.list(c), "forever young");
  w.change(c, {.default_lifetime = Default{Unset{}}});
  EXPECT_EQ(w.list(c), "forever young");
  w.change(c, {.default_lifetime = after(1'000'000)});
  EXPECT_EQ(w.list(c), "forever young");
  EXPECT_EQ(w.get(c, "old"), "-");
}

TEST(DatabaseTest, CreatingOverAnExpiredDocumentIsANewLifeAndBothArePublished) {
  World w;
  const auto c = w.collection("c", {.keep_feed_for = Span::seconds(10'000)});
  const Instant first = must(w.put(c, "a", R"({"n":1})", At{second(1'010)}));
  w.clock.set(second(1'020));
  const Instant again = must(w.put(c, "a", R"({"n":2})", {.expect = PutOptions::Expect::absent}));
  const auto found = must(w.database->get(w.now(c), DocumentKey::of("a")));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->created_at, again);
  EXPECT_EQ(found->revision, 1u);
  w.sweep();
  EXPECT_EQ(w.get(c, "a"), R"({"n":2})");
  const FeedPage page = must(w.database->feed().read(*w.now(c), {}, 10));
  ASSERT_EQ(page.events.size(), 3u);
  EXPECT_EQ(page.events[2].kind, Event::Kind::expired);
  EXPECT_EQ(page.events[2].version_at, first);
  EXPECT_EQ(page.events[2].death, second(1'010));
}

TEST(DatabaseTest, WhatIsWrittenIsWrittenSinceEveryEarlierView) {
  World w;
  const auto c = w.collection("c");
  const auto other = w.collection("other");
  must(w.put(c, "a", "{}", At{second(1'010)}));
  const Instant read_at = w.database->view().now();
  EXPECT_TRUE(c->commits->unraised_since(read_at));
  must(w.put(other, "a", "{}"));
  w.clock.set(second(1'010));
  w.sweep();
  EXPECT_EQ(w.get(c, "a"), "-");
  EXPECT_TRUE(c->commits->unraised_since(read_at));
  EXPECT_FALSE(w.put(c, "a", "{}", {.expect = PutOptions::Expect::present}));
  EXPECT_TRUE(c->commits->unraised_since(read_at));
  must(w.put(c, "b", "{}"));
  EXPECT_FALSE(c->commits->unraised_since(read_at));
  const Instant later = w.database->view().now();
  EXPECT_TRUE(c->commits->unraised_since(later));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    return t.remove(w.now(c), DocumentKey::of("b"), {});
  }));
  EXPECT_FALSE(c->commits->unraised_since(later));
}

TEST(DatabaseTest, ConditionsOnExpiredDocumentsFailAsNotFoundNeverAsStale) {
  World w;
  const auto c = w.collection("c");
  const Instant v = must(w.put(c, "a", "{}", At{second(1'010)}));
  w.clock.set(just_before(second(1'010)));
  EXPECT_EQ(w.put(c, "a", "{}", {.if_written_at = Instant{1}}).error().code, Code::stale);
  w.clock.set(second(1'010));
  const auto replaced = w.put(c, "a", "{}", {.if_written_at = v});
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code, Code::not_found);
  EXPECT_EQ(w.remove(c, "a", {.if_written_at = v}).error().code, Code::not_found);
  must(w.put(c, "a", "{}", PutOptions{}));
  EXPECT_EQ(w.put(c, "a", "{}", {.if_written_at = v}).error().code, Code::stale);
}

TEST(DatabaseTest, AUniqueValueOfAnExpiredDocumentIsFree) {
  World w;
  const auto c =
      w.collection("c", {}, {{"by_mail", {{Field::body("mail")}}, Uniqueness::of_complete}});
  must(w.put(c, "a", R"({"mail":"x"})", At{second(1'010)}));
  const auto taken = w.put(c, "b", R"({"mail":"x"})", PutOptions{});
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, Code::exists);
  EXPECT_EQ(taken.error().field, ".mail");
  must(w.put(c, "a", R"({"mail":"x","n":2})", PutOptions{}));
  must(w.put(c, "none", "{}", PutOptions{}));
  must(w.put(c, "none too", "{}", PutOptions{}));
  w.clock.set(second(1'010));
  must(w.put(c, "b", R"({"mail":"x"})", PutOptions{}));
  EXPECT_EQ(w.list_index(c, "by_mail"), "none none too b");
}

TEST(DatabaseTest, AnIndexFollowsItsDocuments) {
  World w;
  const auto c = w.collection("c");
  for (int n = 0; n < 450; ++n) {
    must(w.put(c, "d" + std::to_string(n), R"({"n":)" + std::to_string(-n) + "}", PutOptions{}));
  }
  must(w.put(c, "d7", R"({"n":1})", At{second(1'500)}));
  must(w.database->create_index(c->id, {"by_n", {{Field::body("n")}}}));
  std::string all = w.list_index(c, "by_n");
  EXPECT_EQ(all.substr(0, 9), "d449 d448");
  EXPECT_EQ(all.substr(all.size() - 5), "d0 d7");
  must(w.put(c, "d449", R"({"n":5})", PutOptions{}));
  must(w.remove(c, "d448"));
  w.clock.set(second(1'500));
  all = w.list_index(c, "by_n");
  EXPECT_EQ(all.substr(0, 4), "d447");
  EXPECT_EQ(all.substr(all.size() - 7), "d0 d449");
  must(w.database->drop_index(c->id, "by_n"));
  EXPECT_EQ(w.rows(keys::Table::index, c), 0u);
}

TEST(DatabaseTest, AUniqueIndexIsNotMadeOverTwoLivingDocumentsWithTheSameValue) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", R"({"mail":"x"})", At{second(1'010)}));
  must(w.put(c, "b", R"({"mail":"x"})", PutOptions{}));
  const IndexSpec spec{"by_mail", {{Field::body("mail")}}, Uniqueness::of_complete};
  EXPECT_EQ(w.database->create_index(c->id, spec).error().code, Code::exists);
  EXPECT_TRUE(w.now(c)->indexes.empty());
  w.clock.set(second(1'010));
  must(w.database->create_index(c->id, spec));
}

TEST(DatabaseTest, HistoryShowsEachInstantAsAReaderSawIt) {
  World w;
  const auto c = w.collection("c", {.keep_history_for = Span::seconds(1'000)});
  must(w.put(c, "a", R"({"n":1})", PutOptions{}));
  w.clock.set(second(1'100));
  must(w.put(c, "a", R"({"n":2})", At{second(1'200)}));
  w.clock.set(second(1'150));
  const Instant b_written = must(w.put(c, "b", "{}", PutOptions{}));
  must(w.remove(c, "b"));
  w.clock.set(second(1'300));
  for (const bool swept : {false, true}) {
    if (swept) {
      w.sweep();
      w.compact();
    }
    EXPECT_EQ(w.get(c, "a"), "-");
    EXPECT_EQ(w.get_as_of(c, "a", second(1'050)), R"({"n":1})");
    EXPECT_EQ(w.get_as_of(c, "a", second(1'199)), R"({"n":2})");
    EXPECT_EQ(w.get_as_of(c, "a", second(1'200)), "-");
    EXPECT_EQ(w.list(c, Lens::as_of(second(1'120))), "a");
    EXPECT_EQ(w.list(c, Lens::as_of(b_written)), "a b");
    EXPECT_EQ(w.list(c, Lens::as_of(b_written), true), "b a");
    EXPECT_EQ(w.list(c, Lens::as_of(second(1'160))), "a");
    View view = w.database->view();
    EXPECT_EQ(must(view.history(*w.now(c), DocumentKey::of("a"))).size(), 2u);
  }
  // After the retention nothing is left to see, nor to store.
  w.clock.set(second(2'500));
  EXPECT_EQ(w.get_as_of(c, "a", second(1'199)).substr(0, 6), "error:");
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::head, c), 0u);
  EXPECT_EQ(w.rows(keys::Table::history, c), 0u);
}

TEST(DatabaseTest, AnEarlierInstantIsSeenWithItsTrash) {
  World w;
  const auto c = w.collection(
      "c", {.keep_history_for = Span::seconds(1'000), .keep_trash_for = Span::seconds(1'000)});
  for (const char* id : {"a", "b", "c"}) must(w.put(c, id, "{}"));
  const Instant at = must(w.remove(c, "a"));
  w.clock.set(second(1'100));
  must(w.remove(c, "b"));
  must(w.put(c, "c", R"({"n":2})"));
  must(w.put(c, "d", "{}"));
  EXPECT_EQ(w.list(c, Lens{at, w.database->now(), true}), "a b c");
  EXPECT_EQ(w.list(c, Lens{at, w.database->now(), false}), "b c");
  EXPECT_EQ(w.list(c, Lens::trash(w.database->now())), "a b c d");
}

TEST(DatabaseTest, TheTrashKeepsRestoresAndForgets) {
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::seconds(100)});
  must(w.put(c, "a", R"({"n":1})", PutOptions{}));
  must(w.put(c, "b", "{}", At{second(1'050)}));
  must(w.put(c, "d", "{}", PutOptions{}));
  for (const auto id : {"a", "b", "d"}) must(w.remove(c, id));
  EXPECT_EQ(w.list(c), "");
  EXPECT_EQ(w.trash(c), "a b d");
  EXPECT_EQ(w.list(c, Lens::trash(w.database->now())), "a b d");
  must(w.put(c, "a", R"({"n":9})", PutOptions{}));
  EXPECT_EQ(w.restore(c, "a").error().code, Code::exists);
  must(w.remove(c, "a", {.is_final = true}));
  must(w.restore(c, "a"));
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
  w.clock.set(second(1'050));
  EXPECT_EQ(w.trash(c), "d");
  EXPECT_EQ(w.restore(c, "b").error().code, Code::not_found);
  w.clock.set(second(1'101));
  EXPECT_EQ(w.trash(c), "");
  EXPECT_EQ(w.restore(c, "d").error().code, Code::not_found);
  w.sweep();
  w.compact();
  EXPECT_EQ(w.rows(keys::Table::trash, c), 0u);
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
}

TEST(DatabaseTest, ForgettingWhatTheTrashHoldsLeavesTheLivingDocumentAsItIs) {
  World w;
  const auto c = w.collection("c", {.default_lifetime = after(10),
                                    .keep_trash_for = Span::seconds(100),
                                    .keep_feed_for = Span::seconds(1'000)});
  must(w.put(c, "a", R"({"n":1})", PutOptions{}));
  must(w.remove(c, "a"));
  must(w.put(c, "a", R"({"n":2})", PutOptions{}));
  must(w.remove(c, "a"));
  const Instant written = must(w.put(c, "a", R"({"n":3})", PutOptions{}));
  w.clock.set(second(1'005));
  must(w.database->transact(
      [&](Transaction& t) -> Result<void> { return t.forget(w.now(c), DocumentKey::of("a")); }));
  const auto found = must(w.database->get(w.now(c), DocumentKey::of("a")));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->version.written_at, written);
  EXPECT_EQ(w.rows(keys::Table::trash, c), 0u);
  EXPECT_EQ(w.events(c),
            "created:a removed:a created:a removed:a created:a forgotten:a forgotten:a");
}

TEST(DatabaseTest, TheNewestRemovedVersionThatHasNotExpiredIsTheOneInTheTrash) {
  World w;
  const auto c = w.collection("c", {.keep_trash_for = Span::seconds(1'000)});
  must(w.put(c, "a", R"({"n":1})", PutOptions{}));
  must(w.remove(c, "a"));
  must(w.put(c, "a", R"({"n":2})", At{second(1'015)}));
  must(w.remove(c, "a"));
  w.clock.set(second(1'020));
  must(w.restore(c, "a"));
  EXPECT_EQ(w.get(c, "a"), R"({"n":1})");
}

TEST(DatabaseTest, AnExpiredDocumentWhoseValueIsTooLongForANewIndexDoesNotBlockItsId) {
  World w;
  const auto c = w.collection("c", {.keep_history_for = Span::seconds(1'000)});
  must(w.put(c, "a", R"({"f":")" + std::string(5'000, 'x') + "\"}", At{second(1'010)}));
  w.clock.set(second(1'020));
  must(w.database->create_index(c->id, {"by_f", {{Field::body("f")}}}));
  must(w.put(c, "a", R"({"f":"short"})", PutOptions{}));
  w.sweep();
  EXPECT_EQ(w.list_index(c, "by_f"), "a");
}

TEST(DatabaseTest, ALongHistoryIsShownWhole) {
  World w;
  const auto c = w.collection("c", {.keep_history_for = Span::seconds(1'000)});
  const std::string body = R"({"f":")" + std::string(20'000, 'x') + "\"}";
  for (int n = 0; n < 40; ++n) must(w.put(c, "a", body, PutOptions{}));
  View view = w.database->view();
  EXPECT_EQ(must(view.history(*w.now(c), DocumentKey::of("a"))).size(), 40u);
}

TEST(DatabaseTest, ADefaultAndACollectionWithoutIndexingExcludeEachOther) {
  World w;
  const auto c = w.collection("c", {.is_indexed = false});
  EXPECT_FALSE(w.database->change_collection(c->id, {.default_lifetime = after(10)}));
  w.change(c, {.is_indexed = true});
  w.change(c, {.default_lifetime = Default{Never{}}});
  EXPECT_FALSE(w.database->change_collection(c->id, {.is_indexed = false}));
}

TEST(DatabaseTest, AChangeMayAskThatThereHasBeenNoOther) {
  World w;
  const auto c = w.collection("c");
  CollectionChange change{.facets = {{"x", "1"}}};
  change.if_changed_at = c->changed_at;
  const auto changed = w.database->change_collection(c->id, change);
  ASSERT_TRUE(changed.has_value());
  EXPECT_EQ(w.database->change_collection(c->id, change).error().code, Code::stale);
  change.if_changed_at = (*changed)->changed_at;
  EXPECT_TRUE(w.database->change_collection(c->id, change).has_value());
}

TEST(DatabaseTest, ADroppedCollectionLeavesNothingBehind) {
  World w;
  const auto c = w.collection("c", {.keep_history_for = Span::seconds(9)});
  must(w.put(c, "a", "{}", PutOptions{}));
  must(w.put(c, "a", "{}", PutOptions{}));
  must(w.database->drop_collection(c->id));
  EXPECT_EQ(must(w.database->get(c, DocumentKey::of("a"))).has_value(), false);
  for (const auto table : keys::collection_tables) EXPECT_EQ(w.rows(table, c), 0u);
  const auto again = w.collection("c");
  EXPECT_NE(again->id, c->id);
  EXPECT_EQ(w.get(again, "a"), "-");
}

TEST(DatabaseTest, AQueryThatRunsAcrossADeathGivesOneAnswer) {
  World w;
  const auto c = w.collection("c");
  for (const auto id : {"a", "b"}) must(w.put(c, id, "{}", At{second(1'010)}));
  w.clock.set(just_before(second(1'010)));
  View view = w.database->view();
  const Lens lens = view.live();
  EXPECT_EQ(must(view.scan(*c, {.rows_max = 1}, lens)).documents.size(), 1u);
  w.clock.set(second(1'020));
  w.sweep();
  w.compact();
  EXPECT_EQ(
      must(view.scan(*c, {.from = keys::encode(DocumentKey::of("b"))}, lens)).documents.size(), 1u);
  EXPECT_EQ(w.list(c), "");
}

TEST(TransactionTest, ReadsItsOwnWritesByEveryPath) {
  World w;
  const auto c = w.collection("c", {}, {{"by_n", {{Field::body("n")}}, Uniqueness::of_complete}});
  must(w.put(c, "a", R"({"n":1})", PutOptions{}));
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    View& view = t.view();
    TRY(t.put(c, DocumentKey::of("b"), TRY(pack_json(R"({"n":2})")), {}));
    TRY(t.put(c, DocumentKey::of("a"), TRY(pack_json(R"({"n":3})")), {}));
    EXPECT_EQ(TRY(view.get(*c, DocumentKey::of("a"), view.live()))->body.json(), R"({"n":3})");
    EXPECT_EQ(TRY(view.scan(*c, {}, view.live())).documents.size(), 2u);
    const IndexPage page = TRY(view.scan_index(*c, c->indexes[0], {}, view.live()));
    EXPECT_EQ(page.entries.size(), 2u);
    EXPECT_EQ(keys::id_of(page.entries[0].key()), "b");
    EXPECT_EQ(t.put(c, DocumentKey::of("d"), TRY(pack_json(R"({"n":3})")), {}).error().code,
              Code::exists);
    TRY(t.remove(c, DocumentKey::of("b"), {}));
    EXPECT_EQ(TRY(view.scan(*c, {}, view.live())).documents.size(), 1u);
    return {};
  }));
  EXPECT_EQ(w.list(c), "a");
  EXPECT_EQ(w.list_index(c, "by_n"), "a");
}

TEST(TransactionTest, AFailureLeavesNothing) {
  World w;
  const auto c = w.collection("c");
  const auto failed = w.database->transact([&](Transaction& t) -> Result<void> {
    TRY(t.put(c, DocumentKey::of("a"), TRY(pack_json("{}")), {}));
    return fail(Code::stale, "no");
  });
  EXPECT_EQ(failed.error().code, Code::stale);
  EXPECT_EQ(w.list(c), "");
}

TEST(TransactionTest, AnUpdateThatRacesTheDeathCommitsBeforeItOrFindsNothing) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", "{}", At{second(1'010)}));
  int runs = 0;
  const auto raced = w.database->transact([&](Transaction& t) -> Result<void> {
    ++runs;
    TRY(t.put(c, DocumentKey::of("a"), TRY(pack_json(R"({"n":2})")),
              {.expect = PutOptions::Expect::present, .lifetime = Lifetime{Never{}}}));
    w.clock.set(second(1'010));  // it expires between the read and the commit
    return {};
  });
  EXPECT_EQ(runs, 2);
  ASSERT_FALSE(raced);
  EXPECT_EQ(raced.error().code, Code::not_found);
}

TEST(TransactionTest, LosersOfARaceRunAgainOnWhatTheWinnerLeft) {
  World w;
  const auto c = w.collection("c");
  must(w.put(c, "a", R"({"n":1})", PutOptions{}));
  int runs = 0;
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    View& view = t.view();
    const auto found = TRY(view.get(*c, DocumentKey::of("a"), view.live()));
    const std::int64_t n = found->body.member("n").integer();
    if (++runs == 1) must(w.put(c, "a", R"({"n":10})", PutOptions{}));
    TRY(t.put(c, DocumentKey::of("b"), TRY(pack_json(R"({"n":)" + std::to_string(n) + "}")), {}));
    return {};
  }));
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(w.get(c, "b"), R"({"n":10})");
}

TEST(TransactionTest, APhantomInAScannedRangeMakesItRunAgain) {
  World w;
  const auto c = w.collection("c");
  int runs = 0;
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    View& view = t.view();
    const std::size_t seen = TRY(view.scan(*c, {}, view.live())).documents.size();
    if (++runs == 1) must(w.put(c, "phantom", "{}", PutOptions{}));
    const std::string json = R"({"seen":)" + std::to_string(seen) + "}";
    TRY(t.put(c, DocumentKey::of("z"), TRY(pack_json(json)), {}));
    return {};
  }));
  EXPECT_EQ(w.get(c, "z"), R"({"seen":1})");
}

TEST(TransactionTest, APolicyThatIsChangedUnderWhatWasReadMakesItRunAgain) {
  World w;
  const auto read = w.collection("read"), written = w.collection("written");
  must(w.put(read, "a", "{}", PutOptions{}));
  w.clock.set(second(1'100));
  int runs = 0;
  must(w.database->transact([&](Transaction& t) -> Result<void> {
    View& view = t.view();
    const bool is_there =
        TRY(view.get(*w.now(read), DocumentKey::of("a"), view.live())).has_value();
    if (++runs == 1) w.change(read, {.default_lifetime = after(10)});
    const std::string json = is_there ? R"({"seen":true})" : R"({"seen":false})";
    TRY(t.put(w.now(written), DocumentKey::of("b"), TRY(pack_json(json)), {}));
    return {};
  }));
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(w.get(written, "b"), R"({"seen":false})");
}

TEST(ClockTest, ItNeverGoesBackWhateverTheWallClockDoes) {
  World w(second(10'000));
  const auto c = w.collection("c");
  const Instant a = must(w.put(c, "a", "{}", At{second(10'005)}));
  w.clock.set(second(10'010));
  EXPECT_EQ(w.get(c, "a"), "-");
  w.clock.set(second(6'400));
  EXPECT_EQ(w.get(c, "a"), "-");
  const Instant b = must(w.put(c, "b", "{}", PutOptions{}));
  EXPECT_GT(b, a);
  EXPECT_GE(b, second(10'010));
  const Instant d = must(w.put(c, "d", "{}", PutOptions{}));
  EXPECT_EQ(d - b, Span{1 + 0}) << "it creeps";
}

}  // namespace
}  // namespace mayfly
