// The leaderboard: one line a model, with means (`heat.js` has the scores of tasks), drawn as it is scrolled to. TanStack Table sorts and hides columns; TanStack Virtual says which lines are seen.
const ROW = 34;
// Keys, the text of the title, how a cell is shown, whether small comes first, its width in rem, and whether it is there unasked.
const num = (key, title, of, shown, more = {}) => ({ key, title, of, shown: shown ?? ((now, model) => percent(of(now, model))), isUp: false, width: 5.6, isThere: true, ...more });
const COLUMNS = [
  num("rank", "rank", (now) => now.rank, (now) => String(now.rank ?? "–"), { isUp: true, width: 3.6, isFixed: true }),
  num("model", "model", (_, model) => model.name, (_, model) => model.name, { isUp: true, width: 19, isFixed: true }),
  num("mean", "mean", (now) => now.mean, null, { isFixed: true, width: 5.2, isTinted: true }),
  num("interval", data.over === "items" ? "intervalItems" : "interval", (now) => now.interval?.[0] ?? null, (now) => (now.interval ? now.interval.map(percent).join(" – ") : "–"), { width: 8.5 }),
  num("group", "group", (now) => now.group ?? null, (now) => String(now.group ?? "–"), { isUp: true, width: 4.4, isThere: false }),
  num("ranks", "ranks", (now) => now.ranks?.[0] ?? null, (now) => now.ranks?.join("–") ?? "–", { isUp: true, width: 5, isThere: false }),
  num("meanType", "meanType", (now) => now.meanType, null, { isTinted: true }),
  ...data.types.map((type, number) => num(`type${number}`, type, (now) => now.types[number], null, { isPlain: true, isTinted: true })),
  ...data.groups.map((group, number) => num(`group${number}`, group, (now) => now.groups[number] ?? null, null, { isPlain: true })),
  num("parameters", "parameters", (_, model) => model.parameters, (_, model) => counted(model.parameters), { isUp: true }),
  num("dimension", "dimension", (_, model) => model.dimension, (_, model) => whole(model.dimension), { isUp: true, isThere: false }),
  num("tokens", "tokens", (_, model) => model.tokens, (_, model) => whole(model.tokens), { isThere: false }),
  num("memory", "memory", (_, model) => model.memory, (_, model) => whole(model.memory), { isUp: true, isThere: false, width: 6.4 }),
  num("zeroShot", "zeroShot", (_, model) => model.zero, (_, model) => whole(model.zero), { width: 4.6 }),
  num("release", "release", (_, model) => model.release, (_, model) => model.release ?? "–", { width: 7 }),
  num("license", "license", (_, model) => model.license, (_, model) => model.license ?? "–", { isUp: true, isThere: false, width: 7 }),
  num("missing", "missing", (now) => now.missing.length, (now) => whole(now.missing.length), { isUp: true, isThere: false, width: 5 }),
];
const columnOf = new Map(COLUMNS.map((column) => [column.key, column]));
// As wide as the longest word of its title and its numbers need; in rem.
const widthOf = (column) => Math.max(column.width, 1.2 + 0.47 * Math.max(...broken(titleOf(column)).split(/[\s\u200b]/).map((word) => word.length)));
const titleOf = (column) => (column.isPlain ? column.title : text(column.title));
const HELP = { interval: data.over === "items" ? "noteIntervalItems" : "noteInterval", group: data.over === "items" ? "noteGroupItems" : "noteGroup", ranks: data.over === "items" ? "noteRanksItems" : "noteRanks", rank: "noteRank", zeroShot: "noteZero", meanType: "noteMeanType" };

data.models.forEach((model, place) => {
  model.place = place;
  model.whole = { ...model, interval: data.over === "items" ? model.itemInterval : model.interval, missing: data.tasks.flatMap((_, task) => (has(model, task) ? [] : [task])) };
});

const collator = new Intl.Collator("en");
const defs = COLUMNS.map((column) => ({
  id: column.key, accessorFn: (row) => column.of(row.now, row.model) ?? undefined, sortUndefined: "last", sortDescFirst: !column.isUp,
  sortingFn: (left, right, id) => {
    const [a, b] = [left.getValue(id), right.getValue(id)];
    return typeof a === "string" ? collator.compare(a, b) : a - b;
  },
}));
const board = vendor.createTable({ data: [], columns: defs, state: {}, onStateChange: () => {}, renderFallbackValue: null, getCoreRowModel: vendor.getCoreRowModel(), getSortedRowModel: vendor.getSortedRowModel() });
const boardScroll = at("board-scroll");
const boardBody = at("board").tBodies[0];
const boardHead = at("board").tHead;
let lines = [];
let isPrinted = false;

// Which columns are shown: those of `columns`, or all of the first pages but those of `hide`, or those that are there unasked.
function shownColumns() {
  const asked = state.columns === undefined ? null : new Set(state.columns.split("."));
  const hidden = state.hide === undefined ? null : new Set(state.hide.split("."));
  const isShown = (column) => column.isFixed || (asked ? asked.has(column.key) : hidden ? !hidden.has(column.key) : column.isThere && (data.types.length > 1 || column.key !== "meanType"));
  // A type or group of which no task counts would be a column of dashes.
  const tasks = chosenTasks();
  const counted = new Set(tasks.map((number) => data.tasks[number].type));
  const isAll = isOfAll(tasks);
  const isOfOther = (column) => !isAll && column.isPlain && !(data.types.includes(column.title) && column.key.startsWith("type") && counted.has(column.title));
  return COLUMNS.filter((column) => isShown(column) && !isOfOther(column));
}
function sorting() {
  const [key, order] = (state.sort ?? "rank").split("-");
  return columnOf.has(key) ? { id: key, desc: order === "down" } : { id: "rank", desc: false };
}

const watcher = new vendor.Virtualizer({
  count: 0, getScrollElement: () => boardScroll, estimateSize: () => ROW, overscan: 6,
  scrollToFn: vendor.elementScroll, observeElementRect: vendor.observeElementRect, observeElementOffset: vendor.observeElementOffset,
  // It also says that scrolling began and ended: the lines are the same then.
  onChange: () => { if (drawnPlaces !== placesOf(watcher.getVirtualItems())) drawLines(); },
});
watcher._didMount();

// What is shown now, in its order: what exports and charts are made of.
// The same rows as long as the same filters are on, so that sorting makes none anew.
let kept = { key: null, rows: [] };
function rowsNow() {
  const key = JSON.stringify(FILTERS.map((filter) => state[filter] ?? null));
  if (kept.key !== key) {
    const means = meansNow(chosenTasks());
    kept = { key, rows: chosenModels().map((model) => ({ model, now: means ? means.get(model) : model.whole })) };
  }
  return kept.rows;
}

// Between which scores the tint of a column tells apart; the same as long as the rows are.
let ranges = { rows: null, of: new Map() };
function rangeOf(column, rows) {
  if (ranges.rows !== rows) ranges = { rows, of: new Map() };
  if (!ranges.of.has(column.key)) {
    const all = Float64Array.from(rows.map((row) => column.of(row.now, row.model)).filter((value) => value !== null && value !== undefined)).sort();
    // The tint tells the upper part apart: the weakest would make all others alike.
    ranges.of.set(column.key, [all[Math.floor(all.length * 0.3)], all[all.length - 1]]);
  }
  return ranges.of.get(column.key);
}

function showBoard() {
  const tasks = chosenTasks();
  const rows = rowsNow();
  const by = sorting();
  const columns = shownColumns();
  board.setOptions((before) => ({ ...before, data: rows, state: { ...board.initialState, sorting: [by], columnVisibility: Object.fromEntries(COLUMNS.map((column) => [column.key, columns.includes(column)])) } }));
  lines = board.getSortedRowModel().rows.map((row) => row.original);
  watcher.setOptions({ ...watcher.options, count: lines.length });
  watcher._willUpdate();
  drawnLines = new Map();
  // Other views take the lines and their order, and nobody sees the table.
  if (state.view === "board") {
    drawHead(columns, by);
    drawLines();
  }
  at("count").textContent = text(!tasks.length ? "noneTasks" : lines.length ? "shown" : "none", { n: lines.length, all: data.models.length });
  at("chosen").textContent = isOfAll(tasks) ? "" : text("selected", { n: tasks.length, all: data.tasks.length });
  if (choiceBox.open) showChoice(columns);
}
const choiceBox = document.querySelector("details.columns");
choiceBox.addEventListener("toggle", () => { if (choiceBox.open) showChoice(shownColumns()); });
choiceBox.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !choiceBox.open) return;
  choiceBox.open = false;
  choiceBox.querySelector("summary").focus();
});
// A box that was just clicked is no longer in the menu: the path of the event still is.
document.addEventListener("click", (event) => { if (choiceBox.open && !event.composedPath().includes(choiceBox)) choiceBox.open = false; });

// The titles stay as long as the columns and the language do: sorting only turns their arrows.
let drawnHead = "";
function drawHead(columns, by) {
  const key = JSON.stringify([lang, columns.map((column) => column.key)]);
  if (key !== drawnHead) drawTitles(columns);
  drawnHead = key;
  for (const head of boardHead.rows[0].querySelectorAll("[data-sort]")) {
    if (head.dataset.sort === by.id) head.setAttribute("aria-sort", by.desc ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
}
function drawTitles(columns) {
  const held = document.activeElement?.closest?.("#board th")?.dataset.sort;
  const heads = columns.map((column) => {
    const help = HELP[column.key];
    const title = button(broken(titleOf(column)), () => {
      const now = sorting();
      const isSame = now.id === column.key;
      go({ sort: `${column.key}-${(isSame ? now.desc : column.isUp) ? "up" : "down"}` });
    }, help ? { "data-tip": text(help) } : {});
    return node("th", { scope: "col", "data-sort": column.key, "data-column": column.isFixed ? null : column.key, class: column.key === "model" ? "name" : null }, title);
  });
  boardHead.rows[0].replaceChildren(node("th", { scope: "col", class: "pick" }, node("span", { class: "unseen" }, text("compare"))), ...heads);
  const widths = columns.map(widthOf);
  at("board").querySelector("colgroup").replaceChildren(node("col", { width: "2.1rem", class: "pick" }),
    ...columns.map((column, place) => node("col", { width: `${widths[place]}rem`, class: column.key === "model" ? "name" : column.key })));
  at("board").style.setProperty("--wide", `${widths.reduce((sum, width) => sum + width, 2.1)}rem`);
  if (held) boardHead.querySelector(`th[data-sort="${held}"] button`)?.focus();
}

// Lines that stay in sight while others are scrolled to are drawn once, until something is chosen.
let drawnLines = new Map();
let drawnPlaces = "";
const placesOf = (items) => (items.length ? `${items[0].index}-${items[items.length - 1].index}` : "");
function drawLines() {
  const columns = shownColumns();
  const items = isPrinted ? lines.map((_, index) => ({ index })) : watcher.getVirtualItems();
  drawnPlaces = placesOf(items);
  const space = (height) => node("tr", { class: "space", "aria-hidden": "true" }, node("td", { colspan: String(columns.length + 1) }));
  const before = isPrinted || !items.length ? 0 : items[0].index * ROW;
  const after = isPrinted || !items.length ? 0 : (lines.length - 1 - items[items.length - 1].index) * ROW;
  const spaces = [before, after].map((height) => {
    if (!height) return null;
    const made = space();
    made.firstChild.style.height = `${height}px`;
    return made;
  });
  const held = boardBody.contains(document.activeElement) ? [document.activeElement.closest("tr").dataset.row, document.activeElement.tagName] : null;
  const places = items.map((item) => item.index).filter((place) => place < lines.length);
  const earlier = drawnLines;
  drawnLines = new Map(places.map((place) => [place, earlier.get(place) ?? drawLine(lines[place], place, columns)]));
  const made = [...drawnLines.values()];
  boardBody.replaceChildren(...[spaces[0], ...made, spaces[1]].filter(Boolean));
  at("board").setAttribute("aria-rowcount", String(lines.length + 1));
  if (held) boardBody.querySelector(`tr[data-row="${held[0]}"] ${held[1].toLowerCase()}`)?.focus({ preventScroll: true });
}

function drawLine({ model, now }, place, columns) {
  const picked = several("models").includes(model.name);
  const pick = node("input", { type: "checkbox", "aria-label": text("compareThis", { name: short(model.name, 80) }) });
  pick.checked = picked;
  pick.addEventListener("change", () => pickModel(model.name));
  const cells = columns.map((column) => {
    if (column.key === "model") {
      const said = marksOf(model, now);
      const mark = said ? node("button", { type: "button", class: "dagger", "data-tip": said, "aria-label": `† ${said}` }, "†") : null;
      return node("th", { scope: "row", class: "name" }, node("span", { class: "named" }, nameOf(model.name), mark));
    }
    const value = column.of(now, model);
    const range = column.isTinted && value !== null && value !== undefined ? rangeOf(column, kept.rows) : null;
    const tint = range && range[1] > range[0] ? Math.max(0, (value - range[0]) / (range[1] - range[0])).toFixed(3) : null;
    return node("td", { class: [column.key === "mean" ? "mean" : "", tint === null ? "" : "tinted"].filter(Boolean).join(" ") || null, "data-column": column.isFixed ? null : column.key, tint }, column.shown(now, model));
  });
  return node("tr", { "data-row": String(model.place), "aria-rowindex": String(place + 2) }, node("td", { class: "pick" }, pick), ...cells);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const oneLine = (name) => name.replace(/[\r\n\u2028\u2029]+/g, " ⏎ ");
// The organisation gives way before the name does, and the name before its end: names of one organisation differ there.
function nameOf(name) {
  const cut = name.lastIndexOf("/") + 1;
  const own = oneLine(short(name.slice(cut), 120));
  // A name that is written from right to left is not cut: its parts would change places.
  const isCut = own.length > 16 && !RIGHT_TO_LEFT.test(name);
  const end = isCut ? own.length - 8 : own.length;
  const shown = node("bdi", { dir: "auto" }, cut ? node("span", { class: "org" }, oneLine(short(name.slice(0, cut), 60))) : null, node("span", { class: "own" }, own.slice(0, end)), isCut ? node("span", { class: "tail" }, own.slice(end)) : null);
  return node("a", { href: turned({ view: "model", model: name }), title: name.length > 24 ? short(name, 400) : null }, shown);
}

const tasksNamed = (numbers, most = 6) => `${numbers.slice(0, most).map((task) => data.tasks[task].name).join(", ")}${numbers.length > most ? ", …" : ""}`;
// Why the numbers of a model stand apart; nothing for most.
function marksOf(model, now) {
  const parts = [];
  if (!model.known) parts.push(text("unknown"));
  if (model.marks?.length) parts.push(`${text("other")}: ${model.marks.slice(0, 6).join(", ")}${model.marks.length > 6 ? ", …" : ""}`);
  if (now.missing.length) parts.push(`${text("missing")}: ${now.missing.length} (${tasksNamed(now.missing)})`);
  if (model.leftOut.length) parts.push(text("leftOutMark", { n: model.leftOut.length }));
  return parts.join(". ");
}

function showChoice(columns) {
  const boxes = COLUMNS.filter((column) => !column.isFixed).map((column) => {
    const box = node("input", { type: "checkbox", value: column.key, id: `c-${column.key}` });
    box.checked = columns.includes(column);
    box.addEventListener("change", () => {
      const now = new Set(shownColumns().filter((each) => !each.isFixed).map((each) => each.key));
      if (box.checked) now.add(column.key);
      else now.delete(column.key);
      go({ hide: "", columns: COLUMNS.filter((each) => now.has(each.key)).map((each) => each.key).join(".") || "rank" });
    });
    return node("label", { class: "choice" }, box, node("bdi", {}, titleOf(column)));
  });
  const held = document.activeElement?.id;
  fill("columns-part", ...boxes);
  if (held?.startsWith("c-")) at(held)?.focus();
}

function pickModel(name) {
  const now = several("models");
  const next = now.includes(name) ? now.filter((each) => each !== name) : [...now, name].slice(-5);
  go({ models: next });
}
// On paper all lines and columns are there: as narrow as the page makes them, and the font with them.
const PAGE_REM = 64;
window.addEventListener("beforeprint", () => {
  isPrinted = true;
  drawLines();
  const widths = shownColumns().map(widthOf);
  const all = widths.reduce((sum, width) => sum + width, 0);
  [...at("board").querySelectorAll("col")].slice(1).forEach((col, place) => { col.style.width = `${(100 * widths[place]) / all}%`; });
  at("board").style.setProperty("--paper", `${Math.min(10, (13.5 * PAGE_REM) / all).toFixed(2)}px`);
});
window.addEventListener("afterprint", () => { [isPrinted, drawnHead] = [false, ""]; showBoard(); });
