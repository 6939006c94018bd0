#include "simulate/purged.h"

#include <algorithm>

#include "base/check.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::simulate {
namespace {

std::vector<PurgeRecord> records_after(Database& database, const Collection& collection,
                                       Instant now, std::uint64_t after, std::size_t page_max) {
  std::vector<PurgeRecord> all;
  for (bool more = true; more;) {
    const auto page = PurgeLog::read(database.store(), collection, now, after, page_max);
    CHECK(page.has_value());
    all.insert(all.end(), page->records.begin(), page->records.end());
    more = page->has_more && !page->records.empty();
    if (more) after = page->records.back().number;
  }
  return all;
}

std::string text_of(const Value& version) {
  const auto instant = [&](const char* name) {
    const auto read = parse_rfc3339(version.member(name).text());
    CHECK(read.has_value());
    return *read;
  };
  const Value by = version.member("by");
  return purge_text(version.member("how").text(), version.member("id").text(),
                    instant("written_at"), instant("ended_at"), by.is_null() ? "" : by.text());
}

// The purges that the sweeper may record.
std::string text_of(const Life& dead) {
  return purge_text("expired", dead.id, dead.written_at, dead.death, "");
}
std::string text_of(const Removed& removed) {
  const Instant at = removed.removed_at;
  return purge_text("out_of_trash", removed.life.id, at, at, "");
}

bool is_purged(const CollectionModel& c, const Life& life, Instant now) {
  return life.expired_by(now) && !c.sends_to_trash(life.effective_at());
}

bool has_happened(const CollectionModel& c, const std::string& text, Instant now) {
  return std::any_of(
             c.lives.begin(), c.lives.end(),
             [&](const Life& life) { return is_purged(c, life, now) && text_of(life) == text; }) ||
         std::any_of(c.removed.begin(), c.removed.end(), [&](const Removed& r) {
           return c.has_left_trash(r, now) && text_of(r) == text;
         });
}

const Purge* by_foreground(const CollectionModel& c, Instant at) {
  for (const Purge& purge : c.purged) {
    if (purge.at == at) return &purge;
  }
  return nullptr;
}

}  // namespace

std::string Purged::add(const CollectionModel& c, const PurgeRecord& record, Instant now) {
  Log& log = logs_[c.id];
  std::vector<PurgeRecord> chain{record};
  if (!log.records.empty()) chain.insert(chain.begin(), log.records.back().record);
  const std::uint64_t number = log.records.empty() ? 1 : log.records.back().record.number + 1;
  if (record.number != number || !PurgeLog::verify(chain)) {
    return "the chain breaks at " + record.line;
  }
  const Value line = *parse_json(record.line);
  Recorded added{.record = record, .at = *parse_rfc3339(line.member("purged_at").text())};
  const Purge* foreground = by_foreground(c, added.at);
  for (const Value& version : line.member("versions").array()) {
    const std::string text = text_of(version);
    if (!log.texts.insert(text).second) return "recorded twice: " + text;
    if (!foreground && !has_happened(c, text, now)) return "recorded, and is not so: " + text;
    added.texts.push_back(text);
  }
  if (foreground && added.texts != foreground->texts) {
    return "other purges than those of the commit: " + record.line;
  }
  log.records.push_back(std::move(added));
  return "";
}

std::string Purged::collect(Database& database, const Model& model, Instant now) {
  for (const std::string& name : model.names()) {
    const CollectionModel& c = model.at(name);
    const CollectionPtr found = database.catalog()->collection(c.id);
    if (!found) continue;
    Collection all = *found;
    all.policy.purges = {Span::infinite()};
    const Log& log = logs_[c.id];
    const std::uint64_t last = log.records.empty() ? 0 : log.records.back().record.number;
    for (const PurgeRecord& record : records_after(database, all, now, last, 100)) {
      if (std::string wrong = add(c, record, now); !wrong.empty()) return name + ": " + wrong;
    }
  }
  return "";
}

void Purged::roll_back(Instant through) {
  for (auto& [id, log] : logs_) {
    while (!log.records.empty() && log.records.back().at > through) {
      for (const std::string& text : log.records.back().texts) log.texts.erase(text);
      log.records.pop_back();
    }
  }
}

std::string Purged::missing(const CollectionModel& c, Instant now) const {
  const auto found = logs_.find(c.id);
  const auto lacks = [&](const std::string& text) {
    return found == logs_.end() || !found->second.texts.contains(text);
  };
  for (const Purge& purge : c.purged) {
    for (const std::string& text : purge.texts) {
      if (lacks(text)) return c.name + ": not recorded: " + text;
    }
  }
  if (c.purges.current() == Span{0}) return "";
  // Purges before the start of the record are not in it.
  const Instant unpublished_through = c.purges.purged_through();
  for (const Life& life : c.lives) {
    if (life.effective_at() <= unpublished_through || !is_purged(c, life, now)) continue;
    if (lacks(text_of(life))) return c.name + ": not recorded: " + text_of(life);
  }
  for (const Removed& r : c.removed) {
    if (r.removed_at <= unpublished_through || !c.has_left_trash(r, now)) continue;
    if (lacks(text_of(r))) return c.name + ": not recorded: " + text_of(r);
  }
  return "";
}

std::string Purged::kept(const CollectionModel& c, Instant now) const {
  const auto found = logs_.find(c.id);
  std::string text;
  if (found == logs_.end()) return text;
  for (const Recorded& recorded : found->second.records) {
    if (recorded.at > c.purges.floor(now)) text += std::to_string(recorded.record.number) + " ";
  }
  return text;
}

std::size_t Purged::total() const {
  std::size_t total = 0;
  for (const auto& [id, log] : logs_) total += log.texts.size();
  return total;
}

std::string shown_purges(Database& database, CollectionId id, std::size_t page_max) {
  const CollectionPtr collection = database.catalog()->collection(id);
  std::string text;
  for (const PurgeRecord& record :
       records_after(database, *collection, database.now(), 0, page_max)) {
    text += std::to_string(record.number) + " ";
  }
  return text;
}

}  // namespace mayfly::simulate
