// The change feed: the documents that were written, each as it is now, in the order of their
// writes; or every version and removal. Source: spec cosmos.md, section 13.
//
// A position is the instant of a commit (as a number, the "log sequence number"); a page ends with
// a commit, so that one number is enough to go on.
#include <fmt/format.h>

#include <charconv>

#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/documents/all_versions.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/feed.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/http_date.h"
#include "dialect/cosmos/ranges/going_on.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/text.h"
#include "query/row.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view latest_word = "incremental feed";
constexpr std::string_view all_versions_word = "full-fidelity feed";
constexpr Span second = Span::seconds(1);

std::string position_tag(Instant position) {
  return fmt::format("\"{}\"", position.micros);
}

// The instant behind which the reader goes on. A date is a second, all of which is passed over; so
// what a reader has from one may lie within a second of now.
Result<Instant> position_of(const Call& call, Instant now) {
  const std::string_view tag = call.header("if-none-match");
  if (tag == "*") return now;
  if (!tag.empty()) {
    const std::string_view digits = without_quotes(tag);
    Instant position;
    const auto read =
        std::from_chars(digits.data(), digits.data() + digits.size(), position.micros);
    const bool is_number = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    if (is_number && position.micros >= 0 && position < now + second) return position;
    return tl::unexpected(bad_request(
        "Invalid Continuation Token: it is no position of the change feed.", "if-none-match"));
  }
  const std::string_view since = call.header("if-modified-since");
  if (since.empty()) return Instant{0};
  const auto date = parse_http_date(since);
  if (!date)
    return tl::unexpected(bad_request("If-Modified-Since is no date.", "if-modified-since"));
  return *date + second - Span{1};
}

query::QueryPtr written_behind(const Container& container, const View& view, Instant position,
                               const Restriction& restriction) {
  auto later = query::filter(documents_of(container, view.live(), restriction),
                             expr::greater(expr::metadata("written_at"), expr::literal(position)));
  return query::sort(std::move(later), {{expr::metadata("written_at")}}, query::Ties::ascending);
}

// A page, and behind it what else the last commit of the page has written.
Result<std::vector<query::Row>> read_changes(const query::QueryPtr& wanted, View& view,
                                             query::RunOptions options) {
  query::RowsPage page = TRY(query::answer(wanted, view, options));
  std::vector<query::Row> rows = std::move(page.rows);
  while (page.next) {
    options.bookmark = page.next;
    options.rows_max = limits::page_rows_default;
    page = TRY(query::answer(wanted, view, options));
    const Instant last = rows.back().document->version.written_at;
    for (query::Row& row : page.rows) {
      if (row.document->version.written_at != last) return rows;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

Result<net::Response> answer_latest(Call& call, View& view, const Container& container,
                                    Instant position) {
  const query::RunOptions paging = TRY(page_size_of(call));
  const auto restriction = TRY(restriction_of(call, container));
  const auto wanted = written_behind(container, view, position, restriction);
  const auto rows = TRY(read_changes(wanted, view, paging));
  // The next request does not look again at what lies elsewhere.
  const bool has_passed_over = restriction.has_key() || restriction.epks;
  if (rows.empty()) {
    return not_modified(position_tag(has_passed_over ? std::max(position, view.now()) : position));
  }
  Feed feed(ResourceKind::document, container.rid);
  for (const query::Row& row : rows) {
    std::string& out = feed.next();
    render_document(container, *row.document, out);
    out.back() = ',';
    out += fmt::format(R"("_lsn":{}}})", row.document->version.written_at.micros);
  }
  net::Response response = feed.finish();
  response.headers.emplace_back("etag", position_tag(rows.back().document->version.written_at));
  return response;
}

}  // namespace

bool is_change_feed(const Call& call) {
  return !call.header("a-im").empty();
}

Result<net::Response> read_change_feed(Call& call) {
  View view = call.database().view();
  const ContainerPtr container = TRY(call.containers.find(view.catalog(), call.address));
  const std::string mode = to_lower(call.header("a-im"));
  const bool wants_all = mode.starts_with(all_versions_word);
  if (!wants_all && !mode.starts_with(latest_word)) {
    return tl::unexpected(bad_request("A-IM is Incremental Feed or Full-Fidelity Feed.", "a-im"));
  }
  const Instant position = TRY(position_of(call, view.now()));
  net::Response response = wants_all
                               ? TRY(answer_all_versions(call, view.now(), *container, position))
                               : TRY(answer_latest(call, view, *container, position));
  const KeyRange* range = range_of(*container, TRY(restriction_of(call, *container)));
  add_container_headers(*container, response, range);
  return response;
}

}  // namespace mayfly::cosmos
