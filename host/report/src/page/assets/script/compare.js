// Two to five models side by side: radar by type, paired differences with intervals, and where each wins.
const HUES = ["one", "two", "three", "four", "five"];
const pickedModels = () => several("models").slice(0, 5).map((name) => data.models.find((model) => model.name === name)).filter((model) => model !== undefined);

function showTray() {
  const picked = pickedModels();
  at("tray").hidden = !picked.length || !["board", "charts"].includes(state.view);
  fill("tray-part", ...picked.map((model) => button(`${short(model.name.split("/").pop(), 28)} ×`, () => pickModel(model.name), { class: "chip", "aria-label": text("removeFilter", { what: short(model.name, 80) }) })),
    picked.length > 1 ? node("a", { class: "main", id: "tray-go", href: turned({ view: "compare" }) }, text("compareN", { n: picked.length })) : node("span", { class: "quiet" }, text("pickMore")),
    button(text("clear"), () => go({ models: [] }), { class: "chip reset" }));
}

function radar(picked, axes) {
  const width = roomFor(560);
  // Room for the names of types on both sides.
  const reach = Math.max(60, Math.min(140, width / 2 - 120));
  const height = 2 * reach + 100;
  const [middle, centre] = [width / 2, height / 2];
  const all = axes.flatMap(({ scores }) => scores).filter((score) => score !== null);
  const [low, high] = vendor.extent(all);
  const floor = Math.max(0, Math.floor((low - (high - low) * 0.25) / 500) * 500);
  const r = vendor.scaleLinear().domain([Math.min(floor, low), high]).range([0, reach]);
  const angle = (place) => (place / axes.length) * 2 * Math.PI;
  const at_ = (place, radius) => [middle + Math.sin(angle(place)) * radius, centre - Math.cos(angle(place)) * radius];
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${text("radar")}: ${picked.map((model) => model.name).join(", ")}` });
  for (const tick of r.ticks(4)) svg.append(drawn("circle", { class: "grid", cx: middle, cy: centre, r: r(tick) }), drawn("text", { class: "tick", x: middle + 4, y: centre - r(tick) - 3 }, String(tick / 100)));
  axes.forEach(({ name }, place) => {
    const [x, y] = at_(place, reach + 16);
    const [ex, ey] = at_(place, reach);
    svg.append(drawn("line", { class: "grid", x1: middle, y1: centre, x2: ex, y2: ey }), drawn("text", { x, y: y + 4, "text-anchor": Math.abs(x - middle) < 12 ? "middle" : x > middle ? "start" : "end" }, short(name, 20)));
  });
  // Where a mean is missing the line has a gap: it is not 0.
  const [closed, open] = [vendor.lineRadial().curve(vendor.curveLinearClosed), vendor.lineRadial().defined(([, radius]) => radius !== null)];
  picked.forEach((model, number) => {
    const points = axes.map(({ scores }, place) => [angle(place), scores[number] === null ? null : r(scores[number])]);
    const isWhole = points.every(([, radius]) => radius !== null);
    if (!isWhole) points.push([2 * Math.PI, points[0][1]]);
    svg.append(drawn("path", { class: `hue ${HUES[number]}${isWhole ? "" : " gapped"}`, transform: `translate(${middle} ${centre})`, d: (isWhole ? closed : open)(points) }));
    axes.forEach(({ scores }, place) => {
      const score = scores[number];
      if (score === null) return;
      const [x, y] = at_(place, r(score));
      svg.append(drawn("circle", { class: `hue ${HUES[number]}`, cx: x, cy: y, r: 4.5, "data-tip": `${short(model.name, 60)} · ${axes[place].name} ${percent(score)}` }));
    });
  });
  const gaps = picked.map((model, number) => [model, axes.filter(({ scores }) => scores[number] === null).map(({ name }) => name)]).filter(([, names]) => names.length);
  return [node("figure", { class: "plot radar" }, svg), ...gaps.map(([model, names]) => node("p", { class: "quiet" }, text("radarGap", { name: short(model.name, 60), types: names.join(", ") })))];
}

// Differences to the first model as dots with intervals on one scale.
function forest(rows, label) {
  const ends = rows.flatMap(({ parts }) => parts.flatMap((part) => (part === null ? [] : [part.mean, ...(part.interval ?? [])])));
  const [low, high] = vendor.extent([0, ...ends]);
  const x = vendor.scaleLinear().domain([low, high]).nice(6).range([10, 310]);
  return rows.map(({ parts }) => {
    const height = 8 + parts.length * 11;
    const svg = drawn("svg", { class: "forest", viewBox: `0 0 320 ${height}`, role: "img", "aria-label": `${label}: ${parts.map((part) => (part ? signed(part.mean) : "–")).join(", ")}` }, drawn("line", { class: "zero", x1: x(0), x2: x(0), y1: 0, y2: height }));
    parts.forEach((part, number) => {
      if (!part) return;
      const y = 9 + number * 11;
      if (part.interval) svg.append(drawn("line", { class: `hue ${HUES[number + 1]}`, x1: x(part.interval[0]), x2: x(part.interval[1]), y1: y, y2: y }));
      svg.append(drawn("circle", { class: `hue ${HUES[number + 1]}`, cx: x(part.mean), cy: y, r: 4 }));
    });
    return svg;
  });
}

// The difference on one task with its interval over items, where both kept outcomes of the same ones.
function onItems(task, first, other, part) {
  if (narrowed.has(task)) return part;
  const key = [first.place, other.place].sort((a, b) => a - b).join("-");
  const reach = data.paired?.[key]?.[task] ?? null;
  return part && reach !== null ? { ...part, interval: [part.mean - reach, part.mean + reach] } : part;
}

// What the comparison is exported as: means of all and of each type, then task by task.
let compared = { titles: [], rows: [] };
const plainNumber = (score) => (score === null || score === undefined ? "" : percent(score));

function showCompare() {
  const picked = pickedModels();
  at("export-open").hidden = picked.length < 2;
  const names = node("datalist", { id: "model-names" }, ...data.models.map((model) => node("option", { value: model.name })));
  const add = node("input", { type: "search", list: "model-names", id: "compare-add", autocomplete: "off" });
  add.addEventListener("change", () => { if (data.models.some((model) => model.name === add.value) && !several("models").includes(add.value)) { pickModel(add.value); at("compare-add").focus(); } });
  const chips = picked.map((model, number) => node("span", { class: "picked" }, node("span", { class: `key hue ${HUES[number]}`, "aria-hidden": "true" }), link("model", model.name, 60), button("×", () => pickModel(model.name), { class: "chip", "aria-label": text("removeFilter", { what: short(model.name, 80) }) })));
  const picker = node("div", { class: "toolbar" }, ...chips, picked.length < 5 ? node("label", { class: "field" }, text("addModel"), add) : null, names);
  if (picked.length < 2) return fill("compare-part", picker, node("p", {}, text("compareHelp")));
  const tasks = chosenTasks();
  const [first, ...others] = picked;
  const types = data.types.map((name) => ({ name, tasks: tasks.filter((task) => data.tasks[task].type === name) })).filter((type) => type.tasks.length);
  const meanOf = (model, numbers) => (numbers.every((task) => has(model, task)) ? toHundredths(average(numbers.map((task) => model.shares[task]))) : null);
  const axes = types.map((type) => ({ name: type.name, scores: picked.map((model) => meanOf(model, type.tasks)) }));
  const paired = (numbers, other) => {
    const both = numbers.filter((task) => has(first, task) && has(other, task));
    const differences = both.map((task) => other.shares[task] - first.shares[task]);
    const interval = within(intervalOf(differences), reachOf(differences, both));
    return both.length ? { mean: 10000 * average(differences), interval: interval?.map((end) => 10000 * end) ?? null, tasks: both.length } : null;
  };
  // How many pairs there are: one number where they are as many for each model.
  const saidPairs = (parts) => { const all = parts.map((part) => part?.tasks ?? 0); return new Set(all).size > 1 ? all.join(" / ") : String(all[0]); };
  const unpaired = others.map((other) => [other, tasks.filter((task) => !has(first, task) || !has(other, task))]).filter(([, all]) => all.length);
  const unpairedNotes = unpaired.map(([other, all]) => node("p", { class: "quiet unpaired" }, text("noteUnpaired", { n: all.length, all: tasks.length, name: short(other.name, 60), tasks: tasksNamed(all, 12) })));
  const groups = [{ name: text("allTasks"), tasks }, ...(types.length > 1 ? types : [])].map((group) => ({ ...group, parts: others.map((other) => paired(group.tasks, other)) }));
  const groupDrawings = forest(groups, text("difference"));
  const saidPart = (part) => (part ? node("span", {}, signed(part.mean), part.interval ? ` (${part.interval.map(signed).join(" … ")})` : "", part.interval && part.interval[0] * part.interval[1] > 0 ? " *" : "") : "–");
  const groupTable = table(text("pairedByType"), [text("tasks"), "n", ...others.map((other) => short(other.name, 40)), text("difference")],
    groups.map((group, place) => line(node("span", {}, ...parted(group.name)), cell(saidPairs(group.parts)), ...group.parts.map((part) => cell(saidPart(part))), cell(groupDrawings[place], { class: "drawing" }))), { isSaid: true });
  const shared = tasks.filter((task) => picked.some((model) => has(model, task)));
  const taskRows = shared.map((task) => ({ task, parts: others.map((other) => onItems(task, first, other, paired([task], other))) })).sort((a, b) => (b.parts[0]?.mean ?? -1e9) - (a.parts[0]?.mean ?? -1e9));
  const taskDrawings = forest(taskRows, text("difference"));
  const isOfAll = (task) => picked.every((model) => has(model, task));
  const best = (task) => {
    const top = Math.max(...picked.map((model) => model.shares[task] ?? -Infinity));
    return isOfAll(task) ? picked.filter((model) => model.shares[task] === top) : [];
  };
  const taskLines = taskRows.map(({ task }, place) => {
    const winners = best(task);
    return line(taskLink(task), cell(data.tasks[task].type, { class: "name" }),
      ...picked.map((model) => node("td", { class: winners.length === 1 && winners[0] === model ? "won" : null }, percent(model.hundredths[task]))), cell(taskDrawings[place], { class: "drawing" }));
  });
  const isSome = !tasks.every(isOfAll);
  const wins = [{ name: text("allTasks"), tasks }, ...(types.length > 1 ? types : [])].map((group) => {
    const shareOf = (model) => group.tasks.filter((task) => best(task).length === 1 && best(task)[0] === model).length;
    const counts = [...picked.map(shareOf), group.tasks.filter((task) => best(task).length > 1).length, ...(isSome ? [group.tasks.filter((task) => !isOfAll(task)).length] : [])];
    return line(node("span", {}, ...parted(group.name)), ...counts.map((count) => cell(String(count))));
  });
  compared = {
    titles: [text("task"), text("type"), ...picked.map((model) => model.name), ...others.flatMap((other) => [text("difference"), text("lowEnd"), text("highEnd"), "n"].map((title) => `${title}: ${other.name}`))],
    rows: [...groups.map((group) => [group.name, "", ...picked.map((model) => meanOf(model, group.tasks)), group.parts]), ...taskRows.map(({ task, parts }) => [data.tasks[task].name, data.tasks[task].type, ...picked.map((model) => model.hundredths[task]), parts])]
      .map((row) => row.flatMap((value) => (Array.isArray(value) ? value.flatMap((part) => [...[part?.mean, part?.interval?.[0], part?.interval?.[1]].map(plainNumber), String(part?.tasks ?? 0)]) : [typeof value === "string" ? value : plainNumber(value)]))),
  };
  const head = picked.map((model) => short(model.name, 40));
  fill("compare-part", picker,
    ...(axes.length > 2 ? [node("h3", {}, text("radar")), ...radar(picked, axes)] : []),
    node("h3", {}, text("pairedByType")), node("p", {}, text("notePaired", { name: short(first.name, 60) })), groupTable, ...unpairedNotes,
    node("h3", {}, text("wins")), table(text("wins"), [text("tasks"), ...head, text("equal"), ...(isSome ? [text("notOfAll")] : [])], wins, { isSaid: true }),
    node("h3", {}, text("pairedByTask")), node("p", { class: "quiet" }, text(taskRows.some(({ parts }) => parts.some((part) => part?.interval)) ? "noteItems" : "noteNoItems")), table(text("pairedByTask"), [text("task"), text("type"), ...head, text("difference")], taskLines,
      { isSaid: true, sorts: [taskRows.map(({ task }) => data.tasks[task].name), taskRows.map(({ task }) => data.tasks[task].type), ...picked.map((model) => taskRows.map(({ task }) => model.hundredths[task])), taskRows.map(({ parts }) => parts[0]?.mean ?? null)] }));
}
