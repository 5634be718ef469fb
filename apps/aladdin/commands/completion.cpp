// aladdin completion SHELL: prints a completion script made from the declarations.
#include "completion.h"

#include <fmt/format.h>

#include "command.h"

namespace aladdin::app {

Command completion_command() {
  return {"completion",
          "Print a completion script for the shell",
          "Prints a script that completes commands, flags and their values. The Debian package "
          "installs all three; otherwise load it with 'source <(aladdin completion bash)' in "
          "~/.bashrc, or install it as below.",
          {{"completion bash > ~/.local/share/bash-completion/completions/aladdin", "bash"},
           {"completion zsh > ~/.zfunc/_aladdin", "zsh, with ~/.zfunc in its fpath"},
           {"completion fish > ~/.config/fish/completions/aladdin.fish", "fish"}},
          [](CLI::App& app) {
            auto shell = std::make_shared<std::string>();
            app.add_option("SHELL", *shell, "The shell")
                ->required()
                ->check(CLI::IsMember({"bash", "zsh", "fish"}));
            return [shell] {
              fmt::print("{}", *shell == "bash"  ? bash_completion()
                               : *shell == "zsh" ? zsh_completion()
                                                 : fish_completion());
            };
          }};
}

}  // namespace aladdin::app
