#include "dialect/common/collections/size.h"

namespace mayfly {

Result<CollectionSize> size_of(View& view, const Collection& collection, Instant answer_by) {
  const auto whole = [](const Document&) { return std::size_t{0}; };
  return TRY(sizes_of_parts(view, collection, answer_by, 1, whole)).front();
}

Result<std::vector<CollectionSize>> sizes_of_parts(
    View& view, const Collection& collection, Instant answer_by, std::size_t parts,
    const std::function<std::size_t(const Document&)>& part_of) {
  std::vector<CollectionSize> sizes(parts);
  DocumentRange range;
  for (bool more = true; more;) {
    if (monotonic_now() >= answer_by) {
      return fail(Code::timed_out, "there is too much to be counted in the time of a request");
    }
    const DocumentPage page = TRY(view.scan(collection, range, view.live()));
    for (const Document& document : page.documents) {
      CollectionSize& size = sizes[part_of(document)];
      ++size.documents;
      size.bytes += document.body.bytes().size();
    }
    more = page.next.has_value();
    if (more) range.from = *page.next;
  }
  return sizes;
}

}  // namespace mayfly
