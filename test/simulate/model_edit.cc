// Edits of the model.
#include <algorithm>

#include "simulate/model.h"

namespace mayfly::simulate {

// One transaction on the model: several edits that become one commit.
class Editor {
 public:
  Editor(Model& model, Instant now, Instant at, Instant judged)
      : model_(model), before_(model), now_(now), at_(at), judged_(judged) {}

  std::string run(const Edit& edit);

  // Completes what the trash has, and what the feed and the record of purges contain.
  void finish() {
    for (auto& [place, touched] : touched_) complete(place.second, touched);
  }

 private:
  // Where the life of the living document, or of the one that goes to the trash, comes from.
  enum class LifeOrigin { before, trash, own };
  // What the transaction has done to one document.
  struct Touched {
    std::string collection;
    bool was_alive = false;
    bool is_written = false;   // put, held or released
    bool is_restored = false;  // and is the living document
    LifeOrigin origin = LifeOrigin::own;
    Instant restored_written_at;
    Instant restored_from;
    struct Leaving {
      Life life;
      LifeOrigin origin;
      bool is_own;
      bool is_restored;
    };
    // What it sends to the trash; there after the commit.
    std::optional<Leaving> to_trash;
    struct Lost {
      Instant written_at;
      Instant removed_at;
      std::string by;
    };
    std::vector<Lost> forgotten;
    std::optional<std::string> removed_by;  // the life that was there before has ended for good

    bool is_own() const { return is_written || is_restored; }
  };
  using DocumentPlace = std::pair<CollectionId, std::string>;

  Touched& touched(const CollectionModel& c, const std::string& id) {
    return touched_.at({c.id, id});
  }
  Life* living(CollectionModel& c, const std::string& id) {
    for (Life& life : c.lives) {
      // It judges its own writes at its now: it cannot know the instant of its commit.
      const bool is_own = life.written_at == at_ && touched(c, id).is_own();
      if (life.id == id && life.is_alive(at_, is_own ? now_ : judged_)) return &life;
    }
    return nullptr;
  }
  Removed* last_removed(CollectionModel& c, const std::string& id) {
    Removed* last = nullptr;
    for (Removed& r : c.removed) {
      if (r.life.id != id || !c.is_in_trash(r, judged_)) continue;
      if (last == nullptr || r.removed_at > last->removed_at) last = &r;
    }
    return last;
  }

  std::string put(const Edit& edit);
  std::string remove(const Edit& edit);
  std::string restore(const Edit& edit);
  std::string forget(const Edit& edit);
  std::string hold(const Edit& edit);
  std::string release(const Edit& edit);
  std::string collision(const CollectionModel& c, const std::string& id, const Body& body) const;
  Lifetime lifetime_of(const CollectionModel& c, const Life* standing, const Edit& edit) const;
  // Makes `life` a new version of the living document, by a hold or a release.
  void write_new_version(CollectionModel& c, Life life, const std::string& updater);
  // Replaces the document that is there, living or expired.
  void write(CollectionModel& c, Life life);
  void end_for_good(Touched& touched, LifeOrigin origin, const std::string& by);
  void complete(const std::string& id, Touched& touched);

  Model& model_;
  const Model before_;
  Instant now_;
  Instant at_;
  Instant judged_;
  std::map<DocumentPlace, Touched> touched_;
};

std::string Editor::run(const Edit& edit) {
  CollectionModel& c = model_.mutate(edit.collection);
  const auto [place, is_new] = touched_.try_emplace({c.id, edit.id});
  if (is_new) {
    place->second.collection = edit.collection;
    place->second.was_alive = living(c, edit.id) != nullptr;
    if (place->second.was_alive) place->second.origin = LifeOrigin::before;
  }
  switch (edit.kind) {
    case Edit::Kind::put:
    case Edit::Kind::patch: return put(edit);
    case Edit::Kind::remove: return remove(edit);
    case Edit::Kind::restore: return restore(edit);
    case Edit::Kind::forget: return forget(edit);
    case Edit::Kind::hold: return hold(edit);
    case Edit::Kind::release: return release(edit);
  }
  return "";
}

std::string Editor::collision(const CollectionModel& c, const std::string& id,
                              const Body& body) const {
  for (const IndexModel& index : c.indexes) {
    if (!index.is_unique) continue;
    const std::set<EntryModel> own_entries = complete_entries_of(index, body);
    for (const Life& other : c.lives) {
      if (other.id == id || !other.is_alive(at_, judged_)) continue;
      for (const EntryModel& entry : complete_entries_of(index, other.body)) {
        if (own_entries.contains(entry)) return std::string("exists .") + index.fields.front();
      }
    }
  }
  return "";
}

Lifetime Editor::lifetime_of(const CollectionModel& c, const Life* standing,
                             const Edit& edit) const {
  if (const Lifetime* requested = std::get_if<Lifetime>(&edit.options.lifetime)) return *requested;
  if (c.stamp && (standing == nullptr || c.stamp->when == Stamp::When::every_write)) {
    return At{now_ + c.stamp->span};
  }
  return standing ? standing->lifetime : Lifetime{Inherit{}};
}

void Editor::write(CollectionModel& c, Life life) {
  if (touched(c, life.id).is_own()) {
    // Its own earlier write never was a version.
    std::erase_if(c.lives, [&](const Life& l) { return l.id == life.id && l.written_at == at_; });
  }
  for (Life& other : c.lives) {
    if (other.id == life.id && other.ended_at.is_never()) other.ended_at = at_;
  }
  life.written_at = at_;
  life.ended_at = Instant::never();
  life.death = death_in(c, at_, life.lifetime);
  life.is_flushed = false;
  c.lives.push_back(std::move(life));
}

std::string Editor::put(const Edit& edit) {
  CollectionModel& c = model_.mutate(edit.collection);
  const Life* standing = living(c, edit.id);
  Touched& here = touched(c, edit.id);
  const PutOptions& options = edit.options;
  const bool must_exist = options.expect == PutOptions::Expect::present || options.if_written_at ||
                          edit.kind == Edit::Kind::patch;
  if (must_exist && !standing) return "not_found";
  const Lifetime* requested = std::get_if<Lifetime>(&options.lifetime);
  const bool may_ask = options.is_touch || !requested || c.writers_may_set_lifetime;
  if (options.expect == PutOptions::Expect::absent && standing) return "exists id";
  if (options.if_written_at && standing->written_at != *options.if_written_at) return "stale";
  if (!may_ask) return "forbidden";
  Life life;
  if (standing) life = *standing;
  const bool is_new = standing == nullptr;
  const Body old = life.body;
  life.id = edit.id;
  life.body = edit.body;
  if (edit.kind == Edit::Kind::patch) {
    life.body = old;
    if (edit.patches_n) life.body.n = edit.body.n;
    if (edit.patches_u) life.body.u = edit.body.u;
  }
  life.lifetime = lifetime_of(c, standing, edit);
  if (life.hold) life.store_in_hold(requested);
  life.updater = options.author;
  if (is_new) life.author = options.author;
  if (is_new) life.created_at = at_;
  life.revision = is_new ? 1 : standing->revision + (here.is_own() ? 0 : 1);
  if (options.facet) life.facet = *options.facet;
  if (std::string taken = collision(c, edit.id, life.body); !taken.empty()) return taken;
  if (is_new) here.origin = LifeOrigin::own;
  write(c, std::move(life));
  here.is_written = true;
  return is_new ? "new" : "replaced";
}

// --- removal and its consequences ---

void Editor::end_for_good(Touched& here, LifeOrigin origin, const std::string& by) {
  if (origin == LifeOrigin::before) here.removed_by = by;
  if (origin == LifeOrigin::trash) {
    here.forgotten.push_back({here.restored_written_at, here.restored_from, by});
  }
}

std::string Editor::remove(const Edit& edit) {
  CollectionModel& c = model_.mutate(edit.collection);
  Life* standing = living(c, edit.id);
  if (!standing) return "not_found";
  if (edit.if_written_at && standing->written_at != *edit.if_written_at) return "stale";
  if (standing->hold) return "forbidden";
  Touched& here = touched(c, edit.id);
  if (c.trash.current() > Span{0} && !edit.is_final) {
    if (here.to_trash) end_for_good(here, here.to_trash->origin, edit.author);
    here.to_trash = {*standing, here.origin, here.is_own(), here.is_restored};
    if (!edit.author.empty()) here.to_trash->life.updater = edit.author;
  } else {
    end_for_good(here, here.origin, edit.author);
  }
  if (here.is_own()) {
    std::erase_if(c.lives, [&](const Life& l) { return l.id == edit.id && l.written_at == at_; });
  } else {
    standing->ended_at = at_;
  }
  here.is_restored = false;
  if (!here.was_alive && !here.is_written) {
    // Nothing has become of the document; expired versions may still be there.
    for (Life& life : c.lives) {
      if (life.id == edit.id && life.ended_at == at_) life.ended_at = Instant::never();
    }
  }
  return "done";
}

std::string Editor::restore(const Edit& edit) {
  CollectionModel& c = model_.mutate(edit.collection);
  if (living(c, edit.id)) return "exists id";
  const Lifetime* requested = std::get_if<Lifetime>(&edit.options.lifetime);
  if (requested && !c.writers_may_set_lifetime) return "forbidden";
  Touched& here = touched(c, edit.id);
  Removed* removed = here.to_trash ? nullptr : last_removed(c, edit.id);
  if (!here.to_trash && !removed) return "not_found";
  Life life = removed ? removed->life : here.to_trash->life;
  const bool is_counted = !removed && here.to_trash->is_own;
  if (!is_counted) life.revision += 1;
  if (!edit.author.empty()) life.updater = edit.author;
  Lifetime fresh = lifetime_of(c, nullptr, edit);
  const bool is_fresh = requested || (removed && removed->has_expired);
  if (life.hold) {
    life.store_in_hold(is_fresh ? &fresh : nullptr);
  } else if (is_fresh) {
    life.lifetime = fresh;
  }
  if (std::string taken = collision(c, edit.id, life.body); !taken.empty()) return taken;
  if (removed) {
    removed->left_at = at_;
    here.origin = LifeOrigin::trash;
    here.restored_written_at = removed->life.written_at;
    here.restored_from = removed->removed_at;
    here.is_restored = true;
  } else {
    here.origin = here.to_trash->origin;
    here.is_restored = !here.to_trash->is_own || here.to_trash->is_restored;
    here.to_trash.reset();
  }
  write(c, std::move(life));
  return "done";
}

std::string Editor::forget(const Edit& edit) {
  CollectionModel& c = model_.mutate(edit.collection);
  bool is_found = false;
  while (Removed* removed = last_removed(c, edit.id)) {
    if (removed->life.hold) return "forbidden";
    removed->left_at = at_;
    touched(c, edit.id)
        .forgotten.push_back({removed->life.written_at, removed->removed_at, edit.author});
    is_found = true;
  }
  return is_found ? "done" : "not_found";
}

// --- holds ---

void Editor::write_new_version(CollectionModel& c, Life life, const std::string& updater) {
  Touched& here = touched(c, life.id);
  if (!here.is_own()) life.revision += 1;
  if (!updater.empty()) life.updater = updater;
  write(c, std::move(life));
  here.is_written = true;
}

std::string Editor::hold(const Edit& edit) {
  CollectionModel& c = model_.mutate(edit.collection);
  HoldModel hold{
      .lifetime = Never{}, .held_at = now_, .by = edit.author, .reason = "case " + edit.id};
  if (const Life* standing = living(c, edit.id)) {
    if (standing->hold) return "exists id";
    Life life = *standing;
    hold.lifetime = life.lifetime;
    if (!touched(c, edit.id).is_own()) hold.counted_from = life.written_at;
    life.hold = hold;
    life.lifetime = Never{};
    write_new_version(c, std::move(life), edit.author);
    return "done";
  }
  Removed* removed = last_removed(c, edit.id);
  if (!removed) return "not_found";
  Life& life = removed->life;
  if (life.hold) return "exists id";
  hold.lifetime = life.lifetime;
  hold.counted_from = life.written_at;
  life.hold = hold;
  life.lifetime = Never{};
  life.death = Instant::never();
  return "done";
}

std::string Editor::release(const Edit& edit) {
  CollectionModel& c = model_.mutate(edit.collection);
  bool found = false;
  if (const Life* standing = living(c, edit.id); standing && standing->hold) {
    Life life = *standing;
    const HoldModel hold = *std::exchange(life.hold, std::nullopt);
    const Instant own = touched(c, edit.id).is_own() ? now_ : life.written_at;
    const Instant from = hold.counted_from.is_never() ? own : hold.counted_from;
    const bool has_died = death_in(c, from, hold.lifetime) <= now_;
    life.lifetime = has_died ? Lifetime(At{now_}) : hold.lifetime;
    write_new_version(c, std::move(life), edit.author);
    found = true;
  }
  for (Removed& removed : c.removed) {
    Life& life = removed.life;
    if (life.id != edit.id || !life.hold || !removed.left_at.is_never()) continue;
    life.lifetime = std::exchange(life.hold, std::nullopt)->lifetime;
    life.death = death_in(c, life.written_at, life.lifetime);
    found = true;
  }
  return found ? "done" : "not_found";
}

// --- consequences ---

void Editor::complete(const std::string& id, Touched& here) {
  CollectionModel& c = model_.mutate(here.collection);
  const Life* stands = c.standing(id, at_);
  const bool is_dead = stands && stands->death <= at_ && c.sends_to_trash(at_);
  if (is_dead && here.to_trash) {
    // If two versions end at one instant, the trash has the later one.
    end_for_good(here, here.to_trash->origin, stands->updater);
  } else if (here.to_trash) {
    Removed removed{.life = here.to_trash->life, .removed_at = at_};
    // A version that this transaction wrote itself never existed; it counts from the request.
    if (here.to_trash->is_own) removed.life.written_at = now_;
    if (removed.life.created_at == at_) removed.life.created_at = now_;
    removed.life.death = death_in(c, removed.life.written_at, removed.life.lifetime);
    c.removed.push_back(std::move(removed));
  }
  const Life* was = before_.at(here.collection).alive_at(id, at_);
  const auto happens = [&](Event::Kind kind, Instant version_at) {
    if (c.feed.current() > Span{0}) c.happenings.push_back({kind, at_, id, version_at});
  };
  if (here.is_own() && stands) {
    happens(was                ? Event::Kind::replaced
            : here.is_restored ? Event::Kind::restored
                               : Event::Kind::created,
            at_);
  } else if (was && !c.standing(id, was->written_at)) {
    happens(Event::Kind::removed, was->written_at);
  }
  for (const auto& lost : here.forgotten) happens(Event::Kind::forgotten, lost.removed_at);

  if (c.purges.current() == Span{0} || (!here.removed_by && here.forgotten.empty())) return;
  if (c.purged.empty() || c.purged.back().at != at_) c.purged.push_back({at_, {}});
  std::vector<std::string>& texts = c.purged.back().texts;
  if (here.removed_by && was) {
    texts.push_back(purge_text("removed", id, was->written_at, at_, *here.removed_by));
  }
  for (const auto& lost : here.forgotten) {
    texts.push_back(purge_text("erased", id, lost.written_at, lost.removed_at, lost.by));
  }
}

Model::EditAnswers Model::edit(const std::vector<Edit>& edits, Instant now, Instant at,
                               std::optional<Instant> judged) {
  Model draft = *this;
  draft.flush_expirations(now);
  Editor editor(draft, now, at, judged.value_or(at));
  EditAnswers result;
  for (const Edit& edit : edits) {
    const std::string answer = editor.run(edit);
    result.answers.push_back(answer);
    if (answer != "new" && answer != "replaced" && answer != "done") return result;
  }
  editor.finish();
  *this = std::move(draft);
  result.is_done = true;
  return result;
}

}  // namespace mayfly::simulate
