// What is asked and done in FQL beside the questions and edits of the document layer: through the
// Fauna API, without sockets, over the database under simulation.
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
  // The instant of the query: what it sees, or its commit. Nothing where the query did not run.
  std::optional<Instant> at;

  bool is_done() const { return status == 200; }
  Value data() const { return body.member("data"); }
  // What the model calls the error.
  std::string error() const;
};

// The API over one database, as a server that has just started has it. Threads: one.
class FqlPort {
 public:
  FqlPort(Database& database, Plant plant);
  FqlReply ask(const std::string& query);
  // A cursor as its client goes on with it. The planted defect of cursors lies here.
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
  bool is_counted = false;    // how many, in the place of pages
  bool is_mapped = false;     // by a lambda, so that a later page shows what was
  std::optional<Instant> at;  // `at (…) { }`

  // Read whole for its first page: its cursors hold what is left, and need no history.
  bool is_gathered() const { return kind == Kind::chained && reverse; }
  bool is_of_schema() const {
    return kind == Kind::by_term || kind == Kind::by_value || kind == Kind::by_each;
  }
};
std::string render(const FqlQuestion& question);
std::string query_of(const FqlQuestion& question);
// A cursor, or that it is broken, as a query.
std::string query_of_page(const std::string& cursor);
// What a reply says, as the model writes it.
std::string shown(const FqlQuestion& question, const FqlReply& reply);

// --- what the model says ---

// The law's answer to a question that is no page.
std::string expected_fql(const Model& model, const FqlQuestion& question, Instant now);

// The pages of one question: where its client stands.
struct FqlPages {
  FqlQuestion question;
  CollectionId collection = 0;
  std::string cursor;
  Instant snapshot;       // of the first page
  std::size_t taken = 0;  // of the members of the snapshot, dead ones counted
  std::size_t until = 0;  // the step that drops it
};
// What the next page says at `now`, and `taken` of `pages` behind it.
std::string expected_page(const Model& model, FqlPages& pages, Instant now);

// --- what is done ---

// One query that edits documents. An edit is one of create (a put that expects none), replace (one
// that expects one), update (a patch) and delete (a removal).
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
// Gives the instant that it sees, and the documents.
std::string query_of(const FqlStep& step);
std::string query_of(const FqlChangeStep& step);
// How a collection is made, whose definition is the first.
std::string query_of_creation(const std::string& name);

// What the edit is by the law's page: `ttl: null` is never; a replacement that says nothing clears.
Edit law_of(const CollectionModel& collection, Edit edit);
// What a definition promises.
CollectionChange promises_of(const FqlDefinition& definition);

// Whether FQL can name it in `create`.
bool is_fql_id(const std::string& id);

}  // namespace mayfly::simulate
