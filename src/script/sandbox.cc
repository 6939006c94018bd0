#include "script/sandbox.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/threads/run_permit.h"
#include "script/limits.h"
#include "script/pool.h"
#include "value/json/tokens.h"

namespace mayfly::script {
namespace {

tl::unexpected<Error> invalid_message() {
  return fail(Code::internal, "The process of a script sends no message.");
}

}  // namespace

Result<Instant> begin_scripts(Instant answer_by) {
  if (RunPermit* const permit = current_run_permit()) TRY(permit->become_long());
  return std::min(monotonic_now() + limits::script_time_max, answer_by);
}

Sandbox::Sandbox(Pool& pool, Process process, Instant stop_at)
    : pool_(pool), process_(std::move(process)), stop_at_(stop_at), taken_at_(monotonic_now()) {}

Sandbox::~Sandbox() {
  // The process frees the globals after this, while no request waits.
  is_usable_ = is_usable_ && process_.channel().add(MessageKind::end, {}) &&
               process_.channel().send(monotonic_now() + look_every);
  process_.worked.micros += (monotonic_now() - taken_at_).micros;
  pool_.give_back(std::move(process_), is_usable_);
}

// Marks the sandbox as unusable: the process is in an undefined state, or has ended.
Error Sandbox::stop(Error error) {
  is_usable_ = false;
  if (process_.channel().is_closed()) return process_.end();
  return error;
}

Result<void> Sandbox::begin(const Surroundings& surroundings) {
  host_ = surroundings.host;
  Bytes content;
  put_i64(content, surroundings.now.micros);
  put_text(content, surroundings.prelude);
  put_value(content, surroundings.context);
  return process_.channel().add(MessageKind::begin, content);
}

Result<std::size_t> Sandbox::define(std::string_view name, std::string_view expression) {
  Bytes content;
  put_text(content, name);
  put_text(content, expression);
  TRY(process_.channel().add(MessageKind::define, content));
  const Value number = TRY(answer_until_done());
  if (!number.is(Kind::integer) || number.integer() < 0) return invalid_message();
  return static_cast<std::size_t>(number.integer());
}

Result<Value> Sandbox::call(std::size_t function, std::span<const Value> arguments) {
  if (arguments.size() > limits::script_values_max) {
    return fail(Code::too_large, "A script is called with more values than script_values_max (" +
                                     std::to_string(limits::script_values_max) + ").");
  }
  Bytes content;
  put_varint(content, function);
  put_values(content, arguments);
  TRY(process_.channel().add(MessageKind::call, content));
  return answer_until_done();
}

Result<Value> Sandbox::answer_until_done() {
  if (!is_usable_) return fail(Code::internal, "The process of the script has ended.");
  Channel& channel = process_.channel();
  for (;;) {
    if (auto sent = channel.send(stop_at_); !sent) return tl::unexpected(stop(sent.error()));
    auto message = channel.receive(stop_at_);
    if (!message) return tl::unexpected(stop(message.error()));
    if (message->kind != MessageKind::ask) return value_in(*message);
    if (auto answered = answer(*message); !answered) {
      return tl::unexpected(stop(answered.error()));
    }
  }
}

Result<void> Sandbox::answer(const Message& message) {
  Reader in(message.content);
  const BytesView name = in.text();
  const std::vector<EncodedValue> encoded = take_encoded_values(in);
  if (!in.done() || !is_utf8(name) || !host_) return invalid_message();
  std::vector<Value> values;
  values.reserve(encoded.size());
  for (const EncodedValue& one : encoded) values.push_back(TRY(value_of(one)));
  Bytes content;
  put_value(content, TRY(host_(name, values)));
  return process_.channel().add(MessageKind::answer, content);
}

Result<Value> Sandbox::value_in(const Message& done) {
  Reader in(done.content);
  if (done.kind == MessageKind::failed) {
    Error error = take_failure(in);
    return tl::unexpected(in.done() ? std::move(error) : stop(invalid_message().value()));
  }
  const EncodedValue encoded = take_encoded_value(in);
  if (done.kind == MessageKind::done && in.done()) return value_of(encoded);
  return tl::unexpected(stop(invalid_message().value()));
}

}  // namespace mayfly::script
