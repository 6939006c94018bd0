// A dialect's own data: rows of one type in an internal collection (catalog.h), which no client can
// access. They are documents, and have lifetimes, versions and indexes as all others.
//
// A row type defines how its rows are stored:
//   static PrivateSpec table();                               // the same at every call
//   static Result<RowType> decode(const Document& document);  // fails with corrupt
//   Result<Value> encode() const;                             // the body
//   static bool is_row(const Document& document);  // where the collection also has others
// A stored row that cannot be decoded is reported once (malformed.h) and then treated as missing:
// it never fails a read.
//
// Threads: as for the view or transaction passed in; the table itself is immutable.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "db/rows/malformed.h"
#include "db/write/transaction.h"
#include "value/packed/packed.h"

namespace mayfly {

// REACHES DISK: the internal database for the server's own data.
inline constexpr std::string_view server_database = "#server";

struct PrivateSpec {
  std::string_view name;  // REACHES DISK
  // The internal database that it is in; empty: the caller names the database.
  std::string_view database = {};
  std::vector<IndexSpec> indexes = {};  // created with the table; an existing table keeps its own
};

// For tables whose rows have several types. find_private() returns null if the table has not been
// made yet. `part` is appended to the table's name.
CollectionPtr find_private(const Catalog& catalog, const PrivateSpec& spec);
CollectionPtr find_private(const Catalog& catalog, const PrivateSpec& spec, DatabaseId of,
                           std::string_view part);
Result<CollectionPtr> ensure_private(Database& database, const PrivateSpec& spec);
Result<CollectionPtr> ensure_private(Database& database, const PrivateSpec& spec, DatabaseId of,
                                     std::string_view part);

template <class RowType>
class PrivateTable {
 public:
  // Null if the table has not been made yet: then it has no rows. `part`: for a type with a table
  // for each of many things, the thing; it is appended to the table's name.
  static PrivateTable find(const Catalog& catalog, DatabaseId of, std::string_view part = {}) {
    return PrivateTable(find_private(catalog, RowType::table(), of, part));
  }
  // Made if it is missing. Fails as Database::ensure_collection.
  static Result<PrivateTable> ensure(Database& database, DatabaseId of,
                                     std::string_view part = {}) {
    return PrivateTable(TRY(ensure_private(database, RowType::table(), of, part)));
  }
  // The same if the type names the database, which is made, too. Fails with contended if it has
  // just been dropped.
  static PrivateTable find(const Catalog& catalog) {
    return PrivateTable(find_private(catalog, RowType::table()));
  }
  static Result<PrivateTable> ensure(Database& database) {
    return PrivateTable(TRY(ensure_private(database, RowType::table())));
  }

  PrivateTable() = default;
  explicit PrivateTable(CollectionPtr collection) : collection_(std::move(collection)) {}
  explicit operator bool() const { return collection_ != nullptr; }
  // For a query over the rows; null if it has not been made yet.
  const CollectionPtr& collection() const { return collection_; }

  // A key that no document can have gives nothing.
  Result<std::optional<RowType>> get(View& view, const DocumentKey& key) const {
    if (!collection_ || !check(key)) return std::nullopt;
    const auto document = TRY(view.get(*collection_, key, view.live()));
    return document ? decode(*document) : std::nullopt;
  }
  // The same at the present now, without a view.
  Result<std::optional<RowType>> get(Database& database, const DocumentKey& key) const {
    if (!collection_ || !check(key)) return std::nullopt;
    const auto document = TRY(database.get(collection_, key));
    return document ? decode(*document) : std::nullopt;
  }
  // Visits every living row of the range in key order, until `visit` returns false. The range must
  // not be reversed.
  Result<void> each(View& view, const std::function<Result<bool>(RowType)>& visit,
                    DocumentRange range = {}) const {
    if (!collection_) return {};
    for (bool more = true; more;) {
      const DocumentPage page = TRY(view.scan(*collection_, range, view.live()));
      for (const Document& document : page.documents) {
        auto row = decode(document);
        if (row && !TRY(visit(*std::move(row)))) return {};
      }
      more = page.next.has_value();
      if (more) range.from = *page.next;
    }
    return {};
  }
  // All living rows of the range.
  Result<std::vector<RowType>> list(View& view, DocumentRange range = {}) const {
    std::vector<RowType> rows;
    const auto keep = [&](RowType row) -> Result<bool> {
      rows.push_back(std::move(row));
      return true;
    };
    TRY(each(view, keep, std::move(range)));
    return rows;
  }
  // The rows of one page, and where the range goes on.
  struct Page {
    std::vector<RowType> rows = {};
    std::optional<Bytes> next = {};
  };
  Result<Page> page(View& view, const DocumentRange& range) const {
    Page page;
    if (!collection_) return page;
    DocumentPage documents = TRY(view.scan(*collection_, range, view.live()));
    for (const Document& document : documents.documents) {
      if (auto row = decode(document)) page.rows.push_back(*std::move(row));
    }
    page.next = std::move(documents.next);
    return page;
  }
  // Nothing if the document is a row of another type, or cannot be read.
  std::optional<RowType> decode(const Document& document) const {
    if constexpr (requires { RowType::is_row(document); }) {
      if (!RowType::is_row(document)) return std::nullopt;
    }
    Result<RowType> row = RowType::decode(document);
    if (row) return *std::move(row);
    report_malformed(*collection_, document, row.error());
    return std::nullopt;
  }

  // Fails as Transaction::put.
  Result<void> put(Transaction& transaction, const DocumentKey& key, const RowType& row,
                   const PutOptions& options = {}) const {
    TRY(transaction.put(collection_, key, TRY(pack(TRY(row.encode()))), options));
    return {};
  }
  // Removes the row for good, also where the collection has a trash. Fails as Transaction::remove,
  // also with not_found if there is none.
  Result<void> remove(Transaction& transaction, const DocumentKey& key,
                      RemoveOptions options = {}) const {
    options.is_final = true;
    return transaction.remove(collection_, key, options);
  }
  // After a commit: the row as that transaction has left it.
  std::optional<RowType> written(const Transaction& transaction, const DocumentKey& key) const {
    const auto document = transaction.written(collection_, key);
    return document ? decode(*document) : std::nullopt;
  }

 private:
  CollectionPtr collection_;
};

}  // namespace mayfly
