// Packed: the stored form of a document's body.
//
//   packed    := format(1 byte = 1) flags(1 byte) count(varint) directory json
//   directory := count x entry     one entry a top-level member, in the order of the text
//   entry     := name_at(u24 LE: byte position in json of the name's first byte)
//                name_size(u8; 255: longer, scan)
//   json      := the body as compact JSON text (no white space), an object
//
// The text is ready for responses: reading a document copies bytes and parses nothing. The
// directory finds a member without reading the others. Values that JSON cannot express (time, date,
// binary, reference) are stored as {"\u0000t": …} wrappers, and bit 0 of the flags is set, so plain
// documents have no extra cost. If the bit is set, render() replaces the wrappers by the plain
// form. A number written with a fraction or an exponent is a real and stays one: pack() writes 1.0
// where render_json() would write 1, and so does render(). The text is canonical: it does not
// depend on how a client wrote it (white space, escapes, 1.50 or 1.5). Documents with the same
// values of the same kinds, in the same order, have the same packed form; 2 and 2.0 differ.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "value/path.h"
#include "value/value.h"

namespace mayfly {

// Fails with invalid if `object` is not an object, if an object in it has a name twice, or if a
// text is not UTF-8; and with too_large over the limits of documents (base/limits.h).
Result<Bytes> pack(const Value& object);
// The same, directly from a client's JSON text: it is checked and compacted without making a Value.
// Fails as parse_json does, with invalid if it is not an object, and with too_large as pack() does.
// Duplicate names: the last one counts.
Result<Bytes> pack_json(std::string_view text);

// A view of packed bytes written by pack; owns nothing and copies only what is requested. Damaged
// bytes give missing values, empty texts and a failed check(), never a crash.
class Packed {
 public:
  Packed() = default;
  explicit Packed(BytesView bytes) : bytes_(bytes) {}

  BytesView bytes() const { return bytes_; }
  bool plain() const;  // has no wrappers: json() is the form in responses
  // The compact JSON text; with wrappers unless plain().
  std::string_view json() const;
  // Appends the members without the braces, in the form of responses: "a":1,"b":2. Returns whether
  // there were any.
  bool render_members(std::string& out) const;
  void render(std::string& out) const;
  // One field, by name or path, without unpacking the rest. Missing if it does not exist.
  Value member(std::string_view name) const;
  Value at(const Path& path) const;
  // The JSON text of a top-level member as in json(); empty if there is none.
  std::string_view raw_member(std::string_view name) const;
  // The whole body as an object; missing if the bytes are damaged.
  Value unpack() const;
  // Fails with corrupt if pack() did not write these bytes. Costs as much as packing them again.
  Result<void> check() const;

 private:
  BytesView bytes_;
};

}  // namespace mayfly
