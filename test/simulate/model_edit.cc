// Edits of the model.
#include <algorithm>
#include <set>

#include "simulate/model.h"

namespace mayfly::simulate {

// One transaction on the model: several edits that become one commit.
class Editor {
 public:
  Editor(Model& model, Instant now, Instant at)
      : model_(model), before_(model), now_(now), at_(at) {}

  std::string run(const Edit& edit) {
    touched_[{model_.at(edit.collection).id, edit.id}] = edit.collection;
    switch (edit.kind) {
      case Edit::Kind::put:
      case Edit::Kind::patch: return put(edit);
      case Edit::Kind::remove: return remove(edit);
      case Edit::Kind::restore: return restore(edit);
      case Edit::Kind::forget: return forget(edit);
    }
    return "";
  }

  // What the feed tells of it all.
  void tell();

 private:
  Life* living(CollectionModel& c, const std::string& id) {
    for (Life& life : c.lives) {
      // Its own writes it judges at its now: when they will be commits it cannot know.
      const bool is_own = life.written_at == at_ && written_.contains(place(c, id));
      if (life.id == id && life.is_alive(at_, is_own ? now_ : at_)) return &life;
    }
    return nullptr;
  }
  Removed* last_removed(CollectionModel& c, const std::string& id) {
    Removed* last = nullptr;
    for (Removed& r : c.removed) {
      const bool is_there = r.life.id == id && r.left_at.is_never() &&
                            c.trash.keeps(r.removed_at, at_) && at_ < r.life.death;
      if (is_there && (last == nullptr || r.removed_at > last->removed_at)) last = &r;
    }
    return last;
  }

  std::string put(const Edit& edit);
  std::string remove(const Edit& edit);
  std::string restore(const Edit& edit);
  std::string forget(const Edit& edit);
  std::string collision(const CollectionModel& c, const std::string& id, const Body& body) const;
  Lifetime lifetime_of(const CollectionModel& c, const Life* standing, const Edit& edit) const;
  // Takes the place of what stands there, alive or dead.
  void write(CollectionModel& c, Life life);

  using Place = std::pair<CollectionId, std::string>;
  Place place(const CollectionModel& c, const std::string& id) const { return {c.id, id}; }

  Model& model_;
  const Model before_;
  Instant now_;
  Instant at_;
  std::map<Place, std::string> touched_;  // to the collection's name
  std::set<Place> written_;               // by this transaction
  std::set<Place> restored_;
  std::map<Place, std::vector<Instant>> forgotten_;
};

std::string Editor::collision(const CollectionModel& c, const std::string& id,
                              const Body& body) const {
  for (const IndexModel& index : c.indexes) {
    if (!index.is_unique) continue;
    const auto values = values_of(index, body);
    if (!values) continue;
    for (const Life& other : c.lives) {
      if (other.id != id && other.is_alive(at_, at_) && values_of(index, other.body) == values) {
        return std::string("exists .") + index.fields.front();
      }
    }
  }
  return "";
}

Lifetime Editor::lifetime_of(const CollectionModel& c, const Life* standing,
                             const Edit& edit) const {
  if (const Lifetime* asked = std::get_if<Lifetime>(&edit.options.lifetime)) return *asked;
  if (c.stamp && (standing == nullptr || c.stamp->when == Stamp::When::every_write)) {
    return At{now_ + c.stamp->span};
  }
  return standing ? standing->lifetime : Lifetime{Inherit{}};
}

void Editor::write(CollectionModel& c, Life life) {
  const Place here = place(c, life.id);
  if (written_.contains(here)) {
    // Its own earlier write never was a version.
    std::erase_if(c.lives, [&](const Life& l) { return l.id == life.id && l.written_at == at_; });
  }
  for (Life& other : c.lives) {
    if (other.id == life.id && other.ended_at.is_never()) other.ended_at = at_;
  }
  written_.insert(here);
  life.written_at = at_;
  life.ended_at = Instant::never();
  life.death = death_along(c.timeline, at_, life.lifetime);
  c.lives.push_back(std::move(life));
}

std::string Editor::put(const Edit& edit) {
  CollectionModel& c = model_.mutate(edit.collection);
  const Life* standing = living(c, edit.id);
  const bool is_own = written_.contains(place(c, edit.id));
  const PutOptions& options = edit.options;
  const bool must_exist = options.expect == PutOptions::Expect::present || options.if_written_at ||
                          edit.kind == Edit::Kind::patch;
  if (must_exist && !standing) return "not_found";
  if (options.expect == PutOptions::Expect::absent && standing) return "exists id";
  if (options.if_written_at && standing->written_at != *options.if_written_at) return "stale";
  if (std::holds_alternative<Lifetime>(options.lifetime) && !c.writers_may_set_lifetime) {
    return "forbidden";
  }
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
  life.updater = options.author;
  if (is_new) life.author = options.author;
  if (is_new) life.created_at = at_;
  life.revision = is_new ? 1 : is_own ? standing->revision : standing->revision + 1;
  if (options.facet) life.facet = *options.facet;
  if (std::string taken = collision(c, edit.id, life.body); !taken.empty()) return taken;
  write(c, std::move(life));
  return is_new ? "new" : "replaced";
}

std::string Editor::remove(const Edit& edit) {
  CollectionModel& c = model_.mutate(edit.collection);
  Life* standing = living(c, edit.id);
  if (!standing) return "not_found";
  if (edit.if_written_at && standing->written_at != *edit.if_written_at) return "stale";
  const bool is_own = written_.contains(place(c, edit.id));
  if (c.trash.current() > Span{0} && !edit.is_final) {
    Removed removed{*standing, at_};
    if (!edit.author.empty()) removed.life.updater = edit.author;
    // What this transaction wrote itself never was a version; it counts from the request.
    if (is_own) removed.life.written_at = now_;
    if (removed.life.created_at == at_) removed.life.created_at = now_;
    removed.life.death = death_along(c.timeline, removed.life.written_at, removed.life.lifetime);
    c.removed.push_back(std::move(removed));
  }
  if (is_own) {
    std::erase_if(c.lives, [&](const Life& l) { return l.id == edit.id && l.written_at == at_; });
  } else {
    standing->ended_at = at_;
  }
  restored_.erase(place(c, edit.id));
  return "done";
}

std::string Editor::restore(const Edit& edit) {
  CollectionModel& c = model_.mutate(edit.collection);
  if (living(c, edit.id)) return "exists id";
  Removed* removed = last_removed(c, edit.id);
  if (!removed) return "not_found";
  Life life = removed->life;
  life.revision += 1;
  if (!edit.author.empty()) life.updater = edit.author;
  if (std::string taken = collision(c, edit.id, life.body); !taken.empty()) return taken;
  removed->left_at = at_;
  restored_.insert(place(c, edit.id));
  write(c, std::move(life));
  return "done";
}

std::string Editor::forget(const Edit& edit) {
  CollectionModel& c = model_.mutate(edit.collection);
  auto& forgotten = forgotten_[place(c, edit.id)];
  while (Removed* removed = last_removed(c, edit.id)) {
    removed->left_at = at_;
    forgotten.push_back(removed->removed_at);
  }
  return forgotten.empty() ? "not_found" : "done";
}

void Editor::tell() {
  for (const auto& [place, name] : touched_) {
    const std::string& id = place.second;
    if (model_.at(name).feed.current() == Span{0}) continue;
    CollectionModel& c = model_.mutate(name);
    const Life* was = nullptr;
    for (const Life& life : before_.at(name).lives) {
      if (life.id == id && life.is_alive(at_, at_)) was = &life;
    }
    const Life* is = nullptr;
    for (const Life& life : c.lives) {
      if (life.id == id && life.ended_at.is_never() && life.written_at == at_) is = &life;
    }
    const bool stays =
        was && std::any_of(c.lives.begin(), c.lives.end(), [&](const Life& life) {
          return life.id == id && life.written_at == was->written_at && life.ended_at.is_never();
        });
    if (is) {
      const auto kind = was                         ? Event::Kind::replaced
                        : restored_.contains(place) ? Event::Kind::restored
                                                    : Event::Kind::created;
      c.happenings.push_back({kind, at_, id, at_});
    } else if (was && !stays) {
      c.happenings.push_back({Event::Kind::removed, at_, id, was->written_at});
    }
    for (const Instant removed_at : forgotten_[place]) {
      c.happenings.push_back({Event::Kind::forgotten, at_, id, removed_at});
    }
  }
}

Model::Told Model::edit(const std::vector<Edit>& edits, Instant now, Instant at) {
  Model draft = *this;
  Editor editor(draft, now, at);
  Told told;
  for (const Edit& edit : edits) {
    const std::string answer = editor.run(edit);
    told.answers.push_back(answer);
    if (answer != "new" && answer != "replaced" && answer != "done") return told;
  }
  editor.tell();
  *this = std::move(draft);
  told.is_done = true;
  return told;
}

}  // namespace mayfly::simulate
