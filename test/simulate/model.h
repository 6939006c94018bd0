// The model: the law of lifetime, in plain structs. It keeps every version of every document and
// every policy that a collection has had, and answers each question by looking at the whole list.
// It shares the vocabulary of the product and none of its code.
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

// --- data ---

struct Body {
  std::optional<int> n;
  std::optional<int> u;
  std::string s;
};

// What a hold stores about the version it is on. The lifetime of that version itself is never.
struct HoldModel {
  Lifetime lifetime;
  Instant counted_from = Instant::never();  // never(): from the version it is on
  Instant held_at;
  std::string by;
  std::string reason;
};

// One version of a document. It is valid from `written_at` until it expires or another edit ends
// it.
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
  Instant death = Instant::never();     // by the collection's present timeline
  bool is_flushed = false;              // it has expired, and is in `removed` if it goes there

  bool is_alive(Instant at, Instant judged) const {
    return written_at <= at && at < ended_at && judged < death;
  }
  // Whether it expired, rather than having been ended before.
  bool expired_by(Instant now) const { return death <= now && death <= ended_at; }
  // When the death takes effect: for a version that had expired when it was written, at its
  // writing.
  Instant effective_at() const { return std::max(death, written_at); }
  // The hold stays on a new version; a requested lifetime is stored in it until the release.
  void store_in_hold(const Lifetime* requested);
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

// The purges of one commit of the foreground, each as purge_text() formats it.
struct Purge {
  Instant at;
  std::vector<std::string> texts;
};
std::string purge_text(std::string_view how, const std::string& id, Instant written_at,
                       Instant ended_at, const std::string& by);

struct RetentionPeriod {
  Instant from;
  Span span;
};
// Documents that had ended by `through` were evicted at `at`.
struct TrashTrim {
  Instant at;
  Instant through;
};
// The retention of ended versions, with its whole past.
struct RetentionPast {
  std::vector<RetentionPeriod> all{{Instant::beginning(), Span{0}}};
  std::vector<TrashTrim> trims;

  Span current() const { return all.back().span; }
  // Versions that ended at or before this instant are gone at `now`, or were gone at some time.
  Instant floor(Instant now) const;
  bool keeps(Instant ended_at, Instant now) const { return ended_at > floor(now); }
  // The same by earlier retentions alone, without the present one.
  Instant purged_through() const;
};

struct IndexModel {
  std::string name;
  std::vector<char> fields;  // 'n', 'u', or 't': an entry for each of both
  bool is_descending = false;
  bool is_unique = false;
  bool null_is_greatest = false;
  Instant since = Instant::beginning();  // it was made no later
};

// The entries of a document in an index; each has a value for each field.
using EntryModel = std::vector<std::optional<int>>;
std::set<EntryModel> entries_of(const IndexModel& index, const Body& body);
// The entries that lack no value.
std::set<EntryModel> complete_entries_of(const IndexModel& index, const Body& body);

// The parts of a definition in FQL other than its indexes.
struct FqlDefinition {
  std::optional<int> ttl_days;
  std::optional<bool> document_ttls;
  int history_days = 0;
};

struct CollectionModel {
  CollectionId id = 0;
  std::string name;
  Instant created_at;
  std::optional<FqlDefinition> fql;                                // if FQL has made it
  std::vector<Stretch> timeline{{Instant::beginning(), Unset{}}};  // whole, never folded
  CountsFrom counts_from = CountsFrom::second;
  std::optional<Stamp> stamp;
  bool writers_may_set_lifetime = true;
  bool is_indexed = true;
  RetentionPast history, trash, feed, purges;
  struct Switch {
    Instant from;
    bool is_on;
  };
  std::vector<Switch> to_trash{
      {Instant::beginning(), false}};  // whether expired documents go there first
  std::vector<IndexModel> indexes;
  std::vector<Life> lives;  // in the order of their commits
  std::vector<Removed> removed;
  std::vector<Happening> happenings;
  std::vector<Purge> purged;

  bool sends_to_trash() const { return to_trash.back().is_on; }
  // Whether a document that expires at that instant goes to the trash.
  bool sends_to_trash(Instant effective_at) const;
  bool is_in_trash(const Removed& removed, Instant now) const {
    if (!removed.left_at.is_never()) return false;
    return removed.life.hold || (trash.keeps(removed.removed_at, now) && now < removed.life.death);
  }
  // Whether it leaves the trash by itself, for good.
  bool has_left_trash(const Removed& removed, Instant now) const {
    return removed.left_at.is_never() && !removed.life.hold &&
           (!trash.keeps(removed.removed_at, now) || removed.life.death <= now);
  }
  bool holds_any() const;
  // The instants at which the documents that can be evicted came into the trash, in order.
  std::vector<Instant> evictable(Instant now) const;
  // The version of that id that is alive at that instant; null if there is none.
  const Life* alive_at(const std::string& id, Instant at) const;
  // The current version of that id if it was written at that instant; else null.
  const Life* standing(const std::string& id, Instant written_at) const;

  const IndexModel* find_index(const std::string& name) const;
};

// The first instant at which the rule of the lifetime holds, anywhere along the timeline.
Instant death_along(const std::vector<Stretch>& timeline, CountsFrom counts_from,
                    Instant written_at, const Lifetime& lifetime);
inline Instant death_in(const CollectionModel& c, Instant written_at, const Lifetime& lifetime) {
  return death_along(c.timeline, c.counts_from, written_at, lifetime);
}

// --- operations ---

struct Edit {
  enum class Kind { put, patch, remove, restore, forget, hold, release };
  Kind kind = Kind::put;
  std::string collection;
  std::string id;
  Body body;  // for a patch: the new values of n and u
  bool patches_n = false;
  bool patches_u = false;
  PutOptions options;                    // of a put and a patch; its lifetime also of a restore
  std::optional<Instant> if_written_at;  // of a removal
  std::string author;                    // of all others
  bool is_final = false;
};

// A model is cheap to copy: unchanged collections are shared.
class Model {
 public:
  std::vector<std::string> names() const;
  const CollectionModel& at(const std::string& name) const { return *collections_.at(name); }

  // All edits as one commit at `at`, seen from `now`. Returns the answer of each; if one fails,
  // that is the last answer and nothing happens. Whether other versions have expired is judged at
  // `judged`, by default at `at`.
  struct EditAnswers {
    std::vector<std::string> answers;
    bool is_done = false;
  };
  EditAnswers edit(const std::vector<Edit>& edits, Instant now, Instant at,
                   std::optional<Instant> judged = {});

  // Moves documents that have expired by now to the trash, if they go there. Needed before
  // anything reads the trash; harmless at any time.
  void flush_expirations(Instant now);

  // Whether the change is allowed.
  bool allows(const std::string& name, const CollectionChange& change) const;
  void change(const std::string& name, const CollectionChange& change, Instant at);
  // Evicts the documents that came into the trash by `through`.
  void trim(const std::string& name, Instant through, Instant at);
  // Creates a new collection, in place of one of that name.
  void create(CollectionId id, const CollectionSpec& spec, const std::vector<IndexModel>& indexes,
              Instant at);
  // The collection was made by FQL with that definition.
  void define(const std::string& name, const FqlDefinition& definition) {
    mutate(name).fql = definition;
  }
  void drop(const std::string& name) { collections_.erase(name); }
  // Whether there is a collection with that name and id.
  bool has(const std::string& name, CollectionId id) const {
    const auto found = collections_.find(name);
    return found != collections_.end() && found->second->id == id;
  }
  void add_index(const std::string& name, IndexModel index, Instant since);
  void drop_index(const std::string& name, const std::string& index);
  // Whether two living documents have the same values in the index.
  bool would_collide(const std::string& name, const IndexModel& index, Instant now) const;

 private:
  friend class Editor;
  CollectionModel& mutate(const std::string& name);  // unshares it
  std::map<std::string, std::shared_ptr<CollectionModel>> collections_;
};

}  // namespace mayfly::simulate
