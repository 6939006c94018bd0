#include "dialect/common/collections/holds.h"

namespace mayfly {

Result<bool> has_holds(View& view, const Collection& collection) {
  Bytes after;
  for (bool more = true; more;) {
    const DocumentPage page = TRY(view.scan_holds(collection, after, 1));
    if (!page.documents.empty()) return true;
    more = page.next.has_value();
    if (more) after = *page.next;
  }
  return false;
}

Result<void> check_droppable(View& view, const Collection& collection) {
  if (!TRY(has_holds(view, collection))) return {};
  return fail(Code::forbidden, "the collection '" + collection.name + "' has documents under hold",
              "collection");
}

Result<void> check_droppable(View& view, const DatabaseInfo& database) {
  for (const CollectionPtr& collection : view.catalog().collections(database.id)) {
    TRY(check_droppable(view, *collection));
  }
  return {};
}

Result<void> check_removable(const Document& document) {
  if (document.hold.empty()) return {};
  return fail(Code::forbidden,
              "the document with the id '" + std::string(document.id) + "' is under hold", "id");
}

}  // namespace mayfly
