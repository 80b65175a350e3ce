// The heat map: one cell per model and task. `matrix` also draws the map of languages.

// Models by columns, tinted by where a score lies in its column. Each column has a title and a function `of`, which returns the score of a
// model in hundredths of a percent, or null.
function matrix(caption, models, columns) {
  const ranged = columns.map(({ of }) => {
    const all = data.models.map(of).filter((score) => score !== null).sort((a, b) => a - b);
    return [all[Math.floor(all.length * 0.3)], all[all.length - 1]];
  });
  const lines = models.map((model) => line(link("model", model.name, 60), ...columns.map(({ of }, place) => {
    const score = of(model);
    if (score === null) return cell("–");
    const [low, high] = ranged[place];
    return cell((score / 100).toFixed(0).replace(/^-0$/, "0"), { class: "tinted", tint: (high > low ? Math.max(0, (score - low) / (high - low)) : 1).toFixed(3) });
  })));
  const made = table(caption, [text("model"), ...columns.map(({ title }) => node("span", {}, title))], lines);
  made.querySelector("table").className = "heat";
  made.querySelector("table").style.setProperty("--columns", String(columns.length));
  return made;
}

const HEAT_ROWS = 60;
function showHeat() {
  const models = lines.map(({ model }) => model);
  const few = state.all === "yes" ? models : models.slice(0, HEAT_ROWS);
  const made = matrix(`${text("heat")}. ${text("heatHelp")}`, few, chosenTasks().map((task) => ({ title: `${data.tasks[task].name}${narrowed.has(task) ? " ‡" : ""}`, of: (model) => model.hundredths[task] })));
  fill("heat-part", made, few.length < models.length ? button(text("more"), () => go({ all: "yes" })) : "");
}
