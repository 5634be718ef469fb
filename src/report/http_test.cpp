#include "aladdin/report/http.h"

#include <gtest/gtest.h>

namespace aladdin::report {
namespace {

TEST(Http, ARequestIsReadAndAHalfOneIsNot) {
  const auto request = parse_request("GET /a?b HTTP/1.1\r\nHost: here:1\r\nX-Y:  z \r\n\r\n");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, "GET");
  EXPECT_EQ(request->target, "/a?b");
  EXPECT_EQ(request->headers.at("host"), "here:1");
  EXPECT_EQ(request->headers.at("x-y"), "z");
  for (const char* bad : {"", "GET / HTTP/1.1\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n",
                          "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / x HTTP/1.1\r\n\r\n",
                          "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n"})
    EXPECT_FALSE(parse_request(bad)) << bad;
}

TEST(Http, PathsThatLeadNowhereElse) {
  EXPECT_EQ(safe_path("/"), "/");
  EXPECT_EQ(safe_path("/run/0/a%20b.csv?x=../y#z"), "/run/0/a b.csv");
  EXPECT_EQ(safe_path("/..a/b..c/..."), "/..a/b..c/...");
  for (const char* bad :
       {"", "run", "/../x", "/a/../x", "/a/..", "/a/%2e%2E/x", "/a/./x", "//x", "/a//x", "/a/",
        "/a\\x", "/a%5cx", "/a%00x", "/a%0ax", "/a%", "/a%2", "/a%zz", "http://127.0.0.1/"})
    EXPECT_FALSE(safe_path(bad)) << bad;
}

TEST(Http, AHeadHasNoBodyButItsLength) {
  const HttpResponse response{200, "text/plain", "four"};
  const std::string head = to_text(response, true);
  EXPECT_NE(head.find("Content-Length: 4\r\n"), std::string::npos);
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  EXPECT_EQ(to_text(response, false), head + "four");
}

}  // namespace
}  // namespace aladdin::report
