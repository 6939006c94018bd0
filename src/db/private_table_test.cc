// Typed rows of a dialect's own, and what happens to malformed ones.
#include "db/private_table.h"

#include "db/testing.h"

namespace mayfly {
namespace {

using testing::must;

struct Pet {
  std::string name;
  std::int64_t legs = 0;

  static PrivateSpec table() {
    return {.name = "#pets", .indexes = {{"by legs", {{Field::body("legs")}}}}};
  }
  static Result<Pet> decode(const Document& document) {
    const Value legs = document.body.member("legs");
    if (!legs.is(Kind::integer)) return not_as_written("legs");
    return Pet{std::string(document.id), legs.integer()};
  }
  Result<Value> encode() const { return Value(Object{{"legs", legs}}); }
};

// In the same collection as the pets.
struct Zoo {
  std::string city;

  static PrivateSpec table() { return Pet::table(); }
  static bool is_row(const Document& document) { return document.id == "zoo"; }
  static Result<Zoo> decode(const Document& document) {
    const Value city = document.body.member("city");
    if (!city.is(Kind::text)) return not_as_written("city");
    return Zoo{city.text()};
  }
  Result<Value> encode() const { return Value(Object{{"city", city}}); }
};

class PrivateTableTest : public ::testing::Test {
 protected:
  void put(const std::string& name, std::int64_t legs, const PutOptions& options = {}) {
    const auto pets = must(PrivateTable<Pet>::ensure(*w_.database, w_.place));
    must(w_.database->transact([&](Transaction& transaction) {
      return pets.put(transaction, DocumentKey::of(name), {name, legs}, options);
    }));
  }
  PrivateTable<Pet> pets() { return PrivateTable<Pet>::find(*w_.database->catalog(), w_.place); }
  std::vector<std::string> names(std::size_t at_most = 100) {
    View view = w_.database->view();
    std::vector<std::string> all;
    must(pets().each(view, [&](Pet pet) -> Result<bool> {
      all.push_back(pet.name);
      return all.size() < at_most;
    }));
    return all;
  }
  std::optional<Pet> get(const std::string& name) {
    View view = w_.database->view();
    return must(pets().get(view, DocumentKey::of(name)));
  }

  testing::World w_;
};

TEST_F(PrivateTableTest, HasNoRowsBeforeItIsMade) {
  EXPECT_FALSE(pets());
  EXPECT_EQ(names(), std::vector<std::string>());
  EXPECT_FALSE(get("cat"));
}

TEST_F(PrivateTableTest, GivesRowsAsTheyWereWritten) {
  put("cat", 4);
  put("hen", 2);
  ASSERT_TRUE(pets());
  EXPECT_EQ(pets().collection()->indexes.size(), 1U);
  EXPECT_EQ(get("hen")->legs, 2);
  EXPECT_FALSE(get("dog"));
  EXPECT_FALSE(get(""));
  EXPECT_EQ(names(), (std::vector<std::string>{"cat", "hen"}));
  EXPECT_EQ(names(1), std::vector<std::string>{"cat"});
  must(w_.database->transact(
      [&](Transaction& t) { return pets().remove(t, DocumentKey::of("cat")); }));
  EXPECT_EQ(names(), std::vector<std::string>{"hen"});
}

TEST_F(PrivateTableTest, ReadsManyPages) {
  put("0", 4);
  const std::size_t rows = 2 * limits::store_page_rows_max + 3;
  must(w_.database->transact([&](Transaction& t) -> Result<void> {
    for (std::size_t i = 1; i < rows; ++i) {
      TRY(pets().put(t, DocumentKey::of(std::to_string(i)), {"", 4}));
    }
    return {};
  }));
  EXPECT_EQ(names(100'000).size(), rows);
}

TEST_F(PrivateTableTest, ARowThatCannotBeReadIsReportedOnceAndSkipped) {
  put("cat", 4);
  w_.put(pets().collection(), "ant", R"({"legs":"six"})");
  const std::uint64_t before = malformed_rows();
  EXPECT_EQ(names(), std::vector<std::string>{"cat"});
  EXPECT_FALSE(get("ant"));
  EXPECT_EQ(names(), std::vector<std::string>{"cat"});
  EXPECT_EQ(malformed_rows(), before + 1);
}

TEST_F(PrivateTableTest, RowsOfAnotherTypeAreSkipped) {
  put("cat", 4);
  const auto zoos = must(PrivateTable<Zoo>::ensure(*w_.database, w_.place));
  must(w_.database->transact(
      [&](Transaction& t) { return zoos.put(t, DocumentKey::of("zoo"), {"Bern"}); }));
  const std::uint64_t before = malformed_rows();
  std::vector<std::string> cities;
  View view = w_.database->view();
  must(zoos.each(view, [&](const Zoo& zoo) -> Result<bool> {
    cities.push_back(zoo.city);
    return true;
  }));
  EXPECT_EQ(cities, std::vector<std::string>{"Bern"});
  EXPECT_EQ(malformed_rows(), before);
}

TEST_F(PrivateTableTest, IsReachedByNoNameAndNoId) {
  put("cat", 4);
  const CatalogPtr catalog = w_.database->catalog();
  const CollectionPtr table = pets().collection();
  EXPECT_EQ(catalog->find_collection(w_.place, "#pets"), nullptr);
  EXPECT_EQ(catalog->collection(table->id), nullptr);
  EXPECT_TRUE(catalog->collections(w_.place).empty());
}

}  // namespace
}  // namespace mayfly
