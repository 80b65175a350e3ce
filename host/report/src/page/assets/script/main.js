// Turns the page to what its address says, and the address to what a reader does.
const VIEWS = ["board", "tasks", "languages", "heat", "charts", "compare", "map", "graded", "notes", "model", "task"].filter((view) => at(`view-${view}`));
const FILTERED = ["board", "tasks", "languages", "heat", "charts", "compare"];
const PARTS = { tasks: showTasks, languages: showLanguages, heat: showHeat, charts: showCharts, compare: showCompare, map: showMap, graded: showGraded, model: showModel, task: showTask };

function translate() {
  document.documentElement.lang = lang;
  for (const each of document.querySelectorAll("[data-text]")) each.textContent = text(each.dataset.text);
  for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", text(each.dataset.label));
  at("page-language").value = lang;
}

let shownView = null;
function show() {
  parse();
  if (!VIEWS.includes(state.view)) state.view = "board";
  hideTip();
  const isOther = document.documentElement.lang !== lang || shownView === null;
  if (isOther) translate();
  if (search.value !== (state.q ?? "")) search.value = state.q ?? "";
  for (const view of VIEWS) at(`view-${view}`).hidden = view !== state.view;
  takeLanguages();
  showBoard();
  showChips();
  showDrawer();
  showTray();
  for (const each of document.querySelectorAll("nav a")) {
    each.href = turned({ view: each.dataset.view });
    if (each.dataset.view === state.view) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
  at("filters").hidden = !FILTERED.includes(state.view);
  for (const each of document.querySelectorAll(".of-board")) each.hidden = state.view !== "board";
  // What is compared is chosen there, not searched for.
  document.querySelector(".field.search").hidden = state.view === "compare";
  // Where the bar is measured, the browser has to lay out the page.
  if (isOther || shownView !== state.view) showCurrent();
  shownView = state.view;
  PARTS[state.view]?.();
}

// The bar of views is wider than a phone: the view that is open is in sight.
function showCurrent() {
  const bar = document.querySelector("nav ul");
  const current = bar.querySelector("[aria-current]");
  if (current) bar.scrollLeft = current.offsetLeft - bar.offsetLeft - (bar.clientWidth - current.offsetWidth) / 2;
}

// Drawings are made for the width that there is.
let drawnWidth = document.documentElement.clientWidth;
window.addEventListener("resize", () => {
  if (document.documentElement.clientWidth === drawnWidth) return;
  drawnWidth = document.documentElement.clientWidth;
  if (["compare", "task", "graded"].includes(state.view)) PARTS[state.view]();
});

const search = at("filters").elements.q;
search.addEventListener("input", () => go({ q: search.value }));
at("filters").addEventListener("submit", (event) => event.preventDefault());
at("drawer-open").addEventListener("click", () => { drawer.showModal(); showDrawer(); });
at("drawer-reset").addEventListener("click", () => go(none()));
for (const each of document.querySelectorAll("[data-close]")) each.addEventListener("click", () => each.closest("dialog").close());
for (const each of document.querySelectorAll("dialog")) each.addEventListener("click", (event) => { if (event.target === each) each.close(); });
at("page-language").addEventListener("change", (event) => go({ lang: event.target.value === data.language ? "" : event.target.value }));
window.addEventListener("hashchange", () => {
  show();
  window.scrollTo(0, 0);
  if (["model", "task"].includes(state.view)) at("content").focus();
});
show();
