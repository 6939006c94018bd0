#include "dialect/fauna/import/batch.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

#include "dialect/fauna/documents/constraints.h"
#include "dialect/fauna/documents/unique_values.h"
#include "dialect/fauna/documents/writing.h"
#include "dialect/fauna/import/exported.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/weight.h"
#include "dialect/fauna/schema/apply.h"
#include "dialect/fauna/schema/definitions.h"
#include "dialect/fauna/values/stored.h"
#include "dialect/fauna/wire/envelope.h"
#include "dialect/fauna/wire/json.h"
#include "value/packed/packed.h"

namespace mayfly::fauna {
namespace {

std::string refusal_text(const QueryFailure& failure) {
  std::string text;
  for (const ConstraintFailure& one : failure.constraint_failures) {
    text += (text.empty() ? "" : "; ") + render_constraint_failure(one);
  }
  return text.empty() ? failure.message : text;
}

// Why the document cannot be written; nullopt if the error is about something else.
std::optional<std::string> reason_of(Interpreter& run, const Error& error) {
  if (run.failure()) return refusal_text(*run.failure());
  const bool is_about_it = error.code == Code::invalid || error.code == Code::forbidden ||
                           (error.code == Code::too_large && !run.transaction()->is_full());
  return is_about_it ? std::optional(error.message) : std::nullopt;
}

using RefusalsByNumber = std::map<std::size_t, std::string>;

class Batch {
 public:
  Batch(const net::Request& request, const SharedServices& shared, const Principal& principal,
        const ImportOptions& options)
      : request_(request),
        shared_(shared),
        database_(shared.services.database),
        principal_(principal),
        options_(options) {}

  Result<ImportReport> import() {
    of_ = TRY(database_of(database_, principal_.database_path));
    TRY(ensure_system_table(database_, of_->id));
    TRY(ensure_schema_applied(database_, of_->id));
    TRY(read_lines());
    TRY(make_collections());
    TRY(write());
    for (const auto& [number, reason] : refused_) {
      report_.refused.push_back({number, name_of_document(number) + reason});
    }
    if (options_.on_refusal == OnRefusal::stop && report_.refused.size() > 1) {
      report_.refused.resize(1);
    }
    return std::move(report_);
  }

 private:
  Result<void> read_lines() {
    std::string_view rest = request_.body;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.empty()) continue;
      if (documents_.size() == limits::import_documents_max) {
        return fail(Code::too_large,
                    fmt::format("a batch has at most {} documents", limits::import_documents_max));
      }
      auto json = parse_wire_json(line);
      auto document = json ? read_exported(*json) : tl::unexpected(std::move(json).error());
      if (document) {
        documents_.push_back(*std::move(document));
        continue;
      }
      if (document.error().code != Code::invalid) return tl::unexpected(document.error());
      refused_[documents_.size()] = document.error().message;
      documents_.emplace_back();
    }
    return {};
  }

  // "User 12: "; empty if unknown.
  std::string name_of_document(std::size_t number) const {
    const ExportedDocument& document = documents_[number];
    if (document.id.empty()) return {};
    return fmt::format("{} {}: ", document.collection, document.id);
  }

  bool stops_at(std::size_t number) const {
    return options_.on_refusal == OnRefusal::stop && refused_.contains(number);
  }

  // Names of missing collections, of documents that may be written.
  Result<std::set<std::string>> missing_collections() {
    std::set<std::string> missing;
    View view = database_.view();
    Reading reading(view, of_->id);
    for (std::size_t i = 0; i < documents_.size() && !stops_at(i); ++i) {
      if (refused_.contains(i)) continue;
      const std::string& name = documents_[i].collection;
      const FqlCollectionPtr found = TRY(reading.collection(name));
      if (!found) missing.insert(name);
      if (found && found->system != nullptr) {
        refused_[i] = fmt::format("{} is no collection of users' documents", name);
      }
    }
    return missing;
  }

  Result<void> make_collections() {
    const std::set<std::string> missing = TRY(missing_collections());
    for (const std::string& name : missing) {
      std::optional<std::string> reason;
      const auto done = database_.transact([&](Transaction& transaction) -> Result<void> {
        const QueryEnvironment query_environment = environment();
        Interpreter run(query_environment, transaction.view(), &transaction, meter());
        FqlObject collection_fields;
        collection_fields.append("name", FqlValue(name));
        const auto made = create_definition(run, *find_system("Collection"), collection_fields);
        if (made) return {};
        reason = reason_of(run, made.error());
        return tl::unexpected(made.error());
      });
      if (done) {
        report_.collections.push_back(name);
        continue;
      }
      if (!reason) return tl::unexpected(done.error());
      for (std::size_t i = 0; i < documents_.size(); ++i) {
        if (documents_[i].collection == name) refused_.emplace(i, *reason);
      }
    }
    return missing.empty() ? Result<void>() : apply_schema(database_, of_->id);
  }

  // A document whose check fails has been written to the transaction already. So the transaction is
  // repeated without it; usually the second attempt succeeds.
  Result<void> write() {
    for (;;) {
      const auto done =
          database_.transact([&](Transaction& transaction) { return attempt(transaction); });
      if (!done && put_and_refused_.empty()) return tl::unexpected(done.error());
      if (done) {
        refused_.merge(found_);
        return {};
      }
      refused_.merge(put_and_refused_);
    }
  }

  Result<void> attempt(Transaction& transaction) {
    found_.clear();
    put_and_refused_.clear();
    ImportReport counts{.collections = report_.collections};
    const QueryEnvironment query_environment = environment();
    Interpreter run(query_environment, transaction.view(), &transaction, meter());
    for (std::size_t i = 0; i < documents_.size() && !stops_at(i); ++i) {
      if (refused_.contains(i)) continue;
      bool is_put = false;
      const auto done = write_one(run, documents_[i], counts, is_put);
      if (done) continue;
      auto reason = reason_of(run, done.error());
      if (!reason) return done;
      run.forget_failure();
      (is_put ? put_and_refused_ : found_)[i] = *std::move(reason);
      if (options_.on_refusal == OnRefusal::stop) break;
    }
    report_ = std::move(counts);
    return put_and_refused_.empty() ? Result<void>() : fail(Code::invalid, "");
  }

  Result<void> write_one(Interpreter& run, const ExportedDocument& document, ImportReport& counts,
                         bool& is_put) {
    if (document.ttl && document.ttl->instant() <= run.instant()) {
      ++counts.expired;
      return {};
    }
    const FqlCollectionPtr of = TRY(run.collection(document.collection));
    if (!of || !of->core) return fail(Code::contended, "the collection is being changed");
    const FqlObject fields = TRY(fields_of(document, *of));
    TRY(weigh(run, FqlValue(fields)));
    Failures failures;
    TRY(check_fields(run, *of, fields, false, failures));
    TRY(failures.raise(run, "The document is not of the collection's types."));
    const Bytes packed = TRY(pack(TRY(to_stored(FqlValue(fields)))));
    const PutOptions put = put_options(document, *of);
    if (const auto there =
            TRY(run.reading().get(*of, DocumentKey::of(document.id), std::nullopt))) {
      if (is_same(*there, packed, put)) {
        ++counts.unchanged;
        return {};
      }
    }
    return put_one(run, document, {of, fields, packed, put}, counts, is_put);
  }

  struct Prepared {
    const FqlCollectionPtr& of;
    const FqlObject& fields;
    const Bytes& packed;
    const PutOptions& put;
  };
  static Result<void> put_one(Interpreter& run, const ExportedDocument& document,
                              const Prepared& prepared, ImportReport& counts, bool& is_put) {
    const FqlCollectionPtr& of = prepared.of;
    const auto done = run.transaction()->put(of->core, of->key_of(DocumentKey::of(document.id)),
                                             prepared.packed, prepared.put);
    if (!done && done.error().code == Code::exists) {
      return run.fail(unique_failure(*of, done.error().message));
    }
    if (!done) return tl::unexpected(done.error());
    is_put = true;
    run.record_write(*of, document.id);
    TRY(check_partly_null(run, *of, DocumentKey::of(document.id)));
    const FqlValue handle(DocumentHandle{.collection = of->name, .id = document.id});
    TRY(check_constraints(run, *of, handle, prepared.fields, document.ttl, WriteMode::create));
    ++(*done ? counts.created : counts.replaced);
    return {};
  }

  Result<FqlObject> fields_of(const ExportedDocument& document, const FqlCollection& of) {
    auto types = types_.find(of.name);
    if (types == types_.end()) types = types_.emplace(of.name, FieldTypes(*of.definition)).first;
    FqlObject fields = TRY(exported_fields(document, *of.definition, types->second));
    if (options_.ts_field.empty() || !document.ts) return fields;
    if (fields.find(options_.ts_field) != nullptr) {
      return fail(
          Code::invalid,
          fmt::format("{}: the field that is to keep the ts is there already", options_.ts_field));
    }
    fields.append(options_.ts_field, FqlValue(*document.ts));
    return fields;
  }

  // The lifetime comes from the document and not from a writer, so the collection's `document_ttls`
  // does not apply. As a touch, the write does not give a document without a ttl that of
  // `ttl_days`.
  static PutOptions put_options(const ExportedDocument& document, const FqlCollection& of) {
    PutOptions options{.lifetime = Lifetime(Inherit{}), .is_touch = true};
    options.facet = facet_of(document.ttl);
    if (of.definition->ttl_days) options.lifetime = Lifetime(Never{});
    if (document.ttl) options.lifetime = Lifetime(mayfly::At{document.ttl->instant()});
    return options;
  }

  static bool is_same(const Document& there, const Bytes& packed, const PutOptions& put) {
    return there.body.bytes() == packed && there.facet == *put.facet &&
           there.version.lifetime == std::get<Lifetime>(put.lifetime);
  }

  QueryEnvironment environment() const { return environment_of(shared_, principal_, of_->id); }
  Meter meter() const { return {monotonic_now, request_.answer_by}; }

  const net::Request& request_;
  const SharedServices& shared_;
  Database& database_;
  const Principal& principal_;
  const ImportOptions& options_;
  DatabaseInfoPtr of_;
  std::vector<ExportedDocument> documents_;  // a refused one may be empty
  std::map<std::string, FieldTypes, std::less<>> types_;
  RefusalsByNumber refused_;          // skipped in later attempts
  RefusalsByNumber found_;            // in this attempt, before their write
  RefusalsByNumber put_and_refused_;  // in this attempt, which must be repeated
  ImportReport report_;
};

}  // namespace

Result<ImportReport> import_documents(const net::Request& request, const SharedServices& shared,
                                      const Principal& principal, const ImportOptions& options) {
  return Batch(request, shared, principal, options).import();
}

}  // namespace mayfly::fauna
