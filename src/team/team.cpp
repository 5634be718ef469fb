#include "aladdin/team/team.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <future>

#include "aladdin/core/error.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/team/connections.h"

namespace aladdin {
namespace {

constexpr const char* kFailure = "failure";
constexpr std::chrono::seconds kLooking{1};

// An error as one string, and back.
std::string packed(const Error& error) {
  return std::to_string(static_cast<int>(error.exit_code())) + error.what();
}
Error unpacked(const std::string& text) {
  return Error(text.substr(1), static_cast<ExitCode>(text[0] - '0'));
}

}  // namespace

class Team::Work {
 public:
  std::vector<at::Tensor> tensors;  // what c10d works on
  at::Tensor to;                    // where the result goes; undefined: it is there already
  c10::intrusive_ptr<c10d::Work> work;
};

Team::Team() = default;

Team::Team(const Launch& launch) : launch_(launch) {
  if (!is_alone()) connections_ = std::make_unique<Connections>(launch);
}

Team::~Team() = default;

const Team& Team::alone() {
  static const Team team;
  return team;
}

std::pair<std::int64_t, std::int64_t> Team::part(std::int64_t n, int rank) const {
  return {n * rank / size(), n * (rank + 1) / size()};
}

void Team::lost(const std::string& reason) const {
  connections_->failed = true;
  if (const std::string told = connections_->read(kFailure); !told.empty()) {
    connections_->knows = true;
    connections_->count_heard();
    throw unpacked(told);
  }
  throw Error(fmt::format("process {} of {} lost another one of this training: {}", rank() + 1,
                          size(), plain_reason(reason)))
      .hint(fmt::format("restart all of them with {} to continue from the last checkpoint",
                        option_name("resume")));
}

template <class Collective>
auto Team::attempt(const Collective& collective) const {
  try {
    return collective();
  } catch (const std::exception& error) {  // Gloo's and Torch's
    lost(error.what());
  }
}

std::shared_ptr<Team::Work> Team::start_sum(at::Tensor tensor) const {
  auto out = std::make_shared<Work>();
  if (is_alone()) return out;
  const bool native = connections_->takes(tensor);
  out->tensors = {native ? tensor : tensor.cpu()};
  if (!native) out->to = tensor;
  attempt([&] { out->work = connections_->group(tensor).allreduce(out->tensors); });
  return out;
}

void Team::wait(const std::shared_ptr<Work>& work) const {
  if (!work->work) return;
  attempt([&] { work->work->wait(); });
  if (work->to.defined()) work->to.copy_(work->tensors[0]);
}

void Team::sum(at::Tensor tensor) const { wait(start_sum(std::move(tensor))); }

void Team::exchange(at::Tensor rows, const std::vector<int>& owner) const {
  if (is_alone()) return;
  const bool native = connections_->takes(rows);
  at::Tensor all = native ? rows : rows.cpu();
  std::vector<std::vector<at::Tensor>> views;
  for (std::size_t k = 0; k < owner.size(); ++k)
    views.push_back({all.narrow(0, static_cast<int64_t>(k), 1)});
  attempt([&] {
    std::vector<c10::intrusive_ptr<c10d::Work>> works;
    for (std::size_t k = 0; k < owner.size(); ++k) {
      c10d::BroadcastOptions options;
      options.rootRank = owner[k];
      works.push_back(connections_->group(rows).broadcast(views[k], options));
    }
    for (const auto& work : works) work->wait();
  });
  if (!native) rows.copy_(all);
}

at::Tensor Team::gather_rows(const at::Tensor& own, std::int64_t n) const {
  if (is_alone()) return own;
  std::vector<int64_t> sizes = own.sizes().vec();
  sizes[0] = n;
  const at::Tensor all = at::empty(sizes, own.options().requires_grad(false));
  std::vector<int> owner;
  for (int r = 0; r < size(); ++r) {
    const auto [begin, end] = part(n, r);
    owner.insert(owner.end(), static_cast<std::size_t>(end - begin), r);
  }
  const auto [begin, end] = part(n);
  if (end > begin) all.narrow(0, begin, end - begin).copy_(own);
  exchange(all, owner);
  return all;
}

std::vector<std::vector<double>> Team::gather(const std::vector<double>& numbers) const {
  if (is_alone()) return {numbers};
  at::Tensor own = at::empty({static_cast<int64_t>(numbers.size())}, at::kDouble);
  std::copy(numbers.begin(), numbers.end(), own.data_ptr<double>());
  std::vector<at::Tensor> in{own};
  std::vector<std::vector<at::Tensor>> out(1);
  for (int r = 0; r < size(); ++r) out[0].push_back(at::empty_like(own));
  attempt([&] { connections_->group(own).allgather(out, in)->wait(); });
  std::vector<std::vector<double>> all;
  for (const at::Tensor& one : out[0])
    all.emplace_back(one.data_ptr<double>(), one.data_ptr<double>() + one.numel());
  return all;
}

std::vector<std::string> Team::gather(const std::string& text) const {
  if (is_alone()) return {text};
  const auto lengths = gather(std::vector<double>{double(text.size())});
  std::vector<std::string> all;
  for (int r = 0; r < size(); ++r) {
    const auto length = static_cast<int64_t>(lengths[r][0]);
    std::vector<at::Tensor> bytes{at::empty({length}, at::kByte)};
    if (length > 0 && r == rank()) std::memcpy(bytes[0].data_ptr(), text.data(), text.size());
    c10d::BroadcastOptions options;
    options.rootRank = r;
    if (length > 0)
      attempt([&] { connections_->group(bytes[0]).broadcast(bytes, options)->wait(); });
    all.emplace_back(static_cast<const char*>(bytes[0].data_ptr()),
                     static_cast<std::size_t>(length));
  }
  return all;
}

int Team::pulse() const {
  if (is_alone()) return stop_requested();
  int signal = 0;
  for (const auto& one : gather(std::vector<double>{double(stop_requested())}))
    if (signal == 0) signal = static_cast<int>(one[0]);
  return signal;
}

void Team::each(const std::function<void()>& work) const {
  if (is_alone()) return work();
  std::string failure;
  try {
    work();
  } catch (const Error& error) {
    failure = packed(error);
  }
  for (const std::string& one : gather(failure)) {
    if (one.empty()) continue;
    connections_->agreed = true;
    throw unpacked(one);
  }
}

void Team::each_watched(const std::function<void(const GivenUp&)>& work) const {
  if (is_alone()) return work([] { return false; });
  std::atomic<bool> given_up = false;
  auto doing = std::async(std::launch::async, [&] { work([&] { return given_up.load(); }); });
  try {
    for (bool all = false; !all;) {
      all = doing.wait_for(kLooking) == std::future_status::ready;
      for (const auto& one : gather(std::vector<double>{double(all)})) all = all && one[0] > 0;
    }
  } catch (...) {
    given_up = true;
    throw;
  }
  each([&] { doing.get(); });
}

void Team::lead(const std::function<void()>& work) const {
  each([&] {
    if (leads()) work();
  });
}

void Team::leave(const std::string& failure) const {
  if (is_alone() || connections_->failed || connections_->agreed) return;
  connections_->failed = connections_->knows = true;
  connections_->tell(
      kFailure,
      packed(Error(fmt::format("process {} of {} failed: {}", rank() + 1, size(), failure))));
}

}  // namespace aladdin
