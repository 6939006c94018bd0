#include "dialect/native/openapi/openapi.h"

#include <fmt/format.h>

#include "base/check.h"
#include "dialect/native/openapi/schemas.h"
#include "dialect/native/routes.h"
#include "value/json/json.h"

namespace mayfly::native {
namespace {

Value parse_own(std::string_view json) {
  auto value = parse_json(json);
  CHECK(value.has_value());
  return *std::move(value);
}

Value reference(std::string_view schema) {
  return Object{{"$ref", Value(fmt::format("#/components/schemas/{}", schema))}};
}

Value form(std::string_view schema) {
  return Object{{"schema", reference(schema)}};
}

Value content(std::string_view type, std::string_view schema) {
  return Object{{std::string(type), form(schema)}};
}

Value describe(std::string_view name, ParameterLocation location) {
  const Parameter* row = find_parameter(name, location);
  CHECK(row != nullptr);
  const char* in = location == ParameterLocation::path    ? "path"
                   : location == ParameterLocation::query ? "query"
                                                          : "header";
  return Object{{"name", Value(row->name)},
                {"in", Value(in)},
                {"required", Value(location == ParameterLocation::path)},
                {"description", Value(row->summary)},
                {"schema", parse_own(row->json)}};
}

Array parameters_of(const Route& route) {
  Array all;
  std::string_view rest = route.pattern;
  for (auto open = rest.find('{'); open != rest.npos; open = rest.find('{')) {
    rest.remove_prefix(open + 1);
    all.push_back(describe(rest.substr(0, rest.find('}')), ParameterLocation::path));
  }
  for (const std::string_view name : route.parameters) {
    all.push_back(describe(name, ParameterLocation::query));
  }
  for (const std::string_view name : route.headers)
    all.push_back(describe(name, ParameterLocation::header));
  return all;
}

std::string_view words_for(int status) {
  switch (status) {
    case 201: return "created";
    case 204: return "done; the answer has no body";
    case 304: return "unchanged since the version that If-None-Match names";
    default: return "the answer";
  }
}

Object describe_error(std::string_view description) {
  return Object{{"description", Value(description)},
                {"content", content("application/json", "Error")}};
}

Value describe(const Route& route, std::string_view tag) {
  Object operation{{"operationId", Value(route.name)},
                   {"tags", Array{Value(tag)}},
                   {"summary", Value(route.summary)}};
  Array parameters = parameters_of(route);
  if (!parameters.empty()) operation.append("parameters", std::move(parameters));
  if (!route.body.empty()) {
    operation.append("requestBody", Object{{"content", content("application/json", route.body)}});
  }
  Object answers;
  for (const Answer& answer : route.answers) {
    Object described{{"description", Value(words_for(answer.status))}};
    if (!answer.schema.empty()) {
      Object forms{{std::string(route.content_type), form(answer.schema)}};
      if (!answer.stream_schema.empty()) {
        forms.append("text/event-stream", form(answer.stream_schema));
      }
      described.append("content", std::move(forms));
    }
    answers.append(std::to_string(answer.status), std::move(described));
  }
  answers.append("4XX", describe_error("the request is refused; `code` says why"));
  answers.append("5XX", describe_error("the server is overloaded or stopping, or has failed"));
  operation.append("responses", std::move(answers));
  if (route.effect == RouteEffect::open) operation.append("security", Array{});
  return operation;
}

std::string lower_case(std::string_view method) {
  std::string lower;
  for (const char c : method) lower += static_cast<char>(c - 'A' + 'a');
  return lower;
}

Value describe_info() {
  return Object{
      {"title", Value("Mayfly")},
      {"version", Value(MAYFLY_VERSION)},
      {"summary", Value("A document database in which every document has a lifetime")},
      {"description", Value("The native API of Mayfly: databases, collections, documents and their "
                            "lifetimes. Instants are RFC 3339 in UTC to the microsecond; spans are "
                            "whole seconds.")},
      {"license", Object{{"name", Value("Apache 2.0")}, {"identifier", Value("Apache-2.0")}}}};
}

Array describe_tags() {
  Array tags;
  for (const Group& group : groups()) {
    tags.push_back(Object{{"name", Value(group.name)}, {"description", Value(group.summary)}});
  }
  return tags;
}

Object describe_paths() {
  Object paths;
  for (const Group& group : groups()) {
    for (const Route& route : group.routes) {
      if (paths.find(route.pattern) == nullptr) paths.set(route.pattern, Object());
      Object& methods = paths.find(route.pattern)->mutable_object();
      methods.set(lower_case(route.method), describe(route, group.name));
    }
  }
  return paths;
}

Value describe_components() {
  Object described;
  for (const Schema& schema : schemas()) {
    described.append(std::string(schema.name), parse_own(schema.json));
  }
  const Value key = Object{{"type", Value("http")},
                           {"scheme", Value("bearer")},
                           {"description", Value("one of the keys of the setting auth.keys")}};
  return Object{{"schemas", std::move(described)}, {"securitySchemes", Object{{"key", key}}}};
}

}  // namespace

std::string render_openapi() {
  return render_json(Object{
      {"openapi", Value("3.1.0")},
      {"info", describe_info()},
      {"servers", Array{Object{{"url", Value("/")},
                               {"description", Value("the server that sent this document")}}}},
      {"tags", describe_tags()},
      {"security", Array{Object{{"key", Array{}}}}},
      {"paths", describe_paths()},
      {"components", describe_components()}});
}

}  // namespace mayfly::native
