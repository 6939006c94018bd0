// The properties of a document that a query can read beside its body.
#include "query/running/row.h"
#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/sql/lowering/lowering.h"

namespace mayfly::cosmos::sql {
namespace {

using OfDocument = Value (*)(const Container&, const Document&);

ExprPtr of_document(const Container& container, std::string_view name, OfDocument make) {
  // Neither copies the container: the caller of a query holds it while the query runs.
  const auto call = [&container, make](const Scope& scope, std::span<const Value>,
                                       Meter&) -> Result<Value> {
    const Document* document = query::document_of(scope);
    return document == nullptr ? Value() : make(container, *document);
  };
  return expr::foreign(std::string(name), Effect::reads, call, {});
}

ExprPtr seconds_of_writing() {
  constexpr int micros_per_second = 1'000'000;
  return expr::call("divide_integers", {expr::call("to_micros", {expr::metadata("written_at")}),
                                        expr::literal(micros_per_second)});
}

}  // namespace

ExprPtr whole_document(const Container& container) {
  return of_document(container, "document", document_value);
}

ExprPtr system_property(const Container& container, std::string_view name) {
  if (name == "id") return expr::metadata("id");
  if (name == "_ts") return seconds_of_writing();
  if (name == "_attachments") return expr::literal("attachments/");
  if (name == "_rid") {
    return of_document(container, name, [](const Container& c, const Document& d) {
      return Value(render_rid(rid_of(c, d)));
    });
  }
  if (name == "_self") {
    return of_document(container, name, [](const Container& c, const Document& d) {
      return Value(self_link_of(c, rid_of(c, d)));
    });
  }
  if (name == "_etag") {
    return of_document(container, name, [](const Container&, const Document& d) {
      return Value(etag_of(d.version.written_at));
    });
  }
  return nullptr;
}

}  // namespace mayfly::cosmos::sql
