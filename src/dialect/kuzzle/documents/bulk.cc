#include "dialect/kuzzle/documents/bulk.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/partial.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/realtime/notifier.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

using realtime::CollectionName;

struct Line {
  std::string verb;  // index, create, update or delete
  std::string index;
  std::string collection;
  WriteRequest request;
};

struct Done {
  int status = 200;
  std::string result;
  std::uint64_t version = 0;
  std::optional<Error> error;
};

Result<Line> parse_line(const KuzzleCall& call, const CollectionName& there, const Value& sent) {
  if (!sent.is(Kind::object) || sent.object().size() != 1) {
    return fail(Code::invalid, "a line of bulkData names one action");
  }
  const auto& [verb, place] = *sent.object().begin();
  Line line{.verb = verb, .index = there.index, .collection = there.collection};
  const auto take = [&](const char* name, std::string& into) -> Result<void> {
    const Value value = place.member(name);
    if (value.is_missing() || value.is_null()) return {};
    if (!value.is(Kind::text)) return wrong_type(name, "string");
    into = value.text();
    return {};
  };
  TRY(take("_index", line.index));
  TRY(take("_type", line.collection));
  // Elasticsearch accepts a number as its text.
  const Value id = place.member("_id");
  if (id.is(Kind::integer)) {
    line.request.id = render_json(id);
  } else {
    TRY(take("_id", line.request.id));
  }
  if (verb == "index") {
    line.request.how = WriteKind::create_or_replace;
  } else if (verb == "update") {
    line.request.how = WriteKind::update;
  } else if (verb != "create" && verb != "delete") {
    return fail(Code::invalid, fmt::format("bulkData knows no action \"{}\"", verb));
  }
  line.request.is_one_of_many = true;
  line.request.is_import = true;
  const bool may_lack_id = verb == "index" || verb == "create";
  if (line.request.id.empty() && !may_lack_id)
    return fail(Code::invalid, "a document ID is required");
  if (line.request.id.empty()) line.request.id = new_document_id(call.shared.services.random);
  return line;
}

Result<std::vector<Line>> parse_lines(const KuzzleCall& call, const CollectionName& there,
                                      const Array& sent) {
  TRY(check_bulk_count(sent.size()));
  std::vector<Line> lines;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    Line line = TRY(parse_line(call, there, sent[i]));
    if (line.verb != "delete") {
      if (++i == sent.size() || !sent[i].is(Kind::object)) {
        return fail(Code::invalid, "an action of bulkData is followed by a document");
      }
      line.request.body = sent[i];
      if (line.verb == "update") {
        const Value changes = sent[i].member("doc");
        if (!changes.is(Kind::object)) return wrong_type("doc", "object");
        line.request.body = changes;
        if (const Value otherwise = sent[i].member("upsert"); otherwise.is(Kind::object)) {
          line.request.how = WriteKind::upsert;
          line.request.otherwise = otherwise;
        }
      }
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Result<CollectionPtr> place_of_line(const Catalog& catalog, const Line& line) {
  const auto database = line.index.starts_with('%') ? nullptr : catalog.find_database(line.index);
  CollectionPtr collection =
      database ? catalog.find_collection(database->id, line.collection) : nullptr;
  if (!collection) return no_such_collection(line.index, line.collection);
  return collection;
}

// A deletion by a bulk import is permanent.
Result<void> run_line(const KuzzleCall& call, Transaction& transaction, const Line& line,
                      Done& done) {
  const CollectionPtr collection = TRY(place_of_line(transaction.view().catalog(), line));
  const DocumentKey key = DocumentKey::of(line.request.id);
  if (line.verb == "delete") {
    TRY(transaction.remove(collection, key, {.author = call.principal.id, .is_final = true}));
    done.result = "deleted";
    return {};
  }
  const bool is_new = TRY(write_document(call, transaction, collection, line.request));
  done.status = is_new ? 201 : 200;
  done.result = is_new ? "created" : "updated";
  if (const auto written = transaction.written(collection, key)) done.version = written->revision;
  return {};
}

// Imports send no notifications.
class UnnotifiedWrites {
 public:
  UnnotifiedWrites(const KuzzleCall& call, const std::vector<Line>& lines) : call_(call) {
    for (const Line& line : lines) {
      targets_[{line.index, line.collection}].push_back({.id = line.request.id});
    }
  }
  void begin() {
    pending_writes_.clear();
    for (const auto& [place, targets] : targets_) {
      pending_writes_.push_back(
          call_.shared.realtime.begin_write(origin_of(call_), place, targets));
      pending_writes_.back().suppress();
    }
  }
  void committed(Instant at) {
    for (auto& write : pending_writes_) write.committed(at);
  }

 private:
  const KuzzleCall& call_;
  std::map<CollectionName, std::vector<realtime::Target>> targets_;
  std::vector<realtime::Realtime::PendingWrite> pending_writes_;
};

void set_error(const KuzzleCall& call, Error error, Done& done) {
  done.status = status_of(error, call.generation());
  done.error = std::move(error);
}

bool has_error(const std::vector<Done>& all) {
  return std::any_of(all.begin(), all.end(), [](const Done& done) { return done.error; });
}

enum class OnError { go_on, commit_nothing };

// Runs the lines from `begin` on in one commit, as many as it has room for; returns where it ended.
Result<std::size_t> run_some(const KuzzleCall& call, const std::vector<Line>& lines,
                             std::size_t begin, std::vector<Done>& all,
                             OnError on_error = OnError::go_on) {
  std::size_t end = begin;
  UnnotifiedWrites writes(call, lines);
  writes.committed(TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    writes.begin();
    for (end = begin; end < lines.size(); ++end) {
      const std::size_t i = end;
      all[i] = {};
      auto ran = run_line(call, transaction, lines[i], all[i]);
      if (transaction.is_full() && end > begin) break;
      // Lines may go to several collections, so each line has its own.
      if (!ran && ran.error().field == "services.storage.unknown_index_collection") {
        all[i].error = std::move(ran).error();
      } else {
        TRY(keep_own_error(std::move(ran), all[i].error));
      }
      if (all[i].error) all[i].status = status_of(*all[i].error, call.generation());
    }
    if (on_error == OnError::commit_nothing && has_error(all)) {
      return fail(Code::invalid, import_failed);
    }
    return {};
  })));
  return end;
}

Result<std::vector<Done>> run_lines(const KuzzleCall& call, const std::vector<Line>& lines) {
  std::vector<Done> all(lines.size());
  std::size_t done = 0;
  do {
    done = TRY(run_some(call, lines, done, all));
  } while (done < lines.size());
  return all;
}

Value render_item(const Line& line, const Done& done, const Generation& generation) {
  Object item{{"_index", line.index},
              {"_type", line.collection},
              {"_id", line.request.id},
              {"status", done.status}};
  if (done.error) {
    item.append("error", Object{{"reason", done.error->message}});
    const bool has_document = line.verb != "delete" && generation.import_errors_have_documents;
    if (has_document) item.append("_source", line.request.body);
  } else {
    item.append("result", done.result);
    if (done.version > 0) item.append("_version", static_cast<std::int64_t>(done.version));
  }
  return Object{{line.verb, item}};
}

ImportResult collect(const KuzzleCall& call, const std::vector<Line>& lines,
                     const std::vector<Done>& done) {
  ImportResult imported;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Value item = render_item(lines[i], done[i], call.generation());
    (done[i].error ? imported.errors : imported.items).push_back(std::move(item));
  }
  return imported;
}

// Finds the lines that name no collection, and those that create a document which exists already or
// which an earlier line creates.
Result<void> check_creations(const KuzzleCall& call, const std::vector<Line>& lines,
                             std::vector<Done>& all) {
  View view = call.database().view();
  std::map<std::pair<CollectionId, std::string>, bool> lives;  // after the lines so far
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    auto collection = place_of_line(view.catalog(), line);
    if (!collection) {
      set_error(call, std::move(collection).error(), all[i]);
      continue;
    }
    const DocumentKey key = DocumentKey::of(line.request.id);
    const std::pair place((*collection)->id, line.request.id);
    if (line.verb == "create" && check(key)) {
      const auto known = lives.find(place);
      const bool is_taken = known != lives.end()
                                ? known->second
                                : TRY(view.get(**collection, key, view.live())).has_value();
      if (is_taken) set_error(call, std::move(already_exists()).value(), all[i]);
    }
    lives[place] = line.verb != "delete";
  }
  return {};
}

// Lines may name other collections than the request, so the user's rights are checked for each.
Result<void> check_places(const KuzzleCall& call, const std::vector<Line>& lines) {
  std::set<std::pair<std::string, std::string>> places;
  for (const Line& line : lines) places.emplace(line.index, line.collection);
  for (const auto& [index, collection] : places) {
    TRY(authorize(call, same_action_in(call.message, index, collection)));
  }
  return {};
}

}  // namespace

Result<void> check_bulk_count(std::size_t count) {
  if (count <= limits::bulk_lines_max) return {};
  return problem("services.storage.write_limit_exceeded",
                 fmt::format("Number of documents exceeds the server configured value ({})",
                             limits::bulk_lines_max));
}

Result<ImportResult> import_all_or_nothing(const KuzzleCall& call,
                                           const std::vector<Fixture>& fixtures) {
  std::size_t count = 0;
  for (const Fixture& fixture : fixtures) count += fixture.lines.array().size();
  TRY(check_bulk_count(count));
  std::vector<Line> lines;
  for (const Fixture& fixture : fixtures) {
    auto parsed = TRY(parse_lines(call, fixture.there, fixture.lines.array()));
    std::move(parsed.begin(), parsed.end(), std::back_inserter(lines));
  }
  TRY(check_places(call, lines));
  std::vector<Done> all(lines.size());
  TRY(check_creations(call, lines, all));
  std::size_t done = 0;
  while (done < lines.size() && !has_error(all)) {
    const auto ran = run_some(call, lines, done, all, OnError::commit_nothing);
    if (!ran && !has_error(all)) return tl::unexpected(ran.error());
    done = ran.value_or(done);
  }
  return collect(call, lines, all);
}

Result<ImportResult> import_lines(const KuzzleCall& call, const Array& sent) {
  const CollectionName there{call.message.index, call.message.collection};
  const auto lines = TRY(parse_lines(call, there, sent));
  TRY(check_places(call, lines));
  return collect(call, lines, TRY(run_lines(call, lines)));
}

Result<std::string> import_bulk(KuzzleCall& call) {
  const ImportResult imported = TRY(import_lines(call, *TRY(call.body_array("bulkData"))));
  const bool has_errors = !imported.errors.empty();
  if (has_errors) call.partial_message = import_failed;
  call.partial_errors = imported.errors;
  std::string out;
  JsonWriter json(out);
  call.renderer().imported({imported.items, imported.errors}, json);
  return out;
}

}  // namespace mayfly::kuzzle
