// The lists of a collection beside its documents: the trash, and the documents under hold.
#include <algorithm>

#include "db/limits.h"
#include "db/read/view_state.h"
#include "db/rows/keys.h"
#include "db/rows/records.h"

namespace mayfly {

Result<void> View::each(const Collection& collection, const Visit& visit) {
  DocumentRange range;
  for (bool more = true; more;) {
    const DocumentPage page = TRY(scan(collection, range, live()));
    for (const Document& document : page.documents) {
      if (!TRY(visit(document))) return {};
    }
    more = page.next.has_value();
    if (more) range.from = *page.next;
  }
  return {};
}

// The contents of a list in its order: the rows of the documents, and the position of each in the
// list.
struct View::ListedRows {
  std::vector<Bytes> rows = {};
  std::vector<Bytes> places = {};
  std::optional<Bytes> next = {};  // behind all of them
  std::optional<Lens> lens = {};   // which of them are shown; none: all
};

Result<DocumentPage> View::read_listed(const Collection& collection, ListedRows listed) {
  DocumentPage page;
  std::size_t bytes = 0;
  while (page.rows_read < listed.rows.size()) {
    const auto left = std::span(listed.rows).subspan(page.rows_read);
    const auto some = left.first(std::min(left.size(), limits::bodies_read_at_once));
    store::ReadBatch batch;
    batch.gets.assign(some.begin(), some.end());
    const auto rows = std::make_shared<const store::Rows>(std::move(TRY(read(batch)).gets));
    for (std::size_t i = 0; i < rows->size(); ++i) {
      const store::Row row = (*rows)[i];
      if (bytes >= limits::list_page_bytes_max) {
        page.next = std::move(listed.places[page.rows_read]);
        return page;
      }
      ++page.rows_read;
      if (!row.present()) continue;
      const auto decode = row.key[0] == static_cast<char>(keys::Table::head)
                              ? records::head_document
                              : records::trash_document;
      Document document = TRY(decode(row, collection.policy, rows));
      if (listed.lens && !state_->shows(*listed.lens, document, collection.policy)) continue;
      bytes += row.value.size();
      page.documents.push_back(std::move(document));
    }
  }
  page.next = std::move(listed.next);
  return page;
}

Result<DocumentPage> View::scan_holds(const Collection& collection, const Bytes& after,
                                      std::size_t rows_max) {
  state_->uses(collection);
  const Bytes prefix = keys::table(keys::Table::hold, collection.id);
  const store::Range range{
      .lo = prefix + after, .hi = after_prefix(prefix), .rows_max = rows_max, .keys_only = true};
  const store::Page held = std::move(TRY(read({{}, {range}})).scans.front());
  ListedRows listed;
  if (held.next) listed.next = held.next->substr(prefix.size());
  for (std::size_t i = 0; i < held.rows.size(); ++i) {
    const BytesView row = held.rows[i].key;
    const auto place = keys::decode_history(row);
    if (!place) return fail(Code::corrupt, "the key of a hold in the store is damaged");
    const bool is_living = place->written_at.is_never();
    listed.rows.push_back(is_living ? keys::head(collection.id, place->key)
                                    : keys::trash(collection.id, place->key, place->written_at));
    listed.places.emplace_back(row.substr(prefix.size()));
  }
  return read_listed(collection, std::move(listed));
}

namespace {

// A page of the queue of removed documents, the earliest removed first.
Result<store::Page> read_trash_queue(View& view, const Bytes& prefix, const Bytes& after,
                                     std::size_t rows_max) {
  const store::Range oldest_first{
      .lo = prefix + after, .hi = after_prefix(prefix), .rows_max = rows_max};
  store::Page page = std::move(TRY(view.read({{}, {oldest_first}})).scans.front());
  if (page.next) page.next = page.next->substr(prefix.size());
  return page;
}

Result<keys::QueueKey> decode_trash_queue(BytesView row) {
  auto entry = keys::decode_queue(row);
  if (!entry) return fail(Code::corrupt, "a queue key in the store is damaged");
  return *std::move(entry);
}

}  // namespace

Result<DocumentPage> View::scan_trash(const Collection& collection, const Bytes& after,
                                      std::size_t rows_max) {
  state_->uses(collection);
  const Bytes prefix = keys::queue(collection.id, keys::Queue::trash);
  const store::Page queue = TRY(read_trash_queue(*this, prefix, after, rows_max));
  ListedRows listed{.next = queue.next, .lens = Lens::trash(now())};
  for (std::size_t i = 0; i < queue.rows.size(); ++i) {
    const BytesView row = queue.rows[i].key;
    const keys::QueueKey entry = TRY(decode_trash_queue(row));
    listed.rows.push_back(keys::trash(collection.id, entry.key, entry.instant));
    listed.places.emplace_back(row.substr(prefix.size()));
  }
  return read_listed(collection, std::move(listed));
}

Result<KeyPage> View::scan_trash_keys(const Collection& collection, const Bytes& after,
                                      std::size_t rows_max) {
  state_->uses(collection);
  const Bytes prefix = keys::queue(collection.id, keys::Queue::trash);
  const store::Page queue = TRY(read_trash_queue(*this, prefix, after, rows_max));
  KeyPage page{.keys = {}, .next = queue.next};
  for (std::size_t i = 0; i < queue.rows.size(); ++i) {
    page.keys.emplace_back(TRY(decode_trash_queue(queue.rows[i].key)).key);
  }
  return page;
}

}  // namespace mayfly
