// Collections: what their names can do.
#include <charconv>

#include "dialect/fauna/documents/writing.h"
#include "dialect/fauna/library/family.h"
#include "dialect/fauna/run/bound.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/schema/definitions.h"
#include "dialect/fauna/sets/set.h"

namespace mayfly::fauna {
namespace {

const std::string& name_of(const FqlValue& self) {
  return self.module()->name;
}

Result<FqlValue> all(Run& run, const FqlValue& self, const Arguments&) {
  const FqlCollectionPtr of = TRY(interpreter(run).usable_collection(name_of(self)));
  return set_value(run, FqlSet::All{.collection = of->name}, interpreter(run).at());
}

Result<FqlValue> collection_where(Run& run, const FqlValue& self, const Arguments& arguments) {
  const FqlValue set = TRY(all(run, self, Arguments({})));
  return call_method(run, *find_method("Set", "where"), set, arguments.all());
}

Result<FqlValue> collection_first_where(Run& run, const FqlValue& self,
                                        const Arguments& arguments) {
  const FqlValue set = TRY(all(run, self, Arguments({})));
  return call_method(run, *find_method("Set", "firstWhere"), set, arguments.all());
}

// The digits of an id as they are compared; nothing collection_where the value is none.
std::optional<std::string> id_of(const FqlValue& value) {
  if (value.is(FqlKind::id)) return value.id();
  if (value.is(FqlKind::whole)) return std::to_string(value.whole().number);
  if (!value.is(FqlKind::text)) return std::nullopt;
  std::int64_t number = 0;
  const std::string& text = value.text();
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return std::to_string(number);
}

Result<FqlValue> by_id(Run& run, const FqlValue& self, const Arguments& arguments) {
  Interpreter& with = interpreter(run);
  const FqlCollectionPtr of = TRY(with.usable_collection(name_of(self)));
  DocumentHandle handle{.collection = of->name, .at = with.at()};
  const auto id = id_of(arguments[0]);
  TRY(run.make(sizeof(DocumentHandle)));
  if (id) {
    handle.id = *id;
    return FqlValue(std::move(handle));
  }
  // Other APIs give documents ids of any text.
  if (arguments[0].is(FqlKind::text)) {
    handle.id = arguments[0].text();
    FqlValue document(std::move(handle));
    if (TRY(with.exists(document))) return document;
  }
  return run.fail_argument_type("id", "ID", arguments[0]);
}

Result<FqlValue> by_name(Run& run, const FqlValue& self, const Arguments& arguments) {
  TRY(run.make(sizeof(DocumentHandle) + arguments[0].text().size()));
  return FqlValue(DocumentHandle{.collection = std::string(find_system(name_of(self))->name),
                                 .id = arguments[0].text(),
                                 .is_named = true,
                                 .at = interpreter(run).at()});
}

Result<FqlValue> create(Run& run, const FqlValue& self, const Arguments& arguments) {
  Interpreter& with = interpreter(run);
  const FqlCollectionPtr of = TRY(with.usable_collection(name_of(self)));
  return create_document(with, of, arguments[0].object(), Writing::create);
}

Result<FqlValue> create_data(Run& run, const FqlValue& self, const Arguments& arguments) {
  Interpreter& with = interpreter(run);
  const FqlCollectionPtr of = TRY(with.usable_collection(name_of(self)));
  return create_document(with, of, arguments[0].object(), Writing::create_data);
}

Result<FqlValue> create_system(Run& run, const FqlValue& self, const Arguments& arguments) {
  return create_definition(interpreter(run), *find_system(name_of(self)), arguments[0].object());
}

Result<FqlValue> definition(Run&, const FqlValue& self, const Arguments&) {
  return FqlValue(
      DocumentHandle{.collection = "Collection", .id = name_of(self), .is_named = true});
}

Result<FqlValue> to_text(Run&, const FqlValue& self, const Arguments&) {
  return FqlValue(name_of(self));
}

// `Collection("Foo")`, `Function("f")`.
Result<FqlValue> collection_named(Run& run, const FqlValue&, const Arguments& arguments) {
  const FqlCollectionPtr of = TRY(interpreter(run).usable_collection(arguments[0].text()));
  return FqlValue(module_of(of->name));
}

Result<FqlValue> function_named(Run& run, const FqlValue&, const Arguments& arguments) {
  const auto function = TRY(interpreter(run).user_function(arguments[0].text()));
  if (function) return FqlValue(function);
  return run.fail_argument("function", "No such user function `" + arguments[0].text() + "`.");
}

// The document of the collection or function that a name, or an alias, stands for.
Result<FqlValue> definition_of_name(Run& run, const FqlValue&, const Arguments& arguments) {
  Interpreter& with = interpreter(run);
  DocumentHandle handle{.id = arguments[0].text(), .is_named = true, .at = with.at()};
  const FqlCollectionPtr of = TRY(with.collection(handle.id));
  handle.collection = of ? "Collection" : "Function";
  if (of) handle.id = of->name;
  FqlValue definition(std::move(handle));
  if ((of && of->system != nullptr) || !TRY(with.exists(definition))) {
    return null_because(NullCause::no_element);
  }
  return definition;
}

constexpr Effect collection_reads = Effect::read;
constexpr Effect collection_writes = Effect::write;

const Method collection_table[] = {
    {"", "Collection", "(collection: String) => Any", "The collection of that name.", "", "",
     collection_named},
    {"", "Function", "(function: String) => Function", "The function of that name.", "", "",
     function_named},
    {fql_schema_module, "defForIdentifier", "(ident: String) => Any",
     "The document of the collection or function that the name stands for, or null.",
     R"(FQL.Schema.defForIdentifier("nothing"))", "null", definition_of_name, collection_reads,
     true},
    {"UserCollection", "all", "() => Set<D>", "All documents, by id.", "", "", all, Effect::pure,
     true},
    {"UserCollection", "where", "(pred: (D) => Boolean) => Set<D>",
     "The documents for which the predicate is true.", "", "", collection_where, Effect::pure,
     true},
    {"UserCollection", "firstWhere", "(pred: (D) => Boolean) => D | Null",
     "The first document for which the predicate is true, or null.", "", "", collection_first_where,
     collection_reads, true},
    {"UserCollection", "byId", "(id: Any) => Ref<D>",
     "The document of that id, which may not be there.", "", "", by_id, Effect::pure, true},
    {"UserCollection", "create", "(data: Object) => D", "Creates a document.", "", "", create,
     collection_writes, true},
    {"UserCollection", "createData", "(data: Object) => D",
     "Creates a document of these fields, whatever their names.", "", "", create_data,
     collection_writes, true},
    {"UserCollection", "definition", "Document", "The document that defines the collection.", "",
     "", definition, Effect::pure, true},
    {"UserCollection", "toString", "() => String", "The name.", "", "", to_text, Effect::pure,
     true},
    {"NamedCollection", "all", "() => Set<D>", "All documents, by name.", "", "", all, Effect::pure,
     true},
    {"NamedCollection", "where", "(pred: (D) => Boolean) => Set<D>",
     "The documents for which the predicate is true.", "", "", collection_where, Effect::pure,
     true},
    {"NamedCollection", "firstWhere", "(pred: (D) => Boolean) => D | Null",
     "The first document for which the predicate is true, or null.", "", "", collection_first_where,
     collection_reads, true},
    {"NamedCollection", "byName", "(name: String) => Ref<D>",
     "The document of that name, which may not be there.", "", "", by_name, Effect::pure, true},
    {"NamedCollection", "create", "(data: Object) => D", "Creates a document.", "", "",
     create_system, collection_writes, true},
    {"NamedCollection", "toString", "() => String", "The name.", "", "", to_text, Effect::pure,
     true},
    {"SystemCollection", "all", "() => Set<D>", "All documents, by id.", "", "", all, Effect::pure,
     true},
    {"SystemCollection", "where", "(pred: (D) => Boolean) => Set<D>",
     "The documents for which the predicate is true.", "", "", collection_where, Effect::pure,
     true},
    {"SystemCollection", "firstWhere", "(pred: (D) => Boolean) => D | Null",
     "The first document for which the predicate is true, or null.", "", "", collection_first_where,
     collection_reads, true},
    {"SystemCollection", "byId", "(id: Any) => Ref<D>",
     "The document of that id, which may not be there.", "", "", by_id, Effect::pure, true},
    {"SystemCollection", "create", "(data: Object) => D", "Creates a document.", "", "",
     create_system, collection_writes, true},
    {"SystemCollection", "toString", "() => String", "The name.", "", "", to_text, Effect::pure,
     true},
};

}  // namespace

std::span<const Method> collection_methods() {
  return collection_table;
}

}  // namespace mayfly::fauna
