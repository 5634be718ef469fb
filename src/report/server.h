// `aladdin report --serve`: the page, the volumes that it does not hold, and the files of the runs, for
// a browser on this machine. Listens on the loopback address only, writes nothing, and answers only
// requests that name this address as their host: a page of the web cannot reach it under a name of
// its own, nor from its own origin.
#pragma once

#include <functional>

#include "aladdin/report/http.h"
#include "aladdin/report/report.h"

namespace aladdin::report {

class Site {
 public:
  Site(std::vector<Path> runs, ReportOptions options);

  // /                 the page, updated while a run trains
  // /data/<volume>    viewer_data.h
  // /run/<n>/<file>   a file of a run; nothing hidden, nothing outside, also not through a link
  HttpResponse respond(const HttpRequest& request, int port);

 private:
  HttpResponse page();
  HttpResponse data(const std::string& name);
  HttpResponse file(const std::string& path) const;

  std::vector<Path> runs_;
  ReportOptions options_;
  std::vector<RunFindings> findings_;
  std::string page_;
  bool training_ = false;
};

// Serves until the process ends. Port 0: any free one. `ready` gets the address.
void serve(Site& site, int port, const std::function<void(const std::string&)>& ready);

}  // namespace aladdin::report
