#include "dialect/fauna/schema/validation/check_shape.h"

#include "dialect/fauna/schema/field_types.h"

namespace mayfly::fauna {
namespace {

// For each system collection, the FQL type of its documents' fields. Fields of type `Any` are
// checked elsewhere.
struct Shape {
  std::string_view of;
  const char* type;
};
constexpr Shape shapes[] = {
    {"Collection",
     "{ alias: String?, fields: { *: { signature: String, default: String? } }?,"
     " wildcard: String?, computed_fields: { *: { body: String, signature: String? } }?,"
     " indexes: { *: { terms: Any, values: Any, queryable: Boolean?, status: String? } }?,"
     " constraints: Any, history_days: Long?, ttl_days: Long?, document_ttls: Boolean?,"
     " migrations: Any, data: { *: Any }? }"},
    {"Function",
     "{ body: String, signature: String?, role: String?, alias: String?, data: { *: Any }? }"},
    {"Role", "{ privileges: Any, membership: Any, data: { *: Any }? }"},
    {"AccessProvider",
     "{ issuer: String, jwks_uri: String, roles: Any, audience: String?, data: { *: Any }? }"},
    {"Database",
     "{ typechecked: Boolean?, protected: Boolean?, priority: Long?, global_id: String?,"
     " data: { *: Any }? }"},
};

}  // namespace

void check_shape(const SystemCollection& of, const FqlObject& fields, Failures& failures) {
  for (const Shape& shape : shapes) {
    if (shape.of != of.name) continue;
    const SourcePtr source = make_source("*shape*", shape.type);
    const auto type = parse_type(source);
    if (type) check_type(FqlValue(fields), **type, {}, failures);
  }
}

}  // namespace mayfly::fauna
