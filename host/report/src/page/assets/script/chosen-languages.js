// Scores in the chosen languages alone, for tasks with subsets in several languages if the page has the scores of each language.

// The numbers of such tasks, and of those whose scores are currently not those of the whole task.
const tasksByLanguage = data.tasks.flatMap((task, number) => (task.parts ? [number] : []));
const narrowed = new Set();
const isOfAll = (tasks) => tasks.length === data.tasks.length && !narrowed.size;
// The scores of a model change with the chosen languages: it gets lists of its own, and `model.whole` keeps those of the whole tasks.
for (const model of tasksByLanguage.length ? data.models : []) Object.assign(model, { shares: [...model.shares], hundredths: [...model.hundredths] });

// The groups of subsets of a task that are in one of these languages, by their places.
function groupsIn(task, codes) {
  const wanted = new Set(codes.map((code) => data.languages.indexOf(code)));
  return data.tasks[task].parts.flatMap(([languages], place) => (languages.some((each) => wanted.has(each)) ? [place] : []));
}
// The number of splits and subsets in these groups, and the sum of a model's scores on them: null if one is missing.
const unitsOfGroups = (task, groups) => groups.reduce((sum, group) => sum + data.tasks[task].parts[group][1], 0);
function sumOfGroups(model, task, groups) {
  const shares = model.parts?.[task];
  if (!shares || groups.some((group) => shares[group] === null)) return null;
  return groups.reduce((sum, group) => sum + shares[group] * data.tasks[task].parts[group][1], 0);
}

// Replaces the scores of all models by those in the chosen languages, on views that have filters.
const chosenLanguages = () => several("language").filter((code) => data.languages.includes(code));
const isNarrow = (task, codes) => { const count = groupsIn(task, codes).length; return count > 0 && count < data.tasks[task].parts.length; };
let takenLanguages = "";
function takeLanguages() {
  const codes = FILTERED.includes(state.view) && state.parts !== "whole" ? chosenLanguages() : [];
  if (codes.join() === takenLanguages) return;
  takenLanguages = codes.join();
  narrowed.clear();
  for (const task of tasksByLanguage) {
    const groups = groupsIn(task, codes);
    const units = unitsOfGroups(task, groups);
    if (isNarrow(task, codes)) narrowed.add(task);
    for (const model of data.models) {
      const sum = narrowed.has(task) ? sumOfGroups(model, task, groups) : null;
      model.shares[task] = narrowed.has(task) ? sum && sum / units : model.whole.shares[task];
      model.hundredths[task] = toHundredths(model.shares[task]);
    }
    ordersOfTasks.delete(task);
    boundsOfTasks[task] = boundsOfTask(task);
  }
  [kept, cached] = [{ key: null, rows: [] }, { key: null, means: null }];
}

// A task whose score is not the whole one has a mark, which stands beside the filters, too.
const partMark = (task) => (narrowed.has(task) ? node("span", { class: "mark", "data-tip": text("partsMark") }, " ‡") : null);
const taskLink = (task) => node("span", {}, link("task", data.tasks[task].name), partMark(task));

// Shows which tasks count with the chosen languages alone, a switch to turn this off, and which tasks cannot be divided.
function showPartsNote() {
  const codes = chosenLanguages();
  const tasks = codes.length ? chosenTasks() : [];
  const some = tasks.filter((task) => data.tasks[task].parts && isNarrow(task, codes));
  const unknown = tasks.filter((task) => data.tasks[task].mixed && !data.tasks[task].parts && !data.tasks[task].languages.every((code) => codes.includes(code)));
  const box = node("input", { type: "checkbox", id: "parts-switch" });
  box.checked = state.parts !== "whole";
  box.addEventListener("change", () => go({ parts: box.checked ? "" : "whole" }));
  const isHeld = document.activeElement?.id === "parts-switch";
  fill("language-part", ...(some.length ? [node("label", { class: "choice" }, box, text("partsAlone", { n: some.length, all: tasks.length }))] : []),
    ...(unknown.length ? [node("p", {}, text("partsUnknown", { n: unknown.length, tasks: tasksNamed(unknown) }))] : []));
  if (isHeld) at("parts-switch")?.focus();
}
