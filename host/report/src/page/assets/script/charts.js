// Score beside what a model costs, how fast it was and when it came; follows the filters.
const year = (day) => {
  const [years, months, days] = day.split("-").map(Number);
  return years + ((months || 1) - 1) / 12 + ((days || 1) - 1) / 365;
};
const AXES = [
  { key: "parameters", isLog: true, of: (model) => model.parameters, shown: counted },
  { key: "release", of: (model) => (model.release ? year(model.release) : null), shown: (x) => (Number.isInteger(x) ? String(x) : ""), hasFront: true, said: (model) => model.release },
  { key: "dimension", isLog: true, of: (model) => model.dimension, shown: counted },
  { key: "memory", isLog: true, of: (model) => model.memory, shown: counted },
  { key: "speed", isLog: true, isGain: true, of: (model) => model.measured.speed, shown: counted },
  { key: "peakMemory", isLog: true, of: (model) => model.measured.peakMemory, shown: counted },
  { key: "seconds", isLog: true, of: (model) => model.measured.seconds, shown: counted },
  { key: "energy", isLog: true, of: (model) => model.measured.energy, shown: counted },
  { key: "gpuEnergy", isLog: true, of: (model) => model.measured.gpuEnergy, shown: counted },
];
const known = (axis, rows, score) => rows.filter(({ model, now }) => axis.of(model) > 0 && score(now) !== null && score(now) !== undefined);

// The family of a model: its name without sizes.
const SIZE_WORD = /^(tiny|mini|small|base|large|medium|xl|xxl|xs|s|m|l|nano|\d+(\.\d+)?[bm])$/;
const familyOf = (name) => {
  const [own, ...organisation] = name.toLowerCase().split("/").reverse();
  return `${organisation.reverse().join("/")}/${own.split(/[-_]/).filter((part) => part && !SIZE_WORD.test(part)).join("-")}`;
};

function showCharts() {
  const rows = rowsNow();
  const kinds = [["mean", text("mean"), (now) => now.mean], ...data.types.map((type, number) => [type, type, (now) => now.types[number]])].slice(0, data.types.length > 1 ? undefined : 1);
  const [, yTitle, score] = kinds.find(([key]) => key === state.y) ?? kinds[0];
  const axes = AXES.filter((axis) => known(axis, rows, score).length > 1);
  if (!axes.length) return fill("charts-part", node("p", {}, text("noCharts")));
  const axis = axes.find((each) => each.key === state.x) ?? axes[0];
  const choose = (key, options, now) => {
    const select = node("select", { id: `chart-${key}` }, ...options.map(([value, label]) => node("option", { value }, label)));
    select.value = now;
    select.addEventListener("change", () => { go({ [key]: select.value }); at(`chart-${key}`).focus(); });
    return node("label", { class: "field" }, text(key === "x" ? "chartX" : "chartY"), select);
  };
  const there = known(axis, rows, score);
  const withMean = rows.filter(({ now }) => score(now) !== null && score(now) !== undefined).length;
  const saidX = (model) => axis.said?.(model) ?? axis.shown(axis.of(model));
  const points = there.map(({ model, now }) => ({
    x: axis.of(model), y: score(now) / 100, name: model.name, href: turned({ view: "model", model: model.name }), family: familyOf(model.name),
    said: `${short(model.name, 80)} · ${yTitle} ${percent(score(now))} · ${text(axis.key)} ${saidX(model)}${axis.key !== "parameters" && model.parameters ? ` · ${text("parameters")} ${counted(model.parameters)}` : ""}`,
  }));
  const label = `${yTitle} × 100; ${text(axis.key)}`;
  const plot = scatter({ points, isLog: axis.isLog, isGain: axis.isGain, xTitle: text(axis.key), yTitle: `${yTitle} × 100`, shownX: axis.shown, label: `${label}. ${text("chartHelp")}`, id: axis.key });
  const front = new Set(frontier(points, axis.isGain).map((point) => point.name));
  const ordered = [...there].sort((a, b) => score(b.now) - score(a.now));
  const asTable = table(label, [text("model"), yTitle, text(axis.key), text("frontier")], ordered.map(({ model, now }) => line(link("model", model.name), cell(percent(score(now))), cell(saidX(model)), cell(front.has(model.name) ? text("yes") : ""))),
    { sorts: [ordered.map(({ model }) => model.name), ordered.map(({ now }) => score(now)), ordered.map(({ model }) => axis.of(model)), null] });
  const said = [text("chartSaid", { n: there.length })];
  if (withMean > there.length) said.push(text("chartAbsent", { n: withMean - there.length, what: text(axis.key) }));
  if (rows.length > withMean) said.push(text("chartIncomplete", { n: rows.length - withMean }));
  fill("charts-part", node("div", { class: "toolbar" }, choose("x", axes.map(({ key }) => [key, text(key)]), axis.key), choose("y", kinds.map(([key, title]) => [key, title]), kinds.some(([key]) => key === state.y) ? state.y : "mean")),
    plot, node("p", { class: "quiet" }, said.join(" ")), node("p", { class: "legend quiet" }, node("span", { class: "key best", "aria-hidden": "true" }), text(axis.key === "release" ? "legendBest" : "legendFront"), " ", node("span", { class: "key family", "aria-hidden": "true" }), text("legendFamily")),
    node("details", {}, node("summary", {}, text("asTable")), asTable));
  plot.draw();
}
