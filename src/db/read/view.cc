#include "db/read/view.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "db/limits.h"
#include "db/read/view_state.h"
#include "db/rows/keys.h"
#include "db/rows/records.h"
#include "value/rfc3339.h"

namespace mayfly {
namespace {

using Shared = std::shared_ptr<const store::Rows>;

Shared share(store::Rows rows) {
  return std::make_shared<const store::Rows>(std::move(rows));
}

// A range of encoded keys as a range of one table's rows.
store::Range rows_of(keys::Table table, CollectionId collection, const DocumentRange& range) {
  const Bytes prefix = keys::table(table, collection);
  return {.lo = prefix + range.from,
          .hi = range.to.empty() ? after_prefix(prefix) : prefix + range.to,
          .rows_max = range.rows_max,
          .reverse = range.reverse};
}

}  // namespace

View::View(std::unique_ptr<State> state) : state_(std::move(state)) {}
View::View(View&&) noexcept = default;
View& View::operator=(View&&) noexcept = default;
View::~View() = default;

Instant View::now() const {
  return state_->now;
}
const Catalog& View::catalog() const {
  return *state_->catalog;
}
CatalogPtr View::catalog_ptr() const {
  return state_->catalog;
}

bool View::is_of_transaction() const {
  return state_->overlay != nullptr;
}

Overlay& View::overlay() {
  CHECK(state_->overlay != nullptr);
  return *state_->overlay;
}

Result<store::ReadReply> View::read(const store::ReadBatch& batch) {
  store::ReadReply reply = TRY(state_->store.read(batch, state_->snapshot.get()));
  if (!state_->overlay) return reply;
  const auto is_later = [this](const store::Rows& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (records::to_instant(rows[i].version) > state_->now) return true;
    }
    return false;
  };
  bool has_later = is_later(reply.gets);
  for (const store::Page& page : reply.scans) has_later = has_later || is_later(page.rows);
  if (has_later) return fail(Code::contended, "the data changed while it was being read");
  return state_->overlay->merge(batch, std::move(reply), state_->now);
}

Result<Lens> View::as_of(Instant t, const Collection& collection) const {
  if (t > now()) {
    return fail(Code::invalid,
                "the instant asked for is in the future; now is " + render_rfc3339(now()));
  }
  const Instant floor = collection.policy.history.floor(now());
  if (t < floor) {
    const bool keeps_any = collection.policy.history.span > Span{0};
    return fail(Code::invalid, keeps_any
                                   ? "the collection's history begins at " + render_rfc3339(floor)
                                   : "the collection keeps no history");
  }
  return Lens::as_of(t);
}

Result<std::optional<Document>> View::get(const Collection& collection, const DocumentKey& key,
                                          const Lens& lens) {
  const DocumentKey located = TRY(locate(collection, key, lens));
  const Bytes encoded = keys::encode(located);
  auto found = TRY(get_many(collection, {&encoded, 1}, lens));
  return std::move(found.front());
}

Result<std::vector<std::optional<Document>>> View::get_many(const Collection& collection,
                                                            std::span<const Bytes> keys,
                                                            const Lens& lens) {
  state_->uses(collection);
  std::vector<std::optional<Document>> found;
  found.reserve(std::min(keys.size(), limits::store_page_rows_max));
  std::size_t bytes = 0;
  while (found.size() < keys.size() && bytes < limits::store_page_bytes_max) {
    const auto left = keys.subspan(found.size());
    const auto some = left.first(std::min(left.size(), limits::bodies_read_at_once));
    store::ReadBatch batch;
    for (const Bytes& key : some) batch.gets.push_back(keys::head(collection.id, key));
    const Shared rows = share(TRY(read(batch)).gets);
    bytes += rows->bytes();
    for (std::size_t i = 0; i < some.size(); ++i) {
      const store::Row row = (*rows)[i];
      std::optional<Document>& one = found.emplace_back();
      if (row.present()) {
        Document document = TRY(records::head_document(row, collection.policy, rows));
        if (state_->shows(lens, document, collection.policy)) one = std::move(document);
      }
      if (!one && !lens.is_current(now())) one = TRY(get_earlier(collection, some[i], lens));
      if (!one && lens.shows_trash) one = TRY(get_removed(collection, some[i]));
      if (one && !row.present()) bytes += one->body.bytes().size();
    }
  }
  return found;
}

Result<std::optional<Document>> View::get_earlier(const Collection& collection, BytesView key,
                                                  const Lens& lens) {
  // Newest first, so the first row at or before the lens's instant is the only one that may have
  // been valid then.
  store::Range range{.lo = keys::history(collection.id, key, lens.at),
                     .hi = after_prefix(keys::history_of(collection.id, key)),
                     .rows_max = 1};
  const Shared rows = share(std::move(TRY(read({{}, {range}})).scans.front().rows));
  if (rows->empty()) return std::nullopt;
  Document document = TRY(records::history_document((*rows)[0], collection.policy, rows));
  if (!state_->shows(lens, document, collection.policy)) return std::nullopt;
  return document;
}

Result<std::optional<Document>> View::get_removed(const Collection& collection,
                                                  const DocumentKey& key) {
  const DocumentKey located = TRY(locate_in(collection, key, keys::Table::trash));
  return get_removed(collection, keys::encode(located));
}

Result<std::optional<Document>> View::get_removed(const Collection& collection, BytesView key) {
  state_->uses(collection);
  const Bytes prefix = keys::trash_of(collection.id, key);
  store::Range range{.lo = prefix, .hi = after_prefix(prefix), .rows_max = 16};
  for (bool more = true; more;) {
    store::Page page = std::move(TRY(read({{}, {range}})).scans.front());
    more = page.next.has_value();
    if (more) range.lo = *page.next;
    const Shared rows = share(std::move(page.rows));
    for (std::size_t i = 0; i < rows->size(); ++i) {
      Document document = TRY(records::trash_document((*rows)[i], collection.policy, rows));
      if (state_->shows(Lens::trash(now()), document, collection.policy)) return document;
    }
  }
  return std::nullopt;
}

Result<std::vector<Document>> View::get_held_removed(const Collection& collection,
                                                     const DocumentKey& key) {
  state_->uses(collection);
  const Bytes prefix = keys::trash_of(collection.id, keys::encode(key));
  store::Range range{.lo = prefix, .hi = after_prefix(prefix)};
  std::vector<Document> held;
  for (bool more = true; more;) {
    store::Page page = std::move(TRY(read({{}, {range}})).scans.front());
    more = page.next.has_value();
    if (more) range.lo = *page.next;
    const Shared rows = share(std::move(page.rows));
    for (std::size_t i = 0; i < rows->size(); ++i) {
      Document document = TRY(records::trash_document((*rows)[i], collection.policy, rows));
      if (!document.hold.empty()) held.push_back(std::move(document));
    }
  }
  return held;
}

Result<DocumentPage> View::scan(const Collection& collection, const DocumentRange& range,
                                const Lens& lens) {
  state_->uses(collection);
  store::ReadBatch batch;
  batch.scans.push_back(rows_of(keys::Table::head, collection.id, range));
  store::Page read_page = std::move(TRY(read(batch)).scans.front());
  DocumentPage page;
  if (read_page.next) page.next = Bytes(keys::behind_collection(*read_page.next));
  const Shared rows = share(std::move(read_page.rows));
  if (page.next && !rows->empty()) {
    // Ids hold no NUL, so the least byte behind a key is 01: there the rows of its other versions
    // end, too.
    page.next = keys::behind_collection((*rows)[rows->size() - 1].key);
    if (!range.reverse) page.next->push_back('\x01');
  }
  page.rows_read = rows->size();
  page.documents.reserve(rows->size());
  for (std::size_t i = 0; i < rows->size(); ++i) {
    Document document = TRY(records::head_document((*rows)[i], collection.policy, rows));
    if (state_->shows(lens, document, collection.policy)) {
      page.documents.push_back(std::move(document));
    }
  }
  if (lens.is_current(now()) && !lens.shows_trash) return page;

  DocumentRange covered = range;
  if (page.next) (range.reverse ? covered.from : covered.to) = *page.next;
  // History first: a document that was living at the lens's instant comes before one removed by
  // then.
  if (!lens.is_current(now())) {
    TRY(add_side_rows(collection, keys::Table::history, covered, lens, page));
  }
  if (lens.shows_trash) TRY(add_side_rows(collection, keys::Table::trash, covered, lens, page));
  return page;
}

// Merges documents into the page that are visible in a version other than the newest, or as
// removed.
Result<void> View::add_side_rows(const Collection& collection, keys::Table side,
                                 const DocumentRange& range, const Lens& lens, DocumentPage& page) {
  std::map<BytesView, Document> all;
  for (Document& document : page.documents) all.emplace(document.key, document);
  store::Range rest = rows_of(side, collection.id, range);
  rest.reverse = false;
  rest.rows_max = limits::store_page_rows_max;
  const auto decode =
      side == keys::Table::trash ? records::trash_document : records::history_document;
  std::size_t bytes = 0;
  for (bool more = true; more;) {
    store::Page read_page = std::move(TRY(read({{}, {rest}})).scans.front());
    more = read_page.next.has_value();
    if (more) rest.lo = *read_page.next;
    const Shared rows = share(std::move(read_page.rows));
    page.rows_read += rows->size();
    bytes += rows->bytes();
    if (bytes > limits::query_bytes_max) {
      return fail(Code::too_large, "too much history or trash lies between two living documents");
    }
    for (std::size_t i = 0; i < rows->size(); ++i) {
      Document document = TRY(decode((*rows)[i], collection.policy, rows));
      if (state_->shows(lens, document, collection.policy)) all.emplace(document.key, document);
    }
  }
  page.documents.clear();
  for (auto& [key, document] : all) page.documents.push_back(std::move(document));
  if (range.reverse) std::reverse(page.documents.begin(), page.documents.end());
  return {};
}

Result<std::vector<Document>> View::history(const Collection& collection, const DocumentKey& key) {
  state_->uses(collection);
  DocumentKey located = TRY(locate(collection, key, live()));
  Bytes encoded = keys::encode(located);
  const bool may_be_elsewhere = located.routing.empty() && collection.body.is_partitioned();
  // A living document without a partition is not looked for in the partitions.
  if (may_be_elsewhere && !TRY(get_many(collection, {&encoded, 1}, live())).front()) {
    located = TRY(locate_in(collection, key, keys::Table::history));
    encoded = keys::encode(located);
  }
  const Bytes prefix = keys::history_of(collection.id, encoded);
  std::vector<Document> versions;
  const auto add = [&](Document document) {
    if (now() < history_end(document.version, collection.policy)) {
      versions.push_back(std::move(document));
    }
  };
  const Shared head = share(TRY(read({{keys::head(collection.id, encoded)}, {}})).gets);
  if ((*head)[0].present()) {
    add(TRY(records::head_document((*head)[0], collection.policy, head)));
  }
  store::Range earlier{.lo = prefix, .hi = after_prefix(prefix)};
  std::size_t bytes = 0;
  for (bool more = true; more;) {
    store::Page page = std::move(TRY(read({{}, {earlier}})).scans.front());
    more = page.next.has_value();
    if (more) earlier.lo = *page.next;
    const Shared rows = share(std::move(page.rows));
    bytes += rows->bytes();
    if (bytes > limits::query_bytes_max) {
      return fail(Code::too_large, "the document's history is too large to be shown at once");
    }
    for (std::size_t i = 0; i < rows->size(); ++i) {
      add(TRY(records::history_document((*rows)[i], collection.policy, rows)));
    }
  }
  return versions;
}

}  // namespace mayfly
