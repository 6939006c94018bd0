// The product's answers.
#include <algorithm>

#include "db/ledger/forecast.h"
#include "db/rows/keys.h"
#include "db/rows/records.h"
#include "expr/aggregate.h"
#include "expr/expr.h"
#include "query/planning/planner.h"
#include "query/run.h"
#include "simulate/describe.h"
#include "simulate/question.h"
#include "value/order/sort_key.h"

namespace mayfly::simulate {
namespace {

std::optional<int> whole_number(const Value& value) {
  if (value.is_missing()) return std::nullopt;
  return static_cast<int>(value.number());
}

std::string describe(const Document& d) {
  Body body{whole_number(d.body.member("n")), whole_number(d.body.member("u")), ""};
  body.s = d.body.member("s").text();
  Described described{d.id,
                      d.version.written_at,
                      d.version.lifetime,
                      d.created_at,
                      d.revision,
                      d.death,
                      d.author,
                      d.updater,
                      d.facet,
                      body,
                      {}};
  if (!d.hold.empty()) {
    const auto hold = records::decode_hold(d.hold);
    if (!hold) return "a hold that cannot be read";
    described.hold = {hold->lifetime, hold->counted_from, hold->held_at, hold->by, hold->reason};
  }
  std::string text = describe(described);
  if (d.version.is_removed()) text += " removed " + std::to_string(d.version.removed_at.micros);
  return d.has_expired ? text + " expired" : text;
}

std::string error_text(const Error& error) {
  return name_of(error.code);
}

// Returns the answer, or the name of the error's code.
std::string text_or_error(const Result<std::string>& answer) {
  return answer ? *answer : error_text(answer.error());
}

Bytes encoded(const std::string& id) {
  return id.empty() ? Bytes() : keys::encode(DocumentKey::of(id));
}

Result<std::string> scan(View& view, const Collection& c, const Question& q, const Lens& lens) {
  DocumentRange range{
      .from = encoded(q.id), .to = encoded(q.to), .reverse = q.reverse, .rows_max = q.page};
  if (!q.to.empty() && q.to <= q.id) return "";
  std::string text;
  for (bool more = true; more;) {
    const DocumentPage page = TRY(view.scan(c, range, lens));
    for (const Document& d : page.documents) text += describe(d) + "\n";
    more = page.next.has_value();
    if (more) (q.reverse ? range.to : range.from) = *page.next;
  }
  return text;
}

Result<std::string> get(View& view, const Collection& c, const Question& q, const Lens& lens) {
  const auto found = TRY(view.get(c, DocumentKey::of(q.id), lens));
  const Bytes keys[] = {encoded("zz"), encoded(q.id)};
  const auto many = TRY(view.get_many(c, keys, lens));
  const std::string text = found ? describe(*found) : "-";
  if ((many[1] ? describe(*many[1]) : "-") != text) return text + " but get_many differs";
  return text;
}

Result<std::string> index_scan(View& view, const Collection& c, const Question& q,
                               const Lens& lens) {
  const Index* index = c.find_index(q.index);
  if (!index) return "no such index";
  if (lens.at < index->past_since) return "the index does not reach back to that";
  IndexRange range{.reverse = q.reverse, .rows_max = q.page};
  if (q.n != 0) {
    TRY(put_sort_key(range.from, Value(q.n), index->fields.front().is_descending));
    range.to = after_prefix(range.from);
  }
  std::string text;
  for (bool more = true; more;) {
    const IndexPage page = TRY(view.scan_index(c, *index, range, lens));
    for (const IndexEntry& e : page.entries) text += std::string(keys::id_of(e.key())) + " ";
    more = page.next.has_value();
    if (more) (q.reverse ? range.to : range.from) = *page.next;
  }
  return text;
}

query::QueryPtr filtered(const CollectionPtr& c, const Question& q, const Lens& lens) {
  return query::filter(query::scan(c, lens), expr::greater(expr::body("n"), expr::literal(q.n)));
}

Result<std::string> run_query(View& view, const CollectionPtr& c, const Question& q,
                              const Lens& lens) {
  const auto sorted =
      query::sort(filtered(c, q, lens), {{expr::body("n"), false}}, query::Ties::ascending);
  std::string text;
  std::optional<query::Bookmark> bookmark;
  do {
    const query::RowsPage page =
        TRY(query::answer(sorted, view, {.rows_max = q.page, .bookmark = bookmark}));
    if (bookmark) text += "| ";
    for (const query::QueryRow& row : page.rows) text += std::string(row.document->id) + " ";
    bookmark = page.next;
  } while (bookmark);
  return text;
}

Result<std::string> count(View& view, const query::QueryPtr& counted) {
  const query::Plan plan = TRY(query::plan(counted, {view.now(), std::nullopt}));
  return std::to_string(TRY(query::count(plan, view)).rows);
}

Result<std::string> group(View& view, const CollectionPtr& c) {
  const auto grouped = query::group(
      query::scan(c, view.live()), {{"n", expr::body("n")}},
      {{"count", find_aggregate("count"), expr::metadata("id")},
       {"sum", find_aggregate("sum"), expr::if_missing(expr::body("u"), expr::literal(0))}});
  const query::RowsPage page = TRY(query::answer(grouped, view, {.rows_max = 1'000}));
  std::string text;
  for (const query::QueryRow& row : page.rows) {
    const Value whole = row.whole();
    const auto n = whole_number(whole.member("n"));
    text += (n ? std::to_string(*n) : "missing") + ": " +
            std::to_string(*whole_number(whole.member("count"))) + " " +
            std::to_string(*whole_number(whole.member("sum"))) + "; ";
  }
  return text;
}

Result<std::string> history(View& view, const Collection& c, const Question& q) {
  std::string text;
  for (const Document& d : TRY(view.history(c, DocumentKey::of(q.id)))) {
    text += describe(d) + " until " + std::to_string(d.version.superseded_at.micros) + "\n";
  }
  return text;
}

Result<std::string> trash(View& view, const Collection& c, const Question& q) {
  std::string text;
  Bytes after;
  for (bool more = true; more;) {
    const DocumentPage page = TRY(view.scan_trash(c, after, q.page));
    for (const Document& d : page.documents) text += describe(d) + "\n";
    more = page.next.has_value();
    if (more) after = *page.next;
  }
  return text;
}

Result<std::string> holds(View& view, const Collection& c, const Question& q) {
  std::string text;
  Bytes after;
  for (bool more = true; more;) {
    const DocumentPage page = TRY(view.scan_holds(c, after, q.page));
    for (const Document& d : page.documents) text += describe(d) + "\n";
    more = page.next.has_value();
    if (more) after = *page.next;
  }
  return text;
}

Result<std::string> forecast(Database& database, const Collection& c, const Question& q) {
  const Forecast result = TRY(mayfly::forecast(database, c.id, q.width(), forecast_slots, Meter()));
  std::string text;
  for (const auto& slot : result.slots) {
    text += render(slot.until, slot.deaths.documents) + (slot.deaths.is_exact ? "" : "about ");
  }
  return text;
}

Result<std::string> preview(Database& database, const Collection& c, const Question& q) {
  const Preview result = TRY(mayfly::preview(database, c.id, q.changed_default(), Meter()));
  return render(result.now, result.at_once.documents) +
         render(result.now, result.within_a_day.documents) +
         render(result.now, result.within_a_week.documents);
}

Result<std::string> get_removed(View& view, const Collection& c, const Question& q) {
  const auto found = TRY(view.get_removed(c, DocumentKey::of(q.id)));
  return found ? describe(*found) : "";
}

Result<std::string> answer(Database& database, View& view, const CollectionPtr& c,
                           const Question& q) {
  Lens past;
  if (q.is_of_the_past()) past = TRY(view.as_of(q.at, *c));
  using Kind = Question::Kind;
  switch (q.kind) {
    case Kind::point: {
      const auto found = TRY(database.get(c, DocumentKey::of(q.id)));
      return found ? describe(*found) : "-";
    }
    case Kind::get: return get(view, *c, q, view.live());
    case Kind::scan: return scan(view, *c, q, view.live());
    case Kind::index_scan: return index_scan(view, *c, q, view.live());
    case Kind::query: return run_query(view, c, q, view.live());
    case Kind::count: return count(view, filtered(c, q, view.live()));
    case Kind::living: return count(view, query::scan(c, view.live()));
    case Kind::group: return group(view, c);
    case Kind::get_as_of: return get(view, *c, q, past);
    case Kind::scan_as_of: return scan(view, *c, q, past);
    case Kind::scan_pinned: return scan(view, *c, q, Lens::page(q.at, view.now()));
    case Kind::query_as_of: return run_query(view, c, q, past);
    case Kind::index_as_of: return index_scan(view, *c, q, past);
    case Kind::index_pinned: return index_scan(view, *c, q, Lens::page(q.at, view.now()));
    case Kind::history: return history(view, *c, q);
    case Kind::trash: return trash(view, *c, q);
    case Kind::get_removed: return get_removed(view, *c, q);
    case Kind::scan_with_trash: return scan(view, *c, q, Lens::trash(view.now()));
    case Kind::holds: return holds(view, *c, q);
    case Kind::forecast: return forecast(database, *c, q);
    case Kind::preview: return preview(database, *c, q);
  }
  return "";
}

}  // namespace

std::string answer_of(Database& database, View& view, const Question& q) {
  const Catalog& catalog = view.catalog();
  const CollectionPtr c = catalog.find_collection(catalog.databases().front()->id, q.collection);
  if (!c) return "no such collection";
  return text_or_error(answer(database, view, c, q));
}

std::string feed_answer(Database& database, const CollectionModel& model, Instant after,
                        std::size_t page_max) {
  const CollectionPtr c = database.catalog()->collection(model.id);
  if (!c) return "no such collection";
  FeedPosition position;
  if (after != Instant::beginning()) position = {after, UINT32_MAX};
  std::string text;
  for (bool more = true; more;) {
    const auto page = database.feed().read(*c, position, page_max);
    if (!page) return error_text(page.error());
    if (page->has_gap && text.empty()) text = "gap\n";
    for (const Event& e : page->events) {
      if (FeedPosition{e.committed_at, e.number} <= position) return "broken: a stamp decreases";
      position = {e.committed_at, e.number};
      const bool is_known = std::any_of(
          model.happenings.begin(), model.happenings.end(),
          [&](const Happening& h) { return h.at == e.committed_at && h.id == e.key.id; });
      if (e.kind == Event::Kind::expired || (e.kind == Event::Kind::forgotten && !is_known)) {
        continue;
      }
      text += render(e.kind, e.committed_at, e.key.id, e.version_at);
    }
    if (page->last != position && !page->events.empty())
      return "broken: the position is not the last event's";
    more = page->has_more;
  }
  return text;
}

RowCounts counted_rows(Database& database, CollectionId collection) {
  const auto count = [&](keys::Table table) {
    const Bytes prefix = keys::table(table, collection);
    store::Range range{.lo = prefix, .hi = after_prefix(prefix), .keys_only = true};
    std::size_t rows = 0;
    for (bool more = true; more;) {
      const auto reply = database.store().read({{}, {range}}, nullptr);
      const store::Page& page = reply->scans.front();
      rows += page.rows.size();
      more = page.next.has_value();
      if (more) range.lo = *page.next;
    }
    return rows;
  };
  return {count(keys::Table::head),  count(keys::Table::history), count(keys::Table::trash),
          count(keys::Table::index), count(keys::Table::past),    count(keys::Table::queue),
          count(keys::Table::hold)};
}

}  // namespace mayfly::simulate
