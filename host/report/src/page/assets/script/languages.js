// Languages: the best model of each that has all of its tasks, and a matrix of languages and models.
function languageName(code) {
  try {
    const [language, script] = code.split("-");
    const names = new Intl.DisplayNames([lang], { type: "language" }).of(language);
    return names && names !== language ? `${names} (${code})` : code;
  } catch { return code; }
}
// Texts in a language: of these tasks, those that are in it alone and whose texts were counted; `isLeast` where there are others.
const isCounted = (task) => task.size > 0 && task.languages.length === 1 && !task.isCut;
const hasTextCounts = data.tasks.some(isCounted);
function textsIn(code, tasks) {
  const own = tasks.filter((task) => task.languages.includes(code));
  const known = own.filter(isCounted);
  return { sum: known.length ? known.reduce((sum, task) => sum + task.size, 0) : null, isLeast: known.length > 0 && known.length < own.length };
}
function textsSaid(code, tasks, shown = counted) {
  const { sum, isLeast } = textsIn(code, tasks);
  return `${isLeast ? "≥ " : ""}${shown(sum)}`;
}
// What models have in a language over the chosen tasks. Of all tasks the program computed it. Of some of them it is known where
// each is of this language alone, or has scores by language: the mean is over splits and subsets, which weigh alike.
function inLanguage(code, tasks) {
  const own = tasks.filter((task) => data.tasks[task].languages.includes(code));
  if (tasks.length === data.tasks.length) {
    // Who lacks a task of the language has the mean of others.
    const place = data.languages.indexOf(code);
    return { own, isKnown: true, of: (model) => (model.lacking.includes(place) ? null : model.languages[code] ?? null), some: (model) => model.languages[code] !== undefined };
  }
  const isKnown = own.length > 0 && own.every((task) => data.tasks[task].parts || !data.tasks[task].mixed);
  const groups = new Map(isKnown ? own.filter((task) => data.tasks[task].parts).map((task) => [task, groupsIn(task, [code])]) : []);
  const units = own.reduce((sum, task) => sum + (groups.has(task) ? unitsOfGroups(task, groups.get(task)) : data.tasks[task].count), 0);
  const sumOf = (model, task) => {
    const share = model.whole.shares[task];
    return groups.has(task) ? sumOfGroups(model, task, groups.get(task)) : share === null ? null : share * data.tasks[task].count;
  };
  const sums = new Map(data.models.map((model) => [model, isKnown ? own.map((task) => sumOf(model, task)) : [null]]));
  const mean = (all) => (all.includes(null) ? null : toHundredths(all.reduce((sum, each) => sum + each, 0) / units));
  const means = new Map(data.models.map((model) => [model, mean(sums.get(model))]));
  return { own, isKnown, of: (model) => means.get(model), some: (model) => sums.get(model).some((sum) => sum !== null) };
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
    const ownTasks = own.map((task) => data.tasks[task]);
    return { code, own: ownTasks, texts: textsIn(code, ownTasks).sum, best: scored[0] ?? null, top: all[0] ?? null, middle: all.length ? median(all) : null, count: all.length, tasks: own.length, some: models.filter(some).length };
  });
  if (!rows.length) return fill("languages-part", node("p", {}, text("noneTasks")));
  const unknown = shown.filter((code) => !found.get(code).isKnown);
  // A column that is empty for all languages is not there.
  const columns = [
    ["tasks", (row) => row.tasks], ["texts", (row) => row.texts, (row) => textsSaid(row.code, row.own, whole)],
    ["best", (row) => row.best?.name ?? null, (row) => (row.best ? link("model", row.best.name, 60) : "–"), "name"], ["bestScore", (row) => row.top, (row) => percent(row.top)],
    ["median", (row) => row.middle, (row) => percent(row.middle)], ["modelsWhole", (row) => row.count], ["modelsPart", (row) => row.some - row.count],
  ].filter(([key, of]) => key !== "texts" || rows.some((row) => of(row) !== null));
  const lines = rows.map((row) => line(languageName(row.code), ...columns.map(([, of, shown, kind]) => cell(shown ? shown(row) : String(of(row)), kind ? { class: kind } : {}))));
  const parts = [
    ...(tasks.length < data.tasks.length ? [node("p", { class: "quiet" }, text("languagesOfSome", { n: tasks.length, all: data.tasks.length }))] : []),
    ...(unknown.length ? [node("p", { class: "quiet" }, text("languagesUnknown", { n: unknown.length }))] : []),
    ...(rows.some((row) => row.texts !== null) ? [node("p", { class: "quiet" }, text("languageTexts"))] : []),
    table(text("languages"), ["language", ...columns.map(([key]) => key)].map((key) => text(key)), lines, { isSaid: true, sorts: [rows.map((row) => row.code), ...columns.map(([, of]) => rows.map(of))] })];
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
