// Small things about text: the nearest name, splitting, numbers that must be whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aladdin {

// The candidate within an edit distance of a third of the name's length (at least 2), or nothing.
std::optional<std::string> nearest_name(std::string_view name,
                                        const std::vector<std::string>& candidates);
// "" or "did you mean 'x'?"
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

std::vector<std::string> split(std::string_view text, char separator);
std::string trim(std::string_view text);
// ASCII letters only, whatever the locale.
std::string lower(std::string text);

// For messages: control characters as '?', long text cut short.
std::string one_line(std::string_view text);

// "1 subject", "2 subjects".
std::string counted(long long count, std::string_view noun);

// The whole text as a finite number, or nothing ("1e3" yes, "1mm" no, "" no).
std::optional<double> parse_number(std::string_view text);
std::optional<long long> parse_integer(std::string_view text);

// RFC 4180: commas, quotes doubled inside quotes, line breaks inside quotes, CR LF or LF.
std::vector<std::vector<std::string>> parse_csv(std::string_view text);
// One field, quoted if it must be.
std::string csv_field(std::string_view text);

}  // namespace aladdin
