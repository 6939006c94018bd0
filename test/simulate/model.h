// The model: what the law of lifetime says, in plain structs. It keeps every version of every
// document and every promise that a collection has made, and decides each question by looking at
// the whole list. It shares the vocabulary of the product and none of its decisions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "db/database.h"
#include "db/feed/feed.h"

namespace mayfly::simulate {

// --- what there is ---

struct Body {
  std::optional<int> n;
  std::optional<int> u;
  std::string s;
};

// What a hold keeps of the version it lies on, whose own lifetime is never.
struct HoldModel {
  Lifetime lifetime;
  Instant counted_from = Instant::never();  // never(): from the version it lies on
  Instant held_at;
  std::string by;
  std::string reason;
};

// One version of a document. It holds from `written_at` until it dies or another act ends it.
struct Life {
  std::string id;
  Instant written_at;
  Lifetime lifetime;
  Instant created_at;
  std::uint64_t revision = 1;
  std::string author;
  std::string updater;
  Bytes facet;
  Body body;
  std::optional<HoldModel> hold;
  Instant ended_at = Instant::never();  // replaced, removed, or its place taken after its death
  Instant death = Instant::never();     // by the collection's timeline as it is now
  bool is_settled = false;              // it has died, and is in `removed` if it goes there

  bool is_alive(Instant at, Instant judged) const {
    return written_at <= at && at < ended_at && judged < death;
  }
  // Whether it died, rather than being ended before.
  bool died_by(Instant now) const { return death <= now && death <= ended_at; }
  // When the death is told of: one that was dead when it was written, at its writing.
  Instant turn() const { return std::max(death, written_at); }
  // The hold goes on with a new version; a lifetime that is asked for waits under it.
  void wait_under_hold(const Lifetime* asked);
};

struct Removed {
  Life life;
  Instant removed_at;
  Instant left_at = Instant::never();  // restored or forgotten
  bool has_expired = false;
};

struct Happening {
  Event::Kind kind;
  Instant at;
  std::string id;
  Instant version_at;
};

// What one commit of the foreground has purged, each as purge_text() says it.
struct Purge {
  Instant at;
  std::vector<std::string> texts;
};
std::string purge_text(std::string_view how, const std::string& id, Instant written_at,
                       Instant ended_at, const std::string& by);

struct Promise {
  Instant from;
  Span span;
};
// Whoever had ended by `through` was let go at `at`.
struct Trim {
  Instant at;
  Instant through;
};
// What has been promised about keeping what has ended, from the beginning.
struct Promises {
  std::vector<Promise> all{{Instant::beginning(), Span{0}}};
  std::vector<Trim> trims;

  Span current() const { return all.back().span; }
  // What ended at or before this instant is gone at `now`, or was gone once.
  Instant floor(Instant now) const;
  bool keeps(Instant ended_at, Instant now) const { return ended_at > floor(now); }
  // The same without what the promise of now lets go: what a shorter promise let go before.
  Instant let_go() const;
};

struct IndexModel {
  std::string name;
  std::vector<char> fields;  // 'n', 'u', or 't': an entry for each of both
  bool is_descending = false;
  bool is_unique = false;
  bool null_is_greatest = false;
  Instant since = Instant::beginning();  // it was made no later
};

// What a document has in an index: once for each entry, a value for each field.
using EntryModel = std::vector<std::optional<int>>;
std::set<EntryModel> entries_of(const IndexModel& index, const Body& body);
// Those that lack no value.
std::set<EntryModel> complete_entries_of(const IndexModel& index, const Body& body);

// What a definition in FQL says beside its indexes.
struct FqlDefinition {
  std::optional<int> ttl_days;
  std::optional<bool> document_ttls;
  int history_days = 0;
};

struct CollectionModel {
  CollectionId id = 0;
  std::string name;
  Instant created_at;
  std::optional<FqlDefinition> fql;                                // where FQL has made it
  std::vector<Stretch> timeline{{Instant::beginning(), Unset{}}};  // whole, never folded
  CountsFrom counts_from = CountsFrom::second;
  std::optional<Stamp> stamp;
  bool writers_may_set_lifetime = true;
  bool is_indexed = true;
  Promises history, trash, feed, purges;
  struct Turn {
    Instant from;
    bool is_on;
  };
  std::vector<Turn> to_trash{{Instant::beginning(), false}};  // whether the dead go there first
  std::vector<IndexModel> indexes;
  std::vector<Life> lives;  // in the order of their commits
  std::vector<Removed> removed;
  std::vector<Happening> happenings;
  std::vector<Purge> purged;

  bool sends_to_trash() const { return to_trash.back().is_on; }
  // Whether who dies at that instant goes to the trash.
  bool sends_to_trash(Instant turn) const;
  bool is_in_trash(const Removed& removed, Instant now) const {
    if (!removed.left_at.is_never()) return false;
    return removed.life.hold || (trash.keeps(removed.removed_at, now) && now < removed.life.death);
  }
  // Whether it leaves by itself, for good.
  bool has_left_trash(const Removed& removed, Instant now) const {
    return removed.left_at.is_never() && !removed.life.hold &&
           (!trash.keeps(removed.removed_at, now) || removed.life.death <= now);
  }
  bool holds_any() const;
  // When those came who are in the trash and can be let go of, the first first.
  std::vector<Instant> trimmable(Instant now) const;
  // Of the versions of that id, the one that is alive at that instant, …
  const Life* alive_at(const std::string& id, Instant at) const;
  // … and the one of that instant that stands.
  const Life* standing(const std::string& id, Instant written_at) const;

  const IndexModel* find_index(const std::string& name) const;
};

// The first instant at which the rule of the lifetime holds, anywhere along the timeline.
Instant death_along(const std::vector<Stretch>& timeline, CountsFrom counts_from,
                    Instant written_at, const Lifetime& lifetime);
inline Instant death_in(const CollectionModel& c, Instant written_at, const Lifetime& lifetime) {
  return death_along(c.timeline, c.counts_from, written_at, lifetime);
}

// --- what is done ---

struct Edit {
  enum class Kind { put, patch, remove, restore, forget, hold, release };
  Kind kind = Kind::put;
  std::string collection;
  std::string id;
  Body body;  // of a patch: what n and u become
  bool patches_n = false;
  bool patches_u = false;
  PutOptions options;                    // of a put and a patch; its lifetime of a restore, too
  std::optional<Instant> if_written_at;  // of a removal
  std::string author;                    // of all others
  bool is_final = false;
};

// A model is cheap to copy: what a collection was before is shared.
class Model {
 public:
  std::vector<std::string> names() const;
  const CollectionModel& at(const std::string& name) const { return *collections_.at(name); }

  // All edits as one commit at `at`, seen from `now`. Gives what each answers; where one fails,
  // that is the last answer and nothing happens. Whether others' versions are dead is judged at
  // `judged`: at `at` where it is left out.
  struct Told {
    std::vector<std::string> answers;
    bool is_done = false;
  };
  Told edit(const std::vector<Edit>& edits, Instant now, Instant at,
            std::optional<Instant> judged = {});

  // Who has died by now and goes to the trash is there. Needed before anybody looks at the trash,
  // and never wrong.
  void settle(Instant now);

  // Whether the collection may become that.
  bool allows(const std::string& name, const CollectionChange& change) const;
  void change(const std::string& name, const CollectionChange& change, Instant at);
  // The trash lets go of who came by `through`.
  void trim(const std::string& name, Instant through, Instant at);
  // Makes a new one in the place of one of that name.
  void create(CollectionId id, const CollectionSpec& spec, const std::vector<IndexModel>& indexes,
              Instant at);
  // It is one of FQL's, and that is its definition.
  void define(const std::string& name, const FqlDefinition& definition) {
    mutate(name).fql = definition;
  }
  void drop(const std::string& name) { collections_.erase(name); }
  // Whether there is one of that name and id.
  bool has(const std::string& name, CollectionId id) const {
    const auto found = collections_.find(name);
    return found != collections_.end() && found->second->id == id;
  }
  void add_index(const std::string& name, IndexModel index, Instant since);
  void drop_index(const std::string& name, const std::string& index);
  // Whether two living documents have the same values of it.
  bool would_collide(const std::string& name, const IndexModel& index, Instant now) const;

 private:
  friend class Editor;
  CollectionModel& mutate(const std::string& name);  // its own from then on
  std::map<std::string, std::shared_ptr<CollectionModel>> collections_;
};

}  // namespace mayfly::simulate
