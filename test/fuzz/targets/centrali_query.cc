// Queries of the Centrali dialect, as JSON and as a query string: one is refused with a reason, or
// finds as many records with its order as without. A condition and its negation together find every
// record once.
#include "db/database.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/queries/wanted.h"
#include "dialect/common/requests/json_body.h"
#include "expr/evaluation/evaluate.h"
#include "fuzz.h"
#include "net/router.h"
#include "query/run.h"
#include "store/memory/memory_store.h"
#include "value/json/tokens.h"

namespace mayfly::fuzz {
namespace {

constexpr std::string_view records[] = {
    R"({"n":1,"s":"x","tags":["a","b"],"at":"2026-09-01T00:00:00.000Z","ok":true})",
    R"({"n":2.5,"s":"X","tags":[],"o":{"p":{"q":1}}})",
    R"({"n":"1","s":null,"tags":"a","ok":false})",
    R"({"s":"true","o":{"p":null},"tags":[1,true,null,[1]]})",
    R"({})",
};

constexpr const char* facet = R"({"id":"S","name":"S","isOwn":true,"defaultSearchField":"s",
  "properties":[{"name":"s","type":"string"},{"name":"n","type":"number"},
                {"name":"at","type":"datetime"},{"name":"ok","type":"boolean"}]})";

struct World {
  ManualClock clock{Instant::from_seconds(1'800'000'000)};
  std::unique_ptr<Database> database = Database::open(store::open_memory(), clock).value();
  centrali::StructurePtr structure;

  World() {
    const DatabaseId id = database->create_database("acme").value()->id;
    CollectionChange promises;
    promises.facets["centrali"] = facet;
    promises.keep_trash_for = Span::seconds(1'000);
    const std::vector<IndexSpec> indexes = {{"by_n", {{Field::body("n"), false}}}};
    const auto collection = database->create_collection(id, {"s", promises, indexes}).value();
    structure = centrali::structure_of(collection);
    CHECK(structure->shape.children.size() == 4);
    int number = 0;
    for (const std::string_view json : records) {
      const DocumentKey key = DocumentKey::of("r" + std::to_string(number++));
      const auto put = database->transact([&](Transaction& t) -> Result<void> {
        TRY(t.put(collection, key, TRY(pack_json(json)), {}));
        return {};
      });
      CHECK(put.has_value());
    }
  }
};

World& world() {
  static World made;
  return made;
}

void check_refusal(const Error& error) {
  CHECK(error.code == Code::invalid || error.code == Code::unsupported ||
        error.code == Code::too_large);
  CHECK(!error.message.empty());
}

std::optional<std::size_t> rows_of(const centrali::Wanted& wanted) {
  View view = world().database->view();
  const auto query = centrali::query_of(wanted, *world().structure, view.now());
  const auto page = query::answer(query, view, {100, std::nullopt, {}});
  if (!page) {
    check_refusal(page.error());
    return std::nullopt;
  }
  CHECK(page->rows.size() <= std::size(records));
  return page->rows.size();
}

void check_wanted(const centrali::Wanted& wanted) {
  CHECK(wanted.paging.limit >= 1 && wanted.paging.limit <= limits::page_rows_max);
  CHECK(wanted.paging.offset <= limits::page_offset_max);
  const auto rows = rows_of(wanted);
  centrali::Wanted unsorted = wanted;
  unsorted.order.clear();
  const auto same = rows_of(unsorted);
  if (rows && same) CHECK(*rows == *same);
}

// Every record is where the condition is or where its opposite is, and never both.
void check_opposite(const Object& body) {
  const Value* where = body.find("where");
  if (where == nullptr || !where->is(Kind::object)) return;
  Object asked{{"where", *where}}, opposite{{"where", Object{{"not", *where}}}};
  for (Object* each : {&asked, &opposite}) each->set("includeArchived", Value(true));
  const auto wanted = centrali::parse_canonical(asked, *world().structure);
  const auto unwanted = centrali::parse_canonical(opposite, *world().structure);
  if (!wanted || !unwanted) return;
  const auto in = rows_of(*wanted), out = rows_of(*unwanted);
  if (in && out) CHECK(*in + *out == std::size(records));
}

void run_canonical(BytesView text) {
  const auto body = parse_object(text);
  if (!body) return check_refusal(body.error());
  const auto wanted = centrali::parse_canonical(*body, *world().structure);
  if (!wanted) return check_refusal(wanted.error());
  check_wanted(*wanted);
  check_opposite(*body);
}

void run_flat(BytesView text) {
  net::Request request;
  auto parameters = net::decode_form(text);
  if (!parameters) return check_refusal(parameters.error());
  request.parameters = std::move(*parameters);
  const auto wanted = centrali::parse_flat(request, *world().structure);
  if (!wanted) return check_refusal(wanted.error());
  check_wanted(*wanted);
}

}  // namespace

void run(BytesView input) {
  if (input.starts_with('{')) {
    run_canonical(input);
  } else {
    run_flat(input);
  }
}

}  // namespace mayfly::fuzz
