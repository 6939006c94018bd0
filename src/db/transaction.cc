#include "db/transaction.h"

#include "base/check.h"
#include "db/keys.h"
#include "db/transaction_state.h"

namespace mayfly {
namespace {

using State = TransactionState;

Overlay& overlay(State& state) {
  return state.view.overlay();
}

tl::unexpected<Error> no_such_document(const DocumentKey& key) {
  return fail(Code::not_found, "there is no document with the id '" + key.id + "'", "id");
}

std::shared_ptr<const OwnedHead> own(const Document& document) {
  auto owned = std::make_shared<OwnedHead>();
  owned->author = document.author;
  owned->updater = document.updater;
  owned->facet = document.facet;
  owned->body = document.body.bytes();
  owned->lifetime = document.version.lifetime;
  owned->created_at = document.created_at;
  owned->revision = document.revision;
  return owned;
}

// The write of one document, with what stands there now.
Result<Write*> open_write(State& state, const CollectionPtr& collection, const DocumentKey& key) {
  TRY(check(key));
  Bytes encoded = keys::encode(key);
  const std::pair place{collection->id, encoded};
  if (const auto found = state.writes.find(place); found != state.writes.end()) {
    return &found->second;
  }
  if (state.writes.size() >= limits::transaction_rows_max) {
    return fail(Code::too_large, "a transaction writes at most " +
                                     std::to_string(limits::transaction_rows_max) + " documents");
  }
  state.used[collection->id] = collection;
  store::ReadReply reply = TRY(state.view.read({{keys::head(collection->id, encoded)}, {}}));
  Write write{.collection = collection, .key = std::move(encoded)};
  const auto rows = std::make_shared<const store::Rows>(std::move(reply.gets));
  if ((*rows)[0].present()) {
    write.before = TRY(records::head_document((*rows)[0], collection->policy, rows));
    write.was_alive = sees(state.view.live(), write.before->version, collection->policy);
    if (write.was_alive) {
      overlay(state).saw_alive_until(write.before->death);
      write.after = own(*write.before);
    }
  }
  return &state.writes.emplace(place, std::move(write)).first->second;
}

// The instant of the version that stands there, if it is this transaction's to compare: own writes
// have none yet.
bool is_at_version(const Write& write, Instant expected) {
  return write.before && write.was_alive && write.before->version.written_at == expected;
}

// The document as it stands in this transaction; null where there is none, also where its own write
// was dead from the start.
const OwnedHead* living(const State& state, const Write& write) {
  if (!write.after) return nullptr;
  if (!write.is_rewritten && !write.is_restored) return write.after.get();
  const Instant now = state.view.now();
  const bool is_dead = death_of(now, write.after->lifetime, write.collection->policy) <= now;
  return is_dead ? nullptr : write.after.get();
}

Lifetime lifetime_of(const State& state, const Write& write, const LifetimeChange& change) {
  if (const Lifetime* asked = std::get_if<Lifetime>(&change)) return *asked;
  const OwnedHead* standing = living(state, write);
  const auto& stamp = write.collection->policy.stamp;
  const bool stamps = stamp && (!standing || stamp->when == Stamp::When::every_write);
  if (stamps) return At{state.view.now() + stamp->span};
  return standing ? standing->lifetime : Lifetime{Inherit{}};
}

// Lays the write over what the store says, so that this transaction reads it back.
Result<void> show(State& state, const Write& write) {
  auto& rows = overlay(state).rows;
  const CollectionId id = write.collection->id;
  if (write.before) {
    for (Bytes& row : old_entries_of(*write.collection, *write.before)) rows[row] = std::nullopt;
  }
  auto& head = rows[keys::head(id, write.key)];
  head.reset();
  if (!write.after) return {};
  Bytes value;
  records::encode(write.after->head(), value);
  head = std::move(value);
  const Document document = document_of(write.collection, write.key, write.after, state.view.now());
  Bytes entry;
  records::encode_entry(write.after->lifetime, Instant::never(), entry);
  for (Bytes& row : TRY(entries_of(*write.collection, document))) rows[row] = entry;
  return {};
}

// Takes this transaction's own entries of a document away again, before it is written anew.
Result<void> hide(State& state, const Write& write) {
  if (!write.after) return {};
  const Document document = document_of(write.collection, write.key, write.after, state.view.now());
  for (Bytes& row : TRY(entries_of(*write.collection, document))) {
    overlay(state).rows[row] = std::nullopt;
  }
  return {};
}

Result<void> check_unique(State& state, const Write& write,
                          const std::shared_ptr<const OwnedHead>& after) {
  const Document document = document_of(write.collection, write.key, after, state.view.now());
  for (const Index& index : write.collection->indexes) {
    if (!index.is_unique) continue;
    const auto prefix = TRY(unique_prefix(*write.collection, index, document));
    if (!prefix) continue;
    store::Range range{.lo = *prefix, .hi = after_prefix(*prefix)};
    for (bool more = true; more;) {
      const store::Page page = std::move(TRY(state.view.read({{}, {range}})).scans.front());
      more = page.next.has_value();
      if (more) range.lo = *page.next;
      for (std::size_t i = 0; i < page.rows.size(); ++i) {
        if (page.rows[i].key.substr(prefix->size()) == write.key) continue;
        const auto entry = TRY(records::decode_entry(page.rows[i].value, page.rows[i].version));
        const Version version{.written_at = entry.written_at, .lifetime = entry.lifetime};
        if (!sees(state.view.live(), version, write.collection->policy)) continue;
        const std::string first = index.fields.front().field.render();
        return fail(Code::exists,
                    "another document has the same value of the unique index '" + index.name + "'",
                    first);
      }
    }
  }
  return {};
}

Result<void> count_bytes(State& state, std::size_t bytes) {
  state.bytes += bytes;
  if (state.bytes <= limits::transaction_bytes_max) return {};
  return fail(Code::too_large, "a transaction writes at most " +
                                   std::to_string(limits::transaction_bytes_max) + " bytes");
}

Result<void> check_put(const State& state, const Write& write, const DocumentKey& key,
                       const PutOptions& options) {
  const bool is_alive = living(state, write) != nullptr;
  if (options.expect == PutOptions::Expect::present && !is_alive) return no_such_document(key);
  if (options.expect == PutOptions::Expect::absent && is_alive) {
    return fail(Code::exists, "there is already a document with the id '" + key.id + "'", "id");
  }
  if (options.if_written_at) {
    if (!is_alive) return no_such_document(key);
    if (!is_at_version(write, *options.if_written_at)) {
      return fail(Code::stale, "the document has been changed since that version");
    }
  }
  if (std::holds_alternative<Lifetime>(options.lifetime) &&
      !write.collection->policy.writers_may_set_lifetime) {
    return fail(Code::forbidden, "the collection does not let writers set a lifetime");
  }
  if (options.author.size() > limits::author_bytes_max) {
    return fail(Code::invalid, "the author's name is too long", "author");
  }
  return {};
}

}  // namespace

Transaction::Transaction(std::unique_ptr<TransactionState> state) : state_(std::move(state)) {}
Transaction::Transaction(Transaction&&) noexcept = default;
Transaction::~Transaction() = default;

View& Transaction::view() {
  return state_->view;
}
Instant Transaction::now() const {
  return state_->view.now();
}

Result<bool> Transaction::put(const CollectionPtr& collection, const DocumentKey& key, Bytes packed,
                              const PutOptions& options) {
  Write& write = *TRY(open_write(*state_, collection, key));
  TRY(check_put(*state_, write, key, options));
  TRY(count_bytes(*state_, packed.size()));
  const OwnedHead* standing = living(*state_, write);
  const bool is_new = standing == nullptr;
  auto after = std::make_shared<OwnedHead>();
  after->lifetime = lifetime_of(*state_, write, options.lifetime);
  after->body = std::move(packed);
  after->author = is_new ? options.author : standing->author;
  after->updater = options.author;
  if (options.facet) {
    after->facet = *options.facet;
  } else if (!is_new) {
    after->facet = standing->facet;
  }
  if (!is_new) {
    // However often one transaction writes it, its commit is one version.
    const bool is_own = write.is_rewritten || write.is_restored;
    after->created_at = standing->created_at;
    after->revision = standing->revision + (is_own ? 0 : 1);
  }
  TRY(check_unique(*state_, write, after));
  TRY(hide(*state_, write));
  write.after = std::move(after);
  write.is_rewritten = true;
  TRY(show(*state_, write));
  return is_new;
}

Result<void> Transaction::remove(const CollectionPtr& collection, const DocumentKey& key,
                                 const RemoveOptions& options) {
  Write& write = *TRY(open_write(*state_, collection, key));
  if (!living(*state_, write)) return no_such_document(key);
  if (options.if_written_at && !is_at_version(write, *options.if_written_at)) {
    return fail(Code::stale, "the document has been changed since that version");
  }
  TRY(hide(*state_, write));
  if (collection->policy.trash.span > Span{0} && !options.is_final) {
    auto removed = std::make_shared<OwnedHead>(*write.after);
    removed->updater = options.author.empty() ? removed->updater : options.author;
    const bool has_version = write.was_alive && !write.is_rewritten;
    write.to_trash = Write::Removed{
        has_version ? write.before->version.written_at : state_->view.now(), std::move(removed)};
  }
  write.after = nullptr;
  write.is_restored = false;
  return show(*state_, write);
}

Result<void> Transaction::restore(const CollectionPtr& collection, const DocumentKey& key,
                                  const std::string& author) {
  Write& write = *TRY(open_write(*state_, collection, key));
  if (living(*state_, write)) {
    return fail(Code::exists, "there is already a document with the id '" + key.id + "'", "id");
  }
  const auto removed = TRY(state_->view.get_removed(*collection, key));
  if (!removed) {
    return fail(Code::not_found, "the trash holds no document with the id '" + key.id + "'", "id");
  }
  auto after = std::make_shared<OwnedHead>(*own(*removed));
  after->revision += 1;
  if (!author.empty()) after->updater = author;
  TRY(check_unique(*state_, write, after));
  TRY(hide(*state_, write));
  write.out_of_trash.push_back(removed->version.removed_at);
  overlay(*state_).rows[keys::trash(collection->id, write.key, removed->version.removed_at)] =
      std::nullopt;
  write.after = std::move(after);
  write.is_restored = true;
  return show(*state_, write);
}

Result<void> Transaction::forget(const CollectionPtr& collection, const DocumentKey& key) {
  Write& write = *TRY(open_write(*state_, collection, key));
  bool found = false;
  for (auto removed = TRY(state_->view.get_removed(*collection, key)); removed;
       removed = TRY(state_->view.get_removed(*collection, key))) {
    found = true;
    const Instant removed_at = removed->version.removed_at;
    write.out_of_trash.push_back(removed_at);
    write.forgotten.push_back(removed_at);
    overlay(*state_).rows[keys::trash(collection->id, write.key, removed_at)] = std::nullopt;
  }
  if (found) return {};
  return fail(Code::not_found, "the trash holds no document with the id '" + key.id + "'", "id");
}

std::optional<Document> Transaction::written(const CollectionPtr& collection,
                                             const DocumentKey& key) const {
  const auto found = state_->writes.find({collection->id, keys::encode(key)});
  if (found == state_->writes.end() || !found->second.after) return std::nullopt;
  const Instant at = state_->committed_at.is_never() ? state_->view.now() : state_->committed_at;
  return document_of(found->second.collection, found->first.second, found->second.after, at);
}

}  // namespace mayfly
