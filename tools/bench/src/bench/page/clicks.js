// Clicks through the page and writes the milliseconds of each click at its end: [[what, [milliseconds…]]…].
{
  const measured = [];
  const find = (selector) => document.querySelector(selector);
  const time = (what, clicks) => {
    const times = clicks.map((click) => {
      const start = performance.now();
      click();
      // The browser lays out the page when somebody asks for a measure of it.
      void document.body.offsetHeight;
      return performance.now() - start;
    });
    measured.push([what, times]);
  };
  const typed = (word) => () => {
    const search = find("[name=q]");
    search.value = word;
    search.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const choice = (value) => () => find(`#drawer input[value="${value}"]`).click();
  const twice = (all) => all.flatMap((each) => [each, each]);

  const columns = ["mean", "model", "parameters", "type0", "rank", "interval"];
  time("column title: sort", [...twice(columns.map((column) => () => find(`th[data-sort=${column}] button`).click())), () => find("th[data-sort=rank] button").click()]);
  const words = ["m", "mo", "mod", "mode", "model 1", "model 12", "model 123", "organisation-7", "v2", ""];
  time("letter of the search", words.map(typed));
  find("#drawer-open").click();
  time("filter of models, in the open drawer", twice(["0-100000000", "100000000-500000000", "0-384", "384-768", "yes"].map(choice)));
  time("filter of tasks, in the open drawer", twice(["STS", "Retrieval", "Classification", "Clustering", "TaskWithAnOrdinaryName3"].map(choice)));
  find("#drawer [data-close]").click();
  location.hash = "";

  const out = document.createElement("pre");
  out.id = "measured";
  out.textContent = JSON.stringify(measured.map(([what, times]) => [what, times.map((ms) => Math.round(ms * 10) / 10)]));
  document.body.append(out);
}
