// Unique constraints with several terms and on items of arrays, for new and for existing documents.
#include "dialect/fauna/testing.h"

namespace mayfly::fauna {
namespace {

using UniqueTest = testing::FaunaTest;

TEST_F(UniqueTest, ItemsOfArraysAreCompared) {
  run_steps({
      {"13.4",
       R"(Collection.create({ name: "C", constraints: [{ unique: [{ field: ".tags", mva: true }] }] }).constraints)",
       R"([{"unique":[{"field":".tags","mva":true}],"status":"active"}])"},
      {"", "C.create({ id: 1, tags: ['a', 'b', 'a'] }).tags.length", "3"},
      {"", "C.create({ tags: ['c', 'b'] })",
       R"(constraint_failure: Failed unique constraint. [[["tags"]] Failed unique constraint])"},
      {"", "C.create({ tags: ['c'] }).tags", R"(["c"])"},
      {"", "C.create({}); C.create({}); C.create({ tags: [] }).tags", "[]"},
      {"", "C.byId(1)!.update({ tags: ['c'] })", "constraint_failure: …"},
      {"", "C.byId(1)!.update({ tags: ['b', 'd'] }).tags", R"(["b","d"])"},
      {"", "C.create({ tags: 'd' })", "constraint_failure: …"},
  });
}

TEST_F(UniqueTest, ItemsThatAreThereAreCompared) {
  run_steps({
      {"13.4", R"(Collection.create({ name: "C" }))"},
      {"", "C.create({ id: 1, tags: ['a', 'b'], one: [1] }).id", "\"1\""},
      {"", "C.create({ id: 2, tags: ['b', 'c'], one: [2, 2] }).id", "\"2\""},
      {"",
       R"(C.definition.update({ constraints: [{ unique: [{ field: ".tags", mva: true }] }, { unique: [{ field: ".one", mva: true }] }] }).constraints.map(.status))",
       R"(["failed","active"])"},
      {"not enforced", "C.create({ tags: ['b'], one: [3] }).tags", R"(["b"])"},
      {"", "C.create({ one: [3] })", "constraint_failure: …"},
  });
}

TEST_F(UniqueTest, NullCountsAsAValueBesideOthers) {
  run_steps({
      {"13.4", R"(Collection.create({ name: "C", constraints: [{ unique: ["a", "b"] }] }))"},
      {"all null", "C.create({}); C.create({}).exists()", "true"},
      {"", "C.create({ id: 1, a: 1 }).a", "1"},
      {"some null", "C.create({ a: 1 })", R"(…[[["a"],["b"]] Failed unique constraint])"},
      {"", "C.create({ b: 1 }).b", "1"},
      {"", "C.create({ a: 1, b: 1 }).b", "1"},
      {"", "C.create({ id: 2, a: 2 }); C.create({ a: 2 })", "constraint_failure: …"},
      {"", "C.create({ id: 2, a: 2 }).a", "2"},
      {"", "C.byId(2)!.update({ a: 1 })", "constraint_failure: …"},
      {"", "C.byId(2)!.update({ x: 1 }).x", "1"},
      {"", "C.byId(1)!.delete(); C.byId(2)!.update({ a: 1 }).a", "1"},
  });
}

TEST_F(UniqueTest, NullInExistingDocumentsIsAValue) {
  run_steps({
      {"13.4", R"(Collection.create({ name: "C" }))"},
      {"", "C.create({ a: 1 }); C.create({}); C.create({}); C.create({ a: 2, b: 1 }).a", "2"},
      {"",
       R"(C.definition.update({ constraints: [{ unique: ["a", "b"] }] }).constraints[0].status)",
       "\"active\""},
      {"", "C.create({ a: 1 })", "constraint_failure: …"},
      {"", "C.definition.update({ constraints: [] }).constraints", "[]"},
      {"", "C.create({ a: 1 }).a", "1"},
  });
}

TEST_F(UniqueTest, ATermAndItemsCanBeCombined) {
  run_steps({
      {"13.4",
       R"(Collection.create({ name: "C", constraints: [{ unique: [".k", { field: ".tags", mva: true }] }] }))"},
      {"", "C.create({ k: 1, tags: ['a', 'b'] }).k", "1"},
      {"", "C.create({ k: 2, tags: ['a', 'b'] }).k", "2"},
      {"", "C.create({ k: 2, tags: ['b', 'c'] })", "constraint_failure: …"},
      {"null beside an item", "C.create({ tags: ['a'] }).tags", R"(["a"])"},
      {"", "C.create({ tags: ['z', 'a'] })", "constraint_failure: …"},
  });
}

}  // namespace
}  // namespace mayfly::fauna
