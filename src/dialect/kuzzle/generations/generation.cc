#include "dialect/kuzzle/generations/generation.h"

#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/realtime/notification.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::string_view acknowledged_with_shards =
    R"({"acknowledged":true,"shards_acknowledged":true})";

constexpr std::string_view scroll_ids_of_v1[] = {"_scroll_id"};
constexpr std::string_view scroll_ids_of_v1_late[] = {"_scroll_id", "scrollId"};
constexpr std::string_view scroll_ids_of_v2[] = {"scrollId"};

}  // namespace

namespace generations {

constinit const Generation v1{.name = "1",
                              .version = "1.2.13",
                              .has_meta = true,
                              .has_kuzzle_info = false,
                              .shows_removal = true,
                              .list_of_many = "hits",
                              .scroll_id_members = scroll_ids_of_v1,
                              .leaves_out_trashed = true,
                              .answer_to_new_index = acknowledged_with_shards,
                              .has_node = false,
                              .has_error_details = true,
                              .has_mapping_default = false,
                              .shows_security_mapping = false,
                              .shows_login_expiry = false,
                              .has_realtime_config = false,
                              .import_errors_have_documents = false,
                              .wraps_failed_documents = false,
                              .changed_fields = nullptr,
                              .empty_token_check = "",
                              .takes_source_flag = false,
                              .takes_targets = false,
                              .takes_strict_flag = false,
                              .takes_whole_searches = false,
                              .takes_wrong_ids = false,
                              .shows_missing_as_errors = false,
                              .has_collection_name_rules = false,
                              .checks_whole_mappings = false,
                              .checks_security_names = false,
                              .hides_reserved_indexes = false,
                              .makes_missing_indexes = false,
                              .has_auto_refresh_of_missing = false,
                              .resets_profiles = false,
                              .existing_users = "overwrite",
                              .specifications = SpecificationsInBody::by_arguments,
                              .error_status = &ErrorRow::status,
                              .words = words_of_v1,
                              .renderer = renderer_of_v1};

constinit const Generation v1_late{.name = "1.12",
                                   .version = "1.12.0",
                                   .has_meta = true,
                                   .has_kuzzle_info = true,
                                   .shows_removal = true,
                                   .list_of_many = "hits",
                                   .scroll_id_members = scroll_ids_of_v1_late,
                                   .leaves_out_trashed = true,
                                   .answer_to_new_index = acknowledged_with_shards,
                                   .has_node = false,
                                   .has_error_details = true,
                                   .has_mapping_default = true,
                                   .shows_security_mapping = false,
                                   .shows_login_expiry = true,
                                   .has_realtime_config = false,
                                   .import_errors_have_documents = false,
                                   .wraps_failed_documents = false,
                                   .changed_fields = &realtime::ChangedFields::names,
                                   .empty_token_check = "",
                                   .takes_source_flag = false,
                                   .takes_targets = false,
                                   .takes_strict_flag = false,
                                   .takes_whole_searches = false,
                                   .takes_wrong_ids = false,
                                   .shows_missing_as_errors = false,
                                   .has_collection_name_rules = false,
                                   .checks_whole_mappings = false,
                                   .checks_security_names = false,
                                   .hides_reserved_indexes = false,
                                   .makes_missing_indexes = false,
                                   .has_auto_refresh_of_missing = true,
                                   .resets_profiles = true,
                                   .existing_users = "overwrite",
                                   .specifications = SpecificationsInBody::by_its_form,
                                   .error_status = &ErrorRow::status,
                                   .words = words_of_v1_late,
                                   .renderer = renderer_of_v1_late};

constinit const Generation v2{.name = "2",
                              .version = "2.56.0",
                              .has_meta = false,
                              .has_kuzzle_info = true,
                              .shows_removal = false,
                              .list_of_many = "successes",
                              .scroll_id_members = scroll_ids_of_v2,
                              .leaves_out_trashed = false,
                              .answer_to_new_index = "null",
                              .has_node = true,
                              .has_error_details = false,
                              .has_mapping_default = true,
                              .shows_security_mapping = true,
                              .shows_login_expiry = true,
                              .has_realtime_config = true,
                              .import_errors_have_documents = true,
                              .wraps_failed_documents = true,
                              .changed_fields = &realtime::ChangedFields::paths,
                              .empty_token_check = R"({"valid":true,"kuid":"-1","expiresAt":-1})",
                              .takes_source_flag = true,
                              .takes_targets = true,
                              .takes_strict_flag = true,
                              .takes_whole_searches = true,
                              .takes_wrong_ids = true,
                              .shows_missing_as_errors = true,
                              .has_collection_name_rules = true,
                              .checks_whole_mappings = true,
                              .checks_security_names = true,
                              .hides_reserved_indexes = true,
                              .makes_missing_indexes = true,
                              .has_auto_refresh_of_missing = false,
                              .resets_profiles = true,
                              .existing_users = "fail",
                              .specifications = SpecificationsInBody::one,
                              .error_status = &ErrorRow::status_v2,
                              .words = words_of_v2,
                              .renderer = renderer_of_v2};

}  // namespace generations

const Generation* generation_of_library(const Value& volatile_data) {
  if (volatile_data.member("sdkName").is(Kind::text)) return &generations::v2;
  const Value version = volatile_data.member("sdkVersion");
  if (!version.is(Kind::text) || version.text().empty()) return nullptr;
  if (version.text().starts_with("6.")) return &generations::v1_late;
  return version.text() >= "7" ? &generations::v2 : &generations::v1;
}

const Generation* generation_of_version(std::string_view name) {
  for (const Generation* row : {&generations::v1, &generations::v1_late, &generations::v2}) {
    if (name == row->name) return row;
  }
  return nullptr;
}

}  // namespace mayfly::kuzzle
