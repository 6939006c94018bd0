// What the server and a process that runs scripts say to each other, over a socket.
//
//   frame   := size(u32) kind(u8) content        size: of kind and content
//   begin   := now(i64) prelude(text) value      new globals; answered by nothing
//   end     :=                                   the globals are not needed any more; likewise
//   define  := name(text) expression(text)       done: the function's number
//   call    := number(varint) values             done: what it gives
//   ask     := name(text) values                 from the script, in the midst of a call
//   answer  := value
//   done    := value
//   failed  := code(u8) message(text)
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

// A value between the two, as the engine has it. Views of a message's content.
struct Passed {
  enum class Kind : std::uint8_t { undefined = 'u', number = 'n', text = 't', json = 'j' };
  Kind kind = Kind::undefined;
  double number = 0;
  BytesView text = {};
};

void put_passed(Bytes& out, const Passed& passed);
void put_value(Bytes& out, const Value& value);
void put_values(Bytes& out, std::span<const Value> values);

// Of what is not a value as above the reader is not ok afterwards.
Passed take_passed(Reader& in);
std::vector<Passed> take_all_passed(Reader& in);

// As JSON has them: what no JSON can say is null. Nothing that comes is trusted. Fails with invalid
// and too_large.
Result<Value> value_of(const Passed& passed);

// A script fails with invalid or too_large, and says so in words that are whole characters.
void put_failure(Bytes& out, const Error& error);
Error take_failure(Reader& in);

}  // namespace mayfly::script
