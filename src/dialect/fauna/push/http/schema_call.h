// One request below /schema/1: what its parameters say, and the transaction that it runs in.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "dialect/fauna/push/diff/diff.h"
#include "dialect/fauna/push/http/schema_request.h"
#include "dialect/fauna/push/push.h"

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

  // Finds the database; what follows from its schema is done.
  Result<void> begin();
  // Fails with stale where the request says another version.
  Result<void> check_version(Instant version) const;
  bool flag(const std::string& name, bool otherwise) const;
  std::string text(const std::string& name) const;

  // What is done of a schema, with the rights of the request's principal.
  using Work = std::function<Result<void>(Interpreter&)>;
  // Reads.
  Result<void> read(const Work& work) const;
  // Writes: gives the version of the schema that this makes. `is_dry`: nothing stays. Fails with
  // stale where the schema is no longer at the version that the request says.
  Result<Instant> write(bool is_dry, const Work& work) const;
  Instant version() const { return version_; }

 private:
  Surroundings surroundings() const;

  const SharedServices& shared_;
  const Principal& who_;
  Database& database_;
  DatabaseInfoPtr of_;
  Instant version_;
};

// The items of one kind and of one name; schema_items.cc. The path is that below `items/`.
const SystemCollection* kind_of_items(std::string_view path);  // null where there is none
SchemaResult answer_item(SchemaCall& call, std::string_view path);

// The whole schema that a request asks for, made of the one that is there in its transaction.
using MakeFiles = std::function<Result<SchemaFiles>(Reading&)>;
// Applies or stages the files. Fails with invalid: what is wrong with them.
SchemaResult put_files(SchemaCall& call, const MakeFiles& make, bool is_staged);

// The staged files where the request asks for them and there are some, else the active ones.
Result<SchemaFiles> files_meant(const SchemaCall& call, Reading& reading);

}  // namespace mayfly::fauna
