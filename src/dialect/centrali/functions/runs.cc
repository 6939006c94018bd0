#include "dialect/centrali/functions/runs.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "dialect/centrali/functions/compute_function.h"
#include "dialect/centrali/functions/limits.h"
#include "dialect/centrali/render.h"
#include "query/run.h"
#include "value/json/json.h"

namespace mayfly::centrali {
namespace {

// REACHES DISK.
constexpr std::string_view function_runs_name = "#centrali.runs";

struct StatusRow {
  Run::Status status;
  std::string_view word;
};
constexpr StatusRow statuses[] = {{Run::Status::running, "running"},
                                  {Run::Status::completed, "completed"},
                                  {Run::Status::failed, "failed"},
                                  {Run::Status::timeout, "timeout"}};

IndexSpec by(const char* name, std::string_view member) {
  return {name, {IndexField{Field::body(member)}}};
}

}  // namespace

std::string_view word_of(Run::Status status) {
  for (const StatusRow& row : statuses) {
    if (row.status == status) return row.word;
  }
  return "failed";
}

std::optional<Run::Status> run_status(std::string_view word) {
  for (const StatusRow& row : statuses) {
    if (row.word == word) return row.status;
  }
  return std::nullopt;
}

std::string Run::text(std::string_view member) const {
  return text_in(members, member);
}

Run::Status Run::status() const {
  return run_status(text("status")).value_or(Status::failed);
}

PrivateSpec Run::table() {
  return {.name = function_runs_name,
          .indexes = {by("by_function", "functionId"), by("by_trigger", "triggerId")}};
}

Result<Run> Run::decode(const Document& document) {
  const Value body = document.body.unpack();
  if (!body.is(Kind::object)) return not_as_written("data");
  Run run{std::string(document.id), body.object(), document.created_at};
  if (!run_status(run.text("status"))) return not_as_written("status");
  return run;
}

Result<void> put_run(Transaction& transaction, DatabaseId workspace, const Run& run) {
  const auto table = PrivateTable<Run>::find(transaction.view().catalog(), workspace);
  const Instant until = transaction.now() + limits::function_runs_kept_for;
  return table.put(transaction, DocumentKey::of(run.id), run, {.lifetime = Lifetime{At{until}}});
}

// The query does not sort, because it would then hold all results and logs at once.
Result<std::vector<Run>> read_runs(View& view, const PrivateTable<Run>& table,
                                   const RunFilter& filter, const std::string& status,
                                   const Meter& meter) {
  if (!table) return std::vector<Run>();
  ExprList conditions;
  const std::pair<std::string_view, const std::string&> asked_for[] = {
      {"functionId", filter.function}, {"triggerId", filter.trigger}, {"status", status}};
  for (const auto& [member, text] : asked_for) {
    if (text.empty()) continue;
    conditions.push_back(expr::equal(expr::body(member), expr::literal(Value(text))));
  }
  auto asked = query::scan(table.collection(), view.live());
  if (!conditions.empty()) {
    asked = query::filter(std::move(asked), expr::all_of(std::move(conditions)));
  }
  std::set<std::pair<Instant, std::string>> newest;
  query::RunOptions options{.meter = meter};
  do {
    const query::RowsPage page = TRY(query::answer(asked, view, options));
    for (const query::QueryRow& row : page.rows) {
      newest.emplace(row.document->created_at, row.document->id);
      if (newest.size() > limits::function_runs_listed_max) newest.erase(newest.begin());
    }
    options.bookmark = page.next;
  } while (options.bookmark);
  std::vector<Run> runs;
  for (auto one = newest.rbegin(); one != newest.rend(); ++one) {
    if (auto run = TRY(table.get(view, DocumentKey::of(one->second)))) {
      runs.push_back(*std::move(run));
    }
  }
  return runs;
}

std::string render(const Run& run, std::string_view workspace) {
  const auto time = [&](std::string_view name) {
    const Value value = member_or_null(run.members, name);
    return value.is(Kind::time) ? Value(render_time(value.time())) : Value(nullptr);
  };
  // The result is stored as JSON, because a function's value may be nested arbitrarily deep.
  const auto result =
      parse_json(run.text("result"), {.bytes_max = limits::function_result_bytes_max});
  return render_json(Object{{"id", run.id},
                            {"functionId", member_or_null(run.members, "functionId")},
                            {"triggerId", member_or_null(run.members, "triggerId")},
                            {"workspaceSlug", workspace},
                            {"status", run.text("status")},
                            {"executionSource", member_or_null(run.members, "executionSource")},
                            {"startedAt", time("startedAt")},
                            {"endedAt", time("endedAt")},
                            {"durationMs", member_or_null(run.members, "durationMs")},
                            {"attempt", member_or_null(run.members, "attempt")},
                            {"result", result ? *result : Value(nullptr)},
                            {"error", member_or_null(run.members, "error")},
                            {"log", run.text("log")},
                            {"createdAt", render_time(run.created_at)}});
}

}  // namespace mayfly::centrali
