// Which fields an index should have.
#include "query/planning/indexable_fields.h"

#include <gtest/gtest.h>

#include "query/testing.h"

namespace mayfly::query {
namespace {

using expr::body;
using expr::literal;

QueryPtr all_documents() {
  return scan(std::make_shared<const Collection>(), Lens::live(Instant{1}), std::nullopt);
}

std::string fields_of(const QueryPtr& query) {
  const IndexableFields wanted = indexable_fields(*query);
  const auto text = [](const std::optional<Field>& field) { return field ? field->render() : "-"; };
  return "order " + text(wanted.order) + ", filter " + text(wanted.filter) +
         (wanted.has_other_conditions ? " and more" : "");
}

TEST(WantedFieldsTest, TheFirstFieldOfAnOrder) {
  const SortKey created{expr::metadata("created_at")};
  EXPECT_EQ(fields_of(sort(all_documents(), {{body("n")}, created})), "order .n, filter -");
  EXPECT_EQ(fields_of(slice(project(sort(all_documents(), {{body("n"), true}}), body("x")), 0, 10)),
            "order .n, filter -");
  EXPECT_EQ(fields_of(sort(all_documents(), {created})), "order -, filter -");
  EXPECT_EQ(fields_of(sort(all_documents(), {{body("n")}, {body("m")}})), "order -, filter -");
  EXPECT_EQ(fields_of(distinct(project(all_documents(), body("n")))), "order .n, filter -");
  EXPECT_EQ(fields_of(project(all_documents(), body("n"))), "order -, filter -");
}

TEST(WantedFieldsTest, OnlyFieldsOfDocumentsAndNoOrderWithinAPartition) {
  const QueryPtr made = project(all_documents(), body("inner"));
  EXPECT_EQ(fields_of(sort(filter(made, expr::equal(body("n"), literal(1))), {{body("n")}})),
            "order -, filter -");
  EXPECT_EQ(fields_of(sort(group(all_documents(), {{"n", body("n")}}, {}), {{body("n")}})),
            "order -, filter -");
  const QueryPtr pinned = scan(std::make_shared<const Collection>(), Lens::live(Instant{1}), "p");
  EXPECT_EQ(fields_of(sort(filter(pinned, expr::equal(body("m"), literal(1))), {{body("n")}})),
            "order -, filter .m and more");
}

TEST(WantedFieldsTest, TheExistenceOfTheOrderedFieldIsNoFurtherCondition) {
  const QueryPtr there = filter(all_documents(), expr::call("exists", {body("n")}));
  EXPECT_EQ(fields_of(sort(there, {{body("n")}})), "order .n, filter -");
  EXPECT_EQ(fields_of(sort(there, {{body("m")}})), "order .m, filter - and more");
}

TEST(WantedFieldsTest, TheOnlyFieldOfAFilter) {
  const auto is = [](std::string_view name, Value value) {
    return expr::equal(body(name), literal(std::move(value)));
  };
  EXPECT_EQ(fields_of(filter(all_documents(), is("n", 1))), "order -, filter .n and more");
  EXPECT_EQ(fields_of(filter(all_documents(), expr::all_of({is("n", 1), is("m", 1)}))),
            "order -, filter - and more");
  EXPECT_EQ(fields_of(filter(all_documents(), expr::all_of({expr::greater(body("n"), literal(1)),
                                                            expr::less(body("n"), literal(9))}))),
            "order -, filter .n and more");
  EXPECT_EQ(fields_of(sort(filter(all_documents(), is("n", 1)), {{body("m")}})),
            "order .m, filter .n and more");
  EXPECT_EQ(fields_of(filter(all_documents(), expr::equal(body("n"), body("m")))),
            "order -, filter - and more");
}

}  // namespace
}  // namespace mayfly::query
