// While a run trains its page is written again and again: look anew now and then, where it was.
const every = 20000;

function position(value) {
  try {
    if (value === undefined) return Number(sessionStorage.getItem("aladdin-scroll") ?? 0);
    sessionStorage.setItem("aladdin-scroll", String(value));
  } catch {
    // a page without storage starts at its top
  }
  return 0;
}

export function startReloading() {
  if (document.documentElement.dataset.state !== "training") return;
  scrollTo(0, position());
  setInterval(() => {
    if (document.hidden) return;
    position(scrollY);
    location.reload();
  }, every);
}
