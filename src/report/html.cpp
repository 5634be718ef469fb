#include "aladdin/report/html.h"

#include <fmt/format.h>

namespace aladdin::report {

std::string figure_html(const Figure& figure, std::string_view style) {
  return fmt::format(
      "<figure class=\"{}\" id=\"figure-{}\"><h3>{}</h3>{}<figcaption>{}</figcaption></figure>\n",
      style, escape(figure.name), escape(figure.title), figure.svg.inline_text(),
      escape(figure.caption));
}

std::string figures_html(const std::vector<Figure>& figures, std::string_view style) {
  std::string out = fmt::format("<div class=\"figures {}\">\n", style);
  for (const Figure& figure : figures) out += figure_html(figure);
  return out + "</div>\n";
}

std::string to_html(const HtmlTable& table) {
  const auto is_numeric = [&](std::size_t c) {
    return c < table.numeric.size() && table.numeric[c] ? " class=\"number\"" : "";
  };
  std::string out = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table class=\"{1}\">"
      "<caption>{0}</caption>",
      escape(table.caption), table.style);
  if (!table.header.empty()) {
    out += "<thead><tr>";
    for (std::size_t c = 0; c < table.header.size(); ++c)
      out += fmt::format("<th scope=\"col\"{}>{}</th>", is_numeric(c), escape(table.header[c]));
    out += "</tr></thead>";
  }
  out += "<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      out += c == 0 ? fmt::format("<th scope=\"row\">{}</th>", escape(row[c]))
                    : fmt::format("<td{}>{}</td>", is_numeric(c), escape(row[c]));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string command_html(const std::string& command) {
  return fmt::format(
      "<div class=\"command\"><pre tabindex=\"0\"><code>{}</code></pre>"
      "<button type=\"button\" class=\"copy\">Copy</button></div>\n",
      escape(command));
}

std::string note_html(const std::string& text) {
  return fmt::format("<p class=\"note\">{}</p>\n", escape(text));
}

std::string tile_html(const std::string& value, const std::string& what, const std::string& more) {
  return fmt::format(
      "<li><span class=\"value\">{}</span><span class=\"what\">{}</span><span class=\"more\">{}"
      "</span></li>\n",
      escape(value), escape(what), escape(more));
}

}  // namespace aladdin::report
