// Shared by tests of `/schema/1`: files as the command line client sends them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {

using Files = std::vector<std::pair<std::string, std::string>>;

class SchemaTest : public FaunaTest {
 protected:
  Reply post(const std::string& target, const Files& files) {
    const std::string boundary = "----formdata-undici-012345678901";
    std::string body;
    for (const auto& [name, content] : files) {
      body += "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name +
              "\"; filename=\"blob\"\r\nContent-Type: application/octet-stream\r\n\r\n" + content +
              "\r\n";
    }
    return send("POST", "/schema/1/" + target, body + "--" + boundary + "--\r\n",
                {{"content-type", "multipart/form-data; boundary=" + boundary}});
  }
  Reply get(const std::string& target) { return send("GET", "/schema/1/" + target); }
  std::string pushed(const std::string& text) {
    const Reply reply = post("update?force=true&staged=false", {{"main.fsl", text}});
    return reply.status() == 200 ? "" : reply.message();
  }
  std::string main_text() { return get("files/main.fsl").text("content"); }
  std::string diff(const std::string& text, const std::string& parameters = "") {
    return post("diff?" + parameters, {{"main.fsl", text}}).text("diff");
  }
};

}  // namespace mayfly::fauna::testing
