// The change feed: the written documents, each as it is now, in the order of their writes; or every
// version and removal. Source: spec cosmos.md, section 13.
//
// A position is the instant of a commit (as a number, the "log sequence number"); a page ends with
// a commit, so one number is enough to continue.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/feeds/all_versions.h"
#include "dialect/cosmos/documents/feeds/feed.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/headers/http_date.h"
#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/ranges/document_selection.h"
#include "dialect/cosmos/reply.h"
#include "query/running/row.h"
#include "value/json/writer.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view latest_word = "incremental feed";
constexpr std::string_view all_versions_word = "full-fidelity feed";
constexpr Span second = Span::seconds(1);

std::string position_tag(Instant position) {
  return fmt::format("\"{}\"", position.micros);
}

// The instant after which the reader continues. A date means the end of its second, so the position
// may be up to a second after now.
Result<Instant> position_of(const CosmosCall& call, Instant now) {
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
  if (!date) return tl::unexpected(wrong_header("If-Modified-Since", since));
  return *date + second - Span{1};
}

query::QueryPtr written_behind(const Container& container, const View& view, Instant position) {
  auto later = query::filter(query::scan(container.collection, view.live(), std::nullopt),
                             expr::greater(expr::metadata("written_at"), expr::literal(position)));
  return query::sort(std::move(later), {{expr::metadata("written_at")}}, query::Ties::ascending);
}

// The documents of a page, and the instant of the last commit that was read completely.
struct Changes {
  std::vector<query::QueryRow> rows;
  Instant read_through;
  bool is_at_end = false;
};

// Whether the feed is restricted to some documents.
bool is_restricted(const Restriction& restriction) {
  return restriction.has_key() || restriction.epks;
}

bool lies_within(const Restriction& restriction, const PartitionKey& key,
                 const Document& document) {
  if (restriction.has_key()) {
    const Bytes routing = document.document_key().routing;
    // Of the first values of a hierarchical key, the routing is a prefix.
    const bool is_routed = restriction.routing
                               ? routing == *restriction.routing
                               : routing.starts_with(routing_of(key, restriction.values));
    if (!is_routed) return false;
  }
  return !restriction.epks || restriction.epks->contains(epk_of_document(key, document.body));
}

// Collects the documents within the restriction, commit by commit.
class ChangesReader {
 public:
  ChangesReader(const Container& container, const Restriction& restriction,
                const query::RunOptions& page, Instant position)
      : key_(container.definition.key),
        restriction_(restriction),
        rows_max_(page.rows_max),
        bytes_max_(page.bytes_max),
        reading_(position),
        changes_{{}, position} {}

  // Whether the page is full with the previous commit. Then the row is not added, so no commit is
  // split.
  bool add(query::QueryRow row) {
    const Document& document = *row.document;
    if (document.version.written_at != reading_) {
      end_commit();
      if (changes_.rows.size() >= rows_max_ || bytes_ >= bytes_max_) return true;
      reading_ = document.version.written_at;
    }
    if (!lies_within(restriction_, key_, document)) return false;
    bytes_ += document.body.bytes().size();
    of_commit_.push_back(std::move(row));
    return false;
  }
  void end_commit() {
    std::move(of_commit_.begin(), of_commit_.end(), std::back_inserter(changes_.rows));
    of_commit_.clear();
    changes_.read_through = reading_;
  }
  Instant read_through() const { return changes_.read_through; }
  Changes take() { return std::move(changes_); }

 private:
  const PartitionKey& key_;
  const Restriction& restriction_;
  const std::size_t rows_max_;
  const std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  Instant reading_;  // the commit whose rows are being read
  std::vector<query::QueryRow> of_commit_;
  Changes changes_;
};

// The changes within the restriction are searched among all changes of the container. If the time
// of the request ends first, the page has the changes found so far, or only the position.
Result<Changes> read_changes(const CosmosCall& call, const Container& container, View& view,
                             Instant position, const Restriction& restriction,
                             const query::RunOptions& page) {
  const auto all = written_behind(container, view, position);
  ChangesReader reader(container, restriction, page, position);
  query::RunOptions options = page;
  options.rows_max = limits::changes_read_at_once;
  if (!is_restricted(restriction)) options.rows_max = std::min(options.rows_max, page.rows_max);
  do {
    auto read = query::answer(all, view, options);
    if (!read && read.error().code == Code::timed_out && reader.read_through() > position) break;
    if (!read) return tl::unexpected(read.error());
    for (query::QueryRow& row : read->rows) {
      if (reader.add(std::move(row))) return reader.take();
    }
    options.bookmark = std::move(read->next);
    if (!options.bookmark) {
      reader.end_commit();
      Changes changes = reader.take();
      changes.is_at_end = true;
      // So the next request does not read changes outside the restriction again.
      if (is_restricted(restriction))
        changes.read_through = std::max(changes.read_through, view.now());
      return changes;
    }
  } while (monotonic_now() < call.request.answer_by || reader.read_through() == position);
  return reader.take();
}

Result<net::Response> answer_latest(CosmosCall& call, View& view, const Container& container,
                                    Instant position) {
  const query::RunOptions paging = TRY(page_size_of(call));
  const auto restriction = TRY(restriction_of(call, container));
  const Changes changes = TRY(read_changes(call, container, view, position, restriction, paging));
  if (changes.rows.empty() && changes.is_at_end) {
    return not_modified(position_tag(changes.read_through));
  }
  Feed feed(ResourceKind::document, container.rid);
  for (const query::QueryRow& row : changes.rows) {
    JsonWriter json(feed.next());
    json.begin_object();
    render_document_members(container, *row.document, json);
    json.member("_lsn", row.document->version.written_at.micros);
    json.end_object();
  }
  net::Response response = feed.finish();
  response.headers.emplace_back("etag", position_tag(changes.read_through));
  return response;
}

}  // namespace

bool is_change_feed(const CosmosCall& call) {
  return !call.header("a-im").empty();
}

Result<net::Response> read_change_feed(CosmosCall& call) {
  View view = call.database().view();
  const ContainerPtr container = TRY(call.containers.find(view.catalog(), call.address));
  const std::string mode = to_lower(call.header("a-im"));
  const bool wants_all = mode.starts_with(all_versions_word);
  if (!wants_all && !mode.starts_with(latest_word)) {
    return tl::unexpected(wrong_header("A-IM", call.header("a-im")));
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
