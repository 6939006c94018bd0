// The law of lifetime as pure functions. From the lifetime of a version and the present and past
// policy of its collection follows the one instant at which the version expires (its death). No
// clock, no I/O. Reads, sweeper, compaction, feed and uniqueness all call these functions, so they
// cannot disagree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"

namespace mayfly {

// --- what a write requests ---

// Follows the collection's default at each instant.
struct Inherit {
  bool operator==(const Inherit&) const = default;
};
struct Never {
  bool operator==(const Never&) const = default;
};
// This span after the second of the write, but not before the collection has a default. As a
// default: this span after the instant from which the policy counts.
struct After {
  Span span;  // whole seconds, at least one
  bool operator==(const After&) const = default;
};
struct At {
  Instant instant;
  bool operator==(const At&) const = default;
};
using Lifetime = std::variant<Inherit, Never, After, At>;

// --- the policy of a collection ---

struct Unset {
  bool operator==(const Unset&) const = default;
};
using Default = std::variant<Unset, Never, After>;

// One period of a collection's past: the default in force from this instant until the next period
// begins.
struct Stretch {
  Instant from;
  Default in_force;
  bool operator==(const Stretch&) const = default;
};

// The lifetime that a collection gives to documents written without one: an instant this span after
// the request.
struct Stamp {
  enum class When { creation, every_write };
  Span span;
  When when = When::creation;
  bool operator==(const Stamp&) const = default;
};

// How long something is kept after its end, and the instant up to which nothing is kept: what was
// released under a shorter retention does not come back under a longer one.
struct Retention {
  Span span;  // zero: not at all; Span::infinite(): for ever
  Instant since = Instant::beginning();
  bool operator==(const Retention&) const = default;

  // Ends after this instant are still kept at `now`; those at it or before are not.
  Instant floor(Instant now) const;
  // The retention after a change at `at`.
  Retention changed(Span to, Instant at) const;
};

// The instant from which a collection's default counts; fixed when the collection is created.
enum class CountsFrom {
  second,  // the second of the write: clients that see it can compute the end
  write,   // the exact instant of the write
};

struct Policy {
  // The default's past and present, in order of `from`; never empty. Periods that no reader can
  // request any more are folded into the two instants below.
  std::vector<Stretch> timeline{{Instant::beginning(), Unset{}}};
  CountsFrom default_counts_from = CountsFrom::second;
  // From the folded past: every Inherit version that counts from this instant or before has
  // expired, …
  Instant inherit_expired_through = Instant::beginning();
  // … and every After version that was due before this instant.
  Instant after_expired_before = Instant::beginning();

  std::optional<Stamp> stamp;
  bool writers_may_set_lifetime = true;
  Retention history;  // superseded and expired versions, readable as of an earlier instant
  Retention trash;    // removed documents; zero: a removal is final
  Retention feed;     // events
  Retention purges;   // the record of what has been purged
  // Versions that expire at or after this instant go to the trash; never(): none does.
  Instant expired_to_trash_since = Instant::never();
  bool is_indexed = true;

  // Whether each end is published or recorded.
  bool publishes_ends() const { return feed.span > Span{0} || purges.span > Span{0}; }
  const Default& current_default() const { return timeline.back().in_force; }
  // The instant from which the default counts for a version written at `t`; …
  Instant counted_from(Instant t) const {
    return default_counts_from == CountsFrom::second ? t.floor_second() : t;
  }
  // … and the earliest write instant for which that is `t` or later.
  Instant first_counted_from(Instant t) const;
  // Sets a new default from `at` on; `at` must be later than the start of every period so far.
  // Changes nothing if that is the default already.
  void change_default(const Default& to, Instant at);
  // Folds periods that ended at or before `horizon`. No answer changes for any lens with `judged`
  // at or after the horizon.
  void fold(Instant horizon);
  bool operator==(const Policy&) const = default;
};

// --- a version and its death ---

struct Version {
  Instant written_at;
  Lifetime lifetime = Inherit{};
  Instant removed_at = Instant::never();     // when it went to the trash, if it did
  Instant superseded_at = Instant::never();  // when the next version, or its removal, replaced it
  bool is_held = false;                      // stays in the trash regardless of its retention

  bool is_removed() const { return !removed_at.is_never(); }
};

// The instant from which the version has expired; never() if it does not expire under the timeline
// so far.
Instant death_of(Instant written_at, const Lifetime& lifetime, const Policy& policy);
inline Instant death_of(const Version& version, const Policy& policy) {
  return death_of(version.written_at, version.lifetime, policy);
}

// What decides when an Inherit or After version expires: this span after the instant from which its
// lifetime counts, and not before a default was in force.
struct DeathRule {
  Instant not_before;
  Span span;
  bool operator==(const DeathRule&) const = default;

  Instant death_of_counted(Instant counted) const { return std::max(not_before, counted + span); }
};
// Nothing if the version does not expire under the timeline so far. Not for Never and At.
std::optional<DeathRule> inherit_rule(Instant written_at, const Policy& policy);
std::optional<DeathRule> after_rule(Instant written_at, Span span, const Policy& policy);

// Versions expire in the order of their queues, so the versions that have expired at `t` are the
// front of each queue. Every Inherit version written before this instant has expired at `t`, and
// none written at or after it; …
Instant inherit_live_from(const Policy& policy, Instant t);
// … and every After version that was due before this instant.
Instant after_live_from(const Policy& policy, Instant t);

// The instant at which an expiration takes effect: a version that had expired before its write
// expires with the write.
inline Instant effective_time_of(Instant death, Instant written_at) {
  return death > written_at ? death : written_at;
}

// Whether a version goes to the trash if its expiration takes effect at that instant.
bool goes_to_trash(Instant effective_at, const Policy& policy);

// The instant from which history does not show the version. Not for removed versions.
Instant history_end(const Version& version, const Policy& policy);

// The instant from which no lens can see the version: then its rows may be erased.
Instant forgettable_at(const Version& version, const Policy& policy);

// --- text, for explain, logs and tests ---
std::string render(const Lifetime& lifetime);
std::string render(const Default& in_force);

}  // namespace mayfly
