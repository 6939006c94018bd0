// P17: the cost of the pages of an order and of its distinct values, against one pass over the
// documents, and whether a page's cost grows with the collection.
#include <fmt/format.h>

#include "base/check.h"
#include "bench/engine.h"
#include "bench/rows.h"
#include "expr/expr.h"
#include "query/kept/kept_results.h"
#include "query/run.h"

namespace mayfly::bench {
namespace {

constexpr std::uint64_t few_paged = 20'000;
constexpr std::uint64_t many_paged = 200'000;
constexpr std::size_t rows_of_a_page = 100;
constexpr std::size_t rows_of_a_pass = 1'000;  // as many as a page of the store has

// A collection with the index that a path gets once queries ask for it.
struct Paged {
  Paged(const Options& options, std::uint64_t documents)
      : documents(documents),
        clock(filled_at()),
        engine(fmt::format("{}/paged{}", options.directory, documents), clock) {
    engine.fill("doc", 0, documents, [](std::uint64_t) { return Lifetime(Never{}); });
    const auto made = engine.database->create_index(
        engine.collection->id, {.name = "by user",
                                .fields = {{Field::body("user")}, {Field::metadata("created_at")}},
                                .entries = Entries::cut});
    CHECK(made);
    const auto by_age = engine.database->create_index(
        engine.collection->id, {.name = "by age",
                                .fields = {{Field::body("age")}, {Field::metadata("created_at")}},
                                .entries = Entries::cut});
    CHECK(by_age);
    engine.collection = *by_age;
    engine.settle();
  }

  query::QueryPtr all(View& view) const {
    return query::scan(engine.collection, view.live(), std::nullopt);
  }
  query::QueryPtr by(View& view, std::string_view name) const {
    return query::sort(all(view), {{expr::body(name)}, {expr::metadata("created_at")}},
                       query::Ties::ascending);
  }

  // Reads all pages from the bookmark on; gives the number of rows.
  using Ask = std::function<query::QueryPtr(View& view)>;
  std::uint64_t read(const Ask& ask, std::size_t rows_max, std::size_t pages_max = SIZE_MAX) {
    std::uint64_t rows = 0;
    std::optional<query::Bookmark> bookmark;
    for (std::size_t pages = 0; pages < pages_max; ++pages) {
      View view = engine.database->view();
      const auto page = query::answer(ask(view), view,
                                      {.rows_max = rows_max, .bookmark = bookmark, .kept = &kept});
      CHECK(page);
      rows += page->rows.size();
      bookmark = page->next;
      if (!bookmark) break;
    }
    return rows;
  }

  double millis(const std::function<std::uint64_t()>& act, std::uint64_t expected) {
    const Instant began = monotonic_now();
    CHECK(act() == expected);
    return double((monotonic_now() - began).micros) / 1e3;
  }
  double millis_of_pass() {
    return millis([&] { return read([&](View& view) { return all(view); }, rows_of_a_pass); },
                  documents);
  }
  double millis_of_order() {
    return millis(
        [&] { return read([&](View& view) { return by(view, "user"); }, rows_of_a_page); },
        documents);
  }
  double millis_of_whole_order() {
    return millis(
        [&] { return read([&](View& view) { return by(view, "user"); }, limits::sort_rows_max); },
        documents);
  }
  double millis_of_distinct() {
    const auto ask = [&](View& view) {
      return query::distinct(query::project(by(view, "age"), expr::body("age")));
    };
    return millis([&] { return read(ask, rows_of_a_page / 10); }, 100);
  }
  double millis_of_unserved() {
    const ExprPtr negated = expr::call("negate", {expr::body("age")});
    const auto ask = [&](View& view) { return query::sort(all(view), {{negated}}); };
    return millis([&] { return read(ask, rows_of_a_page); }, documents);
  }
  double millis_of_groups() {
    const auto ask = [&](View& view) {
      return query::group(all(view), {{"age", expr::body("age")}},
                          {{"count", find_aggregate("count"), expr::body("age")}});
    };
    return millis([&] { return read(ask, rows_of_a_page / 10); }, 100);
  }
  double micros_of_page() {
    constexpr std::size_t pages = 50;
    const auto act = [&] {
      return read([&](View& view) { return by(view, "user"); }, rows_of_a_page, pages);
    };
    return millis(act, pages * rows_of_a_page) * 1e3 / pages;
  }

  std::uint64_t documents;
  ManualClock clock;
  Engine engine;
  query::KeptResults kept;
};

// All pages against reading everything at once, which a goal may be set for.
struct Pages {
  std::string what;
  double (Paged::*millis)();
  bool has_goal = true;
  double (Paged::*at_once)() = &Paged::millis_of_pass;
  std::string against = "one pass";
};

void add_paging(const Options& options, Paged& paged, std::vector<ReportRow>& rows) {
  const Pages all[] = {
      {"all pages of 100 of an order by text", &Paged::millis_of_order},
      {"all pages of 100 of an order by text", &Paged::millis_of_order, true,
       &Paged::millis_of_whole_order, "the same order at once"},
      {"all pages of 10 of 100 distinct values", &Paged::millis_of_distinct},
      {"all pages of 100 of an order that no index gives", &Paged::millis_of_unserved, false},
      {"all pages of 10 of 100 groups", &Paged::millis_of_groups, false},
  };
  for (const Pages& pages : all) {
    ReportRow row{.id = "P17",
                  .what = fmt::format("{}, {} documents", pages.what, paged.documents),
                  .unit = "ms",
                  .against = pages.against};
    if (pages.has_goal) {
      row.goal = "<= 3";
      row.is_met = [](double ours, double theirs) { return ours <= 3 * theirs; };
    }
    alternate(
        options.repetitions, row, [&] { return (paged.*pages.millis)(); },
        [&] { return (paged.*pages.at_once)(); });
    rows.push_back(std::move(row));
  }
}

}  // namespace

void add_paging_rows(const Options& options, std::vector<ReportRow>& rows) {
  if (!options.wants("P17")) return;
  Paged few(options, few_paged);
  Paged many(options, many_paged);
  add_paging(options, few, rows);
  add_paging(options, many, rows);
  ReportRow page{.id = "P17",
                 .what = fmt::format("a page of 100 of an order, of {} documents", many_paged),
                 .unit = "us",
                 .against = fmt::format("of {}", few_paged),
                 .goal = "<= 1.5",
                 .is_met = [](double ours, double theirs) { return ours <= 1.5 * theirs; }};
  alternate(
      options.repetitions, page, [&] { return many.micros_of_page(); },
      [&] { return few.micros_of_page(); });
  rows.push_back(std::move(page));
}

}  // namespace mayfly::bench
