// The fixture for tests of attachments.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dialect/cosmos/attachments/attachment.h"
#include "dialect/cosmos/attachments/collector.h"
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {

class Attachments {
 public:
  explicit Attachments(const std::string& container_members = "")
      : account_(Account::with_container(container_members)) {}

  Account& account() { return *account_; }
  static std::string feed(const std::string& document) {
    return documents + "/" + document + "/attachments";
  }
  static std::string json(const std::string& id, const std::string& members = "",
                          const std::string& media = "http://store/1") {
    return R"({"id":")" + id + R"(","contentType":"text/plain","media":")" + media + '"' +
           (members.empty() ? "" : "," + members) + "}";
  }

  Answer send(const std::string& method, const std::string& target, const std::string& body = "",
              std::vector<net::Pair> headers = {}) {
    headers.push_back(key_a);
    return account_->send(method, target, body, std::move(headers));
  }
  // Creates an attachment with external media.
  Answer link(const std::string& document, const std::string& id, const std::string& members = "") {
    return send("POST", feed(document), json(id, members));
  }
  // Creates an attachment with media of its own.
  Answer upload(const std::string& document, const std::string& id, const std::string& media,
                std::vector<net::Pair> headers = {}) {
    headers.emplace_back("slug", id);
    headers.emplace_back("content-type", "text/plain");
    return send("POST", feed(document), media, std::move(headers));
  }
  Answer get(const std::string& document, const std::string& id,
             std::vector<net::Pair> headers = {}) {
    return send("GET", feed(document) + "/" + id, "", std::move(headers));
  }
  // "id id" of the document's attachments, or the status if the list fails.
  std::string list(const std::string& document) {
    const Answer answer = send("GET", feed(document));
    if (answer.status != 200) return std::to_string(answer.status);
    std::string ids;
    const Value told = answer.body.member("Attachments");
    for (const Value& one : told.array()) {
      ids += (ids.empty() ? "" : " ") + one.member("id").text();
    }
    return ids;
  }
  // The text of the media, or the status if reading fails.
  std::string media(const Answer& attachment) {
    const Answer answer = account_->send("GET", attachment.body.member("media").text());
    return answer.status == 200 ? answer.response.body : std::to_string(answer.status);
  }

  // How many rows attachments and their media have in the account, visible or not.
  std::size_t rows() {
    View view = account_->database->view();
    std::size_t rows = 0;
    for (const auto& [id, collection] : view.catalog().all_collections()) {
      if (!container_of_attachments(*collection)) continue;
      for (DocumentRange range{.from = {}, .to = {}};;) {
        const auto page = view.scan(*collection, range, view.live());
        rows += page->documents.size();
        if (!page->next) break;
        range.from = *page->next;
      }
    }
    return rows;
  }
  std::size_t collections() { return account_->database->catalog()->all_collections().size(); }
  std::size_t collect() {
    AttachmentCollector collector(*account_->database);
    return collector.run_pass();
  }

 private:
  std::unique_ptr<Account> account_;
};

}  // namespace mayfly::cosmos::testing
