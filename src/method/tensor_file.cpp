#include "aladdin/method/tensor_file.h"

#include "aladdin/core/error.h"

namespace aladdin {

std::vector<float> values_of(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.detach().cpu().contiguous();
  return {plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel()};
}

void add_tensor(Safetensors& file, const std::string& name, const at::Tensor& tensor) {
  if (!tensor.defined()) return;
  const at::Tensor plain = tensor.detach().cpu().contiguous();
  file.add(name, plain.sizes().vec(), plain.data_ptr<float>());
}

at::Tensor take_tensor(const Safetensors& file, const std::string& name, at::Device device) {
  const auto entry = file.entries().find(name);
  if (entry == file.entries().end()) fail("a checkpoint has no '{}'", name);
  const auto& shape = entry->second.shape;
  return at::tensor(file.values<float>(name, shape)).view(shape).to(device);
}

}  // namespace aladdin
