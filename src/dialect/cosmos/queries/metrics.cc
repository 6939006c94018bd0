#include "dialect/cosmos/queries/metrics.h"

#include <fmt/format.h>

#include <string>

#include "dialect/cosmos/containers/indexes.h"
#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/reply.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

double millis(Span span) {
  return static_cast<double>(span.micros) / 1'000;
}

// The share of loaded documents that passed the filter; 0 if none were loaded.
double hit_ratio(const query::Statistics& statistics) {
  if (statistics.documents_read == 0) return 0;
  return static_cast<double>(statistics.documents_matched) /
         static_cast<double>(statistics.documents_read);
}

// The bytes of the rows themselves, without the envelope and separators.
std::size_t bytes_of_rows(const Container& container, std::size_t rows, std::size_t bytes) {
  if (rows == 0) return 0;
  const std::size_t around = Feed(ResourceKind::document, container.rid).bytes() + rows - 1;
  return bytes > around ? bytes - around : 0;
}

// Times that the core does not separate are zero: it plans, looks up and loads while it runs.
std::string metrics_of(const query::RowsPage& page, const QueryTimes& times, std::size_t bytes) {
  const Span total{times.compiling.micros + times.running.micros + times.writing.micros};
  return fmt::format(
      "totalExecutionTimeInMs={:.3f};queryCompileTimeInMs={:.3f};"
      "queryLogicalPlanBuildTimeInMs=0.00;queryPhysicalPlanBuildTimeInMs=0.00;"
      "queryOptimizationTimeInMs=0.00;VMExecutionTimeInMs={:.3f};indexLookupTimeInMs=0.00;"
      "documentLoadTimeInMs=0.00;systemFunctionExecuteTimeInMs=0.00;"
      "userFunctionExecuteTimeInMs=0.00;retrievedDocumentCount={};retrievedDocumentSize={};"
      "outputDocumentCount={};outputDocumentSize={};writeOutputTimeInMs={:.3f};"
      "indexUtilizationRatio={:.2f}",
      millis(total), millis(times.compiling), millis(times.running), page.statistics.documents_read,
      page.statistics.bytes_read, page.rows.size(), bytes, millis(times.writing),
      hit_ratio(page.statistics));
}

std::string order_of(bool is_descending) {
  return is_descending ? " DESC" : " ASC";
}

// The paths of the index, in the spelling of the indexing policy. An index that no policy names is
// of a unique key. Indexes of metadata (the instant of creation) are internal and not shown.
Array specs_of(const Container& container, const std::string& index_name) {
  Array specs;
  if (const auto row = policy_row_of(container.definition, index_name)) {
    if (!row->path.empty()) specs.push_back(Value(row->path));
    for (const Value& part : row->composite) {
      const bool is_descending = part.member("order").text() == "descending";
      specs.push_back(Value(part.member("path").text() + order_of(is_descending)));
    }
    return specs;
  }
  const Index* index = container.collection->find_index(index_name);
  if (index == nullptr) return specs;
  for (const IndexField& field : index->fields) {
    if (field.field.part != Part::body || field.computed) continue;
    specs.push_back(Value(render_key_path(field.field.path) +
                          (index->fields.size() == 1 ? "/?" : order_of(field.is_descending))));
  }
  return specs;
}

// Reports the index that the planner has chosen.
Value utilization_of(const Container& container, const std::string& index_name) {
  Array specs = specs_of(container, index_name);
  Array single;
  Array composite;
  if (specs.size() == 1) single.push_back(Object{{"IndexSpec", specs.front()}});
  if (specs.size() > 1) composite.push_back(Object{{"IndexSpecs", std::move(specs)}});
  const Value none = Object{{"SingleIndexes", Array()}, {"CompositeIndexes", Array()}};
  return Object{{"Utilized", Object{{"SingleIndexes", std::move(single)},
                                    {"CompositeIndexes", std::move(composite)}}},
                {"Potential", none}};
}

std::string url_encoded(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
    if (is_plain) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

}  // namespace

void add_metrics(const CosmosCall& call, const Container& container, const query::RowsPage& page,
                 const QueryTimes& times, std::size_t bytes, net::Response& response) {
  if (call.has_flag("x-ms-documentdb-populatequerymetrics")) {
    response.headers.emplace_back(
        "x-ms-documentdb-query-metrics",
        metrics_of(page, times, bytes_of_rows(container, page.rows.size(), bytes)));
  }
  if (call.has_flag("x-ms-cosmos-populateindexmetrics-v2") ||
      call.has_flag("x-ms-cosmos-populateindexmetrics")) {
    response.headers.emplace_back(
        "x-ms-cosmos-index-utilization",
        url_encoded(render_json(utilization_of(container, page.statistics.index))));
  }
}

}  // namespace mayfly::cosmos
