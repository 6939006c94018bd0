#include "script/process/child.h"

#include <unistd.h>

#include <string_view>

#include "script/engine/engine.h"
#include "script/process/channel.h"
#include "script/process/confine.h"

namespace mayfly::script {
namespace {

// Uses features that the library initializes at their first use, which would fail once the process
// is confined.
constexpr std::string_view warm_up_script = R"js(() => {
  const date = new Date(0);
  return [date.toString(), date.toLocaleString(), 'a'.localeCompare('b'), (1234.5).toLocaleString(),
    'é'.normalize('NFD'), 'i'.toLocaleUpperCase('tr'), /\p{L}+/u.test('a'), Math.random(),
    new Intl.DateTimeFormat('en').format(date), new Intl.Collator('de').compare('a', 'b'),
    new Error('e').stack].length;
})js";

// The server, as this process sees it: the other end of the socket.
class Server {
 public:
  Message receive() { return value_or_end(channel_.receive(Instant::never())); }
  void send(MessageKind kind, BytesView content) {
    value_or_end(channel_.add(kind, content));
    value_or_end(channel_.send(Instant::never()));
  }
  Result<Bytes> ask(const Bytes& content) {
    TRY(channel_.add(MessageKind::ask, content));
    value_or_end(channel_.send(Instant::never()));
    Message answer = receive();
    if (answer.kind != MessageKind::answer) _exit(exit_broken);
    return std::move(answer.content);
  }

 private:
  template <class T>
  static T value_or_end(Result<T> result) {
    if (!result) _exit(EXIT_SUCCESS);
    return detail::take(std::move(result));
  }

  Channel channel_{sandbox_socket};
};

void reply(Server& server, const Result<Bytes>& done) {
  Bytes content;
  if (done) return server.send(MessageKind::done, *done);
  put_failure(content, done.error());
  server.send(MessageKind::failed, content);
}

Result<Bytes> define(Engine& engine, Reader& in) {
  const BytesView name = in.text();
  const std::size_t function = TRY(engine.define(name, in.text()));
  Bytes number;
  put_encoded_value(number,
                    {.kind = EncodedValue::Kind::number, .number = static_cast<double>(function)});
  return number;
}

Result<Bytes> call(Engine& engine, Reader& in) {
  const std::size_t function = in.varint();
  const std::vector<EncodedValue> arguments = take_encoded_values(in);
  if (!in.done()) _exit(exit_broken);
  return engine.call(function, arguments);
}

void begin(Engine& engine, Reader& in) {
  const Instant now{in.i64()};
  const BytesView prelude = in.text();
  const EncodedValue context = take_encoded_value(in);
  if (!in.done()) _exit(exit_broken);
  engine.begin(now, prelude, context);
}

void warm_up(Engine& engine) {
  engine.begin({}, {}, {});
  const auto function = engine.define("first", warm_up_script);
  if (!function || !engine.call(*function, {})) _exit(exit_not_started);
  engine.end();
}

[[noreturn]] void serve() {
  if (!bound_process()) _exit(exit_not_started);
  Server server;
  Engine engine([&server](const Bytes& content) { return server.ask(content); });
  warm_up(engine);
  if (!confine_calls(sandbox_socket)) _exit(exit_not_started);
  for (;;) {
    const Message message = server.receive();
    Reader in(message.content);
    switch (message.kind) {
      case MessageKind::begin: begin(engine, in); break;
      case MessageKind::end: engine.end(); break;
      case MessageKind::define: reply(server, define(engine, in)); break;
      case MessageKind::call: reply(server, call(engine, in)); break;
      default: _exit(exit_broken);
    }
  }
}

}  // namespace

void serve_if_sandbox(int count, char** arguments) {
  if (count == 1 && std::string_view(arguments[0]) == sandbox_word) serve();
}

}  // namespace mayfly::script
