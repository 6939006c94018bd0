// One request below /schema/1: its parameters, and the transaction that it runs in.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dialect/fauna/push/diff/diff.h"
#include "dialect/fauna/push/http/schema_request.h"
#include "dialect/fauna/push/push.h"
#include "dialect/fauna/routes.h"

namespace mayfly::fauna {

// A response: the version, and the members of the body after it.
struct SchemaReply {
  Instant version;
  Object rest = {};
};
using SchemaResult = Result<SchemaReply>;

// Threads: one at a time.
class SchemaCall {
 public:
  SchemaCall(const net::Request& request, const SharedServices& shared, const Principal& principal)
      : request(request),
        shared_(shared),
        principal_(principal),
        database_(shared.services.database) {}

  const net::Request& request;
  std::string_view rest = {};  // of the path, behind the pattern of the route

  // Finds the database and applies its schema if necessary.
  Result<void> begin();
  // Fails with stale if the request names another version.
  Result<void> check_version(Instant version) const;
  // A parameter of the request: true unless it is `false`; `otherwise` if it is missing.
  bool flag(const std::string& name, bool otherwise) const;
  // A parameter of the request; empty if it is missing.
  std::string text(const std::string& name) const;

  // Reads or changes the schema, with the rights of the request's principal.
  using Work = std::function<Result<void>(Interpreter&)>;
  // Runs `work` in a view.
  Result<void> read(const Work& work) const;
  // Runs `work` in a transaction and returns the new version of the schema. If `is_dry`, nothing is
  // committed, and it returns version(). Fails with stale if the schema is no longer at the version
  // that the request names.
  Result<Instant> write(bool is_dry, const Work& work) const;
  // The version of the schema at begin().
  Instant version() const { return version_; }

 private:
  QueryEnvironment environment() const;

  const SharedServices& shared_;
  const Principal& principal_;
  Database& database_;
  DatabaseInfoPtr of_;
  Instant version_;
};

// The pattern continues after schema_path. A role may use a route by its effect: it needs the
// privilege to read, or to write, what the schema defines.
struct SchemaRoute : RouteColumns {
  SchemaResult (*answer)(SchemaCall& call);
};
std::span<const SchemaRoute> schema_routes();

// Requests for items; schema_items.cc. `path` is the part after `items/`.
const SystemCollection* kind_of_items(std::string_view path);  // null where there is none
SchemaResult answer_item(SchemaCall& call);

// Makes the files that a request asks for from those in its transaction.
using MakeFiles = std::function<Result<SchemaFiles>(Reading&)>;
// Applies or stages the files. Fails with invalid; the message lists their errors.
SchemaResult put_files(SchemaCall& call, const MakeFiles& make, bool is_staged);

// The staged files if the request asks for them and there are any, else the active files.
Result<SchemaFiles> requested_files(const SchemaCall& call, Reading& reading);

}  // namespace mayfly::fauna
