#include "aladdin/stats/table.h"

#include <algorithm>
#include <set>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin::stats {

std::vector<std::string> Table::names() const {
  std::vector<std::string> all;
  for (const auto& [name, values] : columns) all.push_back(name);
  return all;
}

const std::vector<std::string>& Table::column(const std::string& name) const {
  const auto found = columns.find(name);
  if (found != columns.end()) return found->second;
  const auto all = names();
  const std::string nearest = did_you_mean(name, all);
  throw Error(fmt::format("there is no covariate '{}'; expected one of {}", one_line(name),
                          all.empty() ? "none: the subjects have no covariates"
                                      : fmt::format("{}", fmt::join(all, ", "))),
              ExitCode::usage)
      .hint(!nearest.empty()
                ? nearest
                : "covariates are the further columns of the cohort's CSV or of the table given");
}

Table read_table(const Path& csv) {
  const auto rows = parse_csv(read_text(csv));
  if (rows.empty()) fail("'{}' is empty; expected a CSV with a column 'id'", csv.string());
  std::vector<std::string> header;
  for (const auto& name : rows.front()) header.push_back(trim(name));
  std::size_t id_at = header.size();
  for (std::size_t c = 0; c < header.size(); ++c)
    if (lower(header[c]) == "id") id_at = c;
  if (id_at == header.size())
    fail("'{}' has no column 'id'; its columns are {}", csv.string(), fmt::join(header, ", "));
  for (std::size_t c = 0; c < header.size(); ++c)
    if (!header[c].empty() &&
        std::find(header.begin(), header.begin() + c, header[c]) != header.begin() + c)
      fail("'{}' has two columns '{}'", csv.string(), header[c]);
  Table table;
  std::set<std::string> seen;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const auto& row = rows[r];
    if (row.size() == 1 && trim(row[0]).empty()) continue;
    if (row.size() != header.size())
      fail("line {} of '{}' has {}, its header {}", r + 1, csv.string(),
           counted(static_cast<long long>(row.size()), "field"), header.size());
    const std::string id = trim(row[id_at]);
    if (!seen.insert(id).second) fail("'{}' has two lines for the subject '{}'", csv.string(), id);
    table.ids.push_back(id);
    for (std::size_t c = 0; c < header.size(); ++c)
      if (c != id_at && !header[c].empty()) table.columns[header[c]].push_back(trim(row[c]));
  }
  if (table.ids.empty()) fail("'{}' has a header and no subjects", csv.string());
  return table;
}

Table select_rows(const Table& table, const std::vector<std::string>& ids) {
  std::map<std::string, std::size_t> row_of;
  for (std::size_t r = 0; r < table.ids.size(); ++r) row_of[table.ids[r]] = r;
  Table chosen;
  chosen.ids = ids;
  for (const auto& [name, values] : table.columns) chosen.columns[name].reserve(ids.size());
  for (const auto& id : ids) {
    const auto found = row_of.find(id);
    if (found == row_of.end()) fail("the table of covariates has no line for the subject '{}'", id);
    for (const auto& [name, values] : table.columns)
      chosen.columns[name].push_back(values[found->second]);
  }
  return chosen;
}

}  // namespace aladdin::stats
