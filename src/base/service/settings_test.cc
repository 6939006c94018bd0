// Tests of settings.h: which source wins, and what each source refuses.
#include "base/service/settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace mayfly {
namespace {

const Settings::Table setting_rows = {
    {.name = "config", .help = "A file.", .scope = SettingScope::not_in_file},
    {.name = "data", .initial = "./here", .help = "A place."},
    {.name = "native.port", .kind = SettingKind::port, .initial = "7007", .help = "A port."},
    {.name = "threads",
     .kind = SettingKind::integer,
     .initial = "2",
     .help = "N.",
     .least = 1,
     .most = 64},
    {.name = "insecure", .kind = SettingKind::boolean, .initial = "false", .help = "Open."},
    {.name = "auth.keys", .kind = SettingKind::list, .help = "Keys.", .secret = true},
    {.name = "log.level", .initial = "info", .help = "Level.", .choices = {"debug", "info"}},
};

// A file that is deleted with this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text) {
    path_ = std::filesystem::temp_directory_path() /
            ("settings_test_" + std::to_string(getpid()) + ".toml");
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

Result<Settings> with_file(std::string_view text, Settings::Sources sources = {}) {
  const TemporaryFile file(text);
  sources.file = file.path();
  return Settings::resolve(setting_rows, sources);
}

Settings must(Result<Settings> settings) {
  EXPECT_TRUE(settings) << settings.error().message;
  return std::move(settings).value();
}

TEST(SettingsTest, DefaultsHoldWhereNoSourceSetsAValue) {
  const Settings settings = must(Settings::resolve(setting_rows, {}));
  EXPECT_EQ(settings.text("data"), "./here");
  EXPECT_EQ(settings.port("native.port"), 7007);
  EXPECT_EQ(settings.integer("threads"), 2);
  EXPECT_FALSE(settings.flag("insecure"));
  EXPECT_TRUE(settings.list("auth.keys").empty());
  EXPECT_EQ(settings.origin("data"), SettingOrigin::initial);
}

TEST(SettingsTest, TheFileSetsEveryKindOfSetting) {
  const Settings settings = must(with_file(R"(
data = "/srv"
threads = 8
insecure = true
[native]
port = 9000
[auth]
keys = ["a,b", "c"]
[log]
level = "debug"
)"));
  EXPECT_EQ(settings.text("data"), "/srv");
  EXPECT_EQ(settings.port("native.port"), 9000);
  EXPECT_EQ(settings.integer("threads"), 8);
  EXPECT_TRUE(settings.flag("insecure"));
  EXPECT_EQ(settings.list("auth.keys"), (std::vector<std::string>{"a,b", "c"}));
  EXPECT_EQ(settings.text("log.level"), "debug");
  EXPECT_EQ(settings.origin("native.port"), SettingOrigin::file);
}

TEST(SettingsTest, TheStrongerSourceWins) {
  const std::string_view file = "data = 'f'\nthreads = 3\ninsecure = true\nauth.keys = ['f']";
  const Settings settings = must(with_file(file, {.environment = {{"MAYFLY_DATA", "e"},
                                                                  {"MAYFLY_THREADS", "4"},
                                                                  {"MAYFLY_AUTH_KEYS", "e, e2"}},
                                                  .flags = {{"data", "c"}}}));
  EXPECT_EQ(settings.text("data"), "c");
  EXPECT_EQ(settings.integer("threads"), 4);
  EXPECT_TRUE(settings.flag("insecure"));
  EXPECT_EQ(settings.list("auth.keys"), (std::vector<std::string>{"e", "e2"}));
  EXPECT_EQ(settings.origin("data"), SettingOrigin::flag);
  EXPECT_EQ(settings.origin("threads"), SettingOrigin::environment);
}

TEST(SettingsTest, ARepeatedFlagMakesAListAndReplacesAllElse) {
  const Settings settings = must(Settings::resolve(
      setting_rows, {.environment = {{"MAYFLY_AUTH_KEYS", "e"}},
                     .flags = {{"auth.keys", "a"}, {"data", "x"}, {"auth.keys", "b"}}}));
  EXPECT_EQ(settings.list("auth.keys"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(settings.text("data"), "x");
}

TEST(SettingsTest, ARepeatedFlagThatIsNoListIsRefused) {
  const auto settings =
      Settings::resolve(setting_rows, {.flags = {{"native.port", "1"}, {"native.port", "1"}}});
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().message, "--native-port is given more than once");
  EXPECT_EQ(settings.error().field, "native.port");
}

TEST(SettingsTest, APortMayBeOffOrAnyFreeOne) {
  EXPECT_EQ(must(with_file("native.port = 'off'")).port("native.port"), std::nullopt);
  EXPECT_EQ(must(with_file("native.port = 0")).port("native.port"), 0);
  EXPECT_EQ(must(Settings::resolve(setting_rows, {.flags = {{"native.port", "off"}}}))
                .port("native.port"),
            std::nullopt);
}

TEST(SettingsTest, ErrorsOfTheFileAreNamed) {
  struct Case {
    std::string_view file;
    std::string_view field;
    std::string_view message;
  };
  const std::vector<Case> wrong = {
      {"dta = 'x'", "dta", "there is no setting dta"},
      {"[native]\nprt = 1", "native.prt", ":2: there is no setting native.prt"},
      {"[other]\na = 1", "other", "there is no setting other"},
      {"config = 'x'", "config", "there is no setting config"},
      {"native = 7", "native", "there is no setting native"},
      {"data = 7", "data", "must be text"},
      {"[data]\nx = 1", "data", "must be text"},
      {"threads = '8'", "threads", "must be a whole number from 1 to 64"},
      {"threads = 1.5", "threads", "must be a whole number"},
      {"threads = 65", "threads", "must be a whole number from 1 to 64"},
      {"insecure = 1", "insecure", "must be true or false"},
      {"native.port = 70000", "native.port", "must be a port from 0 to 65535"},
      {"native.port = true", "native.port", "must be a port"},
      {"auth.keys = 'a'", "auth.keys", "must be a list of texts"},
      {"auth.keys = ['a', 1]", "auth.keys", "must be a list of texts"},
      {"[log]\nlevel = 'loud'", "log.level", "must be debug or info"},
      {"data = ", "config", ".toml:1"},
      {"list = [}", "config", ".toml: not well-formed TOML"},
  };
  for (const Case& row : wrong) {
    const auto settings = with_file(row.file);
    ASSERT_FALSE(settings) << row.file;
    EXPECT_EQ(settings.error().code, Code::invalid);
    EXPECT_EQ(settings.error().field, row.field);
    EXPECT_NE(settings.error().message.find(row.message), std::string::npos)
        << settings.error().message;
  }
}

TEST(SettingsTest, TheFileMayContainAnyCharacterInStringsAndComments) {
  const Settings settings = must(with_file("\xEF\xBB\xBF# Résumé\ndata = '/srv/é' # é\n"));
  EXPECT_EQ(settings.text("data"), "/srv/é");
  EXPECT_EQ(must(with_file("data = \"\"\"é\"\"\"\"\" # é")).text("data"), "é\"\"");
}

TEST(SettingsTest, CharactersInWrongPlacesAndUnfinishedStringsAreNamedWithTheirLine) {
  const auto message_of = [](std::string_view text) {
    const auto settings = with_file(text);
    return settings ? "accepted" : settings.error().field + ": " + settings.error().message;
  };
  for (const std::string_view text : {"\ndonnées = 'x'", "\ndata = é", "\ndata = 1\"é\""}) {
    EXPECT_NE(message_of(text).find(".toml:2: a character outside ASCII"), std::string::npos)
        << message_of(text);
  }
  for (const std::string_view text : {"\ndata = 'x\né = 1", "\ndata = \"é", "\ndata = '''é"}) {
    EXPECT_TRUE(message_of(text).starts_with("config: ")) << text;
    EXPECT_EQ(message_of(text).find("outside ASCII"), std::string::npos) << message_of(text);
    EXPECT_NE(message_of(text).find(".toml:2: Error while parsing"), std::string::npos)
        << message_of(text);
  }
}

TEST(SettingsTest, AMissingFileIsAnError) {
  const auto settings = Settings::resolve(setting_rows, {.file = "/nowhere/at/all.toml"});
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().code, Code::invalid);
  EXPECT_NE(settings.error().message.find("/nowhere/at/all.toml"), std::string::npos);
}

TEST(SettingsTest, InvalidVariablesAndFlagsAreNamed) {
  const auto variable =
      Settings::resolve(setting_rows, {.environment = {{"MAYFLY_THREADS", "many"}}});
  EXPECT_EQ(variable.error().message,
            "threads (MAYFLY_THREADS) must be a whole number from 1 to 64");
  const auto flag = Settings::resolve(setting_rows, {.flags = {{"native.port", "-1"}}});
  EXPECT_EQ(flag.error().message,
            "native.port (--native-port) must be a port from 0 to 65535 (0: any free one) or off");
  EXPECT_FALSE(Settings::resolve(setting_rows, {.flags = {{"threads", "1 "}}}));
  EXPECT_FALSE(Settings::resolve(setting_rows, {.flags = {{"threads", ""}}}));
  EXPECT_FALSE(Settings::resolve(setting_rows, {.flags = {{"unknown", "1"}}}));
}

TEST(SettingsTest, UnknownVariablesAreRefusedWithTheNearestSetting) {
  const struct {
    const char* variable;
    const char* nearest;
  } rows[] = {{"MAYFLY_NATIVE_PROT", "MAYFLY_NATIVE_PORT"},
              {"MAYFLY_DTAA", "MAYFLY_DATA"},
              {"MAYFLY_LOG", "MAYFLY_LOG_LEVEL"},
              {"MAYFLY_KEYS", "MAYFLY_AUTH_KEYS"},
              {"MAYFLY_", "MAYFLY_DATA"},
              {"MAYFLY_PORT", "MAYFLY_NATIVE_PORT"}};
  for (const auto& row : rows) {
    const auto settings = Settings::resolve(setting_rows, {.environment = {{row.variable, "7"}}});
    ASSERT_FALSE(settings) << row.variable;
    EXPECT_EQ(settings.error().code, Code::invalid);
    EXPECT_EQ(
        settings.error().message,
        std::string(row.variable) + " (environment) is no setting; the nearest is " + row.nearest);
  }
}

TEST(SettingsTest, VariablesOfOtherProgramsAndOfPlatformsAreSkipped) {
  EXPECT_TRUE(Settings::resolve(setting_rows,
                                {.environment = {{"MAYFLY_PORT", "tcp://10.0.0.1:7007"},
                                                 {"MAYFLY_DB_PORT", "udp://10.0.0.1:7007"},
                                                 {"MAYFLY_SERVICE_HOST", "10.0.0.1"},
                                                 {"MAYFLY_SERVICE_PORT_HTTP", "7007"},
                                                 {"MAYFLY_PORT_7007_TCP", "tcp://10.0.0.1:7007"},
                                                 {"MAYFLY_PORT_7007_TCP_ADDR", "10.0.0.1"},
                                                 {"MAYFLY_KEY", "of a command"},
                                                 {"THREADS", "many"}},
                                 .other_variables = {"MAYFLY_KEY"}}));
  for (const char* name : {"MAYFLY_PORT_X_TCP", "MAYFLY_PORT_7007", "MAYFLY_PORT_7007_X"}) {
    EXPECT_FALSE(Settings::resolve(setting_rows, {.environment = {{name, "1"}}})) << name;
  }
}

TEST(SettingsTest, ASettingOutsideTheFileMayComeFromAVariable) {
  const Settings settings =
      must(Settings::resolve(setting_rows, {.environment = {{"MAYFLY_CONFIG", "x"}}}));
  EXPECT_EQ(settings.text("config"), "x");
}

TEST(SettingsTest, ASecretIsNotShown) {
  const Settings settings =
      must(Settings::resolve(setting_rows, {.flags = {{"auth.keys", "s3cret"}}}));
  std::string all;
  for (const auto& shown : settings.shown()) {
    all += std::string(shown.name) + "=" + shown.value + " " + std::string(name_of(shown.origin)) +
           "\n";
  }
  EXPECT_EQ(all,
            "config= default\ndata=./here default\nnative.port=7007 default\n"
            "threads=2 default\ninsecure=false default\nauth.keys=(hidden) flag\n"
            "log.level=info default\n");
}

TEST(SettingsTest, AnErrorDoesNotShowASecret) {
  const auto settings = with_file("auth.keys = 's3cret'");
  EXPECT_EQ(settings.error().message.find("s3cret"), std::string::npos);
}

// An empty secret would leave unprotected what it protects.
TEST(SettingsTest, AnEmptySecretIsRefused) {
  const auto message_of = [](const Result<Settings>& settings) {
    return settings ? "accepted" : settings.error().field + ": " + settings.error().message;
  };
  const std::string message = ") is given but empty; give it a value or leave it out";
  for (const std::string none : {"", ",", " "}) {
    EXPECT_EQ(message_of(Settings::resolve(setting_rows, {.flags = {{"auth.keys", none}}})),
              "auth.keys: auth.keys (--auth-keys" + message);
    EXPECT_EQ(
        message_of(Settings::resolve(setting_rows, {.environment = {{"MAYFLY_AUTH_KEYS", none}}})),
        "auth.keys: auth.keys (MAYFLY_AUTH_KEYS" + message);
  }
  for (const std::string none : {"[]", "['']", "['k', '']", "''"}) {
    const std::string error_text = message_of(with_file("auth.keys = " + none));
    EXPECT_TRUE(error_text.starts_with("auth.keys: auth.keys (")) << error_text;
  }
  EXPECT_TRUE(with_file("data = ''"));
}

TEST(SettingsTest, NamesAreDerivedFromTheRow) {
  EXPECT_EQ(flag_of({.name = "native.port"}), "--native-port");
  EXPECT_EQ(variable_of({.name = "cache_mib"}), "MAYFLY_CACHE_MIB");
}

TEST(SettingsTest, TheTableIsAPage) {
  const std::string page = render_settings_markdown(setting_rows);
  EXPECT_NE(page.find("| `native.port` | `--native-port` | `MAYFLY_NATIVE_PORT` | a port from 0 to "
                      "65535 (0: any free one) or off | `7007` | A port. |\n"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("| `config` | `--config` | `MAYFLY_CONFIG` | text |  | A file. |\n"),
            std::string::npos)
      << page;
}

TEST(SettingsDeathTest, AnUnknownNameOrAnotherKindFailsACheck) {
  const Settings settings = must(Settings::resolve(setting_rows, {}));
  EXPECT_DEATH(settings.text("nothing"), "broken promise");
  EXPECT_DEATH(settings.text("threads"), "broken promise");
}

}  // namespace
}  // namespace mayfly
