#include "aladdin/method/tensor_file.h"

#include <nlohmann/json.hpp>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

[[noreturn]] void fail_count(const std::string& name, std::int64_t most) {
  fail("the '{}' of a checkpoint is not a whole number from 0 to {}", name, most);
}

}  // namespace

std::vector<float> values_of(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.detach().cpu().contiguous();
  return {plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel()};
}

void add_tensor(Safetensors& file, const std::string& name, const at::Tensor& tensor) {
  if (!tensor.defined()) return;
  const at::Tensor plain = tensor.detach().cpu().contiguous();
  file.add(name, plain.sizes().vec(), plain.data_ptr<float>());
}

at::Tensor take_tensor(const Safetensors& file, const std::string& name, const at::Tensor& like) {
  return at::tensor(file.values<float>(name, like.sizes().vec()))
      .view(like.sizes())
      .to(like.device());
}

std::int64_t take_count(const Safetensors& file, const std::string& key, std::int64_t most) {
  const auto count = parse_integer(file.text(key));
  if (!count || *count < 0 || *count > most) fail_count(key, most);
  return *count;
}

std::int64_t take_count(const nlohmann::json& value, const std::string& name, std::int64_t most) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(most))
    fail_count(name, most);
  return value.get<std::int64_t>();
}

}  // namespace aladdin
