#include "query/query.h"

#include "base/check.h"

namespace mayfly::query {

QueryPtr scan(CollectionPtr collection, const Lens& lens, std::optional<Bytes> routing) {
  CHECK(collection != nullptr);
  return make(Scan{std::move(collection), lens, std::move(routing)});
}
QueryPtr filter(QueryPtr input, ExprPtr condition) {
  return make(Filter{std::move(input), std::move(condition)});
}
QueryPtr project(QueryPtr input, ExprPtr value) {
  return make(Project{std::move(input), std::move(value)});
}
QueryPtr unnest(QueryPtr input, Slot slot, ExprPtr over) {
  return make(Unnest{std::move(input), slot, std::move(over)});
}
QueryPtr sort(QueryPtr input, std::vector<SortKey> keys, Ties ties) {
  return make(Sort{std::move(input), std::move(keys), ties});
}
QueryPtr group(QueryPtr input, std::vector<Named> keys, std::vector<NamedAggregate> aggregates,
               Slot slot) {
  return make(Group{std::move(input), std::move(keys), std::move(aggregates), slot});
}
QueryPtr slice(QueryPtr input, std::size_t offset, std::optional<std::size_t> limit) {
  return make(Slice{std::move(input), offset, limit});
}
QueryPtr distinct(QueryPtr input) {
  return make(Distinct{std::move(input)});
}
QueryPtr concat(std::vector<QueryPtr> inputs) {
  return make(Concat{std::move(inputs)});
}
QueryPtr values(std::vector<Value> rows) {
  return make(Values{std::move(rows)});
}
QueryPtr outer() {
  return make(Outer{});
}
QueryPtr bounded(const QueryPtr& query, const SizeBounds& bounds) {
  return std::make_shared<const Query>(Query{query->node, bounds});
}

}  // namespace mayfly::query
