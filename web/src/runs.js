// Which run, or their comparison, is shown.
export function startRuns(show) {
  const chooser = document.getElementById("run-select");
  const articles = [...document.querySelectorAll("article.run")];
  const apply = (name) => {
    for (const article of articles) article.hidden = article.dataset.run !== name;
    show(name === "comparison" ? null : Number(name));
  };
  if (chooser) chooser.addEventListener("change", () => apply(chooser.value));
  apply("0");
}
