// A lens says which versions a reader sees. It is fixed before anything is read, from the one `now`
// of the request, and every look-up, count and page of that request uses the same one.
#pragma once

#include <string>

#include "base/clock.h"
#include "lifetime/lifetime.h"

namespace mayfly {

struct Lens {
  Instant at;                // chooses the versions: written at or before, not superseded by then
  Instant judged;            // death is decided against this
  bool shows_trash = false;  // removed documents too

  // Nearly everything: what is alive now.
  static Lens live(Instant now) { return {now, now, false}; }
  // What a reader at `t` would have seen.
  static Lens as_of(Instant t) { return {t, t, false}; }
  // A further page of a pinned snapshot: later writes stay out, and so does what has died
  // meanwhile.
  static Lens page(Instant snapshot, Instant now) { return {snapshot, now, false}; }
  // What is alive now, and what lies in the trash.
  static Lens trash(Instant now) { return {now, now, true}; }

  // Whether only the newest version of a document can be seen through it at `now`.
  bool is_current(Instant now) const { return at >= now; }
};

// The one decision about visibility.
bool sees(const Lens& lens, const Version& version, const Policy& policy);

std::string render(const Lens& lens);

}  // namespace mayfly
