// One encoder for each format.
#include "dialect/fauna/wire/formats/format.h"

#include "dialect/fauna/wire/formats/decorated.h"
#include "dialect/fauna/wire/formats/simple.h"
#include "dialect/fauna/wire/formats/tagged.h"
#include "value/json/json.h"

namespace mayfly::fauna {

std::string encode(const FqlValue& value, Format format) {
  std::string out;
  switch (format) {
    case Format::simple: encode_simple(value, out); break;
    case Format::tagged: encode_tagged(value, out); break;
    case Format::decorated: render_json_text(encode_decorated(value), out); break;
  }
  return out;
}

}  // namespace mayfly::fauna
