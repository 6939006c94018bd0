#include "dialect/fauna/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "dialect/common/requests/meter.h"
#include "dialect/fauna/auth/secrets.h"
#include "dialect/fauna/check/check.h"
#include "dialect/fauna/check/schema.h"
#include "dialect/fauna/documents/environment.h"
#include "dialect/fauna/errors.h"
#include "dialect/fauna/events/sources/token.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/schema/apply.h"
#include "dialect/fauna/syntax/parser.h"
#include "dialect/fauna/wire/envelope.h"
#include "dialect/fauna/wire/headers.h"
#include "dialect/fauna/wire/template.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view json_type = "application/json;charset=utf-8";
// Names of functions that write. A query without these words is first tried on a view.
constexpr std::string_view writing_words[] = {"create", "update", "replace", "delete", "login"};

class SchemaNames final : public Names {
 public:
  SchemaNames(View& view, DatabaseId database, CachedSchemaPtr known)
      : reading_(view, database, std::move(known)) {}

  ModulePtr find_module(std::string_view name) const override {
    if (is_library_module(name)) return module_of(std::string(name));
    const auto found = reading_.collection(name);
    return found && *found ? module_of((*found)->name) : nullptr;
  }
  bool has_named_document(std::string_view collection, std::string_view name) const override {
    const SystemCollection* of = find_system(collection);
    if (of == nullptr) return false;
    const auto found = reading_.get_system(*of, name);
    return found && *found;
  }

 private:
  mutable Reading reading_;
};

// The result of one run.
struct Ran {
  std::optional<FqlValue> shown;
  std::optional<QueryFailure> failure;
  std::vector<Span> trace;
  std::vector<ProgramPtr> programs;       // the trace points into them
  std::vector<const Source*> unreadable;  // of those
  std::vector<std::string> logs;
  RunCounts counts;
  Instant schema_version;
  bool has_changed_schema = false;
  bool lacks_collection = false;
};

// One query, which is run again until it commits or fails.
class Query {
 public:
  Query(const net::Request& request, const SharedServices& shared, const Principal& principal,
        QueryOptions options)
      : request_(request),
        shared_(shared),
        database_(shared.services.database),
        principal_(principal),
        options_(std::move(options)),
        began_(monotonic_now()) {}

  Result<net::Response> answer() {
    TRY(wait_for_short_deadline(began_, options_.timeout));
    of_ = TRY(database_of(database_, principal_.database_path));
    View view = TRY(view_of_applied());
    const SchemaNames names(view, of_->id, cached_schema_);
    QueryBody body = TRY(parse_body(request_.body, options_.format, names));
    if (auto wrong = parse(std::move(body))) return *std::move(wrong);
    if (auto wrong = TRY(check_types(view))) return *std::move(wrong);
    TRY(run(view));
    if (ran_.has_changed_schema) apply_committed_schema(database_, of_->id);
    return render_ran();
  }

 private:
  // Opens a view of a schema that has been applied, if that is possible.
  Result<View> view_of_applied() {
    View view = database_.view();
    if (TRY(is_applied_in(view))) return view;
    TRY(ensure_schema_applied(database_, of_->id));
    view = database_.view();
    TRY(is_applied_in(view));
    return view;
  }

  // Whether the schema of the view has been applied. Sets version_ and cached_schema_.
  Result<bool> is_applied_in(View& view) {
    version_ = TRY(shared_.schemas.version(view, of_->id));
    const bool is_final = is_applied(view.catalog(), of_->id, version_);
    cached_schema_ = is_final ? shared_.schemas.find(of_->id, version_) : nullptr;
    return is_final;
  }

  // The cache of a version. Documents of a version that is not applied may still change.
  CachedSchemaPtr cached_schema_of(View& view, Instant version) const {
    const bool is_final = is_applied(view.catalog(), of_->id, version);
    return is_final ? shared_.schemas.find(of_->id, version) : nullptr;
  }

  // The response if the query does not parse.
  std::optional<net::Response> parse(QueryBody body) {
    TemplateBuilder builder("*query*");
    std::size_t at = 0;
    const QueryText& text = body.query;
    for (const Placeholder& placeholder : text.placeholders) {
      (void)builder.add_text(std::string_view(text.text).substr(at, placeholder.offset - at));
      builder.add_value();
      at = placeholder.offset;
      values_.push_back(text.values[placeholder.value]);
    }
    (void)builder.add_text(std::string_view(text.text).substr(at));
    const Template made = std::move(builder).finish();
    if (text.bad_value) {
      const Span span{static_cast<std::uint32_t>(text.bad_value->offset),
                      static_cast<std::uint32_t>(text.bad_value->offset), made.source.get()};
      return render_invalid({error_at(span, text.bad_value->reason)});
    }
    std::vector<std::string> names;
    for (const auto& [name, value] : body.arguments.members()) {
      names.push_back(name);
      values_.push_back(value);
    }
    auto parsed = parse_query(made, names);
    if (!parsed) return render_invalid(parsed.error());
    program_ = *std::move(parsed);
    return std::nullopt;
  }

  // The response if typechecking finds errors.
  Result<std::optional<net::Response>> check_types(View& view) {
    is_typechecked_ = options_.typecheck.value_or(false);
    if (!options_.typecheck)
      is_typechecked_ = TRY(database_flag(view, principal_.database_path, "typechecked"));
    if (!is_typechecked_) return std::nullopt;
    Reading reading(view, of_->id, cached_schema_);
    const CheckedQuery checked = TRY(check_query(reading, meter(), *program_, values_));
    if (!checked.errors.empty()) return render_invalid(checked.errors, checked.warnings);
    for (const Diagnostic& warning : checked.warnings) {
      warnings_.push_back(fauna::render(warning));
    }
    static_type_ = render_static(*checked.type);
    return std::nullopt;
  }

  bool may_write() const {
    const std::string& text = program_->source->text;
    return std::any_of(std::begin(writing_words), std::end(writing_words),
                       [&](std::string_view word) { return text.find(word) != text.npos; });
  }

  Instant deadline() const { return std::min(request_.answer_by, began_ + options_.timeout); }
  Meter meter() const { return {monotonic_now, deadline()}; }

  Result<void> run(View& view) {
    if (!may_write()) {
      txn_at_ = view.now();
      const auto done = run_on(view, nullptr);
      if (done) return {};
      if (done.error().code != Code::stale) return done;
    }
    TRY(ensure_system_table(database_, of_->id));
    TRY(ensure_secrets_table(database_));
    const auto done = run_in_transaction();
    if (done || !ran_.lacks_collection) return done;
    // It was just created, or another API has dropped it.
    TRY(reapply_schema(database_, of_->id, limits::fql_apply_wait_max));
    const auto again = run_in_transaction();
    return ran_.lacks_collection ? fail(Code::contended, "") : again;
  }

  Result<void> run_in_transaction() {
    int attempts = 0;
    const auto work = [&](Transaction& transaction) -> Result<void> {
      ++attempts;
      txn_at_ = transaction.now();
      TRY(run_on(transaction.view(), &transaction));
      if (monotonic_now() >= deadline()) return fail(Code::timed_out, "");
      // A failed query is rolled back.
      return ran_.failure ? fail(Code::invalid, "") : Result<void>();
    };
    const auto done = database_.transact(work);
    retries_ = std::max(attempts - 1, 0);
    if (done) {
      txn_at_ = *done;
      return {};
    }
    // The response to a failure has the instant of its reads.
    return ran_.failure ? Result<void>() : tl::unexpected(done.error());
  }

  Result<void> run_on(View& view, Transaction* transaction) {
    ran_ = {};
    ran_.schema_version =
        transaction == nullptr ? version_ : TRY(fauna::schema_version(view, of_->id));
    QueryEnvironment query_environment = environment_of(shared_, principal_, of_->id);
    query_environment.is_typechecked = is_typechecked_;
    query_environment.wants_hints = options_.wants_performance_hints;
    query_environment.cached_schema =
        transaction == nullptr ? cached_schema_ : cached_schema_of(view, ran_.schema_version);
    Interpreter interpreter(query_environment, view, transaction, meter());
    auto value = interpreter.run(program_, values_);
    auto shown = value ? interpreter.show(*value) : std::move(value);
    if (shown && interpreter.has_changed_schema()) {
      const auto checked = check_changed_schema(interpreter);
      if (!checked) shown = tl::unexpected(checked.error());
    }
    ran_.counts = interpreter.counts();
    ran_.logs = interpreter.logs.lines();
    ran_.lacks_collection = interpreter.lacks_collection();
    ran_.has_changed_schema = interpreter.has_changed_schema() && shown.has_value();
    if (shown) {
      ran_.shown = *std::move(shown);
      return {};
    }
    if (!interpreter.failure()) return tl::unexpected(std::move(shown).error());
    ran_.failure = TRY(interpreter.result_failure());
    ran_.trace = interpreter.trace();
    ran_.programs = interpreter.programs();
    ran_.unreadable = interpreter.unreadable_sources();
    return {};
  }

  QueryFrame frame() const {
    QueryFrame frame{.txn_at = txn_at_, .tags = options_.tags, .schema_version = {}};
    const bool has_version = ran_.schema_version != Instant::beginning();
    frame.schema_version = ran_.has_changed_schema ? txn_at_
                           : has_version           ? ran_.schema_version
                                                   : Instant{};
    const RunCounts& counts = ran_.counts;
    frame.stats.compute_ops =
        static_cast<std::int64_t>(std::max<std::uint64_t>(1, counts.compute_ops()));
    frame.stats.read_ops = static_cast<std::int64_t>(counts.reads);
    frame.stats.write_ops = static_cast<std::int64_t>(counts.writes);
    frame.stats.storage_bytes_read = static_cast<std::int64_t>(counts.bytes_read);
    frame.stats.storage_bytes_write = static_cast<std::int64_t>(counts.bytes_written);
    frame.stats.query_time_ms =
        std::max<std::int64_t>(1, (monotonic_now() - began_).micros / 1'000);
    frame.stats.contention_retries = retries_;
    return frame;
  }

  // The summary: warnings of the checks, and logs.
  std::string remarks() const {
    std::vector<std::string> all = warnings_;
    all.insert(all.end(), ran_.logs.begin(), ran_.logs.end());
    return fmt::format("{}", fmt::join(all, "\n\n"));
  }

  net::Response render_ran() const {
    if (ran_.failure) return render_failed();
    const CommitContext context{shared_.services.page_tokens, principal_.database_path, txn_at_};
    QueryOutcome outcome{.data = encode(completed(*ran_.shown, context), options_.format),
                         .static_type = static_type_,
                         .summary = remarks()};
    return respond(200, render_success(outcome, frame()));
  }

  net::Response render_failed() const {
    std::string message = render_message(*ran_.failure).substr(std::string("error: ").size());
    if (!ran_.failure->diagnostic.empty()) message = ran_.failure->diagnostic;
    Diagnostic diagnostic{Severity::error, std::move(message)};
    if (!ran_.trace.empty()) {
      diagnostic.span = ran_.trace.front();
      diagnostic.frames.assign(ran_.trace.begin() + 1, ran_.trace.end());
    }
    diagnostic.undrawn = ran_.unreadable;
    for (const FailureHint& hint : ran_.failure->hints) {
      const Span at = hint.at.source == nullptr ? diagnostic.span : hint.at;
      diagnostic.hints.push_back({hint.message, at});
    }
    std::string summary =
        ran_.trace.empty() ? "error: " + diagnostic.message : fauna::render(diagnostic);
    if (const std::string remark_text = remarks(); !remark_text.empty())
      summary += "\n\n" + remark_text;
    return respond(query_failure_status,
                   render_failure(*ran_.failure, summary, options_.format, frame()));
  }

  net::Response render_invalid(const Diagnostics& diagnostics, const Diagnostics& warnings = {}) {
    txn_at_ = database_.now();
    std::string summary = fauna::render(diagnostics);
    if (!warnings.empty()) summary += "\n\n" + fauna::render(warnings);
    const QueryFailure failure{.code = "invalid_query",
                               .message = validation_message(diagnostics.size())};
    return respond(query_failure_status,
                   render_failure(failure, summary, options_.format, frame()));
  }

  static net::Response respond(int status, std::string body) {
    return {.status = status, .content_type = std::string(json_type), .body = std::move(body)};
  }

  const net::Request& request_;
  const SharedServices& shared_;
  Database& database_;
  const Principal& principal_;
  const QueryOptions options_;
  const Instant began_;
  DatabaseInfoPtr of_;
  Instant version_;                // of the schema of the first view
  CachedSchemaPtr cached_schema_;  // of that version
  ProgramPtr program_;
  std::vector<FqlValue> values_;
  bool is_typechecked_ = false;
  std::optional<std::string> static_type_;
  std::vector<std::string> warnings_;
  Ran ran_;
  Instant txn_at_;
  int retries_ = 0;
};

}  // namespace

Result<void> wait_for_short_deadline(Instant began, mayfly::Span timeout) {
  if (timeout > limits::fql_deadline_waited_for_max) return {};
  while (monotonic_now() < began + timeout) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return fail(Code::timed_out, "");
}

net::Response render(const ProtocolError& error, const std::string& tags) {
  net::Response response{.status = error.status, .content_type = std::string(json_type)};
  if (error.status == 401) response.headers.emplace_back("www-authenticate", "Bearer");
  response.body = render_protocol_error(error, tags);
  return response;
}

QueryEnvironment environment_of(const SharedServices& shared, const Principal& principal,
                                DatabaseId database) {
  const Services& services = shared.services;
  return {services.database, services.random,         services.page_tokens,
          shared.ids,        principal.database_path, database,
          principal};
}

Result<DatabaseInfoPtr> database_of(Database& database, const DatabasePath& database_path) {
  const std::string name = database_path.core_name();
  if (auto found = database.catalog()->find_database(name)) return found;
  if (!database_path.is_root()) return fail(Code::unauthenticated, "Access token required");
  const auto made = database.create_database(name);
  if (made || made.error().code != Code::exists) return made;
  return database.catalog()->find_database(name);
}

net::Response answer_query(const net::Request& request, const SharedServices& shared,
                           const Principal& principal) {
  auto options = parse_options(request);
  if (!options) return render(protocol_error(options.error()));
  const std::string tags = options->tags;
  const mayfly::Span timeout = options->timeout;
  Query query(request, shared, principal, *std::move(options));
  auto answered = query.answer();
  if (answered) return *std::move(answered);
  if (answered.error().code == Code::timed_out) return render(deadline_error(timeout), tags);
  return render(protocol_error(answered.error()), tags);
}

}  // namespace mayfly::fauna
