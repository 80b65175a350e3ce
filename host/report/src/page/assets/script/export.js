// What is shown, as CSV, LaTeX, Markdown or BibTeX: the columns, the models and their order of this moment.
const exportDialog = at("export");
const plainCell = (column, { now, model }) => {
  const value = column.of(now, model);
  if (value === null || value === undefined) return "";
  if (column.key === "interval") return now.interval.map(percent).join("–");
  return typeof value === "number" && column.shown(now, model) === percent(value) ? percent(value) : String(column.key === "ranks" ? now.ranks.join("–") : value);
};
function exported() {
  if (state.view === "compare") return { columns: compared.titles.map((_, place) => ({ key: place < 2 ? "model" : "number" })), ...compared };
  const columns = shownColumns();
  const titles = columns.map(titleOf);
  return { columns, titles, rows: lines.map((row) => columns.map((column) => plainCell(column, row))) };
}

// No cell is a formula; a number or a range of numbers is none, whatever its sign. Source: OWASP, "CSV Injection".
function csvCell(value) {
  const isFormula = /^[=+\-@\t\r\n＝＋－＠]/.test(value) && !/^-?\d+(\.\d+)?(–-?\d+(\.\d+)?)?$/.test(value);
  const safe = isFormula ? `'${value}` : value;
  return isFormula || /[",;\t\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
const LATEX = { "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#", _: "\\_", "{": "\\{", "}": "\\}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}", "–": "--", "−": "$-$" };
const latexCell = (value) => value.replace(/[\\&%$#_{}~^<>–−]/g, (found) => LATEX[found]).replace(/[\r\n\t]+/g, " ");
const markdownCell = (value) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replace(/[\r\n\t]+/g, " ").replace(/[\\|`*[\]~$]/g, "\\$&")
  .replace(/(^|\W)_|_(\W|$)/g, (found) => found.replace("_", "\\_")).replaceAll("@", "&#64;").replaceAll("://", "&#58;//");

// A key of BibTeX; keys that would be the same get a number.
function keys() {
  const used = new Map();
  return (name) => {
    const plain = name.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "model";
    const count = (used.get(plain.toLowerCase()) ?? 0) + 1;
    used.set(plain.toLowerCase(), count);
    return count > 1 ? `${plain}-${count}` : plain;
  };
}
function bibtex() {
  const key = keys();
  const field = (name, value) => (value ? [`  ${name} = {${latexCell(String(value)).replaceAll("--", "-")}}`] : []);
  // An address stands as it is, but for what would end the field.
  const address = (value) => (/^https?:\/\//.test(value ?? "") ? [`  url = {${encodeURI(decodeURIQuietly(value)).replace(/[{}\\]/g, encodeURIComponent)}}`] : []);
  const shown = state.view === "compare" ? pickedModels() : lines.map(({ model }) => model);
  const models = shown.map((model) => `@misc{${key(model.name)},\n${[...field("title", model.name), ...field("year", model.release?.slice(0, 4)), ...address(model.reference), ...field("note", model.revision && `revision ${model.revision}`)].join(",\n")}\n}`);
  const own = [data.about.citation, ...chosenTasks().map((number) => data.tasks[number].citation)].filter(Boolean);
  return [...new Set(own.map((entry) => entry.trim())), ...models].join("\n\n");
}
function decodeURIQuietly(value) {
  try { return decodeURI(value); } catch { return value; }
}

const FORMS = {
  csv: { ending: "csv", mime: "text/csv", of: ({ titles, rows }) => [titles, ...rows].map((row) => row.map(csvCell).join(",")).join("\n") },
  markdown: { ending: "md", mime: "text/markdown", of: ({ columns, titles, rows }) => [titles.map(markdownCell), columns.map((column) => (column.key === "model" ? ":--" : "--:")), ...rows.map((row) => row.map(markdownCell))].map((row) => `| ${row.join(" | ")} |`).join("\n") },
  latex: {
    ending: "tex", mime: "application/x-tex", of: ({ columns, titles, rows }) => {
      const best = columns.map((column, place) => {
        if (!column.isTinted) return [];
        const all = [...new Set(rows.map((row) => row[place]).filter((value) => value !== "").map(Number))].sort((a, b) => b - a);
        return rows.length > 1 ? all.slice(0, 2) : [];
      });
      const shown = (value, place) => (value === "" ? "--" : Number(value) === best[place][0] ? `\\textbf{${value}}` : Number(value) === best[place][1] ? `\\underline{${value}}` : latexCell(value));
      return [`\\begin{tabular}{${columns.map((column) => (column.key === "model" ? "l" : "r")).join("")}}`, "\\toprule", `${titles.map(latexCell).join(" & ")} \\\\`, "\\midrule",
        ...rows.map((row) => `${row.map(shown).join(" & ")} \\\\`), "\\bottomrule", "\\end{tabular}"].join("\n");
    },
  },
  bibtex: { ending: "bib", mime: "text/plain", of: bibtex },
};
function showExport() {
  const form = FORMS[at("export-form").value];
  const out = `${form.of(exported())}\n`;
  at("export-text").value = out;
  const save = at("export-save");
  if (save.href.startsWith("blob:")) URL.revokeObjectURL(save.href);
  save.href = URL.createObjectURL(new Blob([out], { type: `${form.mime};charset=utf-8` }));
  save.download = `${(data.name || "leaderboard").replace(/[^A-Za-z0-9.]+/g, "-").replace(/^-+|-+$/g, "")}.${form.ending}`;
  at("export-said").textContent = "";
}
at("export-open").addEventListener("click", () => { exportDialog.showModal(); showExport(); });
at("export-form").addEventListener("change", showExport);
at("export-copy").addEventListener("click", async () => {
  const area = at("export-text");
  area.select();
  try { await navigator.clipboard.writeText(area.value); } catch { document.execCommand("copy"); }
  at("export-said").textContent = text("copied");
});
