// Means and Borda ranks over the tasks that are chosen, of models that have all of them.

// Models by their score on a task, best first, or those of them that are among a set: sorted once, so that a filter sorts nothing.
const ordersOfTasks = new Map();
function orderOf(task, among = null) {
  if (!ordersOfTasks.has(task)) {
    ordersOfTasks.set(task, data.models.filter((model) => has(model, task)).sort((a, b) => b.shares[task] - a.shares[task]));
  }
  const order = ordersOfTasks.get(task);
  return among === null || among.size === data.models.length ? order : order.filter((model) => among.has(model));
}
// Nor does the first filter: the orders are made while nobody clicks.
function sortQuietly(deadline) {
  let task = 0;
  while (task < data.tasks.length && (ordersOfTasks.has(task) || deadline.timeRemaining() > 3)) { orderOf(task); task += 1; }
  if (task < data.tasks.length) window.requestIdleCallback(sortQuietly);
}
window.requestIdleCallback?.(sortQuietly);

function meansOver(tasks) {
  const complete = data.models.filter((model) => tasks.length && tasks.every((task) => has(model, task)));
  const among = new Set(complete);
  const points = new Float64Array(data.models.length);
  for (const task of tasks) {
    const sorted = orderOf(task, among);
    for (let from = 0; from < sorted.length;) {
      let to = from;
      while (to < sorted.length && sorted[to].shares[task] === sorted[from].shares[task]) to += 1;
      const given = complete.length - (from + to + 1) / 2;
      for (let place = from; place < to; place += 1) points[sorted[place].place] += given;
      from = to;
    }
  }
  const ranks = new Map();
  complete.map((model) => points[model.place]).sort((a, b) => b - a).forEach((all, place) => { if (!ranks.has(all)) ranks.set(all, place + 1); });
  const ofTypes = data.types.map((type) => tasks.filter((task) => data.tasks[task].type === type));
  return new Map(data.models.map((model) => {
    const sharesOf = (numbers) => numbers.map((task) => model.shares[task]);
    const mean = (numbers) => (numbers.length && numbers.every((task) => has(model, task)) ? average(sharesOf(numbers)) : null);
    const types = ofTypes.map(mean);
    const isComplete = among.has(model);
    return [model, {
      mean: isComplete ? toHundredths(mean(tasks)) : null, rank: isComplete ? ranks.get(points[model.place]) : null,
      meanType: isComplete ? toHundredths(average(types.filter((each) => each !== null))) : null, types: types.map(toHundredths), groups: [],
      interval: isComplete ? within(intervalOf(sharesOf(tasks)), boundsOf(tasks))?.map(toHundredths) ?? null : null,
      missing: tasks.filter((task) => !has(model, task)),
    }];
  }));
}

// What a model has over the tasks that are chosen: as it was computed of all of them, else computed here.
let cached = { key: null, means: null };
function meansNow(tasks) {
  if (isOfAll(tasks)) return null;
  const key = tasks.join();
  if (cached.key !== key) cached = { key, means: meansOver(tasks) };
  return cached.means;
}

// The lowest and the highest that scores of a task, and means of some tasks, can be, as shares: an interval that takes scores for
// normal knows of no bounds. What others published beyond them is shown all the same.
function boundsOfTask(number) {
  const all = data.models.filter((model) => has(model, number)).map((model) => model.shares[number]);
  return data.tasks[number].bounds.map((bound, end) => (bound === null ? [-Infinity, Infinity][end] : (end ? Math.max : Math.min)(bound / 10000, ...all)));
}
const boundsOfTasks = data.tasks.map((_, number) => boundsOfTask(number));
const boundsOf = (tasks) => [0, 1].map((end) => average(tasks.map((task) => boundsOfTasks[task][end])));
const within = (interval, [low, high]) => interval && [Math.max(interval[0], low), Math.min(interval[1], high)];
// How far two scores of a task can be apart, in both directions.
function reachOf(differences, tasks) {
  const reach = average(tasks.map((task, place) => { const [low, high] = boundsOfTasks[task]; return Math.max(high - low, Math.abs(differences[place])); }));
  return [-reach, reach];
}

// Student's 95 % interval of the mean of some tasks.
function intervalOf(numbers) {
  if (numbers.length < 2) return null;
  const mean = average(numbers);
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
  const reach = quantile(numbers.length - 1) * Math.sqrt(squares / (numbers.length - 1) / numbers.length);
  return [mean - reach, mean + reach];
}

// The 97.5 % quantile of Student's distribution: its distribution function by Simpson's rule, turned over by halving.
const quantiles = new Map();
function quantile(freedom) {
  if (quantiles.has(freedom)) return quantiles.get(freedom);
  // The integral of (1 + x²/ν)^(-(ν+1)/2) becomes that of cos(θ)^(ν-1) by x = √ν tan θ.
  const integral = (end) => {
    const steps = 400;
    const width = end / steps;
    let sum = 0;
    for (let step = 0; step <= steps; step += 1) sum += (step === 0 || step === steps ? 1 : step % 2 ? 4 : 2) * Math.cos(step * width) ** (freedom - 1);
    return (sum * width) / 3;
  };
  const half = integral(Math.PI / 2);
  let [low, high] = [0, Math.PI / 2];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (integral(middle) / half < 0.95) low = middle;
    else high = middle;
  }
  quantiles.set(freedom, Math.sqrt(freedom) * Math.tan(low));
  return quantiles.get(freedom);
}
