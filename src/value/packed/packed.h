// Packed: how a document's body lies in the store.
//
//   packed    := format(1 byte = 1) flags(1 byte) count(varint) directory json
//   directory := count x entry     one entry a top-level member, in the order of the text
//   entry     := name_at(u24 LE: byte position in json of the name's first byte)
//                name_size(u8; 255: longer, scan)
//   json      := the body as compact JSON text (no white space), an object
//
// The text is kept ready for the wire: reading a document out copies bytes and parses nothing. A
// member is found through the directory without touching the others. Values that JSON has no word
// for (time, date, binary, reference) are written as {"\u0000t": …} wrappers with flags bit 0 set,
// so that plain documents never pay for them; where the bit is set, render() puts the plain form in
// their place. A number written with a fraction or an exponent is a real and stays one: pack()
// writes 1.0 where render_json() would write 1, and so does render(). The text is canonical: equal
// documents with their members in the same order have the same packed form.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "value/path.h"
#include "value/value.h"

namespace mayfly {

// Fails with invalid if `object` is not an object, too_large over limits.h.
Result<Bytes> pack(const Value& object);
// The same straight from JSON text as it came from a client: checked, made compact, not turned into
// a Value. Fails as parse_json does, and with invalid if it is not an object. Duplicate names: the
// last one counts.
Result<Bytes> pack_json(std::string_view text);

// A look into packed bytes that were written by pack: owns nothing, copies nothing until asked.
// Bytes that are damaged give missing or a failed check(), never a crash.
class Packed {
 public:
  Packed() = default;
  explicit Packed(BytesView bytes) : bytes_(bytes) {}

  BytesView bytes() const { return bytes_; }
  bool plain() const;  // no value in it but JSON's own: json() is the wire form
  // The compact JSON text; where !plain(), with wrappers.
  std::string_view json() const;
  // Appends the members without the braces, as they go on the wire: "a":1,"b":2. Gives whether
  // there were any.
  bool render_members(std::string& out) const;
  void render(std::string& out) const;
  // One field, by name or path, without unpacking the rest. Missing where it is not there.
  Value member(std::string_view name) const;
  Value at(const Path& path) const;
  // The JSON text of a top-level member as it lies in json(), empty if there is none.
  std::string_view raw_member(std::string_view name) const;
  Value unpack() const;
  Result<void> check() const;

 private:
  BytesView bytes_;
};

}  // namespace mayfly
