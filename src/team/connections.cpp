// Torch's headers hide what they think it was built without.
#if defined(ALADDIN_GLOO) && !defined(USE_C10D_GLOO)
#define USE_C10D_GLOO
#endif
#if defined(ALADDIN_NCCL) && !defined(USE_C10D_NCCL)
#define USE_C10D_NCCL
#endif
#include "aladdin/team/connections.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <future>
#include <set>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#ifdef ALADDIN_GLOO
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#endif
#ifdef ALADDIN_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/team/keepalive.h"

namespace aladdin {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kJoining{45};    // that all must have started in
constexpr seconds kWaiting{7200};  // for one that is alive and has more to do
constexpr seconds kAsking{3};      // for a note, where the first may be gone
constexpr seconds kParting{5};     // that the first waits for the others to hear why

#ifdef ALADDIN_GLOO

// Gloo writes to a peer that is gone without asking for no signal.
void ignore_closed_sockets() {
  struct sigaction now {};
  if (sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
    std::signal(SIGPIPE, SIG_IGN);
}

// With a way to end a collective that will never end.
class Gloo : public c10d::ProcessGroupGloo {
 public:
  using ProcessGroupGloo::ProcessGroupGloo;
  void close() {
    for (const auto& context : contexts_) context->closeConnections();
  }
  // All have joined: from now on one may take its time.
  void wait_for(milliseconds time) {
    for (const auto& context : contexts_) context->setTimeout(time);
  }
};

// This machine's address on the way to the first process: no packet is sent to find it.
std::string own_address(const Launch& launch) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(launch.address.c_str(), std::to_string(launch.port).c_str(), &hints, &found) != 0)
    return "";
  std::string out;
  for (addrinfo* a = found; a && out.empty(); a = a->ai_next) {
    const int file = socket(a->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    char text[NI_MAXHOST] = "";
    if (file >= 0 && connect(file, a->ai_addr, a->ai_addrlen) == 0 &&
        getsockname(file, reinterpret_cast<sockaddr*>(&own), &length) == 0 &&
        getnameinfo(reinterpret_cast<sockaddr*>(&own), length, text, sizeof text, nullptr, 0,
                    NI_NUMERICHOST) == 0)
      out = text;
    if (file >= 0) ::close(file);
  }
  freeaddrinfo(found);
  return out;
}

// c10d would ask for it again and again.
void require_known_address(const Launch& launch) {
  addrinfo* found = nullptr;
  const int code = getaddrinfo(launch.address.c_str(), nullptr, nullptr, &found);
  if (code == 0) return freeaddrinfo(found);
  throw Error(fmt::format("the address of the first process, '{}', cannot be found: {}",
                          launch.address, gai_strerror(code)))
      .hint("see MASTER_ADDR");
}

c10::intrusive_ptr<Gloo> make_gloo(const Launch& launch,
                                   const c10::intrusive_ptr<c10d::Store>& store,
                                   milliseconds time) {
  const auto options = c10d::ProcessGroupGloo::Options::create(time);
  const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
  const std::string address = own_address(launch);
  options->devices.push_back(interface         ? Gloo::createDeviceForInterface(interface)
                             : address.empty() ? Gloo::createDefaultDevice()
                                               : Gloo::createDeviceForHostname(address));
  auto made = c10::make_intrusive<Gloo>(store, launch.rank, launch.size, options);
  made->wait_for(kWaiting);
  return made;
}

// Why this process could not join. Only one that has waited for all of the time says so: where it was refused at once,
// the others may all be there.
[[noreturn]] void fail_joining(const Launch& launch, const std::string& reason, double seconds) {
  const std::string who = fmt::format("process {} of {}", launch.rank + 1, launch.size);
  if (reason.find("in use") != std::string::npos)
    throw Error(
        fmt::format("{} cannot listen on port {}: another process uses it", who, launch.port))
        .hint("choose a port with MASTER_PORT");
  const std::string where = fmt::format("{}:{}", launch.address, launch.port);
  if (seconds >= kJoining.count())
    throw Error(
        fmt::format("{} could not join the others at {} within {} s", who, where, kJoining.count()))
        .hint("check that all were started and that this is the address of the first one");
  throw Error(fmt::format("{} was refused by the others at {} after {:.1f} s: {}", who, where,
                          seconds, plain_reason(reason)))
      .hint("check that no other program uses this port, or choose another one with MASTER_PORT");
}

#endif

}  // namespace

std::string plain_reason(const std::string& reason) {
  std::string out = reason.substr(0, reason.find('\n'));
  if (out.starts_with('[')) out = out.substr(std::min(out.size(), out.find("] ") + 2));
  return out;
}

#ifdef ALADDIN_GLOO

Team::Connections::Connections(const Launch& given) : launch(given) {
  ignore_closed_sockets();
  require_known_address(launch);
  // Not the store's: a thread of c10d's listens there, and would end the program if its connection timed out.
  std::set<int> before;
  const auto begin = std::chrono::steady_clock::now(), end = begin + kJoining;
  try {
    c10d::TCPStoreOptions options;
    options.port = launch.port;
    options.isServer = launch.rank == 0;
    options.numWorkers = static_cast<std::size_t>(launch.size);
    options.timeout = kJoining;
    store = c10::make_intrusive<c10d::TCPStore>(launch.address, options);
    before = open_sockets();
    // The store does not say that it has waited in vain.
    const auto left =
        std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    if (left <= milliseconds(0)) throw std::runtime_error("not all have joined");
    const auto made =
        make_gloo(launch, c10::make_intrusive<c10d::PrefixStore>("gloo", store), left);
    gloo = made;
    close = [made = made.get()] { made->close(); };
#ifdef ALADDIN_NCCL
    nccl = c10::make_intrusive<c10d::ProcessGroupNCCL>(
        c10::make_intrusive<c10d::PrefixStore>("nccl", store), launch.rank, launch.size);
#endif
  } catch (const std::exception& error) {
    log::detail("c10d: {}", error.what());
    fail_joining(launch, error.what(),
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  keep_alive_since(before);
}

#else

Team::Connections::Connections(const Launch& given) : launch(given) {
  fail("{} processes were started together, but this program was built without Gloo", launch.size);
}

#endif

Team::Connections::~Connections() {
  // Worker threads may be inside a collective whose peers are gone.
  if (failed && close) close();
  nccl.reset();
  gloo.reset();
  if (!knows || launch.rank != 0 || !store) return;
  // The others have noticed by now, and come to read why.
  const auto end = std::chrono::steady_clock::now() + kParting;
  const std::string all = std::to_string(launch.size - 1);
  while (std::chrono::steady_clock::now() < end && read("heard") != all)
    std::this_thread::sleep_for(milliseconds(50));
}

c10d::ProcessGroup& Team::Connections::group(const at::Tensor& tensor) const {
  return nccl && !tensor.device().is_cpu() ? *nccl : *gloo;
}

bool Team::Connections::takes(const at::Tensor& tensor) const {
  return tensor.device().is_cpu() || nccl;
}

void Team::Connections::tell(const std::string& key, const std::string& text) {
  try {
    store->set(key, std::vector<std::uint8_t>(text.begin(), text.end()));
  } catch (const std::exception&) {  // the first process is gone: nobody to tell
  }
}

std::string Team::Connections::read(const std::string& key) {
  // In a thread of its own, which is left behind if the first process cannot be reached: nothing ends its wait.
  auto answer = std::make_shared<std::promise<std::string>>();
  std::thread([answer, key, from = store] {
    try {
      const auto bytes = from->check({key}) ? from->get(key) : std::vector<std::uint8_t>();
      answer->set_value({bytes.begin(), bytes.end()});
    } catch (const std::exception&) {
      answer->set_value("");
    }
  }).detach();
  auto future = answer->get_future();
  return future.wait_for(kAsking) == std::future_status::ready ? future.get() : "";
}

void Team::Connections::count_heard() {
  try {
    store->add("heard", 1);
  } catch (const std::exception&) {
  }
}

}  // namespace aladdin
