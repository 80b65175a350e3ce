const shelf = "review " + data.task + " " + data.annotator;
let labels = Object.assign({}, data.done, JSON.parse(localStorage.getItem(shelf) || "{}"));
let at = Math.max(0, data.rows.findIndex(row => !(row.key in labels)));
const id = name => document.getElementById(name);
id("task").textContent = data.task + ", " + data.annotator;
id("description").textContent = data.description;
id("guideline").textContent = data.guideline || "None was given.";
function keep(label) {
  labels[data.rows[at].key] = String(label);
  localStorage.setItem(shelf, JSON.stringify(labels));
}
function answer(label) { keep(label); go(1); }
// Labels that are digits are their own keys; others are numbered.
const digits = (data.choices.labels || []).every(label => /^[0-9]$/.test(label));
const keyOf = (label, place) => digits ? label : place < 9 ? String(place + 1) : null;
function go(step) { at = Math.min(data.rows.length - 1, Math.max(0, at + step)); show(); }
function show() {
  const row = data.rows[at];
  const done = data.rows.filter(row => row.key in labels).length;
  id("place").textContent = `Row ${at + 1} of ${data.rows.length}, ${done} labelled`;
  id("texts").replaceChildren(...row.texts.flatMap(([name, text]) => {
    const head = document.createElement("div"), quote = document.createElement("blockquote");
    head.className = "small"; head.textContent = name; quote.textContent = text; quote.dir = "auto";
    return [head, quote];
  }));
  const given = labels[row.key];
  if (data.choices.labels) {
    id("answers").replaceChildren(...data.choices.labels.map((label, place) => {
      const button = document.createElement("button");
      const key = keyOf(label, place);
      button.textContent = key === null || key === label ? label : `${key} ${label}`;
      button.setAttribute("aria-pressed", String(given === label));
      button.onclick = () => answer(label);
      return button;
    }));
  } else {
    const field = document.createElement("input");
    Object.assign(field, { type: "number", min: data.choices.low, max: data.choices.high, step: "any", value: given ?? "" });
    field.oninput = () => { if (field.checkValidity() && field.value !== "") keep(field.value); };
    field.onkeydown = event => { if (event.key === "Enter") go(1); };
    id("answers").replaceChildren(field);
    field.focus();
  }
}
id("back").onclick = () => go(-1);
id("next").onclick = () => go(1);
id("save").onclick = () => {
  const lines = data.rows.filter(row => row.key in labels).map(row => JSON.stringify({ key: row.key, label: labels[row.key], annotator: data.annotator, task: data.task }));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "application/jsonl" }));
  link.download = `${data.task}-${data.annotator}.jsonl`;
  link.click();
};
addEventListener("keydown", event => {
  if (event.target.tagName === "INPUT" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "ArrowLeft") go(-1);
  else if (event.key === "ArrowRight") go(1);
  else {
    const label = (data.choices.labels || []).find((label, place) => keyOf(label, place) === event.key);
    if (label !== undefined) answer(label);
  }
});
show();
