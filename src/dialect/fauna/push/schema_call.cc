#include "dialect/fauna/push/schema_call.h"

#include "base/logging.h"
#include "dialect/fauna/schema/apply.h"

namespace mayfly::fauna {

Result<void> SchemaCall::begin() {
  of_ = TRY(database_of(database_, who_.place));
  View view = database_.view();
  version_ = TRY(schema_version(view, of_->id));
  if (!is_applied(view.catalog(), of_->id, version_)) TRY(apply_schema(database_, of_->id));
  if (version_ == Instant::beginning()) version_ = Instant{};
  const std::string said = text("version");
  if (said.empty() || flag("force", false)) return {};
  if (said == std::to_string(version_.micros)) return {};
  return fail(Code::stale, "Stale schema version provided");
}

bool SchemaCall::flag(const std::string& name, bool otherwise) const {
  const std::string* said = request.parameter(name);
  return said == nullptr ? otherwise : *said != "false";
}

std::string SchemaCall::text(const std::string& name) const {
  const std::string* said = request.parameter(name);
  return said == nullptr ? std::string() : *said;
}

Result<void> SchemaCall::read(const std::function<Result<void>(Reading&)>& work) const {
  View view = database_.view();
  Reading reading(view, of_->id);
  return work(reading);
}

Result<Instant> SchemaCall::write(bool is_dry,
                                  const std::function<Result<void>(Interpreter&)>& work) const {
  TRY(ensure_system_table(database_, of_->id));
  bool is_done = false;
  const auto done = database_.transact([&](Transaction& transaction) -> Result<void> {
    is_done = false;
    const Surroundings around = surroundings_of(shared_, who_, of_->id);
    Interpreter run(around, transaction.view(), &transaction, {monotonic_now, request.answer_by});
    const Instant now = TRY(schema_version(transaction.view(), of_->id));
    // Another one has changed the schema meanwhile.
    if (now != version_ && now != Instant::beginning() && !flag("force", false) &&
        !text("version").empty()) {
      return fail(Code::stale, "Stale schema version provided");
    }
    TRY(work(run));
    is_done = true;
    // A failing transaction writes nothing.
    return is_dry ? fail(Code::invalid, "") : put_schema_version(run);
  });
  if (is_dry && is_done) return version_;
  if (!done) return tl::unexpected(done.error());
  // What fails is left to the next request: the schema is committed.
  const auto applied = apply_schema(database_, of_->id);
  if (!applied) {
    log(LogLevel::warn, "a schema is still to be applied", {{"error", applied.error().message}});
  }
  return *done;
}

}  // namespace mayfly::fauna
