// hold_port: prints a port that is free for a team to meet at, and keeps the system from giving it to anybody else until
// its input ends.
#include <cstdio>

#include "aladdin/team/test_port.h"

int main() {
  const aladdin::ReservedPort reserved;
  std::printf("%d\n", reserved.port());
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
}
