// A dialect's own data: rows of one type in an internal collection (catalog.h), which no client
// reaches. They are documents: they have lifetimes, versions and indexes as any other.
//
// A Row says how it is kept:
//   static PrivateSpec table();                            // the same at every call
//   static Result<Row> decode(const Document& document);  // fails with corrupt
//   Result<Value> encode() const;                          // the body
//   static bool is_row(const Document& document);         // where the collection also has others
// A stored row that does not decode is reported once (malformed.h) and is as if it were not there:
// it never fails a read.
//
// Threads: as the view or transaction given; a table itself is only read.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "db/malformed.h"
#include "db/transaction.h"
#include "value/packed.h"

namespace mayfly {

struct PrivateSpec {
  std::string_view name;  // REACHES DISK
  std::vector<IndexSpec> indexes = {};
};

template <class Row>
class PrivateTable {
 public:
  // Null where it has not been made yet: then it has no rows.
  static PrivateTable find(const Catalog& catalog, DatabaseId of) {
    return PrivateTable(catalog.find_internal(of, Row::table().name));
  }
  // Made where it is missing. Fails as Database::ensure_collection.
  static Result<PrivateTable> ensure(Database& database, DatabaseId of) {
    PrivateSpec row = Row::table();
    const CollectionSpec spec{.name = std::string(row.name),
                              .promises = {},
                              .indexes = std::move(row.indexes),
                              .is_internal = true};
    return PrivateTable(TRY(database.ensure_collection(of, spec)));
  }

  PrivateTable() = default;
  explicit PrivateTable(CollectionPtr collection) : collection_(std::move(collection)) {}
  explicit operator bool() const { return collection_ != nullptr; }
  // For a query over the rows; null where it has not been made yet.
  const CollectionPtr& collection() const { return collection_; }

  // A key that no document can have is none that is there.
  Result<std::optional<Row>> get(View& view, const DocumentKey& key) const {
    if (!collection_ || !check(key)) return std::nullopt;
    const auto document = TRY(view.get(*collection_, key, view.live()));
    return document ? decode(*document) : std::nullopt;
  }
  // The same now, without a view.
  Result<std::optional<Row>> get(Database& database, const DocumentKey& key) const {
    if (!collection_ || !check(key)) return std::nullopt;
    const auto document = TRY(database.get(collection_, key));
    return document ? decode(*document) : std::nullopt;
  }
  // Every living row in the order of their keys, until `visit` gives false.
  Result<void> each(View& view, const std::function<Result<bool>(Row)>& visit) const {
    if (!collection_) return {};
    return view.each(*collection_, [&](const Document& document) -> Result<bool> {
      auto row = decode(document);
      return row ? visit(*std::move(row)) : true;
    });
  }
  // None where it is another's, or cannot be read.
  std::optional<Row> decode(const Document& document) const {
    if constexpr (requires { Row::is_row(document); }) {
      if (!Row::is_row(document)) return std::nullopt;
    }
    Result<Row> row = Row::decode(document);
    if (row) return *std::move(row);
    report_malformed(*collection_, document, row.error());
    return std::nullopt;
  }

  // Fails as Transaction::put.
  Result<void> put(Transaction& transaction, const DocumentKey& key, const Row& row,
                   const PutOptions& options = {}) const {
    TRY(transaction.put(collection_, key, TRY(pack(TRY(row.encode()))), options));
    return {};
  }
  // Leaves nothing behind. Fails with not_found where there is none.
  Result<void> remove(Transaction& transaction, const DocumentKey& key) const {
    TRY(transaction.remove(collection_, key, {.is_final = true}));
    return {};
  }

 private:
  CollectionPtr collection_;
};

}  // namespace mayfly
