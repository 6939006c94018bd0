#include "simulate/model.h"

#include <algorithm>
#include <set>

#include "value/rfc3339.h"

namespace mayfly::simulate {
namespace {

Default default_at(const std::vector<Stretch>& timeline, Instant t) {
  Default in_force = Unset{};
  for (const Stretch& stretch : timeline) {
    if (stretch.from <= t) in_force = stretch.in_force;
  }
  return in_force;
}

Instant second_of(Instant t) {
  return {t.micros - t.micros % 1'000'000};
}

// Whether the rule of the lifetime holds at `t`, by the table of the law.
bool is_due(const std::vector<Stretch>& timeline, Instant counted_from, Instant written_at,
            const Lifetime& lifetime, Instant t) {
  const Default in_force = default_at(timeline, t);
  if (std::holds_alternative<Inherit>(lifetime)) {
    const After* after = std::get_if<After>(&in_force);
    return after != nullptr && t >= counted_from + after->span;
  }
  if (const After* after = std::get_if<After>(&lifetime)) {
    return !std::holds_alternative<Unset>(in_force) && t >= second_of(written_at) + after->span;
  }
  if (const At* at = std::get_if<At>(&lifetime)) return t >= at->instant;
  return false;
}

}  // namespace

Instant death_along(const std::vector<Stretch>& timeline, CountsFrom counts_from,
                    Instant written_at, const Lifetime& lifetime) {
  if (const At* at = std::get_if<At>(&lifetime)) return at->instant;
  // It can begin to hold only where a span has passed or the default changes.
  std::set<Instant> candidates;
  const Instant counted_from =
      counts_from == CountsFrom::second ? second_of(written_at) : written_at;
  for (const Stretch& stretch : timeline) {
    candidates.insert(stretch.from);
    if (const After* after = std::get_if<After>(&stretch.in_force)) {
      candidates.insert(counted_from + after->span);
    }
  }
  if (const After* after = std::get_if<After>(&lifetime)) {
    candidates.insert(second_of(written_at) + after->span);
  }
  for (const Instant t : candidates) {
    if (is_due(timeline, counted_from, written_at, lifetime, t)) return t;
  }
  return Instant::never();
}

std::string purge_text(std::string_view how, const std::string& id, Instant written_at,
                       Instant ended_at, const std::string& by) {
  return std::string(how) + " " + id + " of " + render_rfc3339(written_at) + " ended " +
         render_rfc3339(ended_at) + " by " + by;
}

bool CollectionModel::sends_to_trash(Instant effective_at) const {
  for (std::size_t i = 0; i < to_trash.size(); ++i) {
    const Instant until = i + 1 < to_trash.size() ? to_trash[i + 1].from : Instant::never();
    const bool is_then = to_trash[i].from <= effective_at && effective_at < until;
    if (is_then) return to_trash[i].is_on && trash.keeps(effective_at, effective_at);
  }
  return false;
}

bool CollectionModel::holds_any() const {
  return std::any_of(lives.begin(), lives.end(),
                     [](const Life& life) { return life.hold && life.ended_at.is_never(); }) ||
         std::any_of(removed.begin(), removed.end(),
                     [](const Removed& r) { return r.life.hold && r.left_at.is_never(); });
}

Instant RetentionPast::floor(Instant now) const {
  Instant floor = Instant::beginning();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].span == Span::infinite()) continue;
    const Instant until = i + 1 < all.size() ? std::min(all[i + 1].from, now) : now;
    if (until >= all[i].from) floor = std::max(floor, until - all[i].span);
  }
  for (const TrashTrim& trim : trims) {
    if (trim.at <= now) floor = std::max(floor, trim.through);
  }
  return floor;
}

Instant RetentionPast::purged_through() const {
  Instant floor = Instant::beginning();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i].span == Span::infinite() || all[i + 1].span <= all[i].span) continue;
    floor = std::max(floor, all[i + 1].from - all[i].span);
  }
  return floor;
}

std::vector<Instant> CollectionModel::evictable(Instant now) const {
  std::vector<Instant> arrivals;
  for (const Removed& r : removed) {
    if (is_in_trash(r, now) && !r.life.hold) arrivals.push_back(r.removed_at);
  }
  std::sort(arrivals.begin(), arrivals.end());
  return arrivals;
}

const IndexModel* CollectionModel::find_index(const std::string& index_name) const {
  for (const IndexModel& index : indexes) {
    if (index.name == index_name) return &index;
  }
  return nullptr;
}

CollectionModel& Model::mutate(const std::string& name) {
  auto& collection = collections_.at(name);
  if (collection.use_count() > 1) collection = std::make_shared<CollectionModel>(*collection);
  return *collection;
}

std::vector<std::string> Model::names() const {
  std::vector<std::string> names;
  for (const auto& [name, collection] : collections_) names.push_back(name);
  return names;
}

// --- the catalog ---

bool Model::allows(const std::string& name, const CollectionChange& change) const {
  Default becomes = Unset{};
  bool is_indexed = true;
  bool to_trash = false;
  Span trash{0};
  if (const auto found = collections_.find(name); found != collections_.end()) {
    becomes = found->second->timeline.back().in_force;
    is_indexed = found->second->is_indexed;
    to_trash = found->second->sends_to_trash();
    trash = found->second->trash.current();
  }
  if (change.expires_to_trash.value_or(to_trash) &&
      change.keep_trash_for.value_or(trash) == Span{0})
    return false;
  if (change.default_lifetime) {
    becomes = *change.default_lifetime;
    const After* after = std::get_if<After>(&becomes);
    if (after != nullptr && after->span < Span::seconds(1)) return false;
  }
  if (change.is_indexed) is_indexed = *change.is_indexed;
  return is_indexed || std::holds_alternative<Unset>(becomes);
}

void Model::trim(const std::string& name, Instant through, Instant at) {
  mutate(name).trash.trims.push_back({at, through});
}

void Model::change(const std::string& name, const CollectionChange& change, Instant at) {
  CollectionModel& c = mutate(name);
  if (change.default_lifetime) c.timeline.push_back({at, *change.default_lifetime});
  if (change.stamp) c.stamp = *change.stamp;
  if (change.writers_may_set_lifetime) {
    c.writers_may_set_lifetime = *change.writers_may_set_lifetime;
  }
  if (change.keep_history_for) c.history.all.push_back({at, *change.keep_history_for});
  if (change.keep_trash_for) c.trash.all.push_back({at, *change.keep_trash_for});
  if (change.keep_feed_for) c.feed.all.push_back({at, *change.keep_feed_for});
  if (change.keep_purges_for) c.purges.all.push_back({at, *change.keep_purges_for});
  if (change.expires_to_trash && *change.expires_to_trash != c.sends_to_trash()) {
    c.to_trash.push_back({at, *change.expires_to_trash});
  }
  if (change.is_indexed) c.is_indexed = *change.is_indexed;
  if (!change.default_lifetime) return;
  for (Life& life : c.lives) life.death = death_in(c, life.written_at, life.lifetime);
  for (Removed& r : c.removed) {
    r.life.death = death_in(c, r.life.written_at, r.life.lifetime);
  }
}

void Model::flush_expirations(Instant now) {
  const auto is_to_settle = [now](const Life& life) {
    return !life.is_flushed && life.expired_by(now);
  };
  for (const std::string& name : names()) {
    const CollectionModel& known = at(name);
    if (known.to_trash.size() < 2) continue;
    if (std::none_of(known.lives.begin(), known.lives.end(), is_to_settle)) continue;
    CollectionModel& c = mutate(name);
    for (Life& life : c.lives) {
      if (!is_to_settle(life)) continue;
      life.is_flushed = true;
      if (!c.sends_to_trash(life.effective_at())) continue;
      Removed removed{.life = life, .removed_at = life.effective_at(), .has_expired = true};
      removed.life.lifetime = Never{};
      removed.life.death = Instant::never();
      c.removed.push_back(std::move(removed));
    }
  }
}

void Life::store_in_hold(const Lifetime* requested) {
  if (requested) hold->lifetime = *requested;
  hold->counted_from = Instant::never();
  lifetime = Never{};
}

const Life* CollectionModel::alive_at(const std::string& id, Instant at) const {
  for (const Life& life : lives) {
    if (life.id == id && life.is_alive(at, at)) return &life;
  }
  return nullptr;
}

const Life* CollectionModel::standing(const std::string& id, Instant written_at) const {
  for (const Life& life : lives) {
    if (life.id == id && life.ended_at.is_never() && life.written_at == written_at) return &life;
  }
  return nullptr;
}

void Model::create(CollectionId id, const CollectionSpec& spec,
                   const std::vector<IndexModel>& indexes, Instant at) {
  auto fresh = std::make_shared<CollectionModel>();
  fresh->id = id;
  fresh->name = spec.name;
  fresh->created_at = at;
  fresh->counts_from = spec.default_counts_from;
  fresh->indexes = indexes;
  collections_[spec.name] = std::move(fresh);
  change(spec.name, spec.promises, at);
}

void Model::add_index(const std::string& name, IndexModel index, Instant since) {
  index.since = since;
  mutate(name).indexes.push_back(std::move(index));
}

void Model::drop_index(const std::string& name, const std::string& dropped) {
  std::erase_if(mutate(name).indexes, [&](const IndexModel& i) { return i.name == dropped; });
}

std::set<EntryModel> entries_of(const IndexModel& index, const Body& body) {
  std::set<EntryModel> entries{{}};
  for (const char field : index.fields) {
    std::set<std::optional<int>> values{field == 'u' ? body.u : body.n};
    if (field == 't') values.insert(body.u);
    if (values.size() > 1) values.erase(std::nullopt);
    std::set<EntryModel> longer;
    for (const EntryModel& entry : entries) {
      for (const std::optional<int>& value : values) {
        EntryModel with = entry;
        with.push_back(value);
        longer.insert(std::move(with));
      }
    }
    entries = std::move(longer);
  }
  return entries;
}

std::set<EntryModel> complete_entries_of(const IndexModel& index, const Body& body) {
  std::set<EntryModel> entries = entries_of(index, body);
  std::erase_if(entries, [](const EntryModel& entry) {
    return std::find(entry.begin(), entry.end(), std::nullopt) != entry.end();
  });
  return entries;
}

bool Model::would_collide(const std::string& name, const IndexModel& index, Instant now) const {
  std::set<EntryModel> taken;
  for (const Life& life : at(name).lives) {
    if (!life.is_alive(now, now)) continue;
    for (const EntryModel& entry : complete_entries_of(index, life.body)) {
      if (!taken.insert(entry).second) return true;
    }
  }
  return false;
}

}  // namespace mayfly::simulate
