import { enhanceTables } from "./tables.js";
import { startCopying } from "./copy.js";
import { startReloading } from "./live.js";
import { startRuns } from "./runs.js";
import { startTabs } from "./tabs.js";
import { startTheme } from "./theme.js";
import { startViewer } from "./viewer.js";

const data = JSON.parse(document.getElementById("data").textContent);
startTheme();
startTabs();
startCopying();
const viewer = startViewer(data);
startRuns((run) => viewer.showRun(run));
enhanceTables((run, id) => viewer.showSubject(run, id));
startReloading();
