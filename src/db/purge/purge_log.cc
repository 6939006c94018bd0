#include "db/purge/purge_log.h"

#include "base/crypto/crypto.h"
#include "base/limits.h"
#include "db/rows/keys.h"
#include "db/rows/records.h"
#include "value/json/json.h"

namespace mayfly {
namespace {

constexpr std::string_view hash_mark = ",\"hash\":\"";
constexpr std::size_t old_rows_max = 64;  // removed with one new record

std::string_view name_of(PurgedVersion::How how) {
  switch (how) {
    case PurgedVersion::How::expired: return "expired";
    case PurgedVersion::How::out_of_trash: return "out_of_trash";
    case PurgedVersion::How::removed: return "removed";
    case PurgedVersion::How::erased: break;
  }
  return "erased";
}

std::string hash_of(std::string_view text) {
  return encode_hex(sha256(text));
}

std::string_view hash_in(std::string_view line) {
  const std::size_t at = line.rfind(hash_mark);
  if (at == std::string_view::npos || line.size() < at + hash_mark.size() + 2) return {};
  return line.substr(at + hash_mark.size(), line.size() - at - hash_mark.size() - 2);
}

std::string_view hashed_part(std::string_view line) {
  return line.substr(0, line.rfind(hash_mark));
}

Value value_of(const PurgedVersion& purged) {
  const auto key = keys::decode_document_key(purged.key);
  Object row{{"id", Value(key ? key->id : std::string())}};
  if (key && !key->routing.empty()) row.append("routing", Value(encode_hex(key->routing)));
  row.append("how", Value(name_of(purged.how)));
  row.append("written_at", Value(purged.written_at));
  row.append("ended_at", Value(purged.ended_at));
  row.append("by", purged.by.empty() ? Value(Null{}) : Value(purged.by));
  return row;
}

std::string line_of(std::uint64_t number, Instant at, const std::vector<PurgedVersion>& purged,
                    const std::string& previous) {
  Array versions;
  for (const PurgedVersion& version : purged) versions.push_back(value_of(version));
  std::string line = render_json(Object{{"number", Value(static_cast<std::int64_t>(number))},
                                        {"purged_at", Value(at)},
                                        {"versions", std::move(versions)},
                                        {"previous", Value(previous)}});
  line.pop_back();
  const std::string hash = hash_of(line);
  return line + std::string(hash_mark) + hash + "\"}";
}

}  // namespace

// The last record, from memory or else from the store.
Result<PurgeLog::Tail> PurgeLog::tail_of(store::Store& store, CollectionId collection) {
  if (const auto known = tails_.find(collection); known != tails_.end()) return known->second;
  const Bytes prefix = keys::table(keys::Table::purge, collection);
  const store::Range last{.lo = prefix, .hi = after_prefix(prefix), .rows_max = 1, .reverse = true};
  const auto page = std::move(TRY(store.read({{}, {last}}, nullptr)).scans.front());
  Tail tail;
  if (!page.rows.empty()) {
    tail.number = Reader(page.rows[0].key.substr(prefix.size())).u64();
    tail.hash = hash_in(page.rows[0].value);
  }
  return tail;
}

Result<void> PurgeLog::append(store::Store& store, const Collection& collection, Instant at,
                              const std::vector<PurgedVersion>& purged, store::CommitBatch& batch) {
  const Tail tail = TRY(tail_of(store, collection.id));
  const Bytes prefix = keys::table(keys::Table::purge, collection.id);
  const store::Range oldest{
      .lo = prefix, .hi = after_prefix(prefix), .rows_max = old_rows_max, .keys_only = true};
  const auto old = std::move(TRY(store.read({{}, {oldest}}, nullptr)).scans.front());

  std::string line = line_of(tail.number + 1, at, purged, tail.hash);
  pending_[collection.id] = {tail.number + 1, std::string(hash_in(line))};
  Bytes row = keys::purge(collection.id, tail.number + 1);
  batch.points.push_back({row, 0});
  batch.puts.push_back({std::move(row), std::move(line)});
  const Instant floor = collection.policy.purges.floor(at);
  for (std::size_t i = 0; i < old.rows.size(); ++i) {
    if (records::to_instant(old.rows[i].version) > floor) break;
    batch.removals.push_back(Bytes(old.rows[i].key));
  }
  return {};
}

void PurgeLog::confirm(CollectionId collection, bool has_succeeded) {
  const auto appended = pending_.extract(collection);
  // After a failure the last record is read from the store again.
  tails_.erase(collection);
  if (has_succeeded && appended) tails_.emplace(collection, appended.mapped());
}

void PurgeLog::forget(CollectionId collection) {
  tails_.erase(collection);
  pending_.erase(collection);
}

Result<PurgePage> PurgeLog::read(store::Store& store, const Collection& collection, Instant now,
                                 std::uint64_t after, std::size_t records_max) {
  const Bytes prefix = keys::table(keys::Table::purge, collection.id);
  store::Range range{.lo = keys::purge(collection.id, after) + '\0',
                     .hi = after_prefix(prefix),
                     .rows_max = records_max};
  const Instant floor = collection.policy.purges.floor(now);
  store.sync(store.applied());
  const store::Version durable = store.durable();
  PurgePage found{.has_more = true};
  // A page without a record would leave the reader without a number to continue from.
  while (found.has_more && found.records.empty()) {
    const auto page = std::move(TRY(store.read({{}, {range}}, nullptr)).scans.front());
    found.has_more = page.next.has_value();
    if (page.next) range.lo = *page.next;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const store::Row row = page.rows[i];
      if (row.version > durable) {
        found.has_more = false;
        break;
      }
      if (records::to_instant(row.version) <= floor) continue;
      found.records.push_back(
          {Reader(row.key.substr(prefix.size())).u64(), std::string(row.value)});
    }
  }
  return found;
}

bool PurgeLog::verify(const std::vector<PurgeRecord>& records) {
  std::string_view previous;
  for (const PurgeRecord& record : records) {
    const std::string_view hash = hash_in(record.line);
    if (hash.empty() || hash_of(hashed_part(record.line)) != hash) return false;
    const auto parsed = parse_json(record.line);
    if (!parsed) return false;
    const Value number = parsed->member("number");
    if (!number.is(Kind::integer) || number.integer() != static_cast<std::int64_t>(record.number)) {
      return false;
    }
    const bool is_first = &record == &records.front();
    const Value stated = parsed->member("previous");
    if (!is_first && (!stated.is(Kind::text) || stated.text() != previous)) return false;
    previous = hash;
  }
  return true;
}

}  // namespace mayfly
