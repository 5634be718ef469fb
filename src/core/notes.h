// What is to be told of many files or subjects, in a few lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aladdin {

struct Note {
  std::string name, text;  // of whom, and what; no text: nothing
};

// One line for all of whom the same is to be said, in the order of the first: "a and 12 others: text". After `most`
// lines "and the like of 7 subjects more", with `noun` for subject.
std::vector<std::string> merged(const std::vector<Note>& notes, std::string_view noun,
                                std::size_t most = 5);

}  // namespace aladdin
