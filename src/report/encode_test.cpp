#include "aladdin/report/encode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

namespace aladdin::report {
namespace {

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

TEST(Encode, Base64OfEveryRemainder) {
  EXPECT_EQ(base64(bytes_of("")), "");
  EXPECT_EQ(base64(bytes_of("f")), "Zg==");
  EXPECT_EQ(base64(bytes_of("fo")), "Zm8=");
  EXPECT_EQ(base64(bytes_of("foo")), "Zm9v");
  EXPECT_EQ(base64(Bytes{0xFB, 0xEF, 0xFF, 0}), "++//AA==");
}

TEST(Encode, GzipComesBack) {
  const Bytes in(100000, 7);
  const Bytes packed = gzip(in);
  EXPECT_LT(packed.size(), 1000U);
  Bytes out(in.size());
  z_stream stream{};
  ASSERT_EQ(inflateInit2(&stream, 31), Z_OK);
  stream.next_in = const_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  inflateEnd(&stream);
  EXPECT_EQ(out, in);
}

TEST(Encode, NoMarkupComesThrough) {
  EXPECT_EQ(escape("<script>alert('x') && \"y\"</script>"),
            "&lt;script&gt;alert(&#39;x&#39;) &amp;&amp; &quot;y&quot;&lt;/script&gt;");
  EXPECT_EQ(escape("膝 Å 🦵"), "膝 Å 🦵");
}

TEST(Encode, WhatIsNotUtf8BecomesAReplacement) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(escape("a\xFF"
                   "b"),
            "a" + replacement + "b");
  EXPECT_EQ(escape("\xC0\xAF"), replacement + replacement);                    // "/" in two bytes
  EXPECT_EQ(escape("\xED\xA0\x80"), replacement + replacement + replacement);  // a surrogate
  EXPECT_EQ(escape(std::string_view("a\0b", 3)), "a" + replacement + "b");
  EXPECT_EQ(escape("\xE8\x86"), replacement + replacement);  // cut off
}

TEST(Encode, JsonCannotEndItsScript) {
  const std::string text = json_for_script({{"id", "</script><!--"}});
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("<")));
  EXPECT_EQ(Json::parse(text)["id"], "</script><!--");
}

}  // namespace
}  // namespace aladdin::report
