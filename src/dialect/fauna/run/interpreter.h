// Interpreter: evaluates a program of FQL against one transaction. A tree is walked, one function
// for each kind of node; what a value can do stands in the library's rows.
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
#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/ids.h"
#include "dialect/fauna/library/method.h"
#include "dialect/fauna/places.h"
#include "dialect/fauna/run/run.h"
#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/diagnostics/diagnostic.h"

namespace mayfly::fauna {

// What queries of one request are run with; all of it outlives the run.
struct Surroundings {
  Database& database;
  Random& random;
  const PageTokens& page_tokens;
  Ids& ids;
  const Place& place;
  DatabaseId database_id;
  const Principal& principal;
  bool is_typechecked = false;
  bool wants_hints = false;   // performance hints, in the summary
  KnownSchemaPtr known = {};  // of the schema that the view shows; null: nothing
};

class Interpreter final : public Run {
 public:
  using Frame = std::span<FqlValue>;

  // `transaction` may be null: then nothing can be written. The view is the transaction's.
  Interpreter(const Surroundings& surroundings, View& view, Transaction* transaction, Meter meter);
  Interpreter(Surroundings&&, View&, Transaction*, Meter) = delete;
  ~Interpreter() override;

  // The value of a whole program, with the values of its template and its arguments, in their
  // order.
  Result<FqlValue> run(const ProgramPtr& program, std::vector<FqlValue> values);
  // The same for a program beside it: the body of a function, a default.
  Result<FqlValue> run_apart(const ProgramPtr& program, std::vector<FqlValue> values);
  // The program of a text that was parsed in this run; null where `key`, which says how and under
  // what name it is parsed, is new.
  ProgramPtr parsed(const std::string& key) const;
  // Keeps it as long as the run, because places in it may be shown. Its bytes count as made.
  Result<void> keep_parsed(const std::string& key, const ProgramPtr& program);
  // The same of one that a definition holds; it may outlive that.
  Result<void> keep_parsed(const ProgramPtr& program);

  // --- evaluation ---
  Result<FqlValue> evaluate(const Expression& expression, Frame frame);
  // Whether its text is the query's own, and not that of a definition.
  bool is_of_query(const class Closure& closure) const;
  // It was the own of the query that has made the cursor.
  void note_of_query(const class Closure& closure);
  // Calls a closure: evaluates its body in a frame of its own.
  Result<FqlValue> call_closure(const class Closure& closure, std::span<const FqlValue> arguments);
  Result<FqlValue> field(const FqlValue& value, std::string_view name);
  Result<FqlValue> project(const FqlValue& value, const std::shared_ptr<const Callable>& element);
  // A name that is no variable: a module, a function.
  Result<FqlValue> global(std::string_view name);
  // The same of what every database has; nothing where it is none.
  std::optional<FqlValue> library_global(std::string_view name);

  // --- documents (documents.cc) ---
  Result<bool> exists(const FqlValue& document) override;
  Result<FqlObject> fields(const FqlValue& document) override;
  std::string new_id() override;
  // Nothing where it is not there, or must not be read.
  Result<std::optional<Document>> find(const DocumentHandle& handle);
  // Whether it must not be read; of one that is not there, where none of its collection may be.
  Result<bool> is_denied(const DocumentHandle& handle);
  // The collection of a handle or module; null where it is gone.
  Result<FqlCollectionPtr> collection(std::string_view name) { return reading_.collection(name); }
  // A function of the schema, by name or alias; null where there is none, or where this query has
  // made it.
  Result<std::shared_ptr<const Callable>> user_function(std::string_view name);
  void note_new_function(std::string_view name) { new_functions_.emplace(name); }
  // Fails with that code; says it where the query itself has made the function.
  tl::unexpected<Error> fail_no_function(std::string_view name, QueryFailure failure);
  // One that must be there and can be used in this query.
  Result<FqlCollectionPtr> usable_collection(std::string_view name);
  // What says which document it is, of which instant.
  static std::string key_of(const DocumentHandle& handle);
  // Keeps a document that has just been read, so that its fields are not read again.
  void keep(const DocumentHandle& handle, const Document& document);
  // Fail as what the principal may not do.
  tl::unexpected<Error> fail_denied();
  tl::unexpected<Error> fail_denied_reading(const FqlCollection& of);
  // Fails as something that needs the document says.
  tl::unexpected<Error> fail_missing(const DocumentHandle& handle);
  // Fails as a field or method of a document that is not there does.
  tl::unexpected<Error> fail_access(const DocumentHandle& handle, std::string_view name);
  DocumentHandle handle_of(const FqlCollection& of, const Document& document) const;
  // What is shown of the document's own fields and computed ones, in their order.
  Result<FqlObject> shown_fields(const FqlCollection& of, const Document& document,
                                 const DocumentHandle& handle);

  // --- results ---
  // The value as a result shows it: documents whole, sets by their first page.
  Result<FqlValue> show(const FqlValue& value);
  Result<FqlValue> show_at(const FqlValue& value, int depth);
  // What has failed, with the value that abort() was given as results show it; where that is too
  // large, that is what has failed. Only where something has.
  Result<QueryFailure> shown_failure();
  // So many more bytes are shown; fails with value_too_large over limits::fql_result_bytes_max.
  Result<void> count_shown_bytes(std::size_t bytes);

  Reading& reading() { return reading_; }
  Permissions& permissions() { return permissions_; }
  Transaction* transaction() { return transaction_; }
  const Surroundings& surroundings() const { return surroundings_; }
  const std::optional<Instant>& at() const { return at_; }
  bool has_written() const { return !written_.empty(); }
  bool has_changed_schema() const { return has_changed_schema_; }
  // A collection of the schema that is not there.
  bool lacks_collection() const { return lacks_collection_; }
  void note_lacking_collection() { lacks_collection_ = true; }
  void note_schema_change() {
    has_changed_schema_ = true;
    functions_.clear();
    functions_of_others_.clear();
  }
  void note_write(const FqlCollection& of, std::string_view id, std::string_view routing = {});
  bool is_written_here(const DocumentHandle& handle) const;
  // Where the failure was caused, and the calls that led there, innermost first: no more than
  // limits::diagnostic_frames_max.
  const std::vector<Span>& trace() const { return trace_; }
  // What the places lie in.
  std::vector<ProgramPtr> programs() const;
  // Of those the texts that hold what functions say, where the principal may not read every
  // function. To be asked when the run has ended: what has failed may be forgotten.
  std::vector<const Source*> unreadable_sources();
  // What failed stands there, or called what failed.
  void locate(Span span);
  void forget_failure() override;
  // To be shown is what the query itself logs, and to some principals what functions log.
  void log_display(std::string text) override;
  void log_debug(std::string text) override;
  ProgramPtr program() const { return program_ == nullptr ? nullptr : *program_; }

  // While it lives, calls are made from there.
  class Calling {
   public:
    Calling(Interpreter& of, Span span) : of_(of), before_(of.calling_) { of.calling_ = span; }
    ~Calling() { of_.calling_ = before_; }
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;

   private:
    Interpreter& of_;
    const Span before_;
  };

  // Reads as of an instant while it lives.
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
  Result<void> count_shown(const FqlValue& value);
  void keep(const std::string& key, const std::optional<Document>& document);
  void forget_kept();
  // A stored value as one of FQL: what it takes counts as made.
  Result<FqlValue> value_of(const Value& stored);
  Result<FqlObject> fields_of(const Document& document);

  // Whatever the principal may read.
  Result<std::optional<Document>> look_up(const FqlCollection& of, const DocumentHandle& handle);

  const Surroundings& surroundings_;
  Transaction* const transaction_;
  Reading reading_;
  Permissions permissions_;
  const ProgramPtr* program_ = nullptr;  // what is evaluated; its closure or programs_ hold it
  std::optional<Instant> at_;            // as of which is read; nothing: now
  std::set<std::tuple<std::string, std::string, std::string>> written_;
  std::map<std::string, std::optional<Document>> kept_;
  std::size_t kept_bytes_ = 0;
  bool has_changed_schema_ = false;
  bool lacks_collection_ = false;
  std::size_t shown_bytes_ = 0;
  // User functions as the query has them, and as functions with a role do.
  std::map<std::string, std::shared_ptr<const Callable>, std::less<>> functions_;
  std::map<std::string, std::shared_ptr<const Callable>, std::less<>> functions_of_others_;
  std::set<std::string, std::less<>> new_functions_;
  void add_log(Severity severity, std::string text);
  tl::unexpected<Error> fail_null(std::string_view code, std::string message,
                                  const NullValue& null);

  std::vector<Span> trace_;
  bool is_call_open_ = false;  // a call has failed whose place is still to be added to the trace
  Span calling_;
  ProgramPtr whole_;                          // the query's own
  std::set<ProgramPtr> own_programs_;         // lambdas in its cursors that were a query's own
  std::map<std::string, ProgramPtr> parsed_;  // of definitions and cursors
  std::set<ProgramPtr> used_;                 // that definitions hold
};

// The one that a row of the library is called with.
inline Interpreter& interpreter(Run& run) {
  return static_cast<Interpreter&>(run);
}

}  // namespace mayfly::fauna
