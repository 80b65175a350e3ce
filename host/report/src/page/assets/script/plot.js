// Charts: d3 gives scales, ticks and shapes; each dot answers to pointer, keyboard and touch, and leads to its model.
const SIDE = { top: 16, right: 18, bottom: 46, left: 54 };

// Ticks that are few and round; of a logarithmic axis 1, 2 and 5 of each power of ten where it is short, else the powers alone.
function ticksOf(scale, isLog, most) {
  if (!isLog) return scale.ticks(most);
  const powers = scale.ticks(most).filter((tick) => Math.abs(Math.log10(tick) % 1) < 1e-9 || Math.abs((Math.log10(tick) % 1) - 1) < 1e-9);
  if (powers.length >= 3) return powers;
  return scale.ticks().filter((tick) => [1, 2, 5].includes(Math.round(tick / 10 ** Math.floor(Math.log10(tick) + 1e-9))));
}

// Where nobody is better at a lower price: the points from the cheapest on that are better than all before.
function frontier(points, isGain) {
  const sorted = [...points].sort((a, b) => (isGain ? b.x - a.x : a.x - b.x) || b.y - a.y);
  let best = -Infinity;
  return sorted.filter((point) => point.y > best && (best = point.y, true));
}

// A scatter of points {x, y, name, said, href, family}; `shownX` writes a tick.
function scatter({ points, xTitle, yTitle, isLog = false, isGain = false, shownX = (x) => String(x), hasFront = true, label, id }) {
  const host = node("div", { class: "plot" });
  const draw = () => {
    const width = Math.max(280, Math.min(1200, host.clientWidth || 900));
    const height = Math.round(Math.max(300, Math.min(520, width * 0.5)));
    const [left, right, top, bottom] = [SIDE.left, width - SIDE.right, SIDE.top, height - SIDE.bottom];
    const spread = (values) => {
      const [low, high] = vendor.extent(values);
      if (isLog && values === xs) return high > low ? [low / (high / low) ** 0.03, high * (high / low) ** 0.05] : [low / 2, high * 2];
      const room = (high - low || Math.abs(high) || 1) * 0.06;
      return [low - room, high + room];
    };
    const xs = points.map((point) => point.x);
    const x = (isLog ? vendor.scaleLog() : vendor.scaleLinear()).domain(spread(xs)).range([left, right]);
    const y = vendor.scaleLinear().domain(spread(points.map((point) => point.y))).range([bottom, top]);
    const front = hasFront ? frontier(points, isGain) : [];
    const isFront = new Set(front);
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": label });
    for (const tick of ticksOf(x, isLog, width < 500 ? 4 : 8)) {
      svg.append(drawn("line", { class: "grid", x1: x(tick), x2: x(tick), y1: top, y2: bottom }), drawn("text", { x: x(tick), y: bottom + 18, "text-anchor": "middle" }, shownX(tick)));
    }
    for (const tick of y.ticks(6)) {
      svg.append(drawn("line", { class: "grid", x1: left, x2: right, y1: y(tick), y2: y(tick) }), drawn("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, y.tickFormat(6)(tick)));
    }
    svg.append(drawn("text", { class: "title", id: id && `${id}-x`, x: (left + right) / 2, y: height - 8, "text-anchor": "middle" }, xTitle),
      drawn("text", { class: "title", id: id && `${id}-y`, transform: `translate(14 ${(top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, yTitle));
    const path = vendor.line((point) => x(point.x), (point) => y(point.y));
    const families = new Map();
    for (const point of points) if (point.family) families.set(point.family, [...(families.get(point.family) ?? []), point]);
    for (const [family, members] of families) {
      if (members.length > 1) svg.append(drawn("path", { class: "family", "data-family": family, d: path(members.sort((a, b) => a.x - b.x)) }));
    }
    if (front.length > 1) svg.append(drawn("path", { class: "front", d: path([...front].sort((a, b) => a.x - b.x)) }));
    const ordered = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
    const dots = ordered.map((point) => {
      return drawn("a", { class: `dot${isFront.has(point) ? " best" : ""}`, href: point.href, tabindex: "-1", "aria-label": point.said },
        drawn("circle", { cx: x(point.x), cy: y(point.y), r: isFront.has(point) ? 5.5 : 4.5 }));
    });
    svg.append(...dots, ...names(front, points, x, y, { left, right, top }));
    const ofFamily = (family) => { for (const each of svg.querySelectorAll(".family")) each.classList.toggle("on", family !== undefined && each.dataset.family === family); };
    answering(svg, dots, ordered, { x: (point) => x(point.x), y: (point) => y(point.y), width, height, enter: (point) => ofFamily(point.family), leave: () => ofFamily() });
    host.replaceChildren(svg);
  };
  return redrawn(host, draw);
}

// A chart that is drawn again when its width changes; in the next frame: what changes a size while sizes are told would be told again.
function redrawn(host, draw) {
  host.draw = () => { host.drawnFor = host.clientWidth; draw(); };
  new ResizeObserver(() => requestAnimationFrame(() => { if (host.isConnected && host.clientWidth !== host.drawnFor) host.draw(); })).observe(host);
  return host;
}

// Makes the dots of a drawing say what they are to pointer, keyboard and touch: one stop for the Tab key, arrow keys from dot to dot.
// `points` are what the dots stand for, with `said`, and `href` where one leads somewhere.
function answering(svg, dots, points, { x, y, width, height, enter = () => {}, leave = () => {} }) {
  dots[0]?.setAttribute("tabindex", "0");
  let now = -1;
  const goTo = (place) => {
    if (now >= 0) dots[now].classList.remove("on");
    now = place;
    dots[place].classList.add("on");
    enter(points[place]);
    showTip(dots[place], points[place].said);
  };
  const goAway = () => {
    if (now >= 0) dots[now].classList.remove("on");
    now = -1;
    leave();
    hideTip();
  };
  dots.forEach((dot, place) => dot.addEventListener("focus", () => goTo(place)));
  const nearest = points.length ? vendor.Delaunay.from(points, x, y) : null;
  const near = (event) => {
    const box = svg.getBoundingClientRect();
    const [px, py] = [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
    const found = nearest.find(px, py);
    return Math.hypot(x(points[found]) - px, y(points[found]) - py) < 28 ? found : -1;
  };
  svg.addEventListener("pointermove", (event) => { const found = near(event); if (found >= 0) goTo(found); else goAway(); });
  svg.addEventListener("pointerleave", goAway);
  svg.addEventListener("focusout", goAway);
  svg.addEventListener("click", (event) => {
    const found = near(event);
    if (found < 0 || event.target.closest("a")) return;
    // A finger covers the dot: the first touch names it, the second opens it.
    if (!points[found].href || (event.pointerType === "touch" && now !== found)) goTo(found);
    else location.hash = points[found].href;
  });
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const here = dots.indexOf(document.activeElement);
    const next = (here + step + dots.length) % dots.length;
    dots.forEach((dot, place) => dot.setAttribute("tabindex", place === next ? "0" : "-1"));
    dots[next].focus();
  });
}

// Names beside the dots of the frontier, none over another; what finds no place has its name when it is pointed at.
function names(front, points, x, y, { left, right, top }) {
  const taken = [];
  const out = [];
  const most = Math.round((right - left) / 75);
  for (const point of [...front].sort((a, b) => b.y - a.y)) {
    if (out.length >= most) break;
    const name = short(point.name.split("/").pop(), 24);
    const wide = name.length * 6.4;
    const places = [[-8, -8, "end"], [8, 14, "start"], [8, -8, "start"], [-8, 14, "end"]];
    for (const [dx, dy, anchor] of places) {
      const [px, py] = [x(point.x) + dx, y(point.y) + dy];
      const box = [anchor === "start" ? px : px - wide, py - 11, anchor === "start" ? px + wide : px, py + 3];
      const isFree = box[0] >= left && box[2] <= right && box[1] >= top - 8 && taken.every((other) => box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3])
        && points.filter((other) => other !== point && x(other.x) > box[0] - 5 && x(other.x) < box[2] + 5 && y(other.y) > box[1] - 4 && y(other.y) < box[3] + 4).length < 2
        && front.every((other) => other === point || x(other.x) < box[0] - 5 || x(other.x) > box[2] + 5 || y(other.y) < box[1] - 5 || y(other.y) > box[3] + 5);
      if (!isFree) continue;
      taken.push(box);
      out.push(drawn("text", { class: "dotname", x: px, y: py, "text-anchor": anchor, "aria-hidden": "true" }, name));
      break;
    }
  }
  return out;
}

// How wide a drawing is: as wide as its place, so that its texts are as large as they say.
const roomFor = (most) => Math.max(280, Math.min(most, at("content").clientWidth - 40));

// A histogram of scores with bins of round widths: as few as show the shape.
function histogram(values, label, marked = null) {
  const [low, high] = vendor.extent(values);
  const scale = vendor.scaleLinear().domain(high > low ? [low, high] : [low - 1, high + 1]).nice(12);
  const ticks = scale.ticks(12);
  // A threshold at the end would make a bin without width.
  const [begin, end] = scale.domain();
  const bins = vendor.bin().domain([begin, end]).thresholds(ticks.filter((tick) => tick > begin && tick < end))(values);
  const counts = bins.map((each) => each.length);
  const [width, height] = [roomFor(640), 220];
  const x = vendor.scaleLinear().domain(scale.domain()).range([40, width - 14]);
  const y = vendor.scaleLinear().domain([0, Math.max(1, ...counts)]).range([height - 34, 10]);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const tick of y.ticks(4).filter(Number.isInteger)) svg.append(drawn("line", { class: "grid", x1: 40, x2: width - 14, y1: y(tick), y2: y(tick) }), drawn("text", { x: 34, y: y(tick) + 4, "text-anchor": "end" }, String(tick)));
  bins.forEach((each) => svg.append(drawn("rect", { class: "block", x: x(each.x0) + 1, width: Math.max(0, x(each.x1) - x(each.x0) - 2), y: y(each.length), height: y(0) - y(each.length), "data-tip": `${each.x0} – ${each.x1}: ${each.length}` })));
  for (const tick of ticks.filter((_, place) => place % (width < 500 ? 3 : 2) === 0 || ticks.length < 9)) svg.append(drawn("text", { x: x(tick), y: height - 14, "text-anchor": "middle" }, String(tick)));
  if (marked !== null) svg.append(drawn("line", { class: "marked", x1: x(marked), x2: x(marked), y1: 6, y2: height - 34 }));
  return { svg: node("figure", { class: "plot histogram" }, svg), bins: bins.map((each) => [`${each.x0} – ${each.x1}`, each.length]) };
}
