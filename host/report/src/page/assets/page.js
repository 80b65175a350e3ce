"use strict";
// Filters, sorting and the parts of single models and tasks. All that is selected stands in the fragment of the address.
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const data = read("data");
  const texts = read("texts");
  const body = document.querySelector("#board tbody");
  const rows = [...body.rows];
  const form = document.querySelector("form.filters");
  const VIEWS = ["board", "tasks", "languages", "heat", "charts", "graded", "notes", "model", "task"].filter((view) => document.getElementById(`view-${view}`));
  const GRADED = ["gmeasure", "gjudge", "gsystems", "gk", "gbase"];
  const gradedForm = document.getElementById("graded-form");
  const FIELDS = ["q", "type", "language", "domain", "size", "dimension", "open", "zero", "instruct"];
  const HEAT_ROWS = 60;
  let state = {};
  let lang = document.documentElement.lang;

  const text = (key, values = {}) =>
    Object.entries(values).reduce((t, [name, value]) => t.replace(`{${name}}`, value), texts[lang][key] ?? key);
  const percent = (score) => (score === null || score === undefined ? "–" : (score / 100).toFixed(2));
  const node = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "width") made.style.width = value;
      else if (name === "tint") { made.style.background = value[0]; made.style.color = value[1]; }
      else made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  };
  const cell = (content, attributes) => node("td", attributes, content);
  const link = (key, value) => node("a", { href: fragment({ ...language(), view: key, [key]: value }) }, node("bdi", {}, short(value)));
  const short = (name) => (name.length > 160 ? `${name.slice(0, 160)}…` : name);
  const language = () => (lang === data.language ? {} : { lang });
  const fragment = (entries) => "#" + new URLSearchParams(entries).toString();
  const median = (numbers) => {
    const sorted = [...numbers].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  };
  const scoresOf = (task) => data.models.map((model) => model.scores[task]).filter((score) => score !== null);

  function parse() {
    state = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    if (!VIEWS.includes(state.view)) state.view = "board";
    lang = Object.hasOwn(texts, state.lang) ? state.lang : data.language;
  }

  function go(changes) {
    const next = { ...state, ...changes };
    for (const [key, value] of Object.entries(next)) if (value === "" || (key === "view" && value === "board")) delete next[key];
    const target = fragment(next);
    if (target === (location.hash || "#")) return;
    history.replaceState(null, "", target);
    show();
  }

  function translate() {
    document.documentElement.lang = lang;
    for (const each of document.querySelectorAll("[data-text]")) each.textContent = text(each.dataset.text);
    for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", text(each.dataset.label));
    document.getElementById("page-language").value = lang;
  }

  // Which tasks and models fit the filters.
  function chosenTasks() {
    const fits = (task) => (!state.type || task.type === state.type) && (!state.language || task.languages.includes(state.language))
      && (!state.domain || task.domains.includes(state.domain));
    return data.tasks.flatMap((task, number) => (fits(task) ? [number] : []));
  }
  function within(value, range) {
    if (!range) return true;
    const [low, high] = range.split("-").map(Number);
    return value !== null && value > low && (!high || value <= high);
  }
  function isWanted(model) {
    const wanted = (state.q ?? "").toLocaleLowerCase().trim();
    const zero = { full: model.zero === 100, known: model.zero !== null };
    return (!wanted || model.name.toLocaleLowerCase().includes(wanted))
      && within(model.parameters, state.size) && within(model.dimension, state.dimension)
      && (!state.open || String(model.open) === state.open) && (!state.instruct || String(model.instruct) === state.instruct)
      && (!state.zero || zero[state.zero] === true);
  }

  // Means and Borda ranks over chosen tasks, of models that have all of them.
  function rechosen(tasks) {
    const complete = data.models.filter((model) => tasks.length && tasks.every((task) => model.scores[task] !== null));
    const points = new Map(complete.map((model) => [model, 0]));
    for (const task of tasks) {
      const sorted = [...complete].sort((a, b) => b.scores[task] - a.scores[task]);
      for (let from = 0; from < sorted.length;) {
        let to = from;
        while (to < sorted.length && sorted[to].scores[task] === sorted[from].scores[task]) to += 1;
        for (let at = from; at < to; at += 1) points.set(sorted[at], points.get(sorted[at]) + complete.length - (from + to + 1) / 2);
        from = to;
      }
    }
    const all = [...points.values()].sort((a, b) => b - a);
    const average = (scores) => (scores.length ? scores.reduce((sum, score) => sum + score, 0) / scores.length : null);
    const ofTypes = data.types.map((type) => tasks.filter((task) => data.tasks[task].type === type));
    return new Map(complete.map((model) => {
      const types = ofTypes.map((numbers) => average(numbers.map((task) => model.scores[task])));
      return [model, {
        mean: average(tasks.map((task) => model.scores[task])), rank: 1 + all.indexOf(points.get(model)),
        meanType: average(types.filter((mean) => mean !== null)), types, groups: [],
      }];
    }));
  }

  function showBoard() {
    const tasks = chosenTasks();
    const isAll = tasks.length === data.tasks.length;
    const chosen = isAll ? null : rechosen(tasks);
    let shown = 0;
    for (const row of rows) {
      const model = data.models[row.dataset.row];
      row.hidden = !isWanted(model) || (chosen !== null && !chosen.has(model));
      shown += row.hidden ? 0 : 1;
      const now = chosen?.get(model) ?? model;
      model.now = now;
      row.cells[0].textContent = now.rank ?? "–";
      row.querySelector(".mean").textContent = percent(now.mean);
      showMeans(row, now, isAll);
    }
    document.getElementById("count").textContent = text(shown ? "shown" : "none", { n: shown, all: rows.length });
    document.getElementById("chosen").textContent = isAll ? "" : text("selected", { n: tasks.length });
    sort(isAll);
    const hidden = new Set((state.hide ?? "").split(".").filter(Boolean));
    for (const box of document.querySelectorAll(".columns input")) box.checked = !hidden.has(box.value);
    document.querySelectorAll("#board [data-column]").forEach((each) => { each.hidden = hidden.has(each.dataset.column); });
  }

  // What stands beside the mean is of the same tasks; what only all tasks have is left out beside others.
  const WHOLE = ["group", "interval", "ranks"];
  function showMeans(row, now, isAll) {
    const of = (key) => row.querySelector(`[data-column="${key}"]`);
    const fillCell = (key, score) => { const found = of(key); if (found) found.textContent = percent(score); };
    fillCell("meanType", now.meanType);
    data.types.forEach((_, number) => fillCell(`type${number}`, now.types[number]));
    for (const found of row.querySelectorAll("[data-column^=group]")) {
      const number = found.dataset.column.slice("group".length);
      if (number) found.textContent = percent(now.groups[number]);
    }
    for (const key of WHOLE) {
      const found = of(key);
      if (!found) continue;
      found.whole ??= [...found.childNodes];
      found.replaceChildren(...(isAll ? found.whole : ["–"]));
    }
  }

  const KEYS = {
    rank: (model) => model.now.rank, model: (model) => model.name, group: (model) => model.now.group, mean: (model) => model.now.mean,
    interval: (model) => model.now.low, ranks: (model) => model.now.ranks?.[0] ?? null, meanType: (model) => model.now.meanType, parameters: (model) => model.parameters,
    dimension: (model) => model.dimension, tokens: (model) => model.tokens, zeroShot: (model) => model.zero, release: (model) => model.release,
  };
  function sort(isAll) {
    const [key, order] = (state.sort ?? "rank").split("-");
    const part = /^(type|group)(\d+)$/.exec(key);
    const value = part ? (model) => model.now[`${part[1]}s`][part[2]] : KEYS[key] ?? KEYS.rank;
    const sign = order === "down" ? -1 : 1;
    const compare = (left, right) => {
      const [a, b] = [value(data.models[left.dataset.row]), value(data.models[right.dataset.row])];
      const absent = (a === null || a === undefined) - (b === null || b === undefined);
      if (absent || a === null || a === undefined) return absent || left.dataset.row - right.dataset.row;
      return (typeof a === "string" ? a.localeCompare(b) : a - b) * sign || left.dataset.row - right.dataset.row;
    };
    const ordered = [...rows].sort(compare);
    body.append(...ordered);
    let before = null;
    for (const row of ordered) {
      const { group } = data.models[row.dataset.row];
      if (row.hidden) continue;
      row.classList.toggle("group-start", isAll && key === "mean" && before !== null && group !== before);
      before = group;
    }
    for (const head of document.querySelectorAll("#board thead th")) {
      const own = head.dataset.sort === (KEYS[key] || part ? key : "rank");
      if (own) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
  }

  function bar(score, of) {
    const width = `${Math.max(0, Math.min(100, (score / of) * 100))}%`;
    return node("td", { class: "barcell" }, node("span", { class: "bar", width, "aria-hidden": "true" }));
  }

  // A table with titles and rows of cells; the first cell of a row names it. A title stands as the cells below it. The caption is shown
  // unless a heading says the same.
  function table(caption, titles, lines, isSaid = false) {
    const like = (place) => lines[0]?.children[place]?.className || (place ? "" : "name");
    const head = node("thead", {}, node("tr", {}, ...titles.map((title, place) => node("th", { scope: "col", class: like(place) }, title))));
    const made = node("table", {}, node("caption", isSaid ? { class: "unseen" } : {}, caption), head, node("tbody", {}, ...lines));
    return node("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made);
  }
  const line = (name, ...cells) => node("tr", {}, node("th", { scope: "row", class: "name" }, name), ...cells);
  const facts = (entries) => node("dl", { class: "cards" }, ...entries.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([title, value]) => node("div", {}, node("dt", {}, title), node("dd", {}, value instanceof Node ? value : node("bdi", {}, String(value))))));
  const reference = (address) => (/^https?:\/\//.test(address ?? "") ? node("a", { href: address, rel: "noreferrer noopener" }, address) : address);

  function fill(id, ...children) {
    document.getElementById(id).replaceChildren(...children);
  }

  // What a language model did for a task in place of people.
  const badge = (task) => { const key = { "LM-written, LM-judged": "lmBoth", "LM-written": "lmWritten", "LM-judged": "lmJudged" }[task.badge]; return key ? text(key) : ""; };

  function showTasks() {
    const lines = chosenTasks().map((number) => {
      const task = data.tasks[number];
      const scored = data.models.filter((model) => model.scores[number] !== null);
      const best = scored.reduce((a, b) => (!a || b.scores[number] > a.scores[number] ? b : a), null);
      const all = scoresOf(number);
      return line(link("task", task.name), cell(task.type, { class: "name" }), cell(badge(task), { class: "name" }), cell(best ? link("model", best.name) : "–", { class: "name" }),
        cell(percent(best?.scores[number])), cell(all.length ? percent(median(all)) : "–"), cell(String(all.length)));
    });
    fill("tasks-part", table(text("tasks"), ["task", "type", "provenance", "best", "bestScore", "median", "models"].map((key) => text(key)), lines, true));
  }

  function showLanguages() {
    const chosen = state.language ? [state.language] : data.languages;
    const lines = chosen.map((code) => {
      // Who lacks a task of the language has the mean of others.
      const scored = data.models.filter((model) => model.languages[code] !== undefined && !model.lacking.includes(data.languages.indexOf(code)))
        .sort((a, b) => b.languages[code] - a.languages[code]);
      const all = scored.map((model) => model.languages[code]);
      return line(code, cell(scored.length ? link("model", scored[0].name) : "–", { class: "name" }), cell(percent(all[0])), cell(all.length ? percent(median(all)) : "–"), cell(String(all.length)));
    });
    fill("languages-part", table(text("languages"), ["language", "best", "bestScore", "median", "models"].map((key) => text(key)), lines, true));
  }

  function showHeat() {
    const tasks = chosenTasks();
    const models = rows.filter((row) => !row.hidden).map((row) => data.models[row.dataset.row]);
    const few = state.all === "yes" ? models : models.slice(0, HEAT_ROWS);
    const ranges = new Map(tasks.map((task) => { const all = scoresOf(task); return [task, [Math.min(...all), Math.max(...all)]]; }));
    const lines = few.map((model) => line(link("model", model.name), ...tasks.map((task) => {
      const score = model.scores[task];
      if (score === null) return cell("–");
      const [low, high] = ranges.get(task);
      const depth = high > low ? (score - low) / (high - low) : 1;
      // Between these two ranges neither black nor white could be read.
      const light = depth > 0.5 ? 56 - depth * 28 : 96 - depth * 76;
      return cell((score / 100).toFixed(0).replace(/^-0$/, "0"), { tint: [`hsl(210 65% ${light}%)`, depth > 0.5 ? "#fff" : "#000"] });
    })));
    const made = table(`${text("heat")}. ${text("heatHelp")}`, [text("model"), ...tasks.map((task) => data.tasks[task].name)], lines);
    made.querySelector("table").className = "heat";
    const more = node("button", { type: "button" }, text("more"));
    more.addEventListener("click", () => go({ all: "yes" }));
    fill("heat-part", made, ...(few.length < models.length ? [more] : []));
  }

  function showModel() {
    const model = data.models.find((each) => each.name === state.model);
    if (!model) return fill("model-part", node("p", {}, text("none")));
    const ends = (interval) => interval && interval.map(percent).join(" – ");
    const number = (value) => (typeof value === "number" ? value.toLocaleString(lang) : value);
    const measured = ["seconds", "speed", "peakMemory", "gpuMemory", "energy", "gpuEnergy", "device"].filter((key) => key in model.measured);
    const stated = model.measured.stated && `${model.measured.stated} / ${data.tasks.length}`;
    const yes = (value) => (value === null ? null : text(value ? "yes" : "no"));
    const lines = data.tasks.flatMap((task, number) => {
      const score = model.scores[number];
      if (score === null) return [];
      const all = scoresOf(number);
      const middle = median(all);
      const rank = 1 + all.filter((other) => other > score).length;
      return [[score - middle, line(link("task", task.name), cell(percent(score)), cell(percent(middle)), cell(`${score < middle ? "−" : "+"}${percent(Math.abs(score - middle))}`), cell(`${rank} / ${all.length}`), bar(score, 10000))]];
    }).sort((a, b) => b[0] - a[0]).map((pair) => pair[1]);
    const types = data.types.map((type, number) => line(type, cell(percent(model.types[number])), cell(ends(model.typeIntervals[number]) ?? "–"), bar(model.types[number] ?? 0, 10000)));
    const spoken = Object.entries(model.languages).sort((a, b) => b[1] - a[1]).map(([code, score]) => line(code, cell(percent(score)), bar(score, 10000)));
    fill("model-part", node("h2", {}, node("bdi", {}, model.name)),
      facts([[text("rank"), model.rank], [text("mean"), percent(model.mean)], [text("intervalTasks"), ends(model.interval)], [text("intervalItems"), ends(model.itemInterval)],
        [text("meanType"), model.meanType === null ? null : [percent(model.meanType), model.intervalOfTypes && `(${ends(model.intervalOfTypes)})`].filter(Boolean).join(" ")],
        [text("ranks"), model.ranks && model.ranks.join(" – ")], [text("group"), model.group], [text("parameters"), model.parameters?.toLocaleString(lang)], [text("dimension"), model.dimension],
        [text("tokens"), model.tokens], [text("memory"), model.memory], [text("zeroShot"), model.zero], [text("open"), model.open === null ? null : text(model.open ? "openYes" : "openNo")],
        [text("instruct"), yes(model.instruct)], [text("license"), model.license], [text("release"), model.release], [text("revision"), model.revision],
        [text("data"), reference(model.reference)], [text("missing"), model.scores.filter((score) => score === null).length || null]]),
      ...(measured.length ? [node("h3", {}, text("measured")), facts([...measured.map((key) => [text(key), number(model.measured[key])]), [text("stated"), stated]])] : []),
      node("h3", {}, text("byType")), table(text("byType"), ["type", "score", "intervalTasks"].map((key) => text(key)).concat("0 – 100"), types, true),
      node("h3", {}, text("strengths")), table(text("strengths"), ["task", "score", "field", "difference", "rankIn"].map((key) => text(key)).concat("0 – 100"), lines, true),
      node("h3", {}, text("byLanguage")), table(text("byLanguage"), [text("language"), text("score"), "0 – 100"], spoken, true), back());
  }

  function showTask() {
    const number = data.tasks.findIndex((task) => task.name === state.task);
    if (number < 0) return fill("task-part", node("p", {}, text("none")));
    const task = data.tasks[number];
    const all = scoresOf(number);
    const counts = new Array(20).fill(0);
    for (const score of all) counts[Math.max(0, Math.min(19, Math.floor(score / 500)))] += 1;
    const most = Math.max(...counts, 1);
    const spread = counts.map((count, place) => line(`${place * 5} – ${place * 5 + 5}`, cell(String(count)), bar(count, most)));
    const best = data.models.filter((model) => model.scores[number] !== null).sort((a, b) => b.scores[number] - a.scores[number]).slice(0, 20)
      .map((model) => line(link("model", model.name), cell(percent(model.scores[number])), bar(model.scores[number], 10000)));
    fill("task-part", node("h2", {}, node("bdi", {}, task.name)), node("p", {}, task.description),
      facts([[text("type"), task.type], [text("provenance"), badge(task)], [text("mainScore"), task.mainScore], [text("languages"), task.languages.join(", ")], [text("domains"), task.domains.join(", ")], [text("data"), task.dataset],
        [text("revision"), task.revision], [text("units"), task.units], [text("description"), reference(task.reference)]]),
      node("h3", {}, text("bestModels")), table(text("bestModels"), [text("model"), text("score"), "0 – 100"], best, true),
      node("h3", {}, text("distribution")), table(text("distribution"), [text("score"), text("models"), text("distribution")], spread, true), back());
  }

  // Graded relevance: the systems that were chosen at one rank, by one judge or the average of all.
  function showGraded() {
    const { judges, systems, tasks, distributions } = data.graded;
    const measure = systems.some((system) => system[state.gmeasure]?.length) ? state.gmeasure : "ndcg";
    const judge = /^\d+$/.test(state.gjudge ?? "") && Number(state.gjudge) < judges.length ? Number(state.gjudge) : judges.length;
    const k = Math.max(1, Math.min(100, Number.parseInt(state.gk ?? "10", 10) || 10));
    const kind = systems.some((system) => system.reranked) && ["alone", "reranked"].includes(state.gsystems) ? state.gsystems : "all";
    for (const name of GRADED) if (gradedForm.elements[name]) gradedForm.elements[name].value = state[name] ?? "";
    const score = (system) => system[measure][judge]?.[k - 1] ?? null;
    const base = systems.find((system) => system.name === state.gbase);
    const shown = systems.filter((system) => kind === "all" || system === base || system.reranked === (kind === "reranked"))
      .sort((a, b) => (score(b) ?? -1) - (score(a) ?? -1));
    const signed = (delta) => `${delta < 0 ? "−" : "+"}${percent(Math.abs(delta))}`;
    const lines = shown.map((system) => line(node("bdi", {}, short(system.name)), cell(percent(score(system))),
      ...(base ? [cell(score(system) === null || score(base) === null ? "–" : signed(score(system) - score(base)))] : []),
      cell(percent(system.judged[k - 1])), bar(score(system) ?? 0, 10000)));
    const title = `${measure === "ndcg" ? "nDCG" : "Recall"}@${k}`;
    const titles = [text("system"), title, ...(base ? [text("delta")] : []), `${text("judged")}@${k}`, "0 – 100"];
    fill("graded-part", table(`${title}, ${judge < judges.length ? judges[judge] : text("average")}`, titles, lines));
    document.getElementById("graded-said").textContent = text("gradedSaid", { tasks: tasks.length });
    const wanted = `${measure}.${judge < judges.length ? judge : ""}.${kind}`;
    for (const figure of document.querySelectorAll("[data-curves]")) figure.hidden = figure.dataset.curves !== wanted;
    const most = Math.max(1, ...distributions.flatMap(([, bins]) => bins));
    fill("judgements-part", ...distributions.map(([name, bins]) => table(name, [text("score"), text("pairs"), text("distribution")],
      bins.map((count, place) => line(place < 10 ? `${place} – ${place + 1}` : "10", cell(String(count)), bar(count, most))))));
  }

  function back() {
    const { model, task, ...rest } = state;
    return node("p", {}, node("a", { href: fragment({ ...rest, view: "board" }) }, text("back")));
  }

  const PARTS = { tasks: showTasks, languages: showLanguages, heat: showHeat, graded: showGraded, model: showModel, task: showTask };
  function show() {
    parse();
    translate();
    for (const field of FIELDS) form.elements[field].value = state[field] ?? "";
    showBoard();
    for (const view of VIEWS) document.getElementById(`view-${view}`).hidden = view !== state.view;
    for (const each of document.querySelectorAll("nav a")) {
      const view = each.dataset.view;
      const { model, task, all, ...rest } = state;
      each.href = fragment({ ...rest, view });
      if (view === state.view) each.setAttribute("aria-current", "page");
      else each.removeAttribute("aria-current");
    }
    form.hidden = !["board", "tasks", "languages", "heat"].includes(state.view);
    PARTS[state.view]?.();
  }

  form.addEventListener("input", (event) => { if (FIELDS.includes(event.target.name)) go({ [event.target.name]: event.target.value }); });
  gradedForm?.addEventListener("input", (event) => go({ [event.target.name]: event.target.value }));
  gradedForm?.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("reset").addEventListener("click", () => go(Object.fromEntries([...FIELDS, "sort", "hide"].map((field) => [field, ""]))));
  document.getElementById("page-language").addEventListener("change", (event) => go({ lang: event.target.value === data.language ? "" : event.target.value }));
  document.querySelector(".columns").addEventListener("change", () => {
    go({ hide: [...document.querySelectorAll(".columns input")].filter((box) => !box.checked).map((box) => box.value).join(".") });
  });
  document.querySelector("#board thead").addEventListener("click", (event) => {
    const head = event.target.closest("th[data-sort]");
    if (!head || !event.target.closest("button")) return;
    const first = head.dataset.first;
    const now = head.getAttribute("aria-sort");
    const order = now === null ? first : now === "ascending" ? "down" : "up";
    go({ sort: `${head.dataset.sort}-${order}` });
  });
  body.addEventListener("click", (event) => {
    const anchor = event.target.closest("a[data-model]");
    if (!anchor) return;
    event.preventDefault();
    location.hash = fragment({ ...state, view: "model", model: data.models[anchor.closest("tr").dataset.row].name });
  });
  window.addEventListener("hashchange", () => {
    show();
    if (["model", "task"].includes(state.view)) document.getElementById("content").focus();
  });
  show();
})();
