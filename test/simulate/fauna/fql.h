// Questions and edits in FQL, beside those of the document layer: through the Fauna API, without
// sockets, over the database under simulation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "db/database.h"
#include "dialect/common/page_token.h"
#include "dialect/dialect.h"
#include "simulate/model.h"
#include "simulate/plant.h"

namespace mayfly::simulate {

// --- the API ---

struct FqlReply {
  int status = 0;
  Value body;
  // The instant that the query sees, or of its commit. Nothing if the query did not run.
  std::optional<Instant> at;

  bool is_done() const { return status == 200; }
  Value data() const { return body.member("data"); }
  // The error, in the words of the model.
  std::string error() const;
};

// The API over one database, as in a server that has just started. Threads: one.
class FqlPort {
 public:
  FqlPort(Database& database, Plant plant);
  FqlReply ask(const std::string& query);
  // The cursor that its client sends next. The planted defect of cursors is here.
  std::string kept(const std::string& cursor) const;

 private:
  Database& database_;
  const Plant plant_;
  Random random_{7};
  Credentials credentials_;
  const PageTokens page_tokens_{"secret"};
  std::unique_ptr<Dialect> dialect_;
};

// --- questions ---

struct FqlQuestion {
  enum class Kind {
    get,       // byId(), and whether it exists
    all,       // all(), in pages
    where,     // where(), by a condition that an index can serve
    called,    // where(), by a lambda that is called for each document
    by_term,   // an index with a term, and a value in descending order
    by_value,  // an index with a value and no term, within a range
    by_each,   // an index with an entry for each element of an array
    ordered,   // all(), in an order that the query asks for
    chained    // two sets, one after the other
  };
  static constexpr int kinds = static_cast<int>(Kind::chained) + 1;

  Kind kind = Kind::get;
  std::string collection;
  std::string id;
  int n = 0;
  std::size_t page = 1;
  bool reverse = false;
  bool is_counted = false;    // the number of members, instead of pages
  bool is_mapped = false;     // by a lambda, so that a later page shows earlier versions
  std::optional<Instant> at;  // `at (…) { }`

  // Read completely for its first page: its cursors hold the rest, and need no history.
  bool is_gathered() const { return kind == Kind::chained && reverse; }
  bool is_of_schema() const {
    return kind == Kind::by_term || kind == Kind::by_value || kind == Kind::by_each;
  }
};
std::string render(const FqlQuestion& question);
std::string query_of(const FqlQuestion& question);
// The query for the next page of a cursor.
std::string query_of_page(const std::string& cursor);
// A reply, as the model formats it.
std::string shown(const FqlQuestion& question, const FqlReply& reply);

// --- the model's answers ---

// The model's answer to a question without pages.
std::string expected_fql(const Model& model, const FqlQuestion& question, Instant now);

// The pages of one question: its client's position.
struct FqlPages {
  FqlQuestion question;
  CollectionId collection = 0;
  std::string cursor;
  Instant snapshot;       // of the first page
  std::size_t taken = 0;  // of the members of the snapshot, including expired ones
  std::size_t until = 0;  // the step that drops it
};
// The next page at `now`; advances `taken` of `pages`.
std::string expected_page(const Model& model, FqlPages& pages, Instant now);

// --- edits ---

// One query that edits documents. An edit is create (a put of a document that must be absent),
// replace (a put of one that must exist), update (a patch) or delete (a removal).
struct FqlStep {
  std::vector<Edit> edits;
};
// A new definition of a collection that FQL has made.
struct FqlChangeStep {
  std::string collection;
  FqlDefinition definition;
};
std::string render(const FqlStep& step);
std::string render(const FqlChangeStep& step);
// The query returns the instant that it sees, and the documents.
std::string query_of(const FqlStep& step);
std::string query_of(const FqlChangeStep& step);
// Creates a collection with the first definition.
std::string query_of_creation(const std::string& name);

// The edit in the terms of the law: `ttl: null` is never; a replacement without `ttl` clears it.
Edit law_of(const CollectionModel& collection, Edit edit);
// The policy of a definition.
CollectionChange policy_of(const FqlDefinition& definition);

// Whether `create` in FQL accepts the id.
bool is_fql_id(const std::string& id);

}  // namespace mayfly::simulate
