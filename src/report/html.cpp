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

std::string plain_page(const std::string& title, const std::string& body_html) {
  constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --ink: #18202b; --paper: #f6f7f9; --card: #fff; --rule: #e1e6ec; --muted: #596475; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7ecf3; --paper: #0f1319; --card: #171d26; --rule: #28313d; --muted: #9aa6b6; }
}
body { margin: 0 auto; max-width: 1240px; padding: 24px clamp(14px, 3vw, 32px); background: var(--paper);
  color: var(--ink); font: 15px/1.55 system-ui, "Noto Sans", "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums; }
h1 { font-size: 1.5em; }
.scroll { overflow-x: auto; }
table { background: var(--card); border-collapse: collapse; width: 100%; margin: 18px 0; border: 1px solid var(--rule); }
caption { text-align: left; color: var(--muted); padding: 6px 2px; }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--rule); text-align: left; white-space: nowrap; }
td.number, th.number { text-align: right; }
)css";
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>{0}</title>\n<style>{1}</style>\n<h1>{0}</h1>\n{2}</html>\n",
      escape(title), kStyle, body_html);
}

}  // namespace aladdin::report
