// The law of lifetime as pure functions: what a version asks for, what its collection promises and
// promised before, and from both the one instant at which it dies. No clock, no I/O; everything
// that must know whether something is alive (reads, sweeper, compaction, feed, uniqueness) asks
// here and cannot disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"

namespace mayfly {

// --- what a writer asks for ---

// Follows the collection's default, whatever that is at each instant.
struct Inherit {
  bool operator==(const Inherit&) const = default;
};
struct Never {
  bool operator==(const Never&) const = default;
};
// So long after the second in which it was written, and not before the collection has a default. As
// a default: so long after what the collection's policy counts from.
struct After {
  Span span;  // whole seconds, at least one
  bool operator==(const After&) const = default;
};
struct At {
  Instant instant;
  bool operator==(const At&) const = default;
};
using Lifetime = std::variant<Inherit, Never, After, At>;

// --- what a collection promises ---

struct Unset {
  bool operator==(const Unset&) const = default;
};
using Default = std::variant<Unset, Never, After>;

// One stretch of a collection's past: this default was in force from this instant until the next
// stretch begins.
struct Stretch {
  Instant from;
  Default in_force;
  bool operator==(const Stretch&) const = default;
};

// What a collection puts on documents whose writer says nothing about lifetime: an instant so long
// after the request.
struct Stamp {
  enum class When { creation, every_write };
  Span span;
  When when = When::creation;
  bool operator==(const Stamp&) const = default;
};

// How long something is kept after its end, and the instant before which nothing of it is left:
// what was let go under a shorter promise does not come back under a longer one.
struct Keeping {
  Span span;  // zero: not at all; Span::infinite(): for ever
  Instant since = Instant::beginning();
  bool operator==(const Keeping&) const = default;

  // The earliest end that is still kept at `now`.
  Instant floor(Instant now) const;
  // The promise from `at` on.
  Keeping changed(Span to, Instant at) const;
};

// From where a collection's default counts: fixed when the collection is made.
enum class CountsFrom {
  second,  // in which the version was written: where clients see that, they can compute the end
  write,   // itself, to the microsecond
};

struct Policy {
  // The default's past and present, in order of `from`; never empty. Past that no reader can still
  // ask about is folded into the two instants below it.
  std::vector<Stretch> timeline{{Instant::beginning(), Unset{}}};
  CountsFrom default_counts_from = CountsFrom::second;
  // From the folded past: every Inherit version that counts from this instant or before is dead, …
  Instant inherit_dead_through = Instant::beginning();
  // … and every After version that was due before this instant.
  Instant after_dead_before = Instant::beginning();

  std::optional<Stamp> stamp;
  bool writers_may_set_lifetime = true;
  Keeping history;  // superseded and dead versions, readable as of an earlier instant
  Keeping trash;    // removed documents; zero: a removal is final
  Keeping feed;     // events
  Keeping purges;   // the record of what has been purged
  // Deaths from this instant on go to the trash first; never(): none does.
  Instant dead_to_trash_since = Instant::never();
  bool is_indexed = true;

  // Whether somebody is to be told of each end.
  bool tells_of_ends() const { return feed.span > Span{0} || purges.span > Span{0}; }
  const Default& current_default() const { return timeline.back().in_force; }
  // From when the default counts for a version written at `t`; …
  Instant counted_from(Instant t) const {
    return default_counts_from == CountsFrom::second ? t.floor_second() : t;
  }
  // … and the first writing for which it counts from `t` or later.
  Instant first_counted_from(Instant t) const;
  // A new default from `at` on, which must be later than every stretch before it.
  void change_default(const Default& to, Instant at);
  // Folds stretches that ended at or before `horizon`. For every lens judged at or after the
  // horizon no answer changes.
  void fold(Instant horizon);
  bool operator==(const Policy&) const = default;
};

// --- a version and its death ---

struct Version {
  Instant written_at;
  Lifetime lifetime = Inherit{};
  Instant removed_at = Instant::never();  // when it went to the trash, if it did
  Instant superseded_at =
      Instant::never();  // when the next version, or its removal, took its place
  bool is_held = false;  // stays in the trash whatever that promises

  bool is_removed() const { return !removed_at.is_never(); }
};

// The instant from which the version is dead; never() if there is none as far as the timeline
// tells.
Instant death_of(Instant written_at, const Lifetime& lifetime, const Policy& policy);
inline Instant death_of(const Version& version, const Policy& policy) {
  return death_of(version.written_at, version.lifetime, policy);
}

// Deaths come in the order of the queues, so the dead at `t` are the front of each: every Inherit
// version written before this instant is dead at `t`, and none written at or after it; …
Instant inherit_alive_from(const Policy& policy, Instant t);
// … likewise every After version that was due before this one.
Instant after_alive_from(const Policy& policy, Instant t);

// When a death takes effect: what was dead when it was written dies with its writing.
inline Instant turn_of(Instant death, Instant written_at) {
  return death > written_at ? death : written_at;
}

// Whether a version whose death takes effect at that instant is in the trash from then on.
bool goes_to_trash(Instant turn, const Policy& policy);

// The instant from which history shows the version no more. Not for removed ones.
Instant history_end(const Version& version, const Policy& policy);

// The instant from which no lens at all can see the version: from then on its rows may go.
Instant forgettable_at(const Version& version, const Policy& policy);

// --- text, for explain, logs and tests ---
std::string render(const Lifetime& lifetime);
std::string render(const Default& in_force);

}  // namespace mayfly
