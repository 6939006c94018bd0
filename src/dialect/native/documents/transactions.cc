// Several writes in one request: all of them or none. Each sees the writes before it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "db/rows/partition.h"
#include "dialect/common/limits.h"
#include "dialect/common/requests/json_body.h"
#include "dialect/native/actions.h"
#include "dialect/native/documents/envelope.h"
#include "dialect/native/documents/write.h"
#include "value/json/writer.h"
#include "value/packed/packed.h"

namespace mayfly::native {
namespace {

enum class Verb { create, put, patch, remove, restore };

// What an operation may have in addition to "op", "collection", "id" and "author".
struct VerbRow {
  std::string_view name;
  Verb verb;
  bool takes_data = false;  // and a lifetime
  bool takes_match = false;
  bool takes_final = false;
};
constexpr VerbRow verbs[] = {
    {.name = "create", .verb = Verb::create, .takes_data = true},
    {.name = "put", .verb = Verb::put, .takes_data = true, .takes_match = true},
    {.name = "patch", .verb = Verb::patch, .takes_data = true, .takes_match = true},
    {.name = "remove", .verb = Verb::remove, .takes_match = true, .takes_final = true},
    {.name = "restore", .verb = Verb::restore},
};

struct Operation {
  const VerbRow* row = nullptr;
  std::string collection;
  DocumentKey key;
  Value partition;  // missing: that of the body, or of the document with this id
  Bytes packed;     // body of a create or put
  Value patch;      // of a patch
  RequestedLifetime lifetime;
  std::optional<Tags> if_match;
  std::string author;
  bool is_final = false;
};

std::string place_of(std::size_t index) {
  return fmt::format("operations[{}]", index);
}

// Adds the operation to an error's field. A field that is no member of an operation is a field of
// the document, for example that of a unique index.
Error in_operation(std::size_t index, Error error) {
  static constexpr std::string_view members[] = {
      "op",      "collection", "id",       "data",  "ttl",    "expires_at", "never",
      "inherit", "after",      "if_match", "final", "author", "partition"};
  const std::string place = place_of(index);
  if (error.field.starts_with(place)) return error;
  // Fields of documents begin with a dot.
  if (error.field.starts_with('.')) error.field.erase(0, 1);
  const bool is_member =
      std::find(std::begin(members), std::end(members), error.field) != std::end(members);
  if (error.field.empty()) {
    error.field = place;
  } else {
    error.field = place + (is_member ? "." : ".data.") + error.field;
  }
  return error;
}

Error about_data(Error error) {
  if (error.field.empty()) error.field = "data";
  return error;
}

Result<std::string> required_text(MemberReader& members, std::string_view name) {
  auto text = TRY(members.text(name));
  if (!text) return tl::unexpected(members.wrong_kind(name, "given"));
  return *std::move(text);
}

Result<const VerbRow*> read_verb(MemberReader& members) {
  const std::string name = TRY(required_text(members, "op"));
  for (const VerbRow& row : verbs) {
    if (row.name == name) return &row;
  }
  return tl::unexpected(members.wrong_kind("op", "one of create, put, patch, remove and restore"));
}

Result<void> read_data(MemberReader& members, Operation& operation) {
  const Value* data = members.find("data");
  if (data == nullptr || !data->is(Kind::object)) {
    return tl::unexpected(members.wrong_kind("data", "an object"));
  }
  if (operation.row->verb == Verb::patch) {
    operation.patch = *data;
  } else {
    operation.packed = TRY(pack(*data).map_error(about_data));
  }
  LifetimeMembers lifetime;
  lifetime.ttl = TRY(members.integer("ttl", 1, limits::ttl_seconds_max));
  lifetime.expires_at = TRY(members.time("expires_at"));
  lifetime.never = TRY(members.boolean("never"));
  lifetime.inherit = TRY(members.boolean("inherit"));
  lifetime.after = TRY(members.integer("after", 1, limits::ttl_seconds_max));
  operation.lifetime = TRY(pick_lifetime(lifetime, "ttl, expires_at, never, inherit and after"));
  return {};
}

Result<std::string> read_id(MemberReader& members, Verb verb, Random& random) {
  if (verb != Verb::create) return required_text(members, "id");
  const auto id = TRY(members.text("id"));
  return id ? *id : random.uuid();
}

Result<Operation> read_operation(const Object& object, std::string place, const std::string& author,
                                 Random& random) {
  MemberReader members(object, std::move(place));
  Operation operation;
  operation.row = TRY(read_verb(members));
  operation.collection = TRY(required_text(members, "collection"));
  operation.key = DocumentKey::of(TRY(read_id(members, operation.row->verb, random)));
  TRY(check(operation.key));
  if (const Value* partition = members.find("partition")) operation.partition = *partition;
  operation.author = TRY(members.text("author")).value_or(author);
  TRY(check_author(operation.author, "author"));
  if (operation.row->takes_data) TRY(read_data(members, operation));
  if (operation.row->takes_match) {
    const auto tags = TRY(members.text("if_match"));
    if (tags) operation.if_match = TRY(parse_match(*tags, "if_match"));
  }
  if (operation.row->takes_final) {
    operation.is_final = TRY(members.boolean("final")).value_or(false);
  }
  TRY(members.finish());
  return operation;
}

Result<std::vector<Operation>> read_operations(const NativeCall& call) {
  const std::string author = TRY(author_of(call));
  // A document is three levels deep in the body; pack() applies its own bound of depth.
  const Object body =
      TRY(parse_object(call.request.body, {.depth_max = limits::document_depth_max + 4}));
  MemberReader members(body);
  const Array* items = TRY(members.array("operations"));
  TRY(members.finish());
  if (items == nullptr || items->empty()) {
    return tl::unexpected(members.wrong_kind("operations", "a list of at least one operation"));
  }
  if (items->size() > limits::transaction_operations_max) {
    return fail(Code::too_large,
                fmt::format("a transaction takes at most {} operations",
                            limits::transaction_operations_max),
                "operations");
  }
  std::vector<Operation> operations;
  operations.reserve(items->size());
  for (std::size_t i = 0; i < items->size(); ++i) {
    const Value& item = (*items)[i];
    std::string place = place_of(i);
    if (!item.is(Kind::object)) {
      return fail(Code::invalid, fmt::format("\"{}\" must be an object", place), place);
    }
    operations.push_back(
        TRY(read_operation(item.object(), std::move(place), author, call.shared.services.random)
                .map_error([i](Error error) { return in_operation(i, std::move(error)); })));
  }
  return operations;
}

// One run of the operations on one transaction.
class Run {
 public:
  Run(Transaction& transaction, DatabaseId database)
      : transaction_(transaction), database_(database) {}

  struct Done {
    CollectionPtr collection;
    DocumentKey key;
    bool is_new = false;
  };
  Result<Done> apply(const Operation& operation) {
    const auto collection =
        TRY(find_collection(transaction_.view().catalog(), database_, operation.collection));
    const DocumentKey key = TRY(key_of(operation, *collection));
    TRY(check_match(operation, *collection, key));
    Done done{collection, key, false};
    switch (operation.row->verb) {
      case Verb::create:
      case Verb::put:
      case Verb::patch: done.is_new = TRY(write(operation, collection, done.key)); break;
      case Verb::remove:
        TRY(transaction_.remove(collection, key,
                                {.author = operation.author, .is_final = operation.is_final}));
        break;
      case Verb::restore:
        TRY(transaction_.restore(collection, key, {.author = operation.author}));
        break;
    }
    written_.emplace(collection->id, done.key);
    return done;
  }

 private:
  Result<DocumentKey> key_of(const Operation& operation, const Collection& collection) {
    DocumentKey key = operation.key;
    if (!operation.partition.is_missing()) {
      key.routing = TRY(parse_partition(collection.body, operation.partition));
    }
    const bool is_whole = operation.row->verb == Verb::create || operation.row->verb == Verb::put;
    if (is_whole) return key_in_partition(collection.body, key, Packed(operation.packed));
    View& view = transaction_.view();
    return operation.row->verb == Verb::restore ? key : view.locate(collection, key, view.live());
  }

  Result<bool> write(const Operation& operation, const CollectionPtr& collection,
                     DocumentKey& key) {
    const LifetimeChange lifetime = TRY(lifetime_at(operation.lifetime, transaction_.now()));
    PutOptions options{.lifetime = lifetime, .author = operation.author};
    const bool is_patch = operation.row->verb == Verb::patch;
    if (operation.row->verb == Verb::create) options.expect = PutOptions::Expect::absent;
    Bytes packed =
        is_patch
            ? TRY(patched(transaction_, *collection, key, operation.patch).map_error(about_data))
            : operation.packed;
    return transaction_.put(collection, key, std::move(packed), options);
  }

  // A version that this transaction has written has no tag that a client could know yet.
  Result<void> check_match(const Operation& operation, const Collection& collection,
                           const DocumentKey& key) {
    if (!operation.if_match) return {};
    View& view = transaction_.view();
    const auto current = TRY(view.get(collection, key, view.live()));
    if (!current) return tl::unexpected(no_such_document(key.id));
    const bool is_ours = written_.contains({collection.id, key});
    if (operation.if_match->is_any || (!is_ours && operation.if_match->match(*current))) return {};
    return fail(Code::stale, "the document is not at the version that if_match names", "if_match");
  }

  Transaction& transaction_;
  const DatabaseId database_;
  std::set<std::pair<CollectionId, DocumentKey>> written_;
};

// The result of each operation. Operations on the same document all show its final state.
void render_result(const Operation& operation, const Run::Done& done,
                   const Transaction& transaction, JsonWriter& json) {
  const auto document = transaction.written(done.collection, done.key);
  json.begin_object();
  json.member("op", operation.row->name);
  json.member("collection", operation.collection);
  json.member("id", operation.key.id);
  json.member("created", done.is_new);
  json.text_or_null("etag", document ? etag_of(document->version) : std::string());
  json.time_or_null("expires_at", document ? document->death : Instant::never());
  json.end_object();
}

}  // namespace

Result<net::Response> run_transaction(NativeCall& call) {
  const std::vector<Operation> operations = TRY(read_operations(call));
  std::vector<Run::Done> done;
  std::string body;
  const auto work = [&](Transaction& transaction) -> Result<void> {
    done.clear();
    const auto database = TRY(find_database(call, transaction.view().catalog()));
    Run run(transaction, database->id);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      done.push_back(TRY(run.apply(operations[i]).map_error([i](Error error) {
        return in_operation(i, std::move(error));
      })));
    }
    return {};
  };
  const auto committed = [&](const Transaction& transaction, Instant written_at) {
    JsonWriter json(body);
    json.begin_object();
    json.time_or_null("committed_at", written_at);
    json.name("results").begin_array();
    for (std::size_t i = 0; i < operations.size(); ++i) {
      render_result(operations[i], done[i], transaction, json);
    }
    json.end_array();
    json.end_object();
  };
  TRY(call.database().transact(work, committed));
  return json_response(200, std::move(body));
}

}  // namespace mayfly::native
