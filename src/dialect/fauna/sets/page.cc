#include "dialect/fauna/sets/page.h"

#include <fmt/format.h>

#include "dialect/fauna/library/display.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "value/packed/packed.h"

namespace mayfly::fauna {
namespace {

using mayfly::Value;

// The list name with which cursors are sealed: a cursor is valid only in its database.
std::string list_of(Interpreter& run) {
  return "fauna set " + run.environment().database_path.core_name();
}

tl::unexpected<Error> invalid_cursor(Interpreter& run) {
  return run.fail("invalid_cursor", "Cursor cursor is invalid or expired.");
}

tl::unexpected<Error> fail_large_cursor(Interpreter& run, std::size_t bytes) {
  return run.fail("value_too_large", fmt::format("Value too large: cursor size {} exceeds limit {}",
                                                 bytes, limits::fql_cursor_bytes_max));
}

// On a page of a snapshot, documents themselves are shown as of now.
FqlValue live(const FqlValue& element, const std::optional<Instant>& snapshot) {
  if (!snapshot || !element.is(FqlKind::document) || element.document()->at != snapshot) {
    return element;
  }
  DocumentHandle handle = *element.document();
  handle.at.reset();
  return FqlValue(std::move(handle));
}

// Whether the element is a document of the snapshot that has expired since.
Result<bool> has_expired(Interpreter& run, const FqlValue& element, Instant snapshot) {
  const FqlValue present = live(element, snapshot);
  if (!present.is(FqlKind::document) || present.document()->at) return false;
  if (TRY(run.exists(present))) return false;
  const DocumentHandle& handle = *present.document();
  const FqlCollectionPtr of = TRY(run.collection(handle.collection));
  if (!of) return false;
  const auto then = run.reading().get(*of, {handle.routing, handle.id}, snapshot);
  if (!then && then.error().field != "as_of") return tl::unexpected(then.error());
  return then && *then && (*then)->death <= run.instant();
}

}  // namespace

Result<std::string> encode_cursor(Interpreter& run, const Cursor& cursor) {
  Object members{{"place", cursor.position},
                 {"size", static_cast<std::int64_t>(cursor.page_size)},
                 {"at", cursor.snapshot ? Value(cursor.snapshot->micros) : Value(nullptr)}};
  members.append("set", TRY(encode_set(run, *cursor.set, limits::fql_cursor_bytes_max)));
  const Value contents(std::move(members));
  const auto packed = pack(contents);
  if (!packed && packed.error().code == Code::too_large) {
    return run.fail("value_too_large", "Value too large: " + packed.error().message);
  }
  if (!packed) return tl::unexpected(packed.error());
  std::string text = run.environment().page_tokens.seal({.list = list_of(run), .place = *packed});
  if (text.size() > limits::fql_cursor_bytes_max) return fail_large_cursor(run, text.size());
  TRY(run.make(text.size()));
  return text;
}

Result<Cursor> decode_cursor(Interpreter& run, const std::string& text) {
  const auto bytes = run.environment().page_tokens.open(list_of(run), text, run.instant(),
                                                        limits::fql_cursor_bytes_max);
  if (!bytes) return invalid_cursor(run);
  TRY(run.make(bytes->size() * sizeof(FqlValue)));  // each value takes at least one byte
  const Packed packed(*bytes);
  if (!packed.check()) return invalid_cursor(run);
  const Value contents = packed.unpack();
  auto set = decode_set(run, contents.member("set"));
  if (!set && set.error().code == Code::timed_out) return tl::unexpected(set.error());
  if (!set) return invalid_cursor(run);
  Cursor cursor{.set = *std::move(set), .position = contents.member("place")};
  const Value size = contents.member("size");
  if (size.is(Kind::integer)) cursor.page_size = static_cast<std::size_t>(size.integer());
  const Value at = contents.member("at");
  cursor.snapshot = at.is(Kind::integer) ? Instant{at.integer()} : run.instant();
  return cursor;
}

Result<SetPage> read_page(Interpreter& run, Cursor cursor) {
  const ReadOptions options{.batch_size = cursor.page_size, .snapshot = cursor.snapshot};
  const Permissions::SnapshotScope page_of(run.permissions(), cursor.snapshot);
  const SetReaderPtr reader = TRY(open_set(run, cursor.set, cursor.position, options));
  SetPage page;
  while (page.data.size() < cursor.page_size) {
    TRY(run.step());
    auto element = TRY(reader->next());
    if (!element) return page;
    if (cursor.snapshot && TRY(has_expired(run, *element, *cursor.snapshot))) continue;
    TRY(run.make(sizeof(FqlValue) + (element->is(FqlKind::document) ? sizeof(DocumentHandle) : 0)));
    page.data.push_back(live(*element, cursor.snapshot));
  }
  cursor.position = reader->position();
  if (!TRY(reader->has_next())) return page;
  if (!cursor.snapshot && !run.has_written()) cursor.snapshot = run.instant();
  page.after = TRY(encode_cursor(run, cursor));
  return page;
}

FqlValue page_value(SetPage page) {
  FqlObject shown;
  shown.append("data", FqlValue(std::move(page.data)));
  shown.append("after", page.after ? FqlValue(*std::move(page.after)) : FqlValue());
  return FqlValue(std::move(shown));
}

Result<std::size_t> page_size_of(Interpreter& run, const FqlValue& size) {
  const std::int64_t requested = size.is(FqlKind::whole) ? size.whole().number : 0;
  if (size.is(FqlKind::whole) && requested >= 1 &&
      requested <= static_cast<std::int64_t>(limits::fql_elements_max)) {
    return static_cast<std::size_t>(requested);
  }
  return run.fail("invalid_bounds",
                  fmt::format("expected `size` to be between 1 and {} (inclusive), received {}",
                              limits::fql_elements_max, TRY(debug(run, size))));
}

Result<FqlValue> show_cursor_of(Interpreter& run, const SetPtr& set) {
  ShownPage shown;
  Cursor cursor{.set = set, .page_size = set->page_size.value_or(limits::fql_page_default)};
  if (!run.has_written()) cursor.snapshot = run.instant();
  shown.cursor = TRY(encode_cursor(run, cursor));
  TRY(run.count_result_bytes(shown.cursor->size()));
  return FqlValue(std::make_shared<const ShownPage>(std::move(shown)));
}

Result<FqlValue> show_set(Interpreter& run, const SetPtr& set, int depth) {
  if (depth > limits::fql_shown_sets_max) return show_cursor_of(run, set);
  ShownPage shown;
  const std::size_t size = set->page_size.value_or(limits::fql_page_default);
  SetPage page = TRY(read_page(run, {.set = set, .page_size = size}));
  FqlArray data;
  for (const FqlValue& element : page.data) data.push_back(TRY(run.show_at(element, depth + 1)));
  shown.data = std::move(data);
  shown.cursor = std::move(page.after);
  if (shown.cursor) TRY(run.count_result_bytes(shown.cursor->size()));
  return FqlValue(std::make_shared<const ShownPage>(std::move(shown)));
}

}  // namespace mayfly::fauna
