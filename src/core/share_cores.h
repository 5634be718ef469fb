// Several processes of one job on one machine, started by something that has not given each its cores.
#pragma once

namespace aladdin {

// threads() becomes a share of the cores, where so many processes would use them all. Nothing if a number was chosen
// with set_threads(), or if this process may not use all cores anyway.
void share_cores(int processes);

}  // namespace aladdin
