// Light, dark, or as the system has it. A page opened as a file may have no storage: then it forgets.
const names = { auto: "Auto", light: "Light", dark: "Dark" };
const said = { auto: "as the system", light: "light", dark: "dark" };

function stored() {
  try {
    return localStorage.getItem("aladdin-theme");
  } catch {
    return null;
  }
}

function store(theme) {
  try {
    localStorage.setItem("aladdin-theme", theme);
  } catch {
    // forgotten
  }
}

export function startTheme() {
  const button = document.getElementById("theme");
  const order = Object.keys(names);
  let theme = order.includes(stored()) ? stored() : "auto";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const dark = theme === "dark" || (theme === "auto" && system.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    button.textContent = names[theme];
    button.setAttribute("aria-label", `Theme: ${said[theme]}`);
  };
  button.addEventListener("click", () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    store(theme);
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}
