// A lens says which versions a reader sees. A request fixes its lens before it reads anything, from
// its one `now`; every look-up, count and page of the request uses the same lens.
#pragma once

#include <string>

#include "base/clock.h"
#include "lifetime/lifetime.h"

namespace mayfly {

struct Lens {
  Instant at;      // chooses the versions: written at or before it, and not superseded by then
  Instant judged;  // decides expiration: versions that expire at or before it are hidden
  bool shows_trash = false;  // removed documents too

  // For nearly all reads: the living documents of now.
  static Lens live(Instant now) { return {now, now, false}; }
  // The versions that a reader at `t` saw.
  static Lens as_of(Instant t) { return {t, t, false}; }
  // A further page of a pinned snapshot: without later writes, and without versions that have
  // expired meanwhile.
  static Lens page(Instant snapshot, Instant now) { return {snapshot, now, false}; }
  // The living documents of now, and the documents in the trash.
  static Lens trash(Instant now) { return {now, now, true}; }

  // Whether it shows only the newest version of a document at `now`.
  bool is_current(Instant now) const { return at >= now; }
};

// The only decision about visibility.
bool sees(const Lens& lens, const Version& version, const Policy& policy);

std::string render(const Lens& lens);

}  // namespace mayfly
