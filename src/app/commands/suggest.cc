#include "app/commands/suggest.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>

#include "base/similar.h"

namespace mayfly::app {
namespace {

constexpr std::size_t letters_max = 2;
constexpr std::size_t flag_bytes_max = 64;  // longer ones get no suggestion

}  // namespace

std::vector<std::string> flags_like(std::string_view text, const std::vector<std::string>& known) {
  std::vector<std::string> like;
  const std::string_view word = text.substr(std::min(text.find_first_not_of('-'), text.size()));
  if (word.empty() || text.size() > flag_bytes_max) return like;
  for (const std::string& flag : known) {
    const bool is_part = flag.ends_with("-" + std::string(word)) || flag.starts_with(text);
    if (is_part || edit_distance(text, flag) <= letters_max) like.push_back(flag);
  }
  return like;
}

void suggest_flags(const CLI::App& verb) {
  std::vector<std::string> known;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& unknown : verb.remaining()) {
    if (!unknown.starts_with("--")) continue;
    std::string text;
    for (const std::string& flag : flags_like(unknown.substr(0, unknown.find('=')), known)) {
      text += (text.empty() ? "" : ", ") + flag;
    }
    if (!text.empty()) std::fprintf(stderr, "Did you mean %s?\n", text.c_str());
  }
  for (const CLI::App* inner : verb.get_subcommands()) suggest_flags(*inner);
}

}  // namespace mayfly::app
