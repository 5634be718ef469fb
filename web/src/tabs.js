// Tabs as the ARIA practices have them: arrow keys move, Home and End jump. The open tab is kept in the
// address, so that a reload comes back to it.
export function currentTab() {
  return location.hash.startsWith("#tab=") ? decodeURIComponent(location.hash.slice(5)) : "";
}

function select(tablist, tab, focus) {
  for (const other of tablist.querySelectorAll("[role=tab]")) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
  }
  if (focus) tab.focus();
}

function remember(tab) {
  history.replaceState(null, "", `#tab=${encodeURIComponent(tab.dataset.tab)}`);
}

export function startTabs() {
  const wanted = currentTab();
  for (const tablist of document.querySelectorAll("[role=tablist]")) {
    const tabs = [...tablist.querySelectorAll("[role=tab]")];
    const first = tabs.find((tab) => tab.dataset.tab === wanted);
    if (first) select(tablist, first, false);
    tablist.addEventListener("click", (event) => {
      const tab = event.target.closest("[role=tab]");
      if (!tab) return;
      select(tablist, tab, false);
      remember(tab);
    });
    tablist.addEventListener("keydown", (event) => {
      const at = tabs.indexOf(document.activeElement);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (at < 0 || to === undefined) return;
      event.preventDefault();
      const tab = tabs[(to + tabs.length) % tabs.length];
      select(tablist, tab, true);
      remember(tab);
    });
  }
}
