// Graded relevance: the systems that were chosen at one rank, of one dataset or all, by one judge or the average of all.
const GRADED = ["gdata", "gmeasure", "gjudge", "gsystems", "gk", "gbase"];
const gradedForm = at("graded-form");

function showGraded() {
  const { judges, tasks, parts } = data.graded;
  const part = /^\d+$/.test(state.gdata ?? "") ? Number(state.gdata) : 0;
  const { systems, distributions, agreement } = parts[part] ?? parts[0];
  const measure = state.gmeasure === "recall" && systems.some((system) => system.recall.length) ? "recall" : "ndcg";
  const judge = /^\d+$/.test(state.gjudge ?? "") && Number(state.gjudge) < judges.length ? Number(state.gjudge) : judges.length;
  const k = Math.max(1, Math.min(100, Number.parseInt(state.gk ?? "10", 10) || 10));
  const kind = systems.some((system) => system.reranked) && ["alone", "reranked"].includes(state.gsystems) ? state.gsystems : "all";
  for (const name of GRADED) {
    const field = gradedForm.elements[name], said = state[name] ?? "";
    // A browser complains of what is no number.
    if (field) field.value = field.type === "number" && !/^\d+$/.test(said) ? "" : said;
  }
  const score = (system) => system[measure][judge]?.[k - 1] ?? null;
  const base = systems.find((system) => system.name === state.gbase);
  const shown = systems.filter((system) => kind === "all" || system === base || system.reranked === (kind === "reranked"))
    .sort((a, b) => (score(b) ?? -1) - (score(a) ?? -1));
  const lines = shown.map((system) => line(node("bdi", {}, short(system.name)), cell(percent(score(system))),
    ...(base ? [cell(score(system) === null || score(base) === null ? "–" : signed(score(system) - score(base)))] : []),
    cell(percent(system.judged[k - 1])), bar(score(system) ?? 0, 10000)));
  const title = `${measure === "ndcg" ? "nDCG" : "Recall"}@${k}`;
  const titles = [text("system"), title, ...(base ? [text("delta")] : []), `${text("judged")}@${k}`, "0 – 100"];
  fill("graded-part", table(`${title}, ${judge < judges.length ? judges[judge] : text("average")}`, titles, lines), ...(shown.some((system) => score(system) === null) ? [node("p", { class: "quiet" }, text("gradedEmpty"))] : []));
  at("graded-said").textContent = text("gradedSaid", { tasks: part > 0 && parts[part] ? 1 : tasks.length });
  const curves = rankCurves(shown.map((system) => [system.name, system[measure][judge] ?? []]), `${measure === "ndcg" ? "nDCG" : "Recall"} × 100, ${judge < judges.length ? judges[judge] : text("average")}`);
  curves.dataset.curves = `${measure}.${judge < judges.length ? judge : ""}.${kind}`;
  fill("curves-part", curves);
  const most = Math.max(1, ...distributions.flatMap(([, bins]) => bins));
  fill("judgements-part", ...distributions.map(([name, bins]) => table(name, [text("score"), text("pairs"), text("distribution")],
    bins.map((count, place) => line(place < 10 ? `${place} – ${place + 1}` : "10", cell(String(count)), bar(count, most))))));
  fill("agreement-part", agreement.length ? table(text("agreement"), [text("judges"), text("pairs"), "Pearson", "Spearman"],
    agreement.map(([both, common, pearson, spearman]) => line(both.join(" – "), cell(whole(common)), cell(pearson === null ? "–" : (pearson / 10000).toFixed(3)), cell(spearman === null ? "–" : (spearman / 10000).toFixed(3)))), { isSaid: true }) : node("p", { class: "quiet" }, text("oneJudge")));
}

// A line a system over the ranks; the best at the last rank is first in the key, and those beyond five are grey.
function rankCurves(systems, label) {
  const last = ([, scores]) => scores.findLast((score) => score !== null) ?? -1;
  const ordered = systems.filter(([, scores]) => scores.some((score) => score !== null)).sort((a, b) => last(b) - last(a));
  const ranks = Math.max(2, ...ordered.map(([, scores]) => scores.length));
  const [width, height] = [roomFor(640), 320];
  const x = vendor.scaleLinear().domain([1, ranks]).range([46, width - 12]);
  const y = vendor.scaleLinear().domain([0, Math.max(500, ...ordered.flatMap(([, scores]) => scores.filter((score) => score !== null)))]).nice(5).range([height - 40, 12]);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${label}: k = 1 – ${ranks}` });
  for (const tick of y.ticks(5)) svg.append(drawn("line", { class: "grid", x1: 46, x2: width - 12, y1: y(tick), y2: y(tick) }), drawn("text", { x: 40, y: y(tick) + 4, "text-anchor": "end" }, String(tick / 100)));
  for (const tick of [1, ...x.ticks(width < 500 ? 5 : 8).filter((each) => each > 1)]) svg.append(drawn("text", { x: x(tick), y: height - 22, "text-anchor": "middle" }, String(tick)));
  svg.append(drawn("text", { class: "title", x: (46 + width) / 2, y: height - 4, "text-anchor": "middle" }, "k"), drawn("text", { class: "title", transform: `translate(12 ${height / 2}) rotate(-90)`, "text-anchor": "middle" }, label));
  const path = vendor.line((point) => x(point[0]), (point) => y(point[1]));
  ordered.forEach(([name, scores], place) => {
    const points = scores.flatMap((score, rank) => (score === null ? [] : [[rank + 1, score]]));
    svg.append(drawn("path", { class: `curve hue ${HUES[place] ?? "other"}`, d: path(points), "data-tip": `${short(name, 80)}: ${percent(last([name, scores]))}` }));
  });
  const key = ordered.map(([name], place) => node("li", {}, node("span", { class: `key hue ${HUES[place] ?? "other"}`, "aria-hidden": "true" }), node("bdi", {}, short(name, 80))));
  return node("figure", { class: "plot curves" }, svg, node("ul", { class: "keys" }, ...key));
}
gradedForm?.addEventListener("input", (event) => go({ [event.target.name]: event.target.value }));
gradedForm?.addEventListener("submit", (event) => event.preventDefault());
