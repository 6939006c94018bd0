// The schema first, then the documents of all files, in batches.
#include "app/commands/fauna/import/import.h"

#include <cstdio>
#include <optional>
#include <set>
#include <vector>

#include "app/commands/fauna/api.h"
#include "app/commands/fauna/import/document_reader.h"
#include "app/commands/fauna/import/export_files.h"
#include "app/commands/fauna/import/exported_times.h"
#include "app/commands/fauna/import/open_file.h"
#include "app/commands/fauna/import/refusal_lines.h"
#include "app/commands/transfer/progress.h"
#include "app/limits.h"
#include "base/limits.h"

namespace mayfly::app {
namespace {

constexpr int done_with_documents_skipped = 3;
constexpr const char* form_boundary = "mayfly-import-form";

struct Counts {
  std::uint64_t created = 0;
  std::uint64_t replaced = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t expired = 0;
  std::uint64_t skipped = 0;
};

class FaunaImporter {
 public:
  FaunaImporter(const FaunaImport& arguments, ExportFiles files)
      : given_(arguments),
        remote_(arguments.remote),
        files_(std::move(files)),
        progress_(stderr, files_.document_bytes) {}

  Result<void> run() {
    TRY(open_database());
    auto ready = push_schema();
    if (ready) ready = check_ts_field();
    if (!ready) {
      TRY(remove_made_database());
      return ready;
    }
    for (const std::string& path : files_.documents) TRY(read_file(path));
    return send();
  }
  void end() {
    progress_.end();
    for (const std::string& line : refusal_lines_.summary()) {
      std::fprintf(stderr, "mayfly: %s\n", line.c_str());
    }
  }
  const Counts& counts() const { return counts_; }
  bool has_sent() const { return has_sent_; }  // whether the server has accepted a batch

 private:
  // A document of the batch, as messages name it.
  struct SourceLine {
    const std::string* file;
    std::uint64_t line;
    std::string text() const { return *file + ":" + std::to_string(line); }
  };

  Result<Value> ask_api(const ApiRequest& request) const {
    return call_fauna(remote_, request, ": --database makes it");
  }

  // Creates the database and its parents if they are missing. From here on acts as its
  // administrator.
  Result<void> open_database() {
    if (given_.database.empty()) return {};
    if (given_.remote.key.find(':') != std::string::npos) {
      return fail(Code::invalid, "the secret names a database already: leave --database out");
    }
    std::string path;
    for (std::size_t at = 0; at <= given_.database.size();) {
      const std::size_t end = std::min(given_.database.find('/', at), given_.database.size());
      const std::string name = given_.database.substr(at, end - at);
      const Value made =
          TRY(ask_query("if (Database.byName(name).exists()) false "
                        "else Database.create({ name: name }).exists()",
                        name)
                  .map_error([&](Error error) {
                    if (error.code != Code::invalid) return error;
                    error.message =
                        "the database '" + name + "' cannot be made: " + error.message +
                        " A name has letters, digits and '_', and begins with a letter; "
                        "the secret needs the role admin.";
                    return error;
                  }));
      if (!made_ && made.member("data").is_true()) made_ = MadeDatabase{remote_.key, name};
      path += (path.empty() ? "" : "/") + name;
      remote_.key = given_.remote.key + ":" + path + ":admin";
      at = end + 1;
    }
    return {};
  }

  Result<Value> ask_query(const char* text, const std::string& name) const {
    return ask_api({.method = "POST", .path = "/query/1", .body = query_body(text, name)});
  }

  // Removes the first database that was missing, with those that were created in it.
  Result<void> remove_made_database() {
    if (!made_) return {};
    remote_.key = made_->key;
    TRY(ask_query("Database.byName(name)!.delete()", made_->name));
    return {};
  }

  Result<void> push_schema() {
    if (files_.schema.empty()) return {};
    const std::string mark = std::string("--") + form_boundary;
    std::string body;
    for (const SchemaText& file : files_.schema) {
      if (file.content.find(mark) != std::string::npos ||
          file.name.find('"') != std::string::npos) {
        return fail(Code::invalid,
                    file.name + " cannot be sent: its name or text has a mark in it");
      }
      body += mark + "\r\nContent-Disposition: form-data; name=\"" + file.name + "\"\r\n\r\n" +
              file.content + "\r\n";
    }
    TRY(ask_api({.method = "POST",
                 .path = "/schema/1/merge",
                 .body = body + mark + "--\r\n",
                 .content_type = std::string("multipart/form-data; boundary=") + form_boundary})
            .map_error([](Error error) {
              error.message =
                  "the schema was not taken, and nothing was imported:\n" + error.message;
              return error;
            }));
    std::string names;
    for (const SchemaText& file : files_.schema) names += (names.empty() ? "" : ", ") + file.name;
    std::printf("schema pushed: %s\n", names.c_str());
    return {};
  }

  // Checks that collections that accept only declared fields declare ts_field; otherwise each of
  // their documents would be refused.
  Result<void> check_ts_field() {
    if (given_.ts_field.empty()) return {};
    const Value closed =
        TRY(ask_query("Collection.all().where(c => c.fields != null && c.fields != {} && "
                      "c.wildcard == null && "
                      "!Object.keys(c.fields).includes(name)).map(.name).toArray()",
                      given_.ts_field))
            .member("data");
    std::set<std::string> names;
    if (closed.is(Kind::array)) {
      for (const Value& name : closed.array()) names.insert(name.text());
    }
    std::string listed;
    for (const std::string& name : TRY(collections_with_times(files_.documents, names))) {
      listed += (listed.empty() ? "" : ", ") + name;
    }
    if (listed.empty()) return {};
    return fail(Code::invalid,
                "no document was imported, because --ts-field " + given_.ts_field +
                    " needs a field that these collections do not declare: " + listed +
                    ". Add this line to each of them in the schema, then import again: " +
                    given_.ts_field + ": Time?");
  }

  Result<void> read_file(const std::string& path) {
    const OpenFile file(path);
    if (!file.is_open()) return fail_to_read(path);
    DocumentReader reader(file.descriptor(), layout_of(path), limits::export_document_bytes_max);
    std::string document;
    for (;;) {
      const DocumentReader::Item item = TRY(reader.next(document));
      if (item == DocumentReader::Item::end) break;
      const SourceLine source{&path, reader.line()};
      if (item == DocumentReader::Item::broken) {
        TRY(send());
        TRY(refuse(source, reader.reason()));
      } else {
        TRY(add(source, document));
      }
      if (batch_.empty()) draw(bytes_before_ + reader.bytes());
    }
    bytes_before_ += reader.bytes();
    draw(bytes_before_);
    return {};
  }

  Result<void> add(const SourceLine& source, const std::string& document) {
    batch_.push_back(source);
    body_ += document;
    body_ += '\n';
    const bool is_full = batch_.size() == limits::import_batch_operations_max ||
                         body_.size() >= limits::import_batch_bytes_max;
    return is_full ? send() : Result<void>();
  }

  Result<void> refuse(const SourceLine& source, const std::string& reason) {
    if (refusal_lines_.shows(reason)) {
      progress_.clear();
      std::fprintf(stderr, "mayfly: %s: %s\n", source.text().c_str(), reason.c_str());
    }
    if (given_.goes_on) {
      ++counts_.skipped;
      return {};
    }
    return fail(Code::invalid, "the import stopped at " + source.text() +
                                   ": everything before it was imported; --continue skips what "
                                   "cannot be");
  }

  Result<void> send() {
    if (batch_.empty()) return {};
    std::string path = given_.goes_on ? "/import/1?on_refused=skip" : "/import/1?on_refused=stop";
    if (!given_.ts_field.empty()) path += "&ts_field=" + escaped(given_.ts_field);
    auto answer =
        ask_api({.method = "POST", .path = path, .body = std::move(body_)}).map_error([&](Error e) {
          if (!has_sent_) return e;
          e.message =
              "everything before " + batch_.front().text() + " was imported, then: " + e.message;
          return e;
        });
    body_.clear();
    const std::vector<SourceLine> sent = std::exchange(batch_, {});
    if (!answer) return tl::unexpected(std::move(answer).error());
    has_sent_ = true;
    return take_answer(*answer, sent);
  }

  Result<void> take_answer(const Value& answer, const std::vector<SourceLine>& sent) {
    const Value refused = answer.member("refused"), made = answer.member("collections");
    if (!refused.is(Kind::array) || !made.is(Kind::array)) {
      return fail(Code::internal, "that is not a Mayfly server");
    }
    const auto count = [&](const char* name) {
      const Value said = answer.member(name);
      return said.is(Kind::integer) ? static_cast<std::uint64_t>(said.integer()) : 0;
    };
    counts_.created += count("created");
    counts_.replaced += count("replaced");
    counts_.unchanged += count("unchanged");
    counts_.expired += count("expired");
    for (const Value& name : made.array()) {
      progress_.clear();
      std::printf("collection %s made: no schema names it\n", name.text().c_str());
    }
    for (const Value& one : refused.array()) {
      const auto number = static_cast<std::size_t>(one.member("document").integer());
      if (number >= sent.size()) return fail(Code::internal, "that is not a Mayfly server");
      TRY(refuse(sent[number], one.member("reason").text()));
    }
    return {};
  }

  void draw(std::uint64_t bytes) {
    const std::uint64_t documents =
        counts_.created + counts_.replaced + counts_.unchanged + counts_.expired + counts_.skipped;
    progress_.draw(bytes, std::to_string(documents) + " documents");
  }

  const FaunaImport& given_;
  Remote remote_;
  const ExportFiles files_;
  ProgressBar progress_;
  struct MadeDatabase {
    std::string key;  // of the parent database
    std::string name;
  };
  std::optional<MadeDatabase> made_;
  std::vector<SourceLine> batch_;
  std::string body_;
  bool has_sent_ = false;
  std::uint64_t bytes_before_ = 0;  // of the files read so far
  Counts counts_;
  RefusalLines refusal_lines_;
};

void print_counts(const Counts& counts) {
  std::printf(
      "%llu documents created, %llu replaced, %llu unchanged, %llu already expired, %llu skipped\n",
      static_cast<unsigned long long>(counts.created),
      static_cast<unsigned long long>(counts.replaced),
      static_cast<unsigned long long>(counts.unchanged),
      static_cast<unsigned long long>(counts.expired),
      static_cast<unsigned long long>(counts.skipped));
}

}  // namespace

int import_from_fauna(const FaunaImport& arguments) {
  auto files = find_export_files(arguments.files);
  if (!files) return print_error(files.error());
  for (const std::string& other : files->others) {
    std::fprintf(stderr, "mayfly: %s is no part of an export: left out\n", other.c_str());
  }
  FaunaImporter importer(arguments, *std::move(files));
  const auto done = importer.run();
  importer.end();
  if (done || importer.has_sent()) print_counts(importer.counts());
  if (!done) return print_error(done.error());
  std::printf("keys, tokens and credentials are in no export: make new ones\n");
  return importer.counts().skipped == 0 ? 0 : done_with_documents_skipped;
}

}  // namespace mayfly::app
