// Methods of documents of users' collections, and of all documents.
#include "dialect/fauna/documents/writing.h"
#include "dialect/fauna/library/family.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/schema/definitions.h"

namespace mayfly::fauna {
namespace {

template <WriteMode mode>
Result<FqlValue> change(Run& run, const FqlValue& self, const Arguments& arguments) {
  const DocumentHandle& handle = *self.document();
  const FqlObject& input = arguments[0].object();
  if (find_system(handle.collection) != nullptr) {
    return change_definition(interpreter(run), handle, input, mode);
  }
  return change_document(interpreter(run), handle, input, mode);
}

Result<FqlValue> remove(Run& run, const FqlValue& self, const Arguments&) {
  const DocumentHandle& handle = *self.document();
  if (find_system(handle.collection) != nullptr) {
    return delete_definition(interpreter(run), handle);
  }
  return delete_document(interpreter(run), handle);
}

Result<FqlValue> exists(Run& run, const FqlValue& self, const Arguments&) {
  return FqlValue(TRY(run.exists(self)));
}

constexpr Method document_table[] = {
    {.of = "Document",
     .name = "exists",
     .signature = "() => Boolean",
     .description = "Whether the document is there.",
     .example = R"(Collection.byName("Nothing").exists())",
     .example_value = "false",
     .call = exists,
     .effect = Effect::read},
    {.of = "Document",
     .name = "update",
     .signature = "(data: Object) => D",
     .description = "Merges the object into the document; null removes a field.",
     .example = R"(Customer.byId(1)!.update({ age: 30 }).age)",
     .example_value = "30",
     .call = change<WriteMode::update>,
     .effect = Effect::write},
    {.of = "Document",
     .name = "updateData",
     .signature = "(data: Object) => D",
     .description = "The same for the document's own fields, whatever their names.",
     .example = R"(Customer.byId(1)!.updateData({ id: 7 }).data.id)",
     .example_value = "7",
     .call = change<WriteMode::update_data>,
     .effect = Effect::write},
    {.of = "Document",
     .name = "replace",
     .signature = "(data: Object) => D",
     .description = "Puts the object in the place of all the document's fields.",
     .example = R"(Customer.byId(1)!.replace({ age: 30 }).name)",
     .example_value = "null",
     .call = change<WriteMode::replace>,
     .effect = Effect::write},
    {.of = "Document",
     .name = "replaceData",
     .signature = "(data: Object) => D",
     .description = "The same for the document's own fields, whatever their names.",
     .example = R"(Customer.byId(1)!.replaceData({ age: 30 }).age)",
     .example_value = "30",
     .call = change<WriteMode::replace_data>,
     .effect = Effect::write},
    {.of = "Document",
     .name = "delete",
     .signature = "() => Null<D>",
     .description = "Deletes the document; gives one that is not there.",
     .example = R"(Customer.byId(1)!.delete().exists())",
     .example_value = "false",
     .call = remove,
     .effect = Effect::write},
};

}  // namespace

std::span<const Method> document_methods() {
  return document_table;
}

}  // namespace mayfly::fauna
