// Legal holds: setting and releasing them (docs/decisions/0006).
#include "base/limits.h"
#include "db/rows/keys.h"
#include "db/write/rules/body_lifetime.h"
#include "db/write/write.h"

namespace mayfly {
namespace {

Result<void> check_hold(const HoldOptions& options) {
  if (options.by.size() > limits::author_bytes_max) {
    return fail(Code::invalid, "the name in \"by\" is too long", "by");
  }
  if (options.reason.size() > limits::hold_reason_bytes_max) {
    return fail(Code::invalid,
                "the reason for a hold has at most " +
                    std::to_string(limits::hold_reason_bytes_max) + " bytes",
                "reason");
  }
  return {};
}

tl::unexpected<Error> is_held_already(const DocumentKey& key) {
  return fail(Code::exists, "the document with the id '" + key.id + "' is under hold already",
              "id");
}

tl::unexpected<Error> no_hold(const DocumentKey& key) {
  return fail(Code::not_found, "there is no hold on a document with the id '" + key.id + "'", "id");
}

// Writes `after` as a new version of the living document.
Result<void> write_new_version(TransactionState& state, Write& write,
                               std::shared_ptr<OwnedHead> after, const std::string& updater) {
  TRY(count_bytes(state, after->body.size()));
  TRY(count_entries(state, write, after));
  if (!write.is_own()) after->revision += 1;
  if (!updater.empty()) after->updater = updater;
  TRY(hide(state, write));
  write.after = std::move(after);
  write.is_rewritten = true;
  show_hold(state, write, Instant::never(), write.after->is_held());
  return show(state, write);
}

// Removes from the body the lifetime that it specified under the hold.
Result<void> remove_lifetime_from_body(const Lifetime& lifetime, OwnedHead& head) {
  const Packed packed(head.body);
  if (head.is_asked || !specifies_span(packed, lifetime)) return {};
  Value body = packed.unpack();
  body.mutable_object().remove(lifetime_member);
  head.body = TRY(pack(body));
  head.computed.forget();
  return {};
}

// Ends a document now that would have expired under the hold.
Result<void> release_living(TransactionState& state, Write& write, const OwnedHead& standing,
                            const std::string& author) {
  const Instant now = state.view.now();
  const records::Hold hold = TRY(records::decode_hold(standing.hold));
  auto after = std::make_shared<OwnedHead>(standing);
  after->hold.clear();
  Instant counted_from = hold.counted_from;
  if (counted_from.is_never()) {
    counted_from = write.is_own() ? now : write.before->version.written_at;
  }
  const bool has_died = death_of(counted_from, hold.lifetime, write.collection->policy) <= now;
  after->lifetime = has_died ? Lifetime(At{now}) : hold.lifetime;
  if (has_died) TRY(remove_lifetime_from_body(hold.lifetime, *after));
  return write_new_version(state, write, std::move(after), author);
}

records::End end_of(const Document& removed) {
  if (removed.specified_its_lifetime) return records::End::expired_as_specified;
  return removed.has_expired ? records::End::expired : records::End::removed;
}

// The removed document stays in the trash, with this hold or none.
Result<void> rewrite_in_trash(TransactionState& state, Write& write, const Document& removed,
                              const Lifetime& lifetime, Bytes hold) {
  TRY(count_bytes(state, removed.body.bytes().size()));
  auto owned = own(removed);
  const bool is_held = !hold.empty();
  owned->lifetime = lifetime;
  owned->hold = std::move(hold);
  Bytes value;
  records::encode_trash(end_of(removed), removed.version.written_at, owned->head(), value);
  const Instant removed_at = removed.version.removed_at;
  overlay(state).rows[keys::trash(write.collection->id, write.key, removed_at)] = value;
  write.in_trash[removed_at] = {std::move(value), is_held};
  show_hold(state, write, removed_at, is_held);
  if (is_held) stop_waiting_for_end(write, removed);
  state.is_behind_sweeper = state.is_behind_sweeper || !is_held;
  return {};
}

// The living document of that id, or else the removed one.
Result<DocumentKey> locate_any(TransactionState& state, const Collection& collection,
                               const DocumentKey& asked) {
  View& view = state.view;
  const DocumentKey living = TRY(view.locate(collection, asked, view.live()));
  if (!living.routing.empty() || !collection.body.is_partitioned()) return living;
  TRY(check_flushed(state, collection));
  return view.locate(collection, asked, Lens::trash(view.now()));
}

Result<std::optional<Document>> in_trash(TransactionState& state, const Write& write,
                                         const DocumentKey& key) {
  TRY(check_flushed(state, *write.collection));
  return state.view.get_removed(*write.collection, key);
}

}  // namespace

Result<void> Transaction::hold(const CollectionPtr& collection, const DocumentKey& asked,
                               const HoldOptions& options) {
  TRY(check_there(collection));
  TRY(check_hold(options));
  const DocumentKey key = TRY(locate_any(*state_, *collection, asked));
  Write& write = *TRY(open_write(*state_, collection, key));
  records::Hold hold{.lifetime = Never{},
                     .held_at = state_->view.now(),
                     .by = options.by,
                     .reason = options.reason};
  if (const OwnedHead* standing = living(*state_, write)) {
    if (standing->is_held()) return is_held_already(key);
    auto after = std::make_shared<OwnedHead>(*standing);
    hold.lifetime = after->lifetime;
    if (!write.is_own()) hold.counted_from = write.before->version.written_at;
    after->lifetime = Never{};
    after->hold = records::encode(hold);
    return write_new_version(*state_, write, std::move(after), options.by);
  }
  const auto removed = TRY(in_trash(*state_, write, key));
  if (!removed) return no_such_document(key);
  if (!removed->hold.empty()) return is_held_already(key);
  hold.lifetime = removed->version.lifetime;
  hold.counted_from = removed->version.written_at;
  return rewrite_in_trash(*state_, write, *removed, Never{}, records::encode(hold));
}

Result<void> Transaction::release(const CollectionPtr& collection, const DocumentKey& asked,
                                  const std::string& author, std::optional<Instant> removed_at) {
  TRY(check_there(collection));
  // A held document's id may be living in another partition, where there is no hold.
  const DocumentKey key = TRY(view().locate_in(*collection, asked, keys::Table::hold));
  Write& write = *TRY(open_write(*state_, collection, key));
  const OwnedHead* standing = living(*state_, write);
  bool found = false;
  if (!removed_at && standing != nullptr && standing->is_held()) {
    TRY(release_living(*state_, write, *standing, author));
    found = true;
  }
  TRY(check_flushed(*state_, *collection));
  for (const Document& held : TRY(state_->view.get_held_removed(*collection, key))) {
    if (removed_at && held.version.removed_at != *removed_at) continue;
    const records::Hold hold = TRY(records::decode_hold(held.hold));
    TRY(rewrite_in_trash(*state_, write, held, hold.lifetime, {}));
    found = true;
  }
  if (found) return {};
  return no_hold(key);
}

}  // namespace mayfly
