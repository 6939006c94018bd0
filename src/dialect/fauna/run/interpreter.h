// Interpreter: evaluates a program of FQL on one view, or in one transaction if it writes. It walks
// the tree, with one function for each kind of node; the methods of values are rows of the library.
//
// Threads: one at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "db/write/transaction.h"
#include "dialect/common/page_token.h"
#include "dialect/fauna/auth/permissions.h"
#include "dialect/fauna/auth/principal.h"
#include "dialect/fauna/database_path.h"
#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/ids.h"
#include "dialect/fauna/library/method.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/diagnostics/diagnostic.h"

namespace mayfly::fauna {

// The environment of the queries of one request. Everything in it must outlive the run.
struct QueryEnvironment {
  Database& database;
  Random& random;
  const PageTokens& page_tokens;
  Ids& ids;
  const DatabasePath& database_path;
  DatabaseId database_id;
  const Principal& principal;
  bool is_typechecked = false;
  bool wants_hints = false;            // add performance hints to the summary
  CachedSchemaPtr cached_schema = {};  // cache of the schema that the view shows, or null
};

class Interpreter final : public Run {
 public:
  using Frame = std::span<FqlValue>;

  // `transaction` may be null: then the query cannot write. Otherwise the view must be the
  // transaction's.
  Interpreter(const QueryEnvironment& environment, View& view, Transaction* transaction,
              Meter meter);
  Interpreter(QueryEnvironment&&, View&, Transaction*, Meter) = delete;
  ~Interpreter() override;

  // Runs a whole program. `values` are those of its template, then its arguments, in order.
  Result<FqlValue> run(const ProgramPtr& program, std::vector<FqlValue> values);
  // The same for a program apart from the query's: the body of a function, a default.
  Result<FqlValue> run_separate(const ProgramPtr& program, std::vector<FqlValue> values);
  // The cached program of a text that was parsed in this run; null if there is none. `key` holds
  // the way of parsing, the name of the source and its whole text.
  ProgramPtr parsed(const std::string& key) const;
  // Keeps it until the end of the run, because diagnostics may point into it. Its bytes count as
  // made.
  Result<void> keep_parsed(const std::string& key, const ProgramPtr& program);
  // The same for a program of a definition, which may be dropped before the run ends.
  Result<void> keep_parsed(const ProgramPtr& program);

  // --- evaluation ---
  Result<FqlValue> evaluate(const Expression& expression, Frame frame);
  // Whether the closure's text is the query's own, and not from a definition.
  bool is_of_query(const class Closure& closure) const;
  // Marks the text of a lambda in a cursor as a query's own: it was part of the query that made the
  // cursor.
  void mark_of_query(const class Closure& closure);
  // Calls a closure: evaluates its body in a frame of its own.
  Result<FqlValue> call_closure(const class Closure& closure, std::span<const FqlValue> arguments);
  Result<FqlValue> field(const FqlValue& value, std::string_view name);
  Result<FqlValue> project(const FqlValue& value, const std::shared_ptr<const Callable>& element);
  // Resolves a name that is no variable: a module, a function.
  Result<FqlValue> global(std::string_view name);
  // The same for the names that every database has; nullopt for any other name.
  std::optional<FqlValue> library_global(std::string_view name);

  // --- documents (documents.cc) ---
  Result<bool> exists(const FqlValue& document) override;
  Result<FqlObject> fields(const FqlValue& document) override;
  std::string new_id() override;
  // nullopt if the document does not exist or must not be read.
  Result<std::optional<Document>> find(const DocumentHandle& handle);
  // Whether the document must not be read. A missing document is denied if no document of its
  // collection may be read.
  Result<bool> is_denied(const DocumentHandle& handle);
  // The collection of a handle or module; null if it was deleted.
  Result<FqlCollectionPtr> collection(std::string_view name) { return reading_.collection(name); }
  // A function of the schema, by name or alias; null if there is none, or if this query has created
  // it.
  Result<std::shared_ptr<const Callable>> user_function(std::string_view name);
  void record_new_function(std::string_view name) { new_functions_.emplace(name); }
  // Fails with `failure`; the message says so if the query itself has created the function.
  tl::unexpected<Error> fail_missing_function(std::string_view name, QueryFailure failure);
  // A collection that must exist and be usable in this query.
  Result<FqlCollectionPtr> usable_collection(std::string_view name);
  // A text that identifies the document and the instant of the read.
  static std::string cache_key(const DocumentHandle& handle);
  // Caches a document that has just been read.
  void cache_document(const DocumentHandle& handle, const Document& document);
  // Fail because the principal lacks the permission.
  tl::unexpected<Error> fail_denied();
  tl::unexpected<Error> fail_denied_reading(const FqlCollection& of);
  // Fails because the document does not exist.
  tl::unexpected<Error> fail_missing(const DocumentHandle& handle);
  // Fails as the access to a field or method of a missing document does.
  tl::unexpected<Error> fail_access(const DocumentHandle& handle, std::string_view name);
  DocumentHandle handle_of(const FqlCollection& of, const Document& document) const;
  // The visible own and computed fields of the document, in order.
  Result<FqlObject> shown_fields(const FqlCollection& of, const Document& document,
                                 const DocumentHandle& handle);

  // --- results ---
  //
  // The value as it appears in a result: whole documents, and the first page of sets.
  Result<FqlValue> show(const FqlValue& value);
  Result<FqlValue> show_at(const FqlValue& value, int depth);
  // The failure, with the argument of abort() in the form of results. If that is too large, the
  // failure says so instead. To be called only after a failure.
  Result<QueryFailure> result_failure();
  // Adds to the size of the result; fails with value_too_large over limits::fql_result_bytes_max.
  Result<void> count_result_bytes(std::size_t bytes);

  Reading& reading() { return reading_; }
  Permissions& permissions() { return permissions_; }
  Transaction* transaction() { return transaction_; }
  const QueryEnvironment& environment() const { return environment_; }
  const std::optional<Instant>& at() const { return at_; }
  bool has_written() const { return !written_.empty(); }
  bool has_changed_schema() const { return has_changed_schema_; }
  // Whether a collection of the schema was missing from the catalog.
  bool lacks_collection() const { return lacks_collection_; }
  void record_missing_collection() { lacks_collection_ = true; }
  void record_schema_change() {
    has_changed_schema_ = true;
    functions_.clear();
    functions_of_others_.clear();
  }
  void record_write(const FqlCollection& of, std::string_view id, std::string_view routing = {});
  bool is_written_here(const DocumentHandle& handle) const;
  // The place of the failure, then the calls that led to it, innermost first: at most
  // limits::diagnostic_frames_max calls.
  const std::vector<Span>& trace() const { return trace_; }
  // The programs that spans of this run point into.
  std::vector<ProgramPtr> programs() const;
  // The sources of functions, if the principal may not read every function: diagnostics do not show
  // them. To be called when the run has ended, because it may clear the failure.
  std::vector<const Source*> unreadable_sources();
  // Adds a place to the trace of the failure.
  void locate(Span span);
  void forget_failure() override;
  // Logs of the query itself are shown to every principal; logs of functions only to some.
  void log_display(std::string text) override;
  void log_debug(std::string text) override;
  ProgramPtr program() const { return program_ == nullptr ? nullptr : *program_; }

  // Scope guard: sets the span of the call that is being made.
  class CallSite {
   public:
    CallSite(Interpreter& of, Span span) : of_(of), before_(of.call_site_) { of.call_site_ = span; }
    ~CallSite() { of_.call_site_ = before_; }
    CallSite(const CallSite&) = delete;
    CallSite& operator=(const CallSite&) = delete;

   private:
    Interpreter& of_;
    const Span before_;
  };

  // Scope guard: reads as of an instant.
  class AsOf {
   public:
    AsOf(Interpreter& of, std::optional<Instant> at) : of_(of), before_(of.at_) { of.at_ = at; }
    ~AsOf() { of_.at_ = before_; }
    AsOf(const AsOf&) = delete;
    AsOf& operator=(const AsOf&) = delete;

   private:
    Interpreter& of_;
    const std::optional<Instant> before_;
  };

 private:
  friend class Closure;

  Result<FqlValue> of(const Literal& literal, Frame frame);
  Result<FqlValue> of(const TextTemplate& text, Frame frame);
  Result<FqlValue> of(const ObjectOf& object, Frame frame);
  Result<FqlValue> of(const ArrayOf& array, Frame frame);
  Result<FqlValue> of(const Block& block, Frame frame);
  Result<FqlValue> of(const If& condition, Frame frame);
  Result<FqlValue> of(const At& at, Frame frame);
  Result<FqlValue> of(const Lambda& lambda, Frame frame);
  Result<FqlValue> of(const Variable& variable, Frame frame);
  Result<FqlValue> of(const Chain& chain, Frame frame);
  Result<FqlValue> of(const Unary& unary, Frame frame);
  Result<FqlValue> of(const Operations& operations, Frame frame);
  Result<FqlValue> of(const Projection& projection, Frame frame);

  Result<std::vector<FqlValue>> evaluate_all(const ExpressionList& list, Frame frame);
  Result<std::optional<Instant>> instant_of(const FqlValue& time);
  Result<FqlValue> take(const FieldStep& step, const FqlValue& value, Frame frame);
  Result<FqlValue> take(const IndexStep& step, const FqlValue& value, Frame frame);
  Result<FqlValue> take(const CallStep& step, const FqlValue& value, Frame frame);
  Result<FqlValue> take(const MethodStep& step, const FqlValue& value, Frame frame);
  Result<FqlValue> take(const BangStep& step, const FqlValue& value, Frame frame);
  Result<FqlValue> call_value(const FqlValue& callee, std::span<const FqlValue> arguments,
                              std::string_view name);
  Result<FqlValue> call_member(const FqlValue& value, std::string_view name,
                               std::span<const FqlValue> arguments);
  Result<FqlValue> operate(const Operation& operation, FqlValue left, Frame frame);
  Result<const Method*> method_of(const Module& module, std::string_view name);
  Result<FqlValue> module_member(const Module& module, std::string_view name);

  Result<FqlValue> document_field(const FqlValue& value, std::string_view name);
  Result<FqlValue> computed(const ComputedField& field, const DocumentHandle& handle);
  Result<FqlValue> show_document(const DocumentHandle& handle, int depth);
  Result<FqlValue> reference_in(const FqlValue& value, int depth);
  Result<void> count_value(const FqlValue& value);
  void cache_document(const std::string& key, const std::optional<Document>& document);
  void clear_document_cache();
  // Converts a stored value to FQL; its size counts as made.
  Result<FqlValue> value_of(const Value& stored);
  Result<FqlObject> fields_of(const Document& document);

  // Reads the document without checking permissions.
  Result<std::optional<Document>> look_up(const FqlCollection& of, const DocumentHandle& handle);

  const QueryEnvironment& environment_;
  Transaction* const transaction_;
  Reading reading_;
  Permissions permissions_;
  // the current program; its closure or one of the members below owns it
  const ProgramPtr* program_ = nullptr;
  std::optional<Instant> at_;  // the instant of reads; nullopt: now
  std::set<std::tuple<std::string, std::string, std::string>> written_;
  std::map<std::string, std::optional<Document>> documents_read_;
  std::size_t cached_bytes_ = 0;
  bool has_changed_schema_ = false;
  bool lacks_collection_ = false;
  std::size_t result_bytes_ = 0;
  // User functions made with the query's rights, and those made within functions with a role.
  std::map<std::string, std::shared_ptr<const Callable>, std::less<>> functions_;
  std::map<std::string, std::shared_ptr<const Callable>, std::less<>> functions_of_others_;
  std::set<std::string, std::less<>> new_functions_;
  void add_log(Severity severity, std::string text);
  tl::unexpected<Error> fail_null(std::string_view code, std::string message,
                                  const NullValue& null);

  std::vector<Span> trace_;
  bool is_call_open_ = false;  // the span of a failed call is not in the trace yet
  Span call_site_;
  ProgramPtr query_program_;             // the query's own
  std::set<ProgramPtr> query_programs_;  // of lambdas in cursors that were part of a query
  std::map<std::string, ProgramPtr> parsed_programs_;  // of definitions and cursors
  std::set<ProgramPtr> definition_programs_;           // programs of definitions
};

// The interpreter behind the Run that a library function gets.
inline Interpreter& interpreter(Run& run) {
  return static_cast<Interpreter&>(run);
}

}  // namespace mayfly::fauna
