// Languages: the best model of each that has all of its tasks, and a matrix of languages and models.
function languageName(code) {
  try {
    const [language, script] = code.split("-");
    const names = new Intl.DisplayNames([lang], { type: "language" }).of(language);
    return names && names !== language ? `${names} (${code})` : code;
  } catch { return code; }
}
// Who lacks a task of the language has the mean of others.
const isWholeIn = (model, code) => model.languages[code] !== undefined && !model.lacking.includes(data.languages.indexOf(code));
const MATRIX_MODELS = 40;

function showLanguages() {
  const wanted = several("language");
  const chosen = data.languages.filter((code) => !wanted.length || wanted.includes(code));
  const models = chosenModels();
  const rows = chosen.map((code) => {
    const scored = models.filter((model) => isWholeIn(model, code)).sort((a, b) => b.languages[code] - a.languages[code]);
    const all = scored.map((model) => model.languages[code]);
    return { code, best: scored[0] ?? null, top: all[0] ?? null, middle: all.length ? median(all) : null, count: all.length, tasks: data.tasks.filter((task) => task.languages.includes(code)).length, some: models.filter((model) => model.languages[code] !== undefined).length };
  });
  const lines = rows.map((row) => line(languageName(row.code), cell(String(row.tasks)), cell(row.best ? link("model", row.best.name, 60) : "–", { class: "name" }), cell(percent(row.top)), cell(percent(row.middle)), cell(String(row.count)), cell(String(row.some - row.count))));
  const parts = [table(text("languages"), ["language", "tasks", "best", "bestScore", "median", "modelsWhole", "modelsPart"].map((key) => text(key)), lines,
    { isSaid: true, sorts: [rows.map((row) => row.code), rows.map((row) => row.tasks), rows.map((row) => row.best?.name ?? null), rows.map((row) => row.top), rows.map((row) => row.middle), rows.map((row) => row.count), rows.map((row) => row.some - row.count)] })];
  if (chosen.length > 1) {
    // Those that have most languages whole, then the better ones.
    const means = new Map(models.map((model) => { const all = chosen.filter((code) => isWholeIn(model, code)); return [model, [all.length, average(all.map((code) => model.languages[code])) ?? -1]]; }));
    const ordered = models.filter((model) => means.get(model)[0]).sort((a, b) => means.get(b)[0] - means.get(a)[0] || means.get(b)[1] - means.get(a)[1]);
    const few = state.all === "yes" ? ordered : ordered.slice(0, MATRIX_MODELS);
    parts.push(node("h3", {}, text("matrix")), matrix(text("matrixHelp"), few, chosen.map((code) => ({ title: code, of: (model) => (isWholeIn(model, code) ? model.languages[code] : null) }))));
    if (few.length < ordered.length) parts.push(button(text("more"), () => go({ all: "yes" })));
  }
  fill("languages-part", ...parts);
}
