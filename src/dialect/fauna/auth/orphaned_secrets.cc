#include "dialect/fauna/auth/orphaned_secrets.h"

#include <vector>

#include "dialect/fauna/auth/secrets.h"
#include "dialect/fauna/limits.h"

namespace mayfly::fauna {
namespace {

bool is_lost(const Document& row, const Catalog& catalog) {
  const Value database = row.body.member("database");
  return !database.is(Kind::integer) ||
         catalog.database(static_cast<DatabaseId>(database.integer())) == nullptr;
}

Result<void> remove_rows(Database& database, const CollectionPtr& table,
                         const std::vector<DocumentKey>& rows) {
  if (rows.empty()) return {};
  const auto remove = [&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    for (const DocumentKey& row : rows) {
      if (!TRY(view.get(*table, row, view.live()))) continue;
      TRY(transaction.remove(table, row, {.is_final = true}));
    }
    return {};
  };
  return database.transact(remove).map([](Instant) {});
}

}  // namespace

JobSpec OrphanedSecrets::job() {
  return {.name = "fauna secrets",
          .lane = JobLane::lengthy,
          .lease = "fauna secrets",
          .run = [this](const JobRun& run) -> Result<NextRun> {
            TRY(scan(run));
            return NextRun{.due = database_.now() + limits::fql_orphaned_secrets_every};
          },
          .first_due = Instant::beginning()};
}

OrphanedSecrets::Snapshot OrphanedSecrets::fingerprint_of(const Catalog& catalog) {
  const auto& all = catalog.all_databases();
  return {all.empty() ? 0 : all.rbegin()->first, all.size()};
}

Result<void> OrphanedSecrets::scan(const JobRun& run) {
  if (run.gives_way() || seen_ == fingerprint_of(*database_.catalog())) return {};
  View view = database_.view();
  // Taken after the view, so that it includes the database of every row in the view.
  const CatalogPtr catalog = database_.catalog();
  const CollectionPtr table = find_secrets_table(*catalog);
  for (DocumentRange range; table != nullptr;) {
    if (run.must_end() || run.gives_way()) return {};
    const DocumentPage page = TRY(view.scan(*table, range, view.live()));
    std::vector<DocumentKey> lost;
    for (const Document& row : page.documents) {
      if (is_lost(row, *catalog)) lost.push_back(DocumentKey::of(std::string(row.id)));
    }
    TRY(remove_rows(database_, table, lost));
    if (!page.next) break;
    range.from = *page.next;
  }
  seen_ = fingerprint_of(*catalog);
  return {};
}

}  // namespace mayfly::fauna
