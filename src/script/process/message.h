// The messages between the server and a process that runs scripts, over a socket.
//
//   frame   := size(u32) kind(u8) content        size: of kind and content
//   begin   := now(i64) prelude(text) value      new globals; no answer
//   end     :=                                   the globals are no longer needed; no answer
//   define  := name(text) expression(text)       done: the function's number
//   call    := number(varint) values             done: its result
//   ask     := name(text) values                 from the script, during a call
//   answer  := value
//   done    := value
//   failed  := code(u8) message(text)            code: 0 invalid, 1 too_large
//   values  := count(varint) value...
//   value   := 'u' | 'n' number(8 bytes) | 't' text | 'j' text of JSON
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "value/value.h"

namespace mayfly::script {

enum class MessageKind : std::uint8_t {
  begin = 'b',
  end = 'e',
  define = 'd',
  call = 'c',
  answer = 'a',
  ask = 'k',
  done = 'o',
  failed = 'f'
};

struct Message {
  MessageKind kind;
  Bytes content;
};

// A value in a message, as the engine represents it. Views of the message's content.
struct EncodedValue {
  enum class Kind : std::uint8_t { undefined = 'u', number = 'n', text = 't', json = 'j' };
  Kind kind = Kind::undefined;
  double number = 0;
  BytesView text = {};
};

void put_encoded_value(Bytes& out, const EncodedValue& encoded);
void put_value(Bytes& out, const Value& value);
void put_values(Bytes& out, std::span<const Value> values);

// If the bytes are not a value, the reader is not ok afterwards.
EncodedValue take_encoded_value(Reader& in);
std::vector<EncodedValue> take_encoded_values(Reader& in);

// The value as JSON; a value without a JSON form becomes null. The input is not trusted. Fails with
// invalid and too_large.
Result<Value> value_of(const EncodedValue& encoded);

// The failure of a script: its code is invalid or too_large. Its message is cut only between whole
// characters.
void put_failure(Bytes& out, const Error& error);
Error take_failure(Reader& in);

}  // namespace mayfly::script
