// Texts of a task in two dimensions, coloured by label: where a model tells labels apart, and which it takes for each other.
const MAP_HUES = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
// Shapes too, for eyes that tell few colours apart: circle, square, triangle, diamond.
const MAP_SHAPES = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z", "M-3.6 -3.6H3.6V3.6H-3.6Z", "M0 -4.6L4.3 3.4H-4.3Z", "M0 -5L4.6 0L0 5L-4.6 0Z"];
const hueOf = (label) => (label < MAP_HUES.length ? `hue ${MAP_HUES[label]}` : "hue none");
const shapeOf = (label) => (label < MAP_HUES.length ? MAP_SHAPES[label % MAP_SHAPES.length] : MAP_SHAPES[0]);
const NEIGHBOURS_MOST = 200;

function showMap() {
  const maps = data.maps;
  const map = maps.find((each) => each.task === state.map) ?? maps[0];
  const nameOfLabel = (label) => short(map.labels[label][0], 60);
  const choice = () => {
    const select = node("select", { id: "map-task" }, ...maps.map((each) => node("option", { value: each.task }, each.task)));
    select.value = map.task;
    select.addEventListener("change", () => { go({ map: select.value }); at("map-task").focus(); });
    return node("div", { class: "toolbar" }, node("label", { class: "field" }, text("task"), select));
  };
  const points = map.points.map(([x, y, label], place) => ({ x, y, label, place, said: `${nameOfLabel(label)}${map.texts ? ` · ${map.texts[place]}` : ""}` }));
  // Neighbours by the keys are texts of one label; what has no colour lies beneath.
  points.sort((a, b) => b.label - a.label || a.x - b.x);
  const label = text("mapSaid", { n: points.length, task: map.task, model: map.model });
  const plot = drawMap(points, `${label}. ${text("chartHelp")}`);
  const legend = node("ul", { class: "labels quiet" }, ...map.labels.slice(0, MAP_HUES.length).map(([name, count], place) => node("li", {},
    drawn("svg", { viewBox: "-6 -6 12 12", class: "shape", "aria-hidden": "true" }, drawn("path", { class: hueOf(place), d: shapeOf(place) })), node("bdi", {}, `${short(name, 60)} (${count})`))),
  map.labels.length > MAP_HUES.length ? node("li", {}, text("mapOthers", { n: map.labels.length - MAP_HUES.length })) : null);
  const share = (alike, count) => (100 * alike) / count;
  const lines = map.labels.slice(0, NEIGHBOURS_MOST).map(([name, count, alike, confused]) => line(node("bdi", {}, short(name, 120)), cell(whole(count)), cell(`${share(alike, count).toFixed(0)} %`),
    cell(confused ? node("bdi", {}, `${nameOfLabel(confused[0])} (${confused[1]})`) : "–", { class: "name" })));
  const shown = map.labels.slice(0, NEIGHBOURS_MOST);
  const asTable = node("details", {}, node("summary", {}, text("asTable")));
  // A thousand lines are made when somebody asks for them.
  asTable.addEventListener("toggle", () => {
    if (!asTable.open || asTable.children.length > 1) return;
    const rows = [...points].sort((a, b) => a.label - b.label || a.place - b.place);
    asTable.append(table(label, [text("label"), ...(map.texts ? [text("textOf")] : []), "x", "y"], rows.map((point) => line(node("bdi", {}, nameOfLabel(point.label)),
      ...(map.texts ? [cell(node("bdi", { dir: "auto" }, map.texts[point.place]), { class: "name" })] : []), cell(String(point.x)), cell(String(point.y))))));
  });
  const parts = [maps.length > 1 ? choice() : null, node("p", {}, label, " ", text(map.method === "pca" ? "mapPca" : "mapTsne")), plot, legend,
    map.texts ? null : node("p", { class: "quiet" }, text("mapNoTexts")),
    node("h3", {}, text("mapNear")), node("p", { class: "quiet" }, text("mapNearHelp")),
    table(text("mapNear"), ["label", "texts", "mapAlike", "mapConfused"].map((key) => text(key)), lines,
      { isSaid: true, sorts: [shown.map(([name]) => name), shown.map(([, count]) => count), shown.map(([, count, alike]) => share(alike, count)), shown.map(([, , , confused]) => confused?.[1] ?? null)] }),
    asTable, node("p", {}, link("task", map.task))];
  fill("map-part", ...parts.filter(Boolean));
  plot.draw();
}

function drawMap(points, label) {
  const host = node("div", { class: "plot map" });
  return redrawn(host, () => {
    const width = Math.max(260, Math.min(820, host.clientWidth || 760));
    // Both axes have one scale: only distances mean something.
    const [xs, ys] = [vendor.extent(points, (point) => point.x), vendor.extent(points, (point) => point.y)];
    const scale = (width - 24) / (xs[1] - xs[0] || 1);
    const height = Math.round(Math.max(180, Math.min(width, (ys[1] - ys[0]) * scale + 24)));
    const fitted = Math.min(scale, (height - 24) / (ys[1] - ys[0] || 1));
    const x = (point) => width / 2 + (point.x - (xs[0] + xs[1]) / 2) * fitted;
    const y = (point) => height / 2 - (point.y - (ys[0] + ys[1]) / 2) * fitted;
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": label });
    const dots = points.map((point) => drawn("g", { class: `dot ${hueOf(point.label)}`, role: "img", tabindex: "-1", "aria-label": point.said, transform: `translate(${x(point).toFixed(1)} ${y(point).toFixed(1)})` },
      drawn("path", { d: shapeOf(point.label) })));
    svg.append(...dots);
    let on = null;
    const mark = (label) => {
      if (on === label) return;
      on = label;
      dots.forEach((dot, place) => dot.classList.toggle("faint", label !== null && points[place].label !== label));
    };
    answering(svg, dots, points, { x, y, width, height, enter: (point) => mark(point.label), leave: () => mark(null) });
    host.replaceChildren(svg);
  });
}
