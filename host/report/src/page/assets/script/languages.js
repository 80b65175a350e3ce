// Languages: the best model of each that has all of its tasks, and a matrix of languages and models.
function languageName(code) {
  try {
    const [language, script] = code.split("-");
    const names = new Intl.DisplayNames([lang], { type: "language" }).of(language);
    return names && names !== language ? `${names} (${code})` : code;
  } catch { return code; }
}
// What models have in a language over the chosen tasks. Of all tasks the program computed it. Of some of them it is known where
// each is of this language alone: then the score of the task is the mean of its units, which weigh alike.
function inLanguage(code, tasks) {
  const own = tasks.filter((task) => data.tasks[task].languages.includes(code));
  if (tasks.length === data.tasks.length) {
    // Who lacks a task of the language has the mean of others.
    const place = data.languages.indexOf(code);
    return { own, isKnown: true, of: (model) => (model.lacking.includes(place) ? null : model.languages[code] ?? null), some: (model) => model.languages[code] !== undefined };
  }
  const isKnown = own.length > 0 && own.every((task) => data.tasks[task].languages.length === 1);
  const units = own.reduce((sum, task) => sum + data.tasks[task].count, 0);
  const mean = (model) => own.reduce((sum, task) => sum + model.shares[task] * data.tasks[task].count, 0) / units;
  return { own, isKnown, of: (model) => (isKnown && own.every((task) => has(model, task)) ? hundredths(mean(model)) : null), some: (model) => isKnown && own.some((task) => has(model, task)) };
}
const MATRIX_MODELS = 40;

function showLanguages() {
  const wanted = several("language");
  const chosen = data.languages.filter((code) => !wanted.length || wanted.includes(code));
  const [models, tasks] = [chosenModels(), chosenTasks()];
  const found = new Map(chosen.map((code) => [code, inLanguage(code, tasks)]));
  const shown = chosen.filter((code) => found.get(code).own.length);
  const rows = shown.map((code) => {
    const { own, of, some } = found.get(code);
    const scored = models.filter((model) => of(model) !== null).sort((a, b) => of(b) - of(a));
    const all = scored.map(of);
    return { code, best: scored[0] ?? null, top: all[0] ?? null, middle: all.length ? median(all) : null, count: all.length, tasks: own.length, some: models.filter(some).length };
  });
  if (!rows.length) return fill("languages-part", node("p", {}, text("noneTasks")));
  const unknown = shown.filter((code) => !found.get(code).isKnown);
  const lines = rows.map((row) => line(languageName(row.code), cell(String(row.tasks)), cell(row.best ? link("model", row.best.name, 60) : "–", { class: "name" }), cell(percent(row.top)), cell(percent(row.middle)), cell(String(row.count)), cell(String(row.some - row.count))));
  const parts = [
    ...(tasks.length < data.tasks.length ? [node("p", { class: "quiet" }, text("languagesOfSome", { n: tasks.length, all: data.tasks.length }))] : []),
    ...(unknown.length ? [node("p", { class: "quiet" }, text("languagesUnknown", { n: unknown.length }))] : []),
    table(text("languages"), ["language", "tasks", "best", "bestScore", "median", "modelsWhole", "modelsPart"].map((key) => text(key)), lines,
    { isSaid: true, sorts: [rows.map((row) => row.code), rows.map((row) => row.tasks), rows.map((row) => row.best?.name ?? null), rows.map((row) => row.top), rows.map((row) => row.middle), rows.map((row) => row.count), rows.map((row) => row.some - row.count)] })];
  if (shown.length > 1) {
    // Those that have most languages whole, then the better ones.
    const means = new Map(models.map((model) => { const all = shown.map((code) => found.get(code).of(model)).filter((score) => score !== null); return [model, [all.length, average(all) ?? -1]]; }));
    const ordered = models.filter((model) => means.get(model)[0]).sort((a, b) => means.get(b)[0] - means.get(a)[0] || means.get(b)[1] - means.get(a)[1]);
    const few = state.all === "yes" ? ordered : ordered.slice(0, MATRIX_MODELS);
    parts.push(node("h3", {}, text("matrix")), matrix(text("matrixHelp"), few, shown.map((code) => ({ title: code, of: found.get(code).of }))));
    if (few.length < ordered.length) parts.push(button(text("more"), () => go({ all: "yes" })));
  }
  fill("languages-part", ...parts);
}
