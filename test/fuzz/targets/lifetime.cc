// The law of lifetime for any policy and any version: a folded past gives the same answers as the
// whole one; an expiration is the first instant at which the rule holds; a version that has expired
// or may be dropped is seen by no lens.
#include "lifetime/lifetime.h"

#include <algorithm>
#include <vector>

#include "base/limits.h"
#include "fuzz.h"
#include "lifetime/lens.h"

namespace mayfly::fuzz {
namespace {

// Instants and spans that meet one another: a few seconds, or anything at all.
Instant take_instant(Reader& in) {
  const std::uint8_t choice = in.u8();
  if (choice == 0xFF) return Instant{in.i64()};
  return Instant{choice * 250'000};
}

// What a clock may say: an instant that has a year.
Instant take_now(Reader& in) {
  return std::clamp(take_instant(in), limits::instant_min, limits::instant_max);
}

Span take_span(Reader& in) {
  const std::uint8_t choice = in.u8();
  if (choice == 0xFF) return Span::infinite();
  if (choice == 0xFE) return Span::seconds(in.u32());
  return Span::seconds(1 + choice % 16);
}

Default take_default(Reader& in) {
  switch (in.u8() % 3) {
    case 0: return Unset{};
    case 1: return Never{};
    default: return After{take_span(in)};
  }
}

Lifetime take_lifetime(Reader& in) {
  switch (in.u8() % 4) {
    case 0: return Inherit{};
    case 1: return Never{};
    case 2: return After{take_span(in)};
    default: return At{take_instant(in)};
  }
}

Policy take_policy(Reader& in) {
  Policy policy;
  for (int changes = in.u8() % 8; changes > 0; --changes) {
    const Instant at = take_instant(in);
    const Default to = take_default(in);
    if (at > policy.timeline.back().from) policy.change_default(to, at);
  }
  for (Retention* retention : {&policy.history, &policy.trash}) {
    for (int changes = in.u8() % 4; changes > 0; --changes) {
      const Span to = in.u8() % 2 == 0 ? Span{0} : take_span(in);
      *retention = retention->changed(to, take_instant(in));
    }
  }
  if (in.u8() % 2 == 1) policy.default_counts_from = CountsFrom::write;
  return policy;
}

// A version whose instants are in order, as commits write them.
Version take_version(Reader& in) {
  Version version{.written_at = take_now(in)};
  version.lifetime = take_lifetime(in);
  const Instant end = take_now(in);
  const std::uint8_t how = in.u8() % 3;
  if (end <= version.written_at || how == 0) return version;
  if (how == 1) version.superseded_at = end;
  if (how == 2) version.removed_at = end;
  return version;
}

// --- the law word for word ---

const Default& in_force(const Policy& policy, Instant t) {
  const Default* found = &policy.timeline.front().in_force;
  for (const Stretch& stretch : policy.timeline) {
    if (stretch.from <= t) found = &stretch.in_force;
  }
  return *found;
}

bool rule_holds(Instant written_at, const Lifetime& lifetime, const Policy& policy, Instant t) {
  const Default& current = in_force(policy, t);
  const After* inherited = std::get_if<After>(&current);
  const Instant second = written_at.floor_second();
  if (const After* own = std::get_if<After>(&lifetime)) {
    return !std::holds_alternative<Unset>(current) && t >= second + own->span;
  }
  if (!std::holds_alternative<Inherit>(lifetime)) return false;
  const bool counts_from_second = policy.default_counts_from == CountsFrom::second;
  return inherited != nullptr && t >= (counts_from_second ? second : written_at) + inherited->span;
}

// It can begin to hold only where a default is set or a span has passed.
Instant death_by_definition(Instant written_at, const Lifetime& lifetime, const Policy& policy) {
  if (const At* at = std::get_if<At>(&lifetime)) return at->instant;
  std::vector<Instant> candidates;
  const auto add = [&](const After* after) {
    if (after != nullptr) candidates.push_back(written_at.floor_second() + after->span);
  };
  add(std::get_if<After>(&lifetime));
  for (const Stretch& stretch : policy.timeline) {
    candidates.push_back(stretch.from);
    add(std::get_if<After>(&stretch.in_force));
    const After* inherited = std::get_if<After>(&stretch.in_force);
    if (inherited != nullptr) candidates.push_back(written_at + inherited->span);
  }
  Instant death = Instant::never();
  for (const Instant t : candidates) {
    if (t < death && rule_holds(written_at, lifetime, policy, t)) death = t;
  }
  return death;
}

// --- properties ---

void check_fold(const Policy& whole, const Version& version, Instant horizon, Instant later) {
  Policy folded = whole;
  folded.fold(horizon);
  CHECK(!folded.timeline.empty());
  const Instant before = death_of(version, whole);
  const Instant after = death_of(version, folded);
  // A death before the horizon may be reported as another one before the horizon.
  CHECK(std::max(before, horizon) == std::max(after, horizon));
  if (later >= horizon) {
    Policy twice = folded;
    twice.fold(later);
    CHECK(std::max(before, later) == std::max(death_of(version, twice), later));
  }
  Policy again = folded;
  again.fold(horizon);
  CHECK(again == folded);
}

void check_sees(const Policy& policy, const Version& version, Instant t, Instant later) {
  const bool is_alive = sees(Lens::live(t), version, policy);
  const bool holds = version.written_at <= t && t < version.superseded_at;
  CHECK(is_alive == (holds && t < death_of(version, policy) && !version.is_removed()));
  CHECK(sees(Lens::as_of(t), version, policy) == is_alive);
  if (is_alive) CHECK(sees(Lens::trash(t), version, policy));
  if (later < t) return;
  // Expired versions stay expired, and a page of a snapshot shows nothing that its first page did
  // not.
  if (t >= death_of(version, policy)) {
    for (const Lens& lens : {Lens::live(later), Lens::trash(later), Lens::page(t, later)}) {
      CHECK(!sees(lens, version, policy));
    }
  }
  if (sees(Lens::page(t, later), version, policy)) CHECK(is_alive);
}

// From then on its rows may go: no reader may see it, whatever lens a reader may have.
void check_forgettable(const Policy& policy, const Version& version, Instant now, Instant t) {
  if (now < forgettable_at(version, policy)) return;
  CHECK(!sees(Lens::live(now), version, policy));
  CHECK(!sees(Lens::trash(now), version, policy));
  if (t < policy.history.floor(now) || t > now) return;
  CHECK(!sees(Lens::as_of(t), version, policy));
  CHECK(!sees(Lens::page(t, now), version, policy));
}

// A change of the default, from now on, changes nothing of what was.
void check_change(const Policy& policy, const Version& version, Instant now, const Default& to) {
  if (now <= policy.timeline.back().from || now.is_never()) return;
  Policy changed = policy;
  changed.change_default(to, now);
  const Instant before = death_of(version, policy), after = death_of(version, changed);
  CHECK(before < now ? after == before : after >= now);
}

}  // namespace

void run(BytesView input) {
  Reader in(input);
  const Policy policy = take_policy(in);
  const Version version = take_version(in);
  const Instant t = take_now(in), later = take_now(in);
  CHECK(death_of(version, policy) ==
        death_by_definition(version.written_at, version.lifetime, policy));
  check_fold(policy, version, t, later);
  check_sees(policy, version, t, later);
  check_forgettable(policy, version, later, t);
  check_change(policy, version, t, take_default(in));
  CHECK(!render(version.lifetime).empty() && !render(Lens::page(t, later)).empty());
}

}  // namespace mayfly::fuzz
