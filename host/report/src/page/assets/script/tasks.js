// The tasks: who made them, how large and how noisy they are, how far a surface baseline gets; and the page of one.

// What a language model did for a task in place of people.
const badge = (task) => { const key = { "LM-written, LM-judged": "lmBoth", "LM-written": "lmWritten", "LM-judged": "lmJudged" }[task.badge]; return key ? text(key) : ""; };
// How the texts came to be and who annotated them, where the card says it.
function provenance(task) {
  if (badge(task)) return badge(task);
  const parts = [task.annotations && text(`annotations-${task.annotations}`), task.creation && text(`creation-${task.creation}`)].filter(Boolean);
  return parts.join(", ");
}
// Half the width of the median interval over items: differences below it say little. Only where outcomes were kept.
const noiseOf = (number, models = data.models) => {
  if (narrowed.has(number)) return null;
  const all = models.map((model) => model.noise?.[number] ?? null).filter((noise) => noise !== null);
  return all.length ? median(all) : null;
};
const baselineOf = (number) => orderOf(number).find((model) => model.baseline) ?? null;

function showTasks() {
  const models = chosenModels();
  const among = new Set(models);
  const rows = chosenTasks().map((number) => {
    const task = data.tasks[number];
    const scored = orderOf(number, among);
    const best = scored[0] ?? null;
    const all = scored.map((model) => model.hundredths[number]);
    const surface = baselineOf(number);
    return { number, task, best, top: best?.hundredths[number] ?? null, middle: all.length ? median(all) : null, count: all.length, noise: noiseOf(number, models), surface, low: surface?.hundredths[number] ?? null };
  });
  // A column that is empty for all tasks is not there.
  const columns = [
    ["type", (row) => row.task.type, null, "name"], ["origin", (row) => provenance(row.task) || null, null, "name"], ["license", (row) => row.task.license, null, "name"],
    ["textsAll", (row) => row.task.size, (row) => whole(row.task.size)], ["noise", (row) => row.noise, (row) => (row.noise === null ? "–" : `± ${percent(row.noise)}`)],
    ["surface", (row) => row.low, (row) => (row.surface ? node("span", { "data-tip": row.surface.name }, percent(row.low)) : "–")],
    ["best", (row) => row.best?.name ?? null, (row) => (row.best ? link("model", row.best.name, 60) : "–"), "name"], ["bestScore", (row) => row.top, (row) => percent(row.top)],
    ["median", (row) => row.middle, (row) => percent(row.middle)], ["models", (row) => row.count, (row) => String(row.count)],
  ].filter(([, of]) => rows.some((row) => of(row) !== null && of(row) !== undefined));
  const lines = rows.map((row) => line(taskLink(row.number), ...columns.map(([, of, shown, kind]) => cell(shown ? shown(row) : of(row) ?? "–", kind ? { class: kind } : {}))));
  const notes = [
    models.length < data.models.length ? text("ofChosenModels", { n: models.length, all: data.models.length }) : "",
    rows.some((row) => row.noise !== null) ? "" : text("noNoise"),
  ].filter(Boolean).map((said) => node("p", { class: "quiet" }, said));
  fill("tasks-part", ...notes, table(text("tasks"), ["task", ...columns.map(([key]) => key)].map((key) => text(key)), lines, { isSaid: true, sorts: [rows.map((row) => row.task.name), ...columns.map(([, of]) => rows.map(of))] }));
}

// Examples of the data, or why there are none; nothing where nobody asked for them.
function samplesOf(task) {
  const { samples } = task;
  if (!samples) return [];
  const said = samples.rows?.length ? `${samples.unit.join(", ")}. ${task.license ?? ""}` : text(samples.why ?? "samplesAbsent", { license: task.license ?? "" });
  const list = (samples.rows ?? []).map((row) => node("dl", { class: "sample" }, ...row.flatMap(([name, value]) => [node("dt", {}, name), node("dd", { dir: "auto" }, value)])));
  return [node("h3", {}, text("samples")), node("p", { class: "quiet" }, said), ...list];
}

function showTask() {
  const number = data.tasks.findIndex((task) => task.name === state.task);
  if (number < 0) return fill("task-part", node("p", {}, text("none")));
  const task = data.tasks[number];
  const models = orderOf(number, new Set(chosenModels()));
  const all = models.map((model) => model.hundredths[number] / 100);
  const parts = [node("h2", {}, node("bdi", {}, task.name)), node("p", {}, task.description),
    facts([[text("type"), task.type], [text("origin"), provenance(task)], [text("license"), reference(task.license)], [text("textsAll"), task.size && whole(task.size)], [text("mainScore"), task.mainScore], [text("languages"), task.languages.map(languageName).join(", ")], [text("domains"), task.domains.join(", ")], [text("data"), task.link ? node("a", { href: task.link, rel: "noreferrer noopener" }, node("bdi", {}, task.dataset)) : task.dataset],
      [text("revision"), task.revision], [text("units"), task.units], [text("noise"), noiseOf(number) === null ? null : `± ${percent(noiseOf(number))}`], [text("source"), reference(task.reference)]])];
  if (all.length) {
    const { svg, bins } = histogram(all, `${text("distribution")}: ${task.name}`);
    const most = Math.max(...bins.map(([, count]) => count));
    parts.push(node("h3", {}, text("distribution")), svg, node("details", {}, node("summary", {}, text("asTable")), table(text("distribution"), [text("score"), text("models"), ""], bins.map(([name, count]) => line(name, cell(String(count)), bar(count, most))))));
  }
  parts.push(...samplesOf(task));
  if (data.maps.some((map) => map.task === task.name)) parts.push(node("p", {}, node("a", { href: turned({ view: "map", map: task.name }) }, text("mapOpen"))));
  const few = state.all === "yes" ? models : models.slice(0, 100);
  parts.push(node("h3", {}, text("allModels")), table(text("allModels"), [text("model"), text("rankIn"), text("score"), "0 – 100"],
    few.map((model) => line(link("model", model.name), cell(String(rankIn(number, model, models))), cell(percent(model.hundredths[number])), bar(model.hundredths[number], 10000))), { isSaid: true }));
  if (few.length < models.length) parts.push(button(text("more"), () => go({ all: "yes" })));
  fill("task-part", ...parts, back());
}
