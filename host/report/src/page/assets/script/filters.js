// Filters: which tasks and models are chosen, how many each choice would leave, chips of what is on, and the drawer.
const buckets = (bounds) => bounds.map(([low, high, label]) => ({ value: `${low}-${high}`, label, fits: (number) => number !== null && number > low && (!high || number <= high) }));
const of = (key, options) => options.map((option) => ({ ...option, test: (model) => option.fits(model[key]) }));
const named = (values, key) => values.map((value) => ({ value, label: value, test: (each) => (Array.isArray(each[key]) ? each[key].includes(value) : each[key] === value) }));
const distinct = (rows, key) => [...new Set(rows.flatMap((row) => row[key] ?? []))].sort((a, b) => a.localeCompare(b));
const yesNo = (key, yes, no) => [["true", yes], ["false", no]].map(([value, label]) => ({ value, label: () => text(label), test: (model) => String(model[key]) === value }));
const lacks = (model) => model.whole.missing.length > 0;

const TASK_FACETS = [
  { key: "type", title: "type", options: named(data.types, "type") },
  { key: "language", title: "language", options: named(data.languages, "languages").map((option) => ({ ...option, label: () => languageName(option.value) })) },
  { key: "domain", title: "domain", options: named(distinct(data.tasks, "domains"), "domains") },
  { key: "only", title: "singleTasks", options: data.tasks.map((task) => ({ value: task.name, label: task.name, test: (each) => each === task })) },
];
const MODEL_FACETS = [
  { key: "size", title: "parameters", options: of("parameters", buckets([[0, 1e8, "≤ 100 M"], [1e8, 5e8, "100 – 500 M"], [5e8, 1e9, "500 M – 1 B"], [1e9, 5e9, "1 – 5 B"], [5e9, 0, "> 5 B"]])) },
  { key: "dimension", title: "dimension", options: of("dimension", buckets([[0, 384, "≤ 384"], [384, 768, "385 – 768"], [768, 1024, "769 – 1024"], [1024, 0, "> 1024"]])) },
  { key: "memory", title: "memory", options: of("memory", buckets([[0, 500, "≤ 500 MB"], [500, 2000, "500 – 2000 MB"], [2000, 8000, "2 – 8 GB"], [8000, 0, "> 8 GB"]])) },
  { key: "tokens", title: "tokens", options: of("tokens", buckets([[0, 512, "≤ 512"], [512, 2048, "513 – 2048"], [2048, 8192, "2049 – 8192"], [8192, 0, "> 8192"]])) },
  { key: "open", title: "open", options: yesNo("open", "openYes", "openNo") },
  { key: "license", title: "license", options: named(distinct(data.models, "license"), "license") },
  { key: "zero", title: "zeroShot", options: [{ value: "full", label: () => text("zeroFull"), test: (model) => model.zero === 100 }, { value: "known", label: () => text("zeroKnown"), test: (model) => model.zero !== null }] },
  { key: "instruct", title: "instruct", options: yesNo("instruct", "instructYes", "instructNo") },
  { key: "framework", title: "framework", options: named(distinct(data.models, "framework"), "framework") },
  { key: "whole", title: "coverage", options: [{ value: "yes", label: () => text("wholeYes"), test: (model) => !lacks(model) }, { value: "no", label: () => text("wholeNo"), test: lacks }] },
];
const FACETS = [...TASK_FACETS, ...MODEL_FACETS];
const FILTERS = ["q", "since", "parts", ...FACETS.map((facet) => facet.key)];
const labelOf = (option) => (typeof option.label === "function" ? option.label() : option.label);
// A value that no option has chooses nothing, so that a broken address is seen and not taken for "all".
const chosenOf = (facet) => {
  const values = several(facet.key);
  return values.length ? facet.options.filter((option) => values.includes(option.value)) : null;
};
function fitting(facets, but) {
  const chosen = facets.filter((facet) => facet !== but).map(chosenOf).filter((options) => options !== null);
  return (each) => chosen.every((options) => options.some((option) => option.test(each)));
}
function chosenTasks(but) {
  const fits = fitting(TASK_FACETS, but);
  return data.tasks.flatMap((task, number) => (fits(task) ? [number] : []));
}
function chosenModels(but) {
  // Words in any order: `e5 large` finds `multilingual-e5-large`.
  const wanted = (state.q ?? "").toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const fits = fitting(MODEL_FACETS, but);
  const isNew = (model) => !state.since || (model.release !== null && model.release >= state.since);
  return data.models.filter((model) => wanted.every((word) => model.folded.includes(word)) && isNew(model) && fits(model));
}
for (const model of data.models) model.folded = model.name.toLocaleLowerCase();

function turn(facet, value) {
  const values = several(facet.key);
  go({ [facet.key]: values.includes(value) ? values.filter((each) => each !== value) : [...values, value] });
}
const none = () => Object.fromEntries(FILTERS.map((key) => [key, ""]));

// Only filters that the view goes by have a chip there.
const facetsOf = (view) => (view === "compare" ? TASK_FACETS : FACETS);
function showChips() {
  const isOfModels = state.view !== "compare";
  const chips = facetsOf(state.view).flatMap((facet) => several(facet.key).map((value) => {
    const option = facet.options.find((each) => each.value === value);
    const said = `${text(facet.title)}: ${short(option ? labelOf(option) : value, 40)}`;
    return button(`${said} ×`, () => turn(facet, value), { class: "chip", "aria-label": text("removeFilter", { what: said }) });
  }));
  if (state.since && isOfModels) chips.push(button(`${text("since")}: ${short(state.since, 12)} ×`, () => go({ since: "" }), { class: "chip", "aria-label": text("removeFilter", { what: text("since") }) }));
  if (chips.length || (state.q && isOfModels)) chips.push(button(text("reset"), () => go(none()), { class: "chip reset", id: "reset" }));
  fill("chips", ...chips);
  showPartsNote();
  at("filter-count").textContent = chips.length > 1 ? `(${chips.length - 1})` : "";
}

// The drawer; built when it opens, its counts follow each choice.
const drawer = at("drawer");
const openFacets = new Set(["type", "language", "size"]);
function showDrawer() {
  if (!drawer.open) return;
  const held = document.activeElement?.id;
  const groups = FACETS.filter((facet) => facet.options.length > 1 || several(facet.key).length).map((facet) => {
    const isOfTasks = TASK_FACETS.includes(facet);
    const rest = isOfTasks ? chosenTasks(facet).map((number) => data.tasks[number]) : chosenModels(facet);
    const boxes = facet.options.map((option, place) => {
      const count = rest.filter(option.test).length;
      const on = several(facet.key).includes(option.value);
      const box = node("input", { type: "checkbox", id: `f-${facet.key}-${place}`, value: option.value, name: facet.key });
      box.checked = on;
      box.addEventListener("change", () => turn(facet, option.value));
      const texts = facet.key === "language" && hasTextCounts ? ` · ${textsSaid(option.value, rest)}` : "";
      return count || on ? node("label", { class: "choice" }, box, node("bdi", {}, short(labelOf(option), 60)), node("span", { class: "quiet" }, ` ${count}${texts}`)) : null;
    });
    const on = several(facet.key).length;
    const group = node("details", { "data-facet": facet.key }, node("summary", {}, `${text(facet.title)}${on ? ` (${on})` : ""}`),
      facet.key === "language" && hasTextCounts ? node("p", { class: "quiet" }, text("languageCounts")) : null, node("div", { class: "choices" }, ...boxes));
    group.open = openFacets.has(facet.key) || on > 0;
    group.addEventListener("toggle", () => (group.open ? openFacets.add(facet.key) : openFacets.delete(facet.key)));
    return [isOfTasks, group];
  });
  const since = node("input", { type: "date", id: "f-since", name: "since" });
  since.value = state.since ?? "";
  since.addEventListener("change", () => go({ since: since.value }));
  fill("drawer-part",
    node("h3", {}, text("ofTasks")), ...groups.filter(([isOfTasks]) => isOfTasks).map(([, group]) => group),
    node("h3", {}, text("ofModels")), ...groups.filter(([isOfTasks]) => !isOfTasks).map(([, group]) => group),
    node("label", { class: "field" }, text("since"), since));
  at("drawer-count").textContent = text("drawerCount", { n: chosenModels().length, all: data.models.length, tasks: chosenTasks().length, allTasks: data.tasks.length });
  if (held) at(held)?.focus();
}
