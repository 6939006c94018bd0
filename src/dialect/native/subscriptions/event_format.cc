#include "dialect/native/subscriptions/event_format.h"

#include "dialect/native/documents/envelope.h"
#include "dialect/native/documents/feed.h"
#include "value/json/json.h"

namespace mayfly::native {
namespace {

void render_document_of(EventImages* images, std::string& out) {
  if (images == nullptr) {
    out += "null";
    return;
  }
  const auto& after = images->after();
  const auto& image = after ? after : images->before();
  if (!image) {
    out += "null";
    return;
  }
  render_document(*image, {}, out);
}

Result<void> render(const delivery::MessageParts& parts, std::string& out) {
  const delivery::Message& message = parts.message;
  const std::pair<std::string_view, std::string_view> members[] = {
      {R"({"id":)", message.id},
      {R"(,"database":)", message.database},
      {R"(,"collection":)", message.collection}};
  for (const auto& [name, text] : members) {
    out += name;
    render_json_text(text, out);
  }
  out += R"(,"event":)";
  render_event(parts.event, out);
  out += R"(,"document":)";
  render_document_of(parts.images, out);
  out += '}';
  return {};
}

}  // namespace

delivery::Format event_format() {
  return {.name = event_format_name,
          .event_name = [](Event::Kind kind) { return name_of(kind); },
          .render = render};
}

}  // namespace mayfly::native
