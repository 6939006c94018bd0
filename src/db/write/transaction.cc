#include "db/write/transaction.h"

#include <algorithm>

#include "base/limits.h"
#include "db/database_state.h"
#include "db/rows/keys.h"
#include "db/rows/partition.h"
#include "db/write/revive.h"
#include "db/write/rules/body_lifetime.h"
#include "db/write/write.h"

namespace mayfly {
namespace {

using State = TransactionState;

// Whether the version before the transaction is that one. Own writes have no instant yet, so they
// are not compared.
bool is_at_version(const Write& write, Instant expected) {
  return write.before && write.was_alive && write.before->version.written_at == expected;
}

Result<void> check_lifetime(const Write& write, const LifetimeChange& change,
                            bool is_touch = false) {
  const Lifetime* asked = std::get_if<Lifetime>(&change);
  if (asked == nullptr) return {};
  const After* after = std::get_if<After>(asked);
  if (after != nullptr && after->span < Span::seconds(1)) {
    return fail(Code::invalid, "a lifetime is at least one second");
  }
  if (is_touch || write.collection->policy.writers_may_set_lifetime) return {};
  return fail(Code::forbidden, "the collection does not let writers set a lifetime");
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
  TRY(check_lifetime(write, options.lifetime, options.is_touch));
  if (options.author.size() > limits::author_bytes_max) {
    return fail(Code::invalid, "the author's name is too long", "author");
  }
  return {};
}

// Whether a document has been updated is decided by comparison with its creation; a transaction's
// now is before its commit.
void set_origin(const PutOptions& options, Instant now, OwnedHead& after) {
  if (options.origin == PutOptions::VersionOrigin::by_itself) return;
  const bool is_creation = options.origin == PutOptions::VersionOrigin::creation;
  after.created_at = is_creation ? Instant::never() : now;
  after.author = options.author;
  if (!options.facet) after.facet.clear();
}

// Takes it out of the trash with its hold, which is in the store or set by this transaction.
void take_out_of_trash(State& state, Write& write, const Document& removed) {
  const Instant removed_at = removed.version.removed_at;
  write.out_of_trash.push_back(removed_at);
  overlay(state).rows[keys::trash(write.collection->id, write.key, removed_at)] = std::nullopt;
  stop_waiting_for_end(write, removed);
  const bool is_rewritten = write.in_trash.erase(removed_at) > 0;
  if (!is_rewritten && removed.hold.empty()) return;
  write.released.push_back(removed_at);
  show_hold(state, write, removed_at, false);
}

// The last removed document of a key, as a new version of it would begin.
struct FromTrash {
  std::shared_ptr<OwnedHead> head;
  std::optional<Document> removed;  // nothing: this transaction has removed it
};

Result<FromTrash> find_in_trash(State& state, const Write& write, const DocumentKey& key) {
  FromTrash found;
  if (write.to_trash) {
    found.head = std::make_shared<OwnedHead>(*write.to_trash->head);
  } else {
    TRY(check_flushed(state, *write.collection));
    found.removed = TRY(state.view.get_removed(*write.collection, key));
    if (!found.removed) return nothing_in_trash(key);
    found.head = own(*found.removed);
  }
  // However often one transaction writes it, its commit is one version.
  if (found.removed || !write.to_trash->is_own) found.head->revision += 1;
  return found;
}

// Puts `after` in the place from which it was removed. Fails before anything has changed.
Result<void> bring_back(State& state, Write& write, const FromTrash& from,
                        std::shared_ptr<const OwnedHead> after) {
  TRY(check_unique(state, write, after));
  TRY(count_entries(state, write, after));
  TRY(hide(state, write));
  if (from.removed) take_out_of_trash(state, write, *from.removed);
  write.origin = from.removed ? Write::LifeOrigin::trash : write.to_trash->origin;
  if (from.removed) write.restored = from.removed->version;
  write.is_restored = from.removed || !write.to_trash->is_own || write.to_trash->is_restored;
  write.to_trash.reset();
  if (after->is_held()) show_hold(state, write, Instant::never(), true);
  write.after = std::move(after);
  return show(state, write);
}

// Counts what a removal writes: the document once for the history, and once for the trash.
Result<void> count_removal(State& state, const Write& write, bool goes_to_trash) {
  std::size_t bytes = goes_to_trash ? write.after->body.size() : 0;
  const bool has_history = write.before && write.collection->policy.history.span > Span{0};
  if (has_history) bytes += write.before->body.bytes().size();
  return count_bytes(state, bytes);
}

tl::unexpected<Error> is_living(const DocumentKey& key) {
  return fail(Code::exists, "there is already a document with the id '" + key.id + "'", "id");
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

Result<bool> Transaction::put(const CollectionPtr& collection, const DocumentKey& asked,
                              Bytes packed, const PutOptions& options) {
  TRY(check_there(collection));
  const DocumentKey key = TRY(key_in_partition(collection->body, asked, Packed(packed)));
  Write& write = *TRY(open_write(*state_, collection, key));
  TRY(check_put(*state_, write, key, options));
  TRY(count_bytes(*state_, packed.size()));
  const OwnedHead* standing = living(*state_, write);
  const bool is_new = standing == nullptr;
  if (is_new) write.origin = Write::LifeOrigin::own;
  auto after = std::make_shared<OwnedHead>();
  after->body = std::move(packed);
  after->computed.forget();
  TRY(decide_lifetime({.collection = *collection,
                       .before = standing,
                       .change = options.lifetime,
                       .now = state_->view.now()},
                      *after));
  after->author = is_new ? options.author : standing->author;
  after->updater = options.author;
  if (options.facet) {
    after->facet = *options.facet;
  } else if (!is_new) {
    after->facet = standing->facet;
  }
  if (!is_new) {
    // However often one transaction writes it, its commit is one version.
    after->created_at = standing->created_at;
    after->revision = standing->revision + (write.is_own() ? 0 : 1);
  }
  set_origin(options, state_->view.now(), *after);
  TRY(check_unique(*state_, write, after));
  TRY(count_entries(*state_, write, after));
  TRY(hide(*state_, write));
  write.after = std::move(after);
  write.is_rewritten = true;
  TRY(show(*state_, write));
  return is_new;
}

Result<void> Transaction::remove(const CollectionPtr& collection, const DocumentKey& asked,
                                 const RemoveOptions& options) {
  TRY(check_there(collection));
  const DocumentKey key = TRY(view().locate(*collection, asked, view().live()));
  Write& write = *TRY(open_write(*state_, collection, key));
  const OwnedHead* standing = living(*state_, write);
  if (standing == nullptr) return no_such_document(key);
  if (options.if_written_at && !is_at_version(write, *options.if_written_at)) {
    return fail(Code::stale, "the document has been changed since that version");
  }
  if (standing->is_held()) return is_under_hold(key);
  const bool goes_to_trash = collection->policy.trash.span > Span{0} && !options.is_final;
  TRY(count_removal(*state_, write, goes_to_trash));
  TRY(count_entries(*state_, write, nullptr));
  TRY(hide(*state_, write));
  if (goes_to_trash) {
    auto removed = std::make_shared<OwnedHead>(*write.after);
    removed->updater = options.author.empty() ? removed->updater : options.author;
    // The trash has one place for the versions of a document that one commit removes.
    if (write.to_trash) end_for_good(write, write.to_trash->origin, options.author);
    write.to_trash =
        Write::Removed{write.is_own() ? state_->view.now() : write.before->version.written_at,
                       std::move(removed), write.origin, write.is_own(), write.is_restored};
    // A version that this transaction has written may have expired by its commit.
    state_->is_behind_sweeper = state_->is_behind_sweeper || write.is_own();
  } else {
    end_for_good(write, write.origin, options.author);
  }
  write.after = nullptr;
  write.is_restored = false;
  return show(*state_, write);
}

Result<void> Transaction::restore(const CollectionPtr& collection, const DocumentKey& asked,
                                  const RestoreOptions& options) {
  const DocumentKey key = TRY(locate_removed(collection, asked));
  Write& write = *TRY(open_write(*state_, collection, key));
  if (living(*state_, write)) return is_living(key);
  TRY(check_lifetime(write, options.lifetime));
  const FromTrash from = TRY(find_in_trash(*state_, write, key));
  const std::shared_ptr<OwnedHead>& after = from.head;
  TRY(count_bytes(*state_, after->body.size()));
  if (!options.author.empty()) after->updater = options.author;
  const bool is_asked = std::holds_alternative<Lifetime>(options.lifetime);
  const bool has_expired = from.removed && from.removed->has_expired;
  if (is_asked || has_expired || after->is_held()) {
    const OwnedHead before = *after;
    TRY(decide_lifetime({.collection = *collection,
                         .before = &before,
                         .begins_new_life = has_expired,
                         .is_specified_again = has_expired && from.removed->specified_its_lifetime,
                         .change = options.lifetime,
                         .now = state_->view.now()},
                        *after));
  }
  return bring_back(*state_, write, from, after);
}

Result<void> Transaction::forget(const CollectionPtr& collection, const DocumentKey& asked,
                                 const std::string& author) {
  const DocumentKey key = TRY(locate_removed(collection, asked));
  Write& write = *TRY(open_write(*state_, collection, key));
  TRY(check_flushed(*state_, *collection));
  if (!TRY(state_->view.get_held_removed(*collection, key)).empty()) return is_under_hold(key);
  bool found = false;
  // By the whole key: without a partition, the id alone would match other documents once this one
  // is gone.
  const BytesView place = write.key;
  for (auto removed = TRY(state_->view.get_removed(*collection, place)); removed;
       removed = TRY(state_->view.get_removed(*collection, place))) {
    found = true;
    take_out_of_trash(*state_, write, *removed);
    write.forgotten.push_back({removed->version, author});
  }
  if (found) return {};
  return nothing_in_trash(key);
}

Result<void> Transaction::check_expirations_flushed(const CollectionPtr& collection) {
  TRY(check_there(collection));
  return check_flushed(*state_, *collection);
}

Result<std::optional<Document>> Transaction::get_removed(const CollectionPtr& collection,
                                                         const DocumentKey& key) {
  TRY(check_expirations_flushed(collection));
  return state_->view.get_removed(*collection, key);
}

// A document that this transaction has removed has no row in the trash yet.
Result<DocumentKey> Transaction::locate_removed(const CollectionPtr& collection,
                                                const DocumentKey& asked) {
  TRY(check_there(collection));
  if (!collection->body.is_partitioned() || !asked.routing.empty()) return asked;
  for (const auto& [place, write] : state_->writes) {
    const bool is_it = place.first == collection->id && keys::id_of(place.second) == asked.id;
    if (is_it && write.to_trash) return keys::decode_document_key(place.second);
  }
  TRY(check_flushed(*state_, *collection));
  return view().locate_in(*collection, asked, keys::Table::trash);
}

bool Transaction::is_full() const {
  return state_->is_full || state_->view.overlay().has_searched_too_many();
}

std::optional<Document> Transaction::written(const CollectionPtr& collection,
                                             const DocumentKey& key) const {
  if (!collection) return std::nullopt;
  auto found = state_->writes.find({collection->id, keys::encode(key)});
  if (collection->body.is_partitioned() && key.routing.empty()) {
    found = std::find_if(state_->writes.begin(), state_->writes.end(), [&](const auto& write) {
      return write.first.first == collection->id && keys::id_of(write.first.second) == key.id &&
             write.second.after;
    });
  }
  if (found == state_->writes.end() || !found->second.after) return std::nullopt;
  const Instant at = state_->committed_at.is_never() ? state_->view.now() : state_->committed_at;
  return document_of(found->second.collection, found->first.second, found->second.after, at);
}

// --- revive.h ---

Result<void> revive(Transaction& transaction, const CollectionPtr& collection,
                    const DocumentKey& asked, Bytes packed, RevivedBody body,
                    const PutOptions& options) {
  const DocumentKey removed = TRY(Database::State::locate_removed(transaction, collection, asked));
  const DocumentKey key = TRY(key_in_partition(collection->body, removed, Packed(packed)));
  State& state = Database::State::of(transaction);
  Write& write = *TRY(open_write(state, collection, key));
  if (living(state, write)) return is_living(key);
  TRY(check_put(state, write, key, options));
  const FromTrash from = TRY(find_in_trash(state, write, key));
  if (body == RevivedBody::replaced && from.head->is_held()) {
    TRY(transaction.put(collection, key, std::move(packed), options));
    return {};
  }
  TRY(count_bytes(state, packed.size()));
  const std::shared_ptr<OwnedHead>& after = from.head;
  const bool begins_new_life = options.origin != PutOptions::VersionOrigin::by_itself ||
                               (from.removed && from.removed->has_expired);
  const OwnedHead before = *after;
  after->body = std::move(packed);
  after->computed.forget();
  // A document that begins a new life is treated as new, except for a hold, which stays.
  TRY(decide_lifetime({.collection = *collection,
                       .before = begins_new_life && !before.is_held() ? nullptr : &before,
                       .begins_new_life = begins_new_life,
                       .change = options.lifetime,
                       .now = state.view.now()},
                      *after));
  after->updater = options.author;
  if (options.facet) after->facet = *options.facet;
  set_origin(options, state.view.now(), *after);
  return bring_back(state, write, from, after);
}

Result<void> remove_again(Transaction& transaction, const CollectionPtr& collection,
                          const DocumentKey& asked, const std::string& author) {
  const DocumentKey key = TRY(Database::State::locate_removed(transaction, collection, asked));
  State& state = Database::State::of(transaction);
  Write& write = *TRY(open_write(state, collection, key));
  if (living(state, write)) return is_living(key);
  const FromTrash from = TRY(find_in_trash(state, write, key));
  if (from.removed && from.removed->has_expired) return nothing_in_trash(key);
  if (from.head->is_held()) return is_under_hold(key);
  if (!from.removed) return {};  // this transaction has removed it
  TRY(count_bytes(state, from.head->body.size()));
  const std::shared_ptr<OwnedHead>& head = from.head;
  head->revision = from.removed->revision;
  if (!author.empty()) head->updater = author;
  take_out_of_trash(state, write, *from.removed);
  write.restored = from.removed->version;
  write.to_trash = Write::Removed{.written_at = from.removed->version.written_at,
                                  .head = head,
                                  .origin = Write::LifeOrigin::trash,
                                  .is_own = false,
                                  .is_restored = false};
  state.is_behind_sweeper = true;  // it may expire before the commit
  return {};
}

}  // namespace mayfly
