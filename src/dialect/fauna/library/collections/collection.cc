// Collections: their methods.

#include "dialect/fauna/documents/writing.h"
#include "dialect/fauna/library/family.h"
#include "dialect/fauna/run/functions/bound.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/schema/definitions.h"
#include "dialect/fauna/sets/set.h"
#include "dialect/fauna/values/text/ids.h"

namespace mayfly::fauna {
namespace {

const std::string& name_of(const FqlValue& self) {
  return self.module()->name;
}

Result<FqlValue> all(Run& run, const FqlValue& self, const Arguments&) {
  const FqlCollectionPtr of = TRY(interpreter(run).usable_collection(name_of(self)));
  Interpreter& with = interpreter(run);
  const bool is_of_query = !with.permissions().uses_other_role();
  return set_value(run, FqlSet::All{.collection = of->name, .is_of_query = is_of_query}, with.at());
}

Result<FqlValue> all_between(Run& run, const FqlValue& self, const Arguments& arguments) {
  if (!arguments.has(0)) return all(run, self, arguments);
  Interpreter& with = interpreter(run);
  const FqlCollectionPtr of = TRY(with.usable_collection(name_of(self)));
  IdRange range = TRY(id_range(with, arguments[0]));
  return FqlValue(std::make_shared<const FqlSet>(
      FqlSet::All{of->name, std::move(range.from), std::move(range.to),
                  !with.permissions().uses_other_role()},
      with.at()));
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

Result<FqlValue> by_id(Run& run, const FqlValue& self, const Arguments& arguments) {
  Interpreter& with = interpreter(run);
  const FqlCollectionPtr of = TRY(with.usable_collection(name_of(self)));
  DocumentHandle handle{.collection = of->name, .at = with.at()};
  const auto id = id_text(arguments[0]);
  TRY(run.make(sizeof(DocumentHandle)));
  if (id) {
    handle.id = *id;
    return FqlValue(std::move(handle));
  }
  // Documents written by other APIs may have any text as id.
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
  return create_document(with, of, arguments[0].object(), WriteMode::create);
}

Result<FqlValue> create_data(Run& run, const FqlValue& self, const Arguments& arguments) {
  Interpreter& with = interpreter(run);
  const FqlCollectionPtr of = TRY(with.usable_collection(name_of(self)));
  return create_document(with, of, arguments[0].object(), WriteMode::create_data);
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
  const std::string& name = arguments[0].text();
  const auto function = TRY(interpreter(run).user_function(name));
  if (function) return FqlValue(function);
  return interpreter(run).fail_missing_function(
      name, {.code = "invalid_argument",
             .message = "invalid argument `function`: No such user function `" + name + "`."});
}

// The document of the collection or function with that name or alias.
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
    {"", "Collection", "(collection: String) => Any", "The collection of that name.",
     R"(Collection("Customer").byId(1)!.name)", R"("Ann")", collection_named},
    {"", "Function", "(function: String) => Function", "The function of that name.",
     R"(Function("double")(4))", R"(8)", function_named},
    {fql_schema_module, "defForIdentifier", "(ident: String) => Any",
     "The document of the collection or function that the name stands for, or null.",
     R"(FQL.Schema.defForIdentifier("nothing"))", "null", definition_of_name, collection_reads,
     true},
    {"UserCollection", "all", "(range?: Object) => Set<D>",
     "All documents, by id; or those in `{ from, to }`, which are ids or documents.",
     R"(Customer.all().map(.name).toArray())", R"(["Ann", "Bob"])", all_between, Effect::pure,
     true},
    {"UserCollection", "where", "(pred: (D) => Boolean) => Set<D>",
     "The documents for which the predicate is true.",
     R"(Customer.where(.name > "Ann").first()!.name)", R"("Bob")", collection_where, Effect::pure,
     true},
    {"UserCollection", "firstWhere", "(pred: (D) => Boolean) => D | Null",
     "The first document for which the predicate is true, or null.",
     R"(Customer.firstWhere(.name == "Bob")!.id)", R"("2")", collection_first_where,
     collection_reads, true},
    {"UserCollection", "byId", "(id: Any) => Ref<D>",
     "The document of that id, which may not be there.", R"(Customer.byId(1)!.name)", R"("Ann")",
     by_id, Effect::pure, true},
    {"UserCollection", "create", "(data: Object) => D", "Creates a document.",
     R"(Customer.create({ id: 3, name: "Cid" }).name)", R"("Cid")", create, collection_writes,
     true},
    {"UserCollection", "createData", "(data: Object) => D",
     "Creates a document of these fields, whatever their names.",
     R"(Customer.createData({ id: 7 }).data)", R"({ id: 7 })", create_data, collection_writes,
     true},
    {"UserCollection", "definition", "Document", "The document that defines the collection.",
     R"(Customer.definition.name)", R"("Customer")", definition, Effect::pure, true},
    {"UserCollection", "toString", "() => String", "The name.", R"(Customer.toString())",
     R"("Customer")", to_text, Effect::pure, true},
    {"NamedCollection", "all", "() => Set<D>", "All documents, by name.",
     R"(Collection.all().map(.name).toArray())", R"(["Customer"])", all, Effect::pure, true},
    {"NamedCollection", "where", "(pred: (D) => Boolean) => Set<D>",
     "The documents for which the predicate is true.",
     R"(Collection.where(.history_days == 0).count())", R"(1)", collection_where, Effect::pure,
     true},
    {"NamedCollection", "firstWhere", "(pred: (D) => Boolean) => D | Null",
     "The first document for which the predicate is true, or null.",
     R"(Function.firstWhere(.name == "double")!.body)", R"("x => x * 2")", collection_first_where,
     collection_reads, true},
    {"NamedCollection", "byName", "(name: String) => Ref<D>",
     "The document of that name, which may not be there.",
     R"(Collection.byName("Customer")!.history_days)", R"(0)", by_name, Effect::pure, true},
    {"NamedCollection", "create", "(data: Object) => D", "Creates a document.",
     R"(Role.create({ name: "reader" }).name)", R"("reader")", create_system, collection_writes,
     true},
    {"NamedCollection", "toString", "() => String", "The name.", R"(Collection.toString())",
     R"("Collection")", to_text, Effect::pure, true},
    {"SystemCollection", "all", "() => Set<D>", "All documents, by id.", R"(Key.all().count())",
     R"(0)", all, Effect::pure, true},
    {"SystemCollection", "where", "(pred: (D) => Boolean) => Set<D>",
     "The documents for which the predicate is true.", R"(Key.where(.role == "admin").count())",
     R"(0)", collection_where, Effect::pure, true},
    {"SystemCollection", "firstWhere", "(pred: (D) => Boolean) => D | Null",
     "The first document for which the predicate is true, or null.",
     R"(Key.firstWhere(.role == "admin"))", R"(null)", collection_first_where, collection_reads,
     true},
    {"SystemCollection", "byId", "(id: Any) => Ref<D>",
     "The document of that id, which may not be there.", R"(Key.byId(1).exists())", R"(false)",
     by_id, Effect::pure, true},
    {"SystemCollection", "create", "(data: Object) => D", "Creates a document.",
     R"(Key.create({ role: "server" }).role)", R"("server")", create_system, collection_writes,
     true},
    {"SystemCollection", "toString", "() => String", "The name.", R"(Key.toString())", R"("Key")",
     to_text, Effect::pure, true},
};

}  // namespace

std::span<const Method> collection_methods() {
  return collection_table;
}

}  // namespace mayfly::fauna
