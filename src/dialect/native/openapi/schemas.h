// Schemas of the OpenAPI document: a row for each schema and each parameter, as JSON Schema text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mayfly::native {

struct Schema {
  std::string_view name;
  std::string json;
};
std::vector<Schema> schemas();
std::vector<Schema> subscription_schemas();  // part of schemas()

enum class ParameterLocation { path, query, header };

struct Parameter {
  std::string_view name;
  ParameterLocation location;
  std::string_view summary;
  std::string_view json;  // the schema of its value
};
// Null if there is none. Path parameters are named as in patterns.
const Parameter* find_parameter(std::string_view name, ParameterLocation location);

}  // namespace mayfly::native
