#include "dialect/cosmos/queries/metrics.h"

#include <fmt/format.h>

#include <string>

#include "dialect/cosmos/containers/key_path.h"
#include "value/json.h"

namespace mayfly::cosmos {
namespace {

double millis(Span span) {
  return static_cast<double>(span.micros) / 1'000;
}

// What the core does not tell apart is zero: it plans, looks up and loads while it runs.
std::string metrics_of(const query::RowsPage& page, const QueryTimes& times, std::size_t bytes) {
  const Span total{times.compiling.micros + times.running.micros + times.writing.micros};
  return fmt::format(
      "totalExecutionTimeInMs={:.3f};queryCompileTimeInMs={:.3f};"
      "queryLogicalPlanBuildTimeInMs=0.00;queryPhysicalPlanBuildTimeInMs=0.00;"
      "queryOptimizationTimeInMs=0.00;VMExecutionTimeInMs={:.3f};indexLookupTimeInMs=0.00;"
      "documentLoadTimeInMs=0.00;systemFunctionExecuteTimeInMs=0.00;"
      "userFunctionExecuteTimeInMs=0.00;retrievedDocumentCount={};retrievedDocumentSize={};"
      "outputDocumentCount={};outputDocumentSize={};writeOutputTimeInMs={:.3f};"
      "indexUtilizationRatio={}",
      millis(total), millis(times.compiling), millis(times.running), page.statistics.documents_read,
      bytes, page.rows.size(), bytes, millis(times.writing),
      page.statistics.index.empty() ? "0.00" : "1.00");
}

// The index that the planner has chosen, in the spelling of an indexing policy. Indexes of what is
// no part of a document's body (its creation) are ours alone.
Value utilization_of(const Collection& collection, const std::string& index_name) {
  Array single;
  Array composite;
  const Index* index = collection.find_index(index_name);
  Array specs;
  if (index != nullptr) {
    for (const IndexField& field : index->fields) {
      if (field.field.part != Part::body) continue;
      specs.push_back(Value(render_key_path(field.field.path) + (index->fields.size() == 1 ? "/?"
                                                                 : field.is_descending     ? " DESC"
                                                                                       : " ASC")));
    }
  }
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

void add_metrics(const Call& call, const Collection& collection, const query::RowsPage& page,
                 const QueryTimes& times, std::size_t bytes, net::Response& response) {
  if (call.has_flag("x-ms-documentdb-populatequerymetrics")) {
    response.headers.emplace_back("x-ms-documentdb-query-metrics", metrics_of(page, times, bytes));
  }
  if (call.has_flag("x-ms-cosmos-populateindexmetrics-v2") ||
      call.has_flag("x-ms-cosmos-populateindexmetrics")) {
    response.headers.emplace_back(
        "x-ms-cosmos-index-utilization",
        url_encoded(render_json(utilization_of(collection, page.statistics.index))));
  }
}

}  // namespace mayfly::cosmos
