// Round trips of schema items: an item that is printed and parsed is unchanged, and so is one that
// is converted to a document and back.
#include <gtest/gtest.h>

#include "base/random.h"
#include "dialect/fauna/fsl/parser.h"
#include "dialect/fauna/fsl/print.h"
#include "dialect/fauna/push/items.h"
#include "dialect/fauna/values/order.h"

namespace mayfly::fauna {
namespace {

using Choices = std::vector<std::string>;

// Generates items with all constructs from a seed.
class RandomItems {
 public:
  explicit RandomItems(std::uint64_t seed) : random_(seed) {}

  fsl::Item item() {
    fsl::Item item{.name = named(item_names)};
    const std::uint64_t kind = random_.below(4);
    if (kind < 2 && chance(4)) item.alias = named({"Other", "other_2", "x", "c+d"});
    if (kind == 0) item.what = collection();
    if (kind == 1) item.what = function();
    if (kind == 2) item.what = role();
    if (kind == 3) item.what = provider();
    if (chance(3)) item.comment = choose({"// one", "// one\n// two", "/* three */"});
    return item;
  }

 private:
  bool chance(std::uint64_t of) { return random_.below(of) == 0; }
  std::string choose(const Choices& of) { return of[random_.below(of.size())]; }
  fsl::Name named(const Choices& of) { return {.text = choose(of)}; }
  fsl::Code code(const Choices& of) { return {.text = choose(of)}; }
  template <class T, class Make>
  std::vector<T> several(std::size_t min, std::size_t max, const Make& make) {
    std::vector<T> made;
    for (std::size_t n = min + random_.below(max - min + 1); n > 0; --n) made.push_back(make());
    return made;
  }
  // A name that is not used in the item yet.
  std::string fresh() {
    return choose({"a", "b", "index", "compute", "history_days", "migrations", "check", "terms",
                   "role", "_x"}) +
           std::to_string(++names_);
  }

  FieldPath path(bool has_places = true) {
    FieldPath path;
    for (std::size_t n = 1 + random_.below(3); n > 0; --n) {
      if (has_places && chance(4) && !path.steps.empty()) {
        path.steps.emplace_back(static_cast<std::int64_t>(random_.below(9)));
      } else {
        path.steps.emplace_back(choose({"a", "b", "b c", "x-y", "index", "ä"}));
      }
    }
    return path;
  }
  fsl::Term term() { return {.path = path(), .is_multiple = chance(3)}; }
  fsl::Code type() {
    return code({"Int", "Int?", "String | Null", "{ a: Int, *: Any }", "[Int, String]",
                 "Array<{ b: Ref<User>? }>", "\"x\" | 1 | true", "(Int, ...String) => Any",
                 "User & { a: Int }"});
  }
  fsl::Code expression() {
    return code({"1", "'x'", "\"a#{b}c\"", "[1, 2]", "{ a: { b: 1 } }", "Time.now()",
                 "if (true) 1 else 2", "-1", "a.b?.c!", "at (Time.now()) { 1 }"});
  }
  fsl::Code lambda() {
    return code({"(.a)", "(.a == 0 && .b.any(x => x > 1))", "(x) => x.a + 1",
                 "(x) => { let y = x\n  y }", "(_) => \"}\""});
  }
  std::optional<fsl::Code> predicate() {
    if (chance(2)) return std::nullopt;
    return code({"(.a)", "(a, b) => a == b", "(x) => { x.admin }", "() => true"});
  }

  fsl::Index index() {
    fsl::Index made{.name = {.text = fresh()}};
    made.terms = several<fsl::Term>(0, 3, [&] { return term(); });
    made.values = several<fsl::IndexValue>(0, 3, [&] {
      return fsl::IndexValue{term(), chance(2) ? fsl::Order::descending : fsl::Order::ascending};
    });
    return made;
  }
  fsl::Migration step() {
    switch (random_.below(8)) {
      case 0: return {fsl::AddField{path(false)}};
      case 1: return {fsl::DropField{path(false)}};
      case 2: return {fsl::MoveField{path(false), path(false)}};
      case 3: {
        fsl::SplitField split{path(false), {}};
        for (const char* name : {"s", "t", "u"}) {
          if (split.into.size() > 1 && chance(2)) break;
          FieldPath into = path(false);
          into.steps.emplace_back(std::string(name));
          split.into.push_back(into);
        }
        return {std::move(split)};
      }
      case 4: return {fsl::Backfill{path(false), expression()}};
      case 5: return {fsl::MoveConflicts{path(false)}};
      case 6: return {fsl::MoveWildcard{path(false)}};
      default: return {fsl::AddWildcard{}};
    }
  }
  fsl::Collection collection() {
    fsl::Collection made;
    const auto add = [&](auto member) {
      made.members.push_back({.what = std::move(member)});
      if (chance(5)) made.members.back().comment = "// of it";
    };
    for (std::size_t n = random_.below(4); n > 0; --n) {
      fsl::Field field{.name = {.text = fresh()}, .type = type(), .default_value = {}};
      if (chance(2)) field.default_value = expression();
      add(std::move(field));
    }
    for (std::size_t n = random_.below(3); n > 0; --n) {
      fsl::Computed field{.name = {.text = fresh()}, .type = {}, .body = lambda()};
      if (chance(2)) field.type = type();
      add(std::move(field));
    }
    if (chance(3)) add(fsl::Wildcard{{.text = "Any"}});
    for (std::size_t n = random_.below(3); n > 0; --n) add(index());
    if (chance(2)) add(fsl::Unique{several<fsl::Term>(1, 3, [&] { return term(); })});
    for (std::size_t n = random_.below(3); n > 0; --n) {
      add(fsl::Check{.name = {.text = fresh()}, .body = lambda()});
    }
    if (chance(2)) add(fsl::HistoryDays{static_cast<std::int64_t>(1 + random_.below(9'999))});
    if (chance(2)) add(fsl::TtlDays{static_cast<std::int64_t>(random_.below(1'000'000))});
    if (chance(2)) add(fsl::DocumentTtls{chance(2)});
    if (chance(2)) {
      add(fsl::Migrations{several<fsl::Migration>(1, 5, [&] { return step(); })});
    }
    return made;
  }

  fsl::Function function() {
    fsl::Function made;
    if (chance(2)) made.role = named({"server", "server-readonly", "r"});
    const bool is_typed = chance(2);
    for (std::size_t n = random_.below(4); n > 0; --n) {
      made.parameters.push_back({.name = {.text = fresh()}, .type = {}, .takes_rest = false});
      if (is_typed) made.parameters.back().type = type();
    }
    if (!made.parameters.empty()) made.parameters.back().takes_rest = chance(3);
    if (is_typed) made.result = type();
    made.body = code({"{ 1 }", "{\n  let x = 1\n  x + 1\n}", "{ C.all().map(.a) }", "{ \"}\" }"});
    return made;
  }
  fsl::Role role() {
    fsl::Role made;
    for (std::size_t n = random_.below(3); n > 0; --n) {
      fsl::Privileges privileges{.resource = {.text = fresh()}, .actions = {}};
      for (const char* action : {"read", "write", "create", "delete", "create_with_id",
                                 "history_read", "history_write", "unrestricted_read", "call"}) {
        if (chance(3)) privileges.actions.push_back({.name = action, .predicate = predicate()});
      }
      made.members.push_back({.what = std::move(privileges)});
    }
    for (std::size_t n = random_.below(3); n > 0; --n) {
      made.members.push_back({.what = fsl::Membership{{.text = fresh()}, predicate()}});
    }
    return made;
  }
  fsl::AccessProvider provider() {
    fsl::AccessProvider made{.issuer = choose({"i", "a \"b\"", "#{x}", "\n"}),
                             .jwks_uri = choose({"https://x/y", "\\"}),
                             .roles = {}};
    for (std::size_t n = random_.below(3); n > 0; --n) {
      made.roles.push_back({.name = {.text = fresh()}, .predicate = predicate()});
    }
    return made;
  }

  const Choices item_names{"Foo", "index", "collection", "a+b", "x.y", "_z", "Foo2"};
  Random random_;
  int names_ = 0;
};

std::optional<fsl::Item> parsed(const std::string& text) {
  const SourcePtr source = make_source("main.fsl", text);
  const auto file = fsl::parse_file(source);
  if (!file) ADD_FAILURE() << render(file.error()) << "\n" << text;
  if (!file || file->items.size() != 1) return std::nullopt;
  return file->items.front();
}

TEST(FslRoundTrip, PrintedItemsParseToTheSame) {
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    const fsl::Item item = RandomItems(seed).item();
    const std::string text = fsl::render_item(item);
    const auto again = parsed(text);
    ASSERT_TRUE(again) << text;
    ASSERT_EQ(fsl::render_item(*again), text) << seed;
    ASSERT_EQ(again->comment, item.comment) << text;
    ASSERT_EQ(again->name.text, item.name.text);
    ASSERT_EQ(again->what.index(), item.what.index());
    ASSERT_TRUE(equal(FqlValue(document_of(*again)), FqlValue(document_of(item)))) << text;
  }
}

TEST(FslRoundTrip, ADocumentRoundTripPrintsTheSameText) {
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    const fsl::Item item = RandomItems(seed).item();
    const SystemCollection& kind = kind_of(item);
    const std::string text = normal_text(item);
    const auto again = parsed(text);
    ASSERT_TRUE(again) << text;
    ASSERT_EQ(normal_text(*again), text) << seed;
    ASSERT_TRUE(equal(FqlValue(document_of(item_of(kind, item.name.text, document_of(item)))),
                      FqlValue(document_of(item))))
        << text;
  }
}

}  // namespace
}  // namespace mayfly::fauna
