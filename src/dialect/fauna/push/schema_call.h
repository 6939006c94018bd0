// One request below /schema/1: what its parameters say, and the transaction that it runs in.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "dialect/fauna/push/diff.h"
#include "dialect/fauna/push/push.h"
#include "dialect/fauna/push/schema_request.h"

namespace mayfly::fauna {

// What is answered: the members of the body behind `version`.
struct SchemaReply {
  Instant version;
  Object rest = {};
};
using SchemaResult = Result<SchemaReply>;

// Threads: one at a time.
class SchemaCall {
 public:
  SchemaCall(const net::Request& request, const SharedServices& shared, const Principal& who)
      : request(request), shared_(shared), who_(who), database_(shared.services.database) {}

  const net::Request& request;

  // Finds the database, and checks the version that the request says.
  Result<void> begin();
  bool flag(const std::string& name, bool otherwise) const;
  std::string text(const std::string& name) const;

  // Reads; `work` is given the reading.
  Result<void> read(const std::function<Result<void>(Reading&)>& work) const;
  // Writes: gives the version of the schema that this makes. `is_dry`: nothing stays.
  Result<Instant> write(bool is_dry, const std::function<Result<void>(Interpreter&)>& work) const;
  Instant version() const { return version_; }

 private:
  const SharedServices& shared_;
  const Principal& who_;
  Database& database_;
  DatabaseInfoPtr of_;
  Instant version_;
};

// The items of one kind and of one name; schema_items.cc.
SchemaResult answer_item(SchemaCall& call, std::string_view path);

// Applies or stages the files. Fails with invalid: what is wrong with them.
SchemaResult put_files(SchemaCall& call, const SchemaFiles& files, bool is_staged);

}  // namespace mayfly::fauna
