// Pieces of a page. All text that comes in is data and is escaped here.
#pragma once

#include "aladdin/report/svg.h"

namespace aladdin::report {

std::string figure_html(const Figure& figure, std::string_view style = "");
// A grid of figures, as many side by side as fit.
std::string figures_html(const std::vector<Figure>& figures, std::string_view style = "");

struct HtmlTable {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::string style;
  // Columns of numbers are aligned to the right.
  std::vector<bool> numeric;
};
std::string to_html(const HtmlTable& table);

// A text that is copied with a button.
std::string command_html(const std::string& command);

std::string note_html(const std::string& text);
std::string tile_html(const std::string& value, const std::string& what, const std::string& more);

// A page of its own, without a script: title and body, both themes.
std::string plain_page(const std::string& title, const std::string& body_html);

}  // namespace aladdin::report
