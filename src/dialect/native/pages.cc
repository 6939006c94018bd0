#include "dialect/native/pages.h"

#include "dialect/common/limits.h"
#include "dialect/common/page_token.h"

namespace mayfly::native {

std::string seal_page(const NativeCall& call, std::string_view list, BytesView place) {
  const Instant good_until = call.database().now() + limits::page_token_good_for;
  return call.shared.services.page_tokens.seal({list, place, good_until});
}

Result<Bytes> open_page(const NativeCall& call, std::string_view list, std::string_view page) {
  auto place = call.shared.services.page_tokens.open(list, page, call.database().now());
  if (place) return place;
  return fail(Code::invalid, "\"page\" is not a 'next' that this list has given in the last day",
              "page");
}

}  // namespace mayfly::native
