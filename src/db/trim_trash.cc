// Letting go of what has been in the trash longest. Where that ends between two instants, the
// collection's promise ends there from now on (Keeping::since): one small row hides them all, and
// the sweeper tells of them and removes their rows, as it does with those whose time is over. Those
// that such an instant cannot tell apart are forgotten one by one.
#include "base/limits.h"
#include "db/draft.h"

namespace mayfly {
namespace {

constexpr std::size_t forgotten_at_once = 500;  // in one commit, so that others have their turns

struct Front {
  std::size_t documents = 0;  // that came into the trash by …
  Instant through = Instant::beginning();
  std::vector<Bytes> one_by_one;  // the keys of others
};

// Ends and purges of what came into the trash by then would not be told of by whoever sweeps it,
// since nobody was to be told yet.
Instant untold_through(const Policy& policy) {
  Instant through = Instant::beginning();
  for (const Keeping& told : {policy.feed, policy.purges}) {
    if (told.span > Span{0}) through = std::max(through, told.since);
  }
  return through;
}

// Takes the rows of the trash's queue in their order until it has `most`.
class FrontTaker {
 public:
  FrontTaker(const Policy& policy, std::size_t most)
      : untold_(untold_through(policy)), most_(most) {}

  // Whether it takes further ones.
  bool take(const keys::QueueKey& entry) {
    if (entry.instant != instant_) end_instant();
    if (taken_ == most_) return false;
    ++taken_;
    instant_ = entry.instant;
    (entry.instant <= untold_ ? front_.one_by_one : of_instant_).emplace_back(entry.key);
    return true;
  }
  // Of the last instant there are more than it could take.
  Front cut() {
    for (Bytes& key : of_instant_) front_.one_by_one.push_back(std::move(key));
    return std::move(front_);
  }
  Front whole() {
    end_instant();
    return std::move(front_);
  }

 private:
  void end_instant() {
    if (of_instant_.empty()) return;
    front_.documents += of_instant_.size();
    front_.through = instant_;
    of_instant_.clear();
  }

  const Instant untold_;
  const std::size_t most_;
  std::size_t taken_ = 0;
  Instant instant_ = Instant::beginning();
  std::vector<Bytes> of_instant_;
  Front front_;
};

Result<Front> read_front(store::Store& store, const Collection& collection, Instant now,
                         std::size_t most) {
  FrontTaker taker(collection.policy, most);
  const Instant kept_from = collection.policy.trash.floor(now) + Span{1};
  store::Range range{.lo = keys::queue(collection.id, keys::Queue::trash, kept_from, {}),
                     .hi = after_prefix(keys::queue(collection.id, keys::Queue::trash)),
                     .rows_max = limits::store_page_rows_max,
                     .is_read_once = true};
  for (bool more = true; more;) {
    const store::Page page = std::move(TRY(store.read({{}, {range}}, nullptr)).scans.front());
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const auto entry = keys::decode_queue(page.rows[i].key);
      if (!entry) return fail(Code::corrupt, "a queue key in the store is damaged");
      if (version_in_queue(*entry, page.rows[i]).is_held) continue;
      if (!taker.take(*entry)) return taker.cut();
    }
    more = page.next.has_value();
    if (more) range.lo = *page.next;
  }
  return taker.whole();
}

// Brought back or held since it was read.
bool may_stay(const Result<void>& forgotten) {
  return !forgotten &&
         (forgotten.error().code == Code::not_found || forgotten.error().code == Code::forbidden);
}

tl::unexpected<Error> no_such_collection() {
  return fail(Code::not_found, "there is no such collection");
}

}  // namespace

Result<std::size_t> Database::trim_trash(CollectionId id, std::size_t documents_max) {
  std::size_t gone = 0;
  for (bool more = true; more && gone < documents_max;) {
    const std::size_t most = std::min(documents_max - gone, limits::trim_batch_max);
    const std::size_t taken = TRY(trim_front(id, most));
    more = taken == most;
    gone += taken;
  }
  return gone;
}

Result<std::size_t> Database::trim_front(CollectionId id, std::size_t most) {
  Front front;
  {
    const View view = TRY(settled_view(id));
    const CollectionPtr collection = view.catalog().collection(id);
    if (!collection) return no_such_collection();
    front = TRY(read_front(*state_->store, *collection, view.now(), most));
  }
  for (std::size_t done = 0; done < front.one_by_one.size(); done += forgotten_at_once) {
    const std::size_t end = std::min(done + forgotten_at_once, front.one_by_one.size());
    TRY(transact([&](Transaction& transaction) -> Result<void> {
      const CollectionPtr collection = transaction.view().catalog().collection(id);
      if (!collection) return no_such_collection();
      for (std::size_t i = done; i < end; ++i) {
        const DocumentKey key = TRY(keys::decode_document_key(front.one_by_one[i]));
        const auto forgotten = transaction.forget(collection, key);
        if (!forgotten && !may_stay(forgotten)) return forgotten;
      }
      return {};
    }));
  }
  // Last: who lies before that instant would be hidden by it.
  if (front.documents > 0) TRY(keep_trash_since(id, front.through));
  return front.documents + front.one_by_one.size();
}

Result<void> Database::keep_trash_since(CollectionId id, Instant through) {
  TRY(change_catalog(*state_, [&](Draft& draft, Instant) -> Result<void> {
    const CollectionPtr current = draft.catalog->collection(id);
    if (!current) return no_such_collection();
    Collection c = *current;
    c.policy.trash.since = std::max(c.policy.trash.since, through);
    draft.batch.space = store::CommitBatch::Space::less;
    // Before as well as after the commit, as at any change of a policy.
    state_->sweeper->look_again(id);
    draft.put(std::move(c));
    return {};
  }));
  state_->sweeper->look_again(id);
  return {};
}

}  // namespace mayfly
