#include "dialect/common/collection_size.h"

namespace mayfly {

Result<CollectionSize> size_of(View& view, const Collection& collection, Instant answer_by) {
  CollectionSize size;
  DocumentRange range;
  for (bool more = true; more;) {
    if (monotonic_now() >= answer_by) {
      return fail(Code::timed_out, "there is too much to be counted in the time of a request");
    }
    const DocumentPage page = TRY(view.scan(collection, range, view.live()));
    size.documents += page.documents.size();
    for (const Document& document : page.documents) size.bytes += document.body.bytes().size();
    more = page.next.has_value();
    if (more) range.from = *page.next;
  }
  return size;
}

}  // namespace mayfly
