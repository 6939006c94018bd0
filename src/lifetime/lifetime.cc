#include "lifetime/lifetime.h"

#include <algorithm>

#include "base/check.h"

namespace mayfly {
namespace {

// The last instant of the period before the one that begins at `next_from`.
Instant last_before(Instant next_from) {
  return {next_from.micros - 1};
}

Instant end_of(const std::vector<Stretch>& timeline, std::size_t i) {
  return i + 1 < timeline.size() ? timeline[i + 1].from : Instant::never();
}

// The last instant of a period that is not after `t`; nullopt if the period begins later.
std::optional<Instant> last_by(const std::vector<Stretch>& timeline, std::size_t i, Instant t) {
  const Instant last = std::min(t, last_before(end_of(timeline, i)));
  if (timeline[i].from > last) return std::nullopt;
  return last;
}

// Whether something due at that instant comes within a period, at its begin or later.
bool comes_within(const Stretch& stretch, Instant end, Instant due) {
  return std::max(stretch.from, due) < end;
}

Instant inherit_death(Instant written_at, const Policy& policy) {
  const auto rule = inherit_rule(written_at, policy);
  return rule ? rule->death_of_counted(policy.counted_from(written_at)) : Instant::never();
}

Instant after_death(Instant written_at, Span span, const Policy& policy) {
  const auto rule = after_rule(written_at, span, policy);
  return rule ? rule->death_of_counted(written_at.floor_second()) : Instant::never();
}

}  // namespace

Instant Retention::floor(Instant now) const {
  if (span == Span::infinite()) return since;
  return std::max(since, now - span);
}

Retention Retention::changed(Span to, Instant at) const {
  // Only a longer retention must remember what the shorter one has released; a shorter one releases
  // it anyway.
  return {to, to > span ? floor(at) : since};
}

Instant Policy::first_counted_from(Instant t) const {
  const Instant counted = counted_from(t);
  return counted == t ? t : counted + Span::seconds(1);
}

void Policy::change_default(const Default& to, Instant at) {
  if (current_default() == to) return;
  CHECK(at > timeline.back().from);
  timeline.push_back({at, to});
}

void Policy::fold(Instant horizon) {
  std::size_t ended = 0;
  while (ended + 1 < timeline.size() && timeline[ended + 1].from <= horizon) {
    const Stretch& stretch = timeline[ended];
    const Instant next_from = timeline[ended + 1].from;
    if (const After* after = std::get_if<After>(&stretch.in_force)) {
      const Instant expired_through = counted_from(last_before(next_from) - after->span);
      inherit_expired_through = std::max(inherit_expired_through, expired_through);
    }
    if (!std::holds_alternative<Unset>(stretch.in_force)) {
      after_expired_before = std::max(after_expired_before, next_from);
    }
    ++ended;
  }
  timeline.erase(timeline.begin(), timeline.begin() + static_cast<std::ptrdiff_t>(ended));
}

std::optional<DeathRule> inherit_rule(Instant written_at, const Policy& policy) {
  const Instant counted = policy.counted_from(written_at);
  // By a period that is folded, hence before the first one that is not.
  if (counted <= policy.inherit_expired_through) {
    return DeathRule{policy.timeline.front().from, Span{0}};
  }
  for (std::size_t i = 0; i < policy.timeline.size(); ++i) {
    const Stretch& stretch = policy.timeline[i];
    const After* after = std::get_if<After>(&stretch.in_force);
    if (after == nullptr) continue;
    if (comes_within(stretch, end_of(policy.timeline, i), counted + after->span)) {
      return DeathRule{stretch.from, after->span};
    }
  }
  return std::nullopt;
}

std::optional<DeathRule> after_rule(Instant written_at, Span span, const Policy& policy) {
  const Instant due = written_at.floor_second() + span;
  if (due < policy.after_expired_before) return DeathRule{policy.timeline.front().from, span};
  for (std::size_t i = 0; i < policy.timeline.size(); ++i) {
    const Stretch& stretch = policy.timeline[i];
    if (std::holds_alternative<Unset>(stretch.in_force)) continue;
    if (comes_within(stretch, end_of(policy.timeline, i), due)) {
      return DeathRule{stretch.from, span};
    }
  }
  return std::nullopt;
}

Instant death_of(Instant written_at, const Lifetime& lifetime, const Policy& policy) {
  struct Death {
    Instant written_at;
    const Policy& policy;
    Instant operator()(Inherit) const { return inherit_death(written_at, policy); }
    Instant operator()(Never) const { return Instant::never(); }
    Instant operator()(After after) const { return after_death(written_at, after.span, policy); }
    Instant operator()(At at) const { return at.instant; }
  };
  return std::visit(Death{written_at, policy}, lifetime);
}

Instant inherit_live_from(const Policy& policy, Instant t) {
  // Every version that counts from this instant or before has expired.
  Instant expired_through = Instant::beginning();
  if (policy.timeline.front().from <= t) expired_through = policy.inherit_expired_through;
  for (std::size_t i = 0; i < policy.timeline.size(); ++i) {
    const After* after = std::get_if<After>(&policy.timeline[i].in_force);
    if (after == nullptr) continue;
    if (const auto last = last_by(policy.timeline, i, t))
      expired_through = std::max(expired_through, *last - after->span);
  }
  if (expired_through == Instant::beginning()) return expired_through;
  return policy.first_counted_from(expired_through + Span{1});
}

Instant after_live_from(const Policy& policy, Instant t) {
  Instant live_from = Instant::beginning();
  if (policy.timeline.front().from <= t) live_from = policy.after_expired_before;
  for (std::size_t i = 0; i < policy.timeline.size(); ++i) {
    if (std::holds_alternative<Unset>(policy.timeline[i].in_force)) continue;
    if (const auto last = last_by(policy.timeline, i, t))
      live_from = std::max(live_from, *last + Span{1});
  }
  return live_from;
}

bool goes_to_trash(Instant effective_at, const Policy& policy) {
  return effective_at >= policy.expired_to_trash_since && !effective_at.is_never() &&
         policy.trash.span > Span{0} && effective_at > policy.trash.since;
}

namespace {

// The instant from which the trash does not keep a document that entered it at `removed_at`.
Instant trash_end(Instant removed_at, const Policy& policy) {
  if (removed_at <= policy.trash.since) return removed_at;
  if (policy.trash.span == Span::infinite()) return Instant::never();
  return removed_at + policy.trash.span;
}

}  // namespace

Instant history_end(const Version& version, const Policy& policy) {
  const Instant end = std::min(death_of(version, policy), version.superseded_at);
  if (end <= policy.history.since) return end;
  if (end.is_never() || policy.history.span == Span::infinite()) return Instant::never();
  return end + policy.history.span;
}

Instant forgettable_at(const Version& version, const Policy& policy) {
  const Instant death = death_of(version, policy);
  if (version.is_removed()) {
    // Only the trash shows it, and the trash is never read as of an earlier instant.
    if (version.is_held) return Instant::never();
    return std::min({trash_end(version.removed_at, policy), death, version.superseded_at});
  }
  const Instant end = history_end(version, policy);
  // The commit that replaced it has moved it to the trash if necessary.
  if (!version.superseded_at.is_never()) return end;
  const Instant effective_at = effective_time_of(death, version.written_at);
  return goes_to_trash(effective_at, policy) ? std::max(end, trash_end(effective_at, policy)) : end;
}

std::string render(const Lifetime& lifetime) {
  struct Text {
    std::string operator()(Inherit) const { return "inherit"; }
    std::string operator()(Never) const { return "never"; }
    std::string operator()(After after) const {
      return "after " + std::to_string(after.span.whole_seconds()) + " s";
    }
    std::string operator()(At at) const { return "at " + std::to_string(at.instant.micros); }
  };
  return std::visit(Text{}, lifetime);
}

std::string render(const Default& in_force) {
  struct Text {
    std::string operator()(Unset) const { return "unset"; }
    std::string operator()(Never) const { return "never"; }
    std::string operator()(After after) const {
      return "after " + std::to_string(after.span.whole_seconds()) + " s";
    }
  };
  return std::visit(Text{}, in_force);
}

}  // namespace mayfly
