// What all parts of the page share: data, texts, the address, elements and numbers.
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const data = read("data");
const texts = read("texts");
const at = (id) => document.getElementById(id);
// Keys that may occur several times in the address.
const SEVERAL = new Set(["type", "language", "domain", "only", "size", "dimension", "memory", "tokens", "license", "framework", "open", "zero", "instruct", "whole", "models"]);
let state = {};
let lang = document.documentElement.lang;

const text = (key, values = {}) =>
  Object.entries(values).reduce((t, [name, value]) => t.replace(`{${name}}`, value), texts[lang][key] ?? texts.en[key] ?? key);
// Two digits after the point. A number in the middle between two is rounded to the even one, as in the tables of the program.
const twoDigits = (number) => (Math.abs(number) % 0.5 === 0.125 ? (Math.sign(number) * Math.floor(Math.abs(number) * 100)) / 100 : number).toFixed(2).replace(/^-0\.00$/, "0.00");
const percent = (score) => (score === null || score === undefined ? "–" : twoDigits(score / 100));
// Rounds a share to a whole number of hundredths of a percent, which is what the page shows. The digits are written out only near the
// middle between two numbers, because writing them takes most of the time.
function toHundredths(share) {
  if (share === null || share === undefined) return null;
  const whole = Math.round(10000 * share);
  return Math.abs(Math.abs(10000 * share - whole) - 0.5) > 1e-6 ? whole + 0 : Math.round(Number(twoDigits(100 * share)) * 100);
}
const signed = (difference) => (difference === null || difference === undefined ? "–" : `${difference < 0 ? "−" : "+"}${percent(Math.abs(difference))}`);
const short = (name, most = 160) => (name.length > most ? `${name.slice(0, most)}…` : name);
// A title may break where a word begins.
const broken = (title) => title.replace(/([a-z])([A-Z])/g, "$1\u200b$2");

// Sizes by thousands, as people say them: 335 M, 7.1 B.
function counted(number) {
  if (number === null || number === undefined) return "–";
  for (const [unit, name] of [[1e9, "B"], [1e6, "M"], [1e3, "k"]]) {
    if (number >= unit) return `${(number / unit).toPrecision(number / unit >= 100 ? 3 : 2).replace(/\.0$/, "")} ${name}`;
  }
  return Number.isInteger(number) ? String(number) : number.toPrecision(3);
}
const whole = (number) => (number === null || number === undefined ? "–" : number.toLocaleString(lang));

const SVG = "http://www.w3.org/2000/svg";
function fillNode(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "width" && made.namespaceURI !== SVG) made.style.width = value;
    else if (name === "tint") made.style.setProperty("--tint", value);
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
const node = (tag, attributes = {}, ...children) => fillNode(document.createElement(tag), attributes, children);
const drawn = (tag, attributes = {}, ...children) => fillNode(document.createElementNS(SVG, tag), attributes, children);
const fill = (id, ...children) => at(id).replaceChildren(...children);
const cell = (content, attributes) => node("td", attributes, content);
const line = (name, ...cells) => node("tr", {}, node("th", { scope: "row", class: "name" }, name), ...cells);
const button = (label, onclick, attributes = {}) => {
  const made = node("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", onclick);
  return made;
};

// The fragment of the address holds everything that the reader has chosen.
function fragment(entries) {
  const out = new URLSearchParams();
  for (const [key, value] of Object.entries(entries)) for (const each of Array.isArray(value) ? value : [value]) out.append(key, each);
  return `#${out}`;
}
function parse() {
  state = {};
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
    if (SEVERAL.has(key)) { if (value) (state[key] ??= []).push(value); } else state[key] = value;
  }
  lang = Object.hasOwn(texts, state.lang) ? state.lang : data.language;
}
const several = (key) => state[key] ?? [];
// The choices that remain when a reader opens one model or task.
const turned = (changes) => {
  const { model, task, all, ...rest } = state;
  return fragment(trimmed({ ...rest, ...changes }));
};
const trimmed = (entries) => Object.fromEntries(Object.entries(entries).filter(([key, value]) =>
  value !== "" && value !== null && value !== undefined && !(Array.isArray(value) && !value.length) && !(key === "view" && value === "board")));
function go(changes) {
  const target = fragment(trimmed({ ...state, ...changes }));
  if (target === (location.hash || "#")) return;
  history.replaceState(null, "", target);
  show();
}
// A name in one word may break where a part of it begins, and stays the same when it is copied.
const parted = (name) => name.split(/(?<=[a-z])(?=[A-Z])/).flatMap((part, place) => (place ? [node("wbr"), part] : [part]));
const link = (key, value, most) => node("a", { href: turned({ view: key, [key]: value }) }, node("bdi", {}, ...parted(short(value, most))));
const reference = (address) => (/^https?:\/\//.test(address ?? "") ? node("a", { href: address, rel: "noreferrer noopener" }, address) : address);

const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
const average = (numbers) => (numbers.length ? numbers.reduce((sum, number) => sum + number, 0) / numbers.length : null);
// The data of the page has the scores of a model as shares, by task: `shares`. Means and orders are computed from these. What is shown is
// made from them once, here: `hundredths`.
for (const model of data.models) model.hundredths = model.shares.map(toHundredths);
const has = (model, task) => model.shares[task] !== null;
const rankIn = (task, model, models) => 1 + models.filter((other) => has(other, task) && other.shares[task] > model.shares[task]).length;
const scoresOf = (task, models = data.models) => models.map((model) => model.hundredths[task]).filter((score) => score !== null);
const facts = (entries) => node("dl", { class: "cards" }, ...entries.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== "–")
  .map(([title, value]) => node("div", {}, node("dt", {}, title), node("dd", {}, value instanceof Node ? value : node("bdi", {}, String(value))))));

function bar(score, of) {
  const width = `${Math.max(0, Math.min(100, (score / of) * 100))}%`;
  return node("td", { class: "barcell" }, node("span", { class: "bar", width, "aria-hidden": "true" }));
}

// A table of titles and lines; a title may be sorted by: then `sorts` holds the values of its column, line by line. The caption is
// shown unless a heading says the same.
function table(caption, titles, lines, { isSaid = false, sorts = null, name = "" } = {}) {
  const like = (place) => lines[0]?.children[place]?.className || (place ? "" : "name");
  const body = node("tbody", {}, ...lines);
  const heads = titles.map((title, place) => {
    const head = node("th", { scope: "col", class: like(place) });
    if (!sorts?.[place]) head.append(title);
    else head.append(button(title, () => {
      const order = head.getAttribute("aria-sort") === "descending" || (head.getAttribute("aria-sort") === null && typeof sorts[place][0] === "string") ? 1 : -1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order > 0 ? "ascending" : "descending");
      body.append(...sortedBy(lines, sorts[place], order));
    }));
    return head;
  });
  const made = node("table", name ? { id: name } : {}, node("caption", isSaid ? { class: "unseen" } : {}, caption), node("thead", {}, node("tr", {}, ...heads)), body);
  return node("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made);
}
// Lines by their values; those without one are last.
function sortedBy(lines, values, order) {
  const isAbsent = (value) => value === null || value === undefined;
  const places = lines.map((_, place) => place);
  places.sort((left, right) => {
    const [a, b] = [values[left], values[right]];
    if (isAbsent(a) || isAbsent(b)) return isAbsent(a) - isAbsent(b) || left - right;
    return order * (typeof a === "string" ? a.localeCompare(b) : a - b) || left - right;
  });
  return places.map((place) => lines[place]);
}

// Says what a dot, a mark or a title means, to who points at it, tabs to it or touches it.
const tip = at("tip");
function showTip(of, said = of.dataset.tip) {
  tip.textContent = said;
  tip.hidden = false;
  const place = of.getBoundingClientRect();
  const own = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(document.documentElement.clientWidth - own.width - 4, place.left + place.width / 2 - own.width / 2))}px`;
  tip.style.top = `${place.top > own.height + 10 ? place.top - own.height - 8 : place.bottom + 8}px`;
}
const hideTip = () => { tip.hidden = true; };
for (const event of ["pointerover", "focusin", "click"]) {
  document.addEventListener(event, (happened) => {
    const of = happened.target.closest?.("[data-tip]");
    // A click may have drawn anew what was clicked: then it has no place any more.
    if (of?.isConnected) showTip(of);
    else if (!happened.target.closest?.(".plot")) hideTip();
  });
}
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
document.addEventListener("scroll", hideTip, true);
