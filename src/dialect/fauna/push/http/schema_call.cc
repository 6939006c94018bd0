#include "dialect/fauna/push/http/schema_call.h"

#include "dialect/fauna/query.h"
#include "dialect/fauna/schema/apply.h"
#include "dialect/fauna/schema/definitions.h"

namespace mayfly::fauna {

Result<void> SchemaCall::begin() {
  of_ = TRY(database_of(database_, principal_.database_path));
  View view = database_.view();
  version_ = TRY(schema_version(view, of_->id));
  TRY(ensure_schema_applied(database_, of_->id));
  if (version_ == Instant::beginning()) version_ = Instant{};
  return {};
}

Result<void> SchemaCall::check_version(Instant version) const {
  const std::string value = text("version");
  if (value.empty() || flag("force", false)) return {};
  if (version == Instant::beginning()) version = Instant{};
  if (value == std::to_string(version.micros)) return {};
  return fail(Code::stale, "Stale schema version provided");
}

bool SchemaCall::flag(const std::string& name, bool otherwise) const {
  const std::string* value = request.parameter(name);
  return value == nullptr ? otherwise : *value != "false";
}

std::string SchemaCall::text(const std::string& name) const {
  const std::string* value = request.parameter(name);
  return value == nullptr ? std::string() : *value;
}

QueryEnvironment SchemaCall::environment() const {
  return environment_of(shared_, principal_, of_->id);
}

Result<void> SchemaCall::read(const Work& work) const {
  View view = database_.view();
  const QueryEnvironment query_environment = environment();
  Interpreter run(query_environment, view, nullptr, {monotonic_now, request.answer_by});
  return work(run);
}

Result<Instant> SchemaCall::write(bool is_dry, const Work& work) const {
  TRY(ensure_system_table(database_, of_->id));
  bool is_done = false;
  const auto done = database_.transact([&](Transaction& transaction) -> Result<void> {
    is_done = false;
    const QueryEnvironment query_environment = environment();
    Interpreter run(query_environment, transaction.view(), &transaction,
                    {monotonic_now, request.answer_by});
    TRY(check_version(TRY(schema_version(transaction.view(), of_->id))));
    TRY(work(run));
    if (monotonic_now() >= request.answer_by) return fail(Code::timed_out, "");
    is_done = true;
    // A failed transaction is rolled back.
    return is_dry ? fail(Code::invalid, "") : put_schema_version(run);
  });
  if (is_dry && is_done) return version_;
  if (!done) return tl::unexpected(done.error());
  apply_committed_schema(database_, of_->id);
  return *done;
}

}  // namespace mayfly::fauna
