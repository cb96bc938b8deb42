//! All mistakes that the macros tell by the tokens alone, in one compilation: the compiler shows what `sitemap-derive/ui` has
//! beside each file, and nothing besides.
#![allow(warnings)]

#[path = "../../../../sitemap-derive/ui/conflict/default.rs"]
mod conflict_default;
#[path = "../../../../sitemap-derive/ui/conflict/extension_roles.rs"]
mod conflict_extension_roles;
#[path = "../../../../sitemap-derive/ui/conflict/filters.rs"]
mod conflict_filters;
#[path = "../../../../sitemap-derive/ui/conflict/literal_and_field.rs"]
mod conflict_literal_and_field;
#[path = "../../../../sitemap-derive/ui/conflict/two_news.rs"]
mod conflict_two_news;
#[path = "../../../../sitemap-derive/ui/conflict/two_of_each.rs"]
mod conflict_two_of_each;
#[path = "../../../../sitemap-derive/ui/conflict/two_roles.rs"]
mod conflict_two_roles;
#[path = "../../../../sitemap-derive/ui/conflict/with_alone.rs"]
mod conflict_with_alone;
#[path = "../../../../sitemap-derive/ui/conflict/zones.rs"]
mod conflict_zones;
#[path = "../../../../sitemap-derive/ui/element/names.rs"]
mod element_names;
#[path = "../../../../sitemap-derive/ui/flatten/flatten.rs"]
mod flatten_flatten;
#[path = "../../../../sitemap-derive/ui/function/functions.rs"]
mod function_functions;
#[path = "../../../../sitemap-derive/ui/function/likely_paths.rs"]
mod function_likely_paths;
#[path = "../../../../sitemap-derive/ui/function/of_a_field.rs"]
mod function_of_a_field;
#[path = "../../../../sitemap-derive/ui/key/crate_in_quotes.rs"]
mod key_crate_in_quotes;
#[path = "../../../../sitemap-derive/ui/key/extension_unknown.rs"]
mod key_extension_unknown;
#[path = "../../../../sitemap-derive/ui/key/extension_value.rs"]
mod key_extension_value;
#[path = "../../../../sitemap-derive/ui/key/extension_wrong_level.rs"]
mod key_extension_wrong_level;
#[path = "../../../../sitemap-derive/ui/key/in_variant_field.rs"]
mod key_in_variant_field;
#[path = "../../../../sitemap-derive/ui/key/mount_value.rs"]
mod key_mount_value;
#[path = "../../../../sitemap-derive/ui/key/mount_wrong_level.rs"]
mod key_mount_wrong_level;
#[path = "../../../../sitemap-derive/ui/key/negated.rs"]
mod key_negated;
#[path = "../../../../sitemap-derive/ui/key/no_value.rs"]
mod key_no_value;
#[path = "../../../../sitemap-derive/ui/key/syntax.rs"]
mod key_syntax;
#[path = "../../../../sitemap-derive/ui/key/twice.rs"]
mod key_twice;
#[path = "../../../../sitemap-derive/ui/key/twice_beyond_the_core.rs"]
mod key_twice_beyond_the_core;
#[path = "../../../../sitemap-derive/ui/key/unknown.rs"]
mod key_unknown;
#[path = "../../../../sitemap-derive/ui/key/value_on_field.rs"]
mod key_value_on_field;
#[path = "../../../../sitemap-derive/ui/key/wrong_level_enum.rs"]
mod key_wrong_level_enum;
#[path = "../../../../sitemap-derive/ui/key/wrong_level_field.rs"]
mod key_wrong_level_field;
#[path = "../../../../sitemap-derive/ui/key/wrong_level_struct.rs"]
mod key_wrong_level_struct;
#[path = "../../../../sitemap-derive/ui/key/wrong_level_variant.rs"]
mod key_wrong_level_variant;
#[path = "../../../../sitemap-derive/ui/key/wrong_value.rs"]
mod key_wrong_value;
#[path = "../../../../sitemap-derive/ui/language/beside.rs"]
mod language_beside;
#[path = "../../../../sitemap-derive/ui/language/languages.rs"]
mod language_languages;
#[path = "../../../../sitemap-derive/ui/language/links.rs"]
mod language_links;
#[path = "../../../../sitemap-derive/ui/language/placeholder.rs"]
mod language_placeholder;
#[path = "../../../../sitemap-derive/ui/literal/changefreq_capital.rs"]
mod literal_changefreq_capital;
#[path = "../../../../sitemap-derive/ui/literal/changefreq_far.rs"]
mod literal_changefreq_far;
#[path = "../../../../sitemap-derive/ui/literal/changefreq_number.rs"]
mod literal_changefreq_number;
#[path = "../../../../sitemap-derive/ui/literal/changefreq_synonym.rs"]
mod literal_changefreq_synonym;
#[path = "../../../../sitemap-derive/ui/literal/changefreq_unknown.rs"]
mod literal_changefreq_unknown;
#[path = "../../../../sitemap-derive/ui/literal/changefreq_unquoted.rs"]
mod literal_changefreq_unquoted;
#[path = "../../../../sitemap-derive/ui/literal/default.rs"]
mod literal_default;
#[path = "../../../../sitemap-derive/ui/literal/expressions.rs"]
mod literal_expressions;
#[path = "../../../../sitemap-derive/ui/literal/lastmod_day.rs"]
mod literal_lastmod_day;
#[path = "../../../../sitemap-derive/ui/literal/lastmod_hour.rs"]
mod literal_lastmod_hour;
#[path = "../../../../sitemap-derive/ui/literal/lastmod_month.rs"]
mod literal_lastmod_month;
#[path = "../../../../sitemap-derive/ui/literal/lastmod_no_zone.rs"]
mod literal_lastmod_no_zone;
#[path = "../../../../sitemap-derive/ui/literal/lastmod_number.rs"]
mod literal_lastmod_number;
#[path = "../../../../sitemap-derive/ui/literal/lastmod_offset.rs"]
mod literal_lastmod_offset;
#[path = "../../../../sitemap-derive/ui/literal/lastmod_slashes.rs"]
mod literal_lastmod_slashes;
#[path = "../../../../sitemap-derive/ui/literal/lastmod_space.rs"]
mod literal_lastmod_space;
#[path = "../../../../sitemap-derive/ui/literal/lastmod_word.rs"]
mod literal_lastmod_word;
#[path = "../../../../sitemap-derive/ui/literal/likely_values.rs"]
mod literal_likely_values;
#[path = "../../../../sitemap-derive/ui/literal/loc_not_a_string.rs"]
mod literal_loc_not_a_string;
#[path = "../../../../sitemap-derive/ui/literal/offset.rs"]
mod literal_offset;
#[path = "../../../../sitemap-derive/ui/literal/precision.rs"]
mod literal_precision;
#[path = "../../../../sitemap-derive/ui/literal/priority_above.rs"]
mod literal_priority_above;
#[path = "../../../../sitemap-derive/ui/literal/priority_bare.rs"]
mod literal_priority_bare;
#[path = "../../../../sitemap-derive/ui/literal/priority_comma.rs"]
mod literal_priority_comma;
#[path = "../../../../sitemap-derive/ui/literal/priority_exponent.rs"]
mod literal_priority_exponent;
#[path = "../../../../sitemap-derive/ui/literal/priority_int.rs"]
mod literal_priority_int;
#[path = "../../../../sitemap-derive/ui/literal/priority_negative.rs"]
mod literal_priority_negative;
#[path = "../../../../sitemap-derive/ui/literal/priority_string.rs"]
mod literal_priority_string;
#[path = "../../../../sitemap-derive/ui/literal/priority_suffix.rs"]
mod literal_priority_suffix;
#[path = "../../../../sitemap-derive/ui/literal/priority_word.rs"]
mod literal_priority_word;
#[path = "../../../../sitemap-derive/ui/loc/missing.rs"]
mod loc_missing;
#[path = "../../../../sitemap-derive/ui/loc/missing_in_variant.rs"]
mod loc_missing_in_variant;
#[path = "../../../../sitemap-derive/ui/loc/template_and_field.rs"]
mod loc_template_and_field;
#[path = "../../../../sitemap-derive/ui/loc/two_fields.rs"]
mod loc_two_fields;
#[path = "../../../../sitemap-derive/ui/mount/base_dns.rs"]
mod mount_base_dns;
#[path = "../../../../sitemap-derive/ui/mount/base_dot_segment.rs"]
mod mount_base_dot_segment;
#[path = "../../../../sitemap-derive/ui/mount/base_empty.rs"]
mod mount_base_empty;
#[path = "../../../../sitemap-derive/ui/mount/base_escaped.rs"]
mod mount_base_escaped;
#[path = "../../../../sitemap-derive/ui/mount/base_fragment.rs"]
mod mount_base_fragment;
#[path = "../../../../sitemap-derive/ui/mount/base_host.rs"]
mod mount_base_host;
#[path = "../../../../sitemap-derive/ui/mount/base_ip_literal.rs"]
mod mount_base_ip_literal;
#[path = "../../../../sitemap-derive/ui/mount/base_no_host.rs"]
mod mount_base_no_host;
#[path = "../../../../sitemap-derive/ui/mount/base_no_scheme.rs"]
mod mount_base_no_scheme;
#[path = "../../../../sitemap-derive/ui/mount/base_one_slash.rs"]
mod mount_base_one_slash;
#[path = "../../../../sitemap-derive/ui/mount/base_path.rs"]
mod mount_base_path;
#[path = "../../../../sitemap-derive/ui/mount/base_percent.rs"]
mod mount_base_percent;
#[path = "../../../../sitemap-derive/ui/mount/base_placeholder.rs"]
mod mount_base_placeholder;
#[path = "../../../../sitemap-derive/ui/mount/base_port.rs"]
mod mount_base_port;
#[path = "../../../../sitemap-derive/ui/mount/base_punycode.rs"]
mod mount_base_punycode;
#[path = "../../../../sitemap-derive/ui/mount/base_query.rs"]
mod mount_base_query;
#[path = "../../../../sitemap-derive/ui/mount/base_scheme.rs"]
mod mount_base_scheme;
#[path = "../../../../sitemap-derive/ui/mount/base_space.rs"]
mod mount_base_space;
#[path = "../../../../sitemap-derive/ui/mount/base_two_slashes.rs"]
mod mount_base_two_slashes;
#[path = "../../../../sitemap-derive/ui/mount/base_unused.rs"]
mod mount_base_unused;
#[path = "../../../../sitemap-derive/ui/mount/base_unused_enum.rs"]
mod mount_base_unused_enum;
#[path = "../../../../sitemap-derive/ui/mount/encoding_alias.rs"]
mod mount_encoding_alias;
#[path = "../../../../sitemap-derive/ui/mount/encoding_empty.rs"]
mod mount_encoding_empty;
#[path = "../../../../sitemap-derive/ui/mount/encoding_near.rs"]
mod mount_encoding_near;
#[path = "../../../../sitemap-derive/ui/mount/encoding_replacement.rs"]
mod mount_encoding_replacement;
#[path = "../../../../sitemap-derive/ui/mount/encoding_unknown.rs"]
mod mount_encoding_unknown;
#[path = "../../../../sitemap-derive/ui/mount/encoding_unused.rs"]
mod mount_encoding_unused;
#[path = "../../../../sitemap-derive/ui/mount/encoding_unused_enum.rs"]
mod mount_encoding_unused_enum;
#[path = "../../../../sitemap-derive/ui/mount/encoding_utf_16.rs"]
mod mount_encoding_utf_16;
#[path = "../../../../sitemap-derive/ui/mount/with_other_mistakes.rs"]
mod mount_with_other_mistakes;
#[path = "../../../../sitemap-derive/ui/newest/beside.rs"]
mod newest_beside;
#[path = "../../../../sitemap-derive/ui/newest/fields.rs"]
mod newest_fields;
#[path = "../../../../sitemap-derive/ui/newest/other_words.rs"]
mod newest_other_words;
#[path = "../../../../sitemap-derive/ui/newest/read.rs"]
mod newest_read;
#[path = "../../../../sitemap-derive/ui/read/ambiguous_variant.rs"]
mod read_ambiguous_variant;
#[path = "../../../../sitemap-derive/ui/read/both_derives_one_error.rs"]
mod read_both_derives_one_error;
#[path = "../../../../sitemap-derive/ui/read/dash_behind_a_converted_number.rs"]
mod read_dash_behind_a_converted_number;
#[path = "../../../../sitemap-derive/ui/read/dash_behind_a_path.rs"]
mod read_dash_behind_a_path;
#[path = "../../../../sitemap-derive/ui/read/dash_behind_an_alias.rs"]
mod read_dash_behind_an_alias;
#[path = "../../../../sitemap-derive/ui/read/dash_between_text_and_signed.rs"]
mod read_dash_between_text_and_signed;
#[path = "../../../../sitemap-derive/ui/read/dash_between_texts.rs"]
mod read_dash_between_texts;
#[path = "../../../../sitemap-derive/ui/read/dash_in_groups.rs"]
mod read_dash_in_groups;
#[path = "../../../../sitemap-derive/ui/read/from_with_alone.rs"]
mod read_from_with_alone;
#[path = "../../../../sitemap-derive/ui/read/from_with_in_quotes.rs"]
mod read_from_with_in_quotes;
#[path = "../../../../sitemap-derive/ui/read/images_without_way_back.rs"]
mod read_images_without_way_back;
#[path = "../../../../sitemap-derive/ui/read/never_read.rs"]
mod read_never_read;
#[path = "../../../../sitemap-derive/ui/read/never_read_behind_any.rs"]
mod read_never_read_behind_any;
#[path = "../../../../sitemap-derive/ui/read/nothing_between.rs"]
mod read_nothing_between;
#[path = "../../../../sitemap-derive/ui/read/nothing_between_numbers.rs"]
mod read_nothing_between_numbers;
#[path = "../../../../sitemap-derive/ui/read/nothing_between_reserved.rs"]
mod read_nothing_between_reserved;
#[path = "../../../../sitemap-derive/ui/read/only_reading_needs_it_told_apart.rs"]
mod read_only_reading_needs_it_told_apart;
#[path = "../../../../sitemap-derive/ui/read/optional.rs"]
mod read_optional;
#[path = "../../../../sitemap-derive/ui/read/two_images.rs"]
mod read_two_images;
#[path = "../../../../sitemap-derive/ui/read/two_paths.rs"]
mod read_two_paths;
#[path = "../../../../sitemap-derive/ui/read/type.rs"]
mod read_type;
#[path = "../../../../sitemap-derive/ui/read/with_without_way_back.rs"]
mod read_with_without_way_back;
#[path = "../../../../sitemap-derive/ui/template/characters.rs"]
mod template_characters;
#[path = "../../../../sitemap-derive/ui/template/dot_segments.rs"]
mod template_dot_segments;
#[path = "../../../../sitemap-derive/ui/template/dotted_name.rs"]
mod template_dotted_name;
#[path = "../../../../sitemap-derive/ui/template/doubled_braces.rs"]
mod template_doubled_braces;
#[path = "../../../../sitemap-derive/ui/template/empty.rs"]
mod template_empty;
#[path = "../../../../sitemap-derive/ui/template/empty_placeholder.rs"]
mod template_empty_placeholder;
#[path = "../../../../sitemap-derive/ui/template/empty_reserved_placeholder.rs"]
mod template_empty_reserved_placeholder;
#[path = "../../../../sitemap-derive/ui/template/escaped.rs"]
mod template_escaped;
#[path = "../../../../sitemap-derive/ui/template/explode_modifier.rs"]
mod template_explode_modifier;
#[path = "../../../../sitemap-derive/ui/template/fragment_operator.rs"]
mod template_fragment_operator;
#[path = "../../../../sitemap-derive/ui/template/host.rs"]
mod template_host;
#[path = "../../../../sitemap-derive/ui/template/line_break.rs"]
mod template_line_break;
#[path = "../../../../sitemap-derive/ui/template/named_in_tuple.rs"]
mod template_named_in_tuple;
#[path = "../../../../sitemap-derive/ui/template/nested.rs"]
mod template_nested;
#[path = "../../../../sitemap-derive/ui/template/no_host.rs"]
mod template_no_host;
#[path = "../../../../sitemap-derive/ui/template/no_host_scheme.rs"]
mod template_no_host_scheme;
#[path = "../../../../sitemap-derive/ui/template/no_scheme.rs"]
mod template_no_scheme;
#[path = "../../../../sitemap-derive/ui/template/no_slash.rs"]
mod template_no_slash;
#[path = "../../../../sitemap-derive/ui/template/not_a_name.rs"]
mod template_not_a_name;
#[path = "../../../../sitemap-derive/ui/template/optional.rs"]
mod template_optional;
#[path = "../../../../sitemap-derive/ui/template/path_operator.rs"]
mod template_path_operator;
#[path = "../../../../sitemap-derive/ui/template/percent.rs"]
mod template_percent;
#[path = "../../../../sitemap-derive/ui/template/port.rs"]
mod template_port;
#[path = "../../../../sitemap-derive/ui/template/position_out_of_range.rs"]
mod template_position_out_of_range;
#[path = "../../../../sitemap-derive/ui/template/prefix_modifier.rs"]
mod template_prefix_modifier;
#[path = "../../../../sitemap-derive/ui/template/query_operator.rs"]
mod template_query_operator;
#[path = "../../../../sitemap-derive/ui/template/reserved_operator.rs"]
mod template_reserved_operator;
#[path = "../../../../sitemap-derive/ui/template/router_notation.rs"]
mod template_router_notation;
#[path = "../../../../sitemap-derive/ui/template/scheme.rs"]
mod template_scheme;
#[path = "../../../../sitemap-derive/ui/template/scheme_in_capitals.rs"]
mod template_scheme_in_capitals;
#[path = "../../../../sitemap-derive/ui/template/scheme_with_one_slash.rs"]
mod template_scheme_with_one_slash;
#[path = "../../../../sitemap-derive/ui/template/simple_placeholder_first.rs"]
mod template_simple_placeholder_first;
#[path = "../../../../sitemap-derive/ui/template/space.rs"]
mod template_space;
#[path = "../../../../sitemap-derive/ui/template/space_in_placeholder.rs"]
mod template_space_in_placeholder;
#[path = "../../../../sitemap-derive/ui/template/two_names.rs"]
mod template_two_names;
#[path = "../../../../sitemap-derive/ui/template/two_slashes.rs"]
mod template_two_slashes;
#[path = "../../../../sitemap-derive/ui/template/unclosed.rs"]
mod template_unclosed;
#[path = "../../../../sitemap-derive/ui/template/unit.rs"]
mod template_unit;
#[path = "../../../../sitemap-derive/ui/template/unknown_field.rs"]
mod template_unknown_field;
#[path = "../../../../sitemap-derive/ui/template/unknown_field_far.rs"]
mod template_unknown_field_far;
#[path = "../../../../sitemap-derive/ui/template/unknown_field_twice.rs"]
mod template_unknown_field_twice;
#[path = "../../../../sitemap-derive/ui/template/unopened.rs"]
mod template_unopened;
#[path = "../../../../sitemap-derive/ui/template/variant.rs"]
mod template_variant;
#[path = "../../../../sitemap-derive/ui/type/empty_enum.rs"]
mod type_empty_enum;
#[path = "../../../../sitemap-derive/ui/type/five_mistakes.rs"]
mod type_five_mistakes;
#[path = "../../../../sitemap-derive/ui/type/union.rs"]
mod type_union;
#[path = "../../../../sitemap-derive/ui/video/other_words.rs"]
mod video_other_words;
#[path = "../../../../sitemap-derive/ui/video/parts.rs"]
mod video_parts;

fn main() {}
