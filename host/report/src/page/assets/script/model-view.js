// The page of one model: facts, measured cost, strengths against the field, languages.
function showModel() {
  const model = data.models.find((each) => each.name === state.model);
  if (!model) return fill("model-part", node("p", {}, text("none")));
  const ends = (interval) => interval && interval.map(percent).join(" – ");
  const number = (value) => (typeof value === "number" ? value.toLocaleString(lang) : value);
  const measured = ["seconds", "speed", "peakMemory", "gpuMemory", "energy", "gpuEnergy", "device"].filter((key) => key in model.measured);
  const stated = model.measured.stated && `${model.measured.stated} / ${data.tasks.length}`;
  const yes = (value) => (value === null ? null : text(value ? "yes" : "no"));
  const scored = data.tasks.flatMap((task, place) => {
    const score = model.hundredths[place];
    if (score === null) return [];
    const all = scoresOf(place);
    return [{ task, score, middle: median(all), rank: rankIn(place, model, data.models), count: all.length }];
  }).sort((a, b) => b.score - b.middle - (a.score - a.middle));
  const lines = scored.map(({ task, score, middle, rank, count }) => line(link("task", task.name), cell(percent(score)), cell(percent(middle)), cell(signed(score - middle)), cell(`${rank} / ${count}`), bar(score, 10000)));
  const types = data.types.map((type, place) => line(type, cell(percent(model.types[place])), cell(ends(model.typeIntervals[place]) ?? "–"), bar(model.types[place] ?? 0, 10000)));
  const spoken = Object.entries(model.languages).sort((a, b) => b[1] - a[1]).map(([code, score]) => line(languageName(code), cell(percent(score)), bar(score, 10000)));
  const isPicked = several("models").includes(model.name);
  fill("model-part", node("h2", {}, node("bdi", {}, model.name)),
    node("p", {}, marksOf(model, model.whole)),
    node("p", { class: "toolbar" }, button(text(isPicked ? "unpick" : "pick"), () => pickModel(model.name)), several("models").length > 1 ? node("a", { href: turned({ view: "compare" }) }, text("compareN", { n: several("models").length })) : null),
    facts([[text("rank"), model.rank], [text("mean"), percent(model.mean)], [text("intervalTasks"), ends(model.interval)], [text("intervalItems"), ends(model.itemInterval)],
      [text("meanType"), model.meanType === null ? null : [percent(model.meanType), model.intervalOfTypes && `(${ends(model.intervalOfTypes)})`].filter(Boolean).join(" ")],
      [text("ranks"), model.ranks && model.ranks.join(" – ")], [text("group"), model.group], [text("parameters"), model.parameters?.toLocaleString(lang)], [text("dimension"), model.dimension],
      [text("tokens"), model.tokens], [text("memory"), model.memory], [text("zeroShot"), model.zero], [text("open"), model.open === null ? null : text(model.open ? "openYes" : "openNo")],
      [text("instruct"), yes(model.instruct)], [text("license"), reference(model.license)], [text("framework"), model.framework.join(", ")], [text("release"), model.release], [text("revision"), model.revision],
      [text("source"), reference(model.reference)], [text("missing"), model.whole.missing.length ? `${model.whole.missing.length}: ${tasksNamed(model.whole.missing, 1000)}` : null]]),
    ...(model.leftOut.length ? [node("h3", {}, text("leftOut")), node("p", { class: "quiet" }, text("leftOutHelp")), node("ul", {}, ...model.leftOut.map((said) => node("li", {}, said)))] : []),
    ...(measured.length ? [node("h3", {}, text("measured")), facts([...measured.map((key) => [text(key), number(model.measured[key])]), [text("stated"), stated]])] : []),
    node("h3", {}, text("byType")), table(text("byType"), ["type", "score", "intervalTasks"].map((key) => text(key)).concat("0 – 100"), types, { isSaid: true }),
    node("h3", {}, text("strengths")), table(text("strengths"), ["task", "score", "field", "difference", "rankIn"].map((key) => text(key)).concat("0 – 100"), lines,
      { isSaid: true, sorts: [scored.map(({ task }) => task.name), scored.map(({ score }) => score), scored.map(({ middle }) => middle), scored.map(({ score, middle }) => score - middle), scored.map(({ rank }) => rank), null] }),
    node("h3", {}, text("byLanguage")), table(text("byLanguage"), [text("language"), text("score"), "0 – 100"], spoken, { isSaid: true }), back());
}
const back = () => node("p", {}, node("a", { href: turned({ view: "" }) }, text("back")));
