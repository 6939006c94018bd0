// The rules of migrations.
#include <algorithm>
#include <array>
#include <set>

#include "dialect/fauna/fsl/rules.h"

namespace mayfly::fauna::fsl {

Result<Member> FileRules::migrations(const Token& keyword) {
  TRY(expect_value(keyword));
  if (!take_if(open_brace)) {
    return refuse(error_at(span_of(token()), "Expected a migration block"));
  }
  Migrations whole;
  while (!is_at_block_end()) {
    whole.steps.push_back(TRY(migration()));
  }
  TRY(expect(close_brace, "`}`"));
  if (whole.steps.empty()) {
    return refuse(error_at(since(keyword.begin), "Empty migration blocks are not allowed"));
  }
  return Member{std::move(whole)};
}

Result<Migration> FileRules::migration() {
  TRY(refuse_annotations());
  if (!at(name)) return refuse(error_at(span_of(token()), "Expected a migration"));
  const Token keyword = take();
  Migration whole;
  whole.what = TRY(migration_of(text(keyword)));
  whole.span = since(keyword.begin);
  return whole;
}

Result<decltype(Migration::what)> FileRules::migration_of(std::string_view keyword) {
  using What = decltype(Migration::what);
  const auto begin = static_cast<std::uint32_t>(last_end() - keyword.size());
  if (keyword == "add_wildcard") return What(AddWildcard{});
  constexpr std::array<std::string_view, 7> with_path{
      "add", "drop", "move_conflicts", "move_wildcard", "move", "split", "backfill"};
  if (std::find(with_path.begin(), with_path.end(), keyword) == with_path.end()) {
    return refuse(
        error_at(span(begin, last_end()), "Only migrations are allowed in migration blocks"));
  }
  FieldPath path = TRY(migrated_path());
  if (keyword == "add") return What(AddField{std::move(path)});
  if (keyword == "drop") return What(DropField{std::move(path)});
  if (keyword == "move_conflicts") return What(MoveConflicts{std::move(path)});
  if (keyword == "move_wildcard") return What(MoveWildcard{std::move(path)});
  if (keyword == "backfill") {
    if (!take_first('=')) return expected("`=`");
    const ExpressionPtr default_value = TRY(expression());
    return What(Backfill{std::move(path), verbatim(*default_value)});
  }
  TRY(expect(arrow, "`->`"));
  if (keyword == "split") return What(TRY(split(std::move(path), begin)));
  FieldPath to = TRY(migrated_path());
  return What(MoveField{std::move(path), std::move(to)});
}

Result<SplitField> FileRules::split(FieldPath from, std::uint32_t begin) {
  SplitField whole{std::move(from)};
  std::set<std::string> seen;
  do {
    FieldPath into = TRY(migrated_path());
    if (!seen.insert(render_path(into)).second) {
      report(error_at(into.span, "Expected list of fields with no duplicates"));
    }
    whole.into.push_back(std::move(into));
  } while (take_if(comma));
  if (whole.into.size() < 2) {
    return refuse(error_at(since(begin), "Expected at least two fields to split into"));
  }
  return whole;
}

Result<FieldPath> FileRules::migrated_path() {
  FieldPath read = TRY(path());
  if (read.steps.empty()) report(error_at(read.span, "Field path cannot be empty"));
  for (const PathStep& step : read.steps) {
    if (std::holds_alternative<std::string>(step)) continue;
    report(error_at(read.span, "Cannot index into an item in a migration path"));
  }
  return read;
}

}  // namespace mayfly::fauna::fsl
