"use strict";
// Everything that came from files is put in as text, never as markup.
const report = JSON.parse(document.getElementById("report").textContent);
const policies = report.policies;
const COLOURS = ["#2563eb", "#d97706", "#059669", "#dc2626", "#7c3aed", "#0891b2", "#be185d", "#4d7c0f"];
const colour = (i) => COLOURS[i % COLOURS.length];

const at = (object, path) => path.split("/").reduce((o, key) => (o === undefined || o === null ? undefined : o[key]), object);

function span(seconds) {
  if (seconds === undefined) return "-";
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const parts = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const first = parts.findIndex(([, unit]) => seconds >= unit);
  let left = Math.round(seconds);
  return parts.slice(first, first + 2).map(([name, unit]) => {
    const count = Math.floor(left / unit);
    left -= count * unit;
    return `${count} ${name}`;
  }).join(" ");
}
const count = (n) => (n === undefined ? "-" : n.toLocaleString("en"));
const percent = (share) => (share === undefined ? "-" : `${(100 * share).toFixed(1)} %`);
const money = (sum) => (sum === undefined ? "-" : sum.toLocaleString("en", {minimumFractionDigits: 2, maximumFractionDigits: 2}));
const hours = (h) => (h === undefined ? "-" : h.toLocaleString("en", {maximumFractionDigits: 1}));

// What, where it stands, how it is written, and whether more (1) or less (-1) of it is better.
const ROWS = [
  ["jobs", "all/jobs", count, 0], ["never started", "never_started", count, -1], ["unfinished", "unfinished", count, 0],
  ["wait, mean", "all/wait_seconds/mean", span, -1], ["wait, median", "all/wait_seconds/p50", span, -1],
  ["wait, p99", "all/wait_seconds/p99", span, -1], ["wait, longest", "all/wait_seconds/max", span, -1],
  ["completion, mean", "all/completion_seconds/mean", span, -1], ["completion, p99", "all/completion_seconds/p99", span, -1],
  ["makespan", "makespan_seconds", span, -1], ["utilisation", "utilisation", percent, 1],
  ["fragmentation", "fragmentation", percent, -1], ["idle while some wait", "idle_while_waiting", percent, -1],
  ["fairness of users", "fairness/users", percent, 1], ["slowdown, p99", "fairness/slowdown_p99", hours, -1],
  ["preemptions", "all/preemptions", count, 0], ["lost GPU hours", "all/lost_gpu_hours", hours, -1],
  ["cost", "cost", money, -1],
  ["deadlines missed", "all/deadlines/missed", count, -1],
];

function table(into, head, rows) {
  const made = document.createElement("table");
  const add = (row, kind, text, best) => {
    const cell = document.createElement(kind);
    cell.textContent = text;
    if (best) cell.className = "best";
    row.append(cell);
  };
  const top = made.createTHead().insertRow();
  head.forEach((text) => add(top, "th", text));
  const body = made.createTBody();
  rows.forEach((cells) => {
    const row = body.insertRow();
    cells.forEach((cell) => add(row, "td", cell.text ?? cell, cell.best));
  });
  into.append(made);
}

function figures() {
  const rows = ROWS.filter(([, path]) => policies.some((policy) => at(policy, path) !== undefined)).map(([what, path, write, better]) => {
    const values = policies.map((policy) => at(policy, path));
    const known = values.filter((value) => value !== undefined);
    const best = better > 0 ? Math.max(...known) : Math.min(...known);
    const differ = known.some((value) => value !== known[0]);
    return [what, ...values.map((value) => ({text: write(value), best: differ && better !== 0 && value === best}))];
  });
  table(document.getElementById("figures"), ["", ...policies.map((policy) => policy.policy)], rows);
}

function kinds(title, list, key) {
  const into = document.getElementById("kinds");
  policies.forEach((policy) => {
    if (policy[list].length < 2) return;
    const heading = document.createElement("h2");
    heading.textContent = policies.length > 1 ? `${title}: ${policy.policy}` : title;
    into.append(heading);
    const columns = [["jobs", "jobs", count], ["wait, mean", "wait_seconds/mean", span], ["wait, p99", "wait_seconds/p99", span],
      ["completion, mean", "completion_seconds/mean", span], ["preemptions", "preemptions", count], ["GPU hours", "used_gpu_hours", hours],
      ["of these lost", "lost_gpu_hours", hours], ["cost", "cost", money]].filter(([, path]) => policy[list].some((one) => at(one, path) !== undefined));
    table(into, [key.replaceAll("_", " "), ...columns.map(([name]) => name)],
      policy[list].map((one) => [String(one[key]), ...columns.map(([, path, write]) => write(at(one, path)))]));
  });
}

const time = (policy, i) => new Date(Date.parse(policy.timeline.begin) + i * policy.timeline.width_seconds * 1000);
const label = (date) => date.toISOString().slice(0, 16).replace("T", " ");

function lines(id, title, datasets, x, extra = {}) {
  const chart = new Chart(document.getElementById(id), {
    type: "line",
    data: {datasets},
    options: {
      animation: false, maintainAspectRatio: false, parsing: false, normalized: true, interaction: {mode: "nearest", axis: "x", intersect: false},
      elements: {point: {radius: 0}, line: {borderWidth: 1.5}},
      scales: {x: {type: "linear", ...x}, y: {beginAtZero: true, title: {display: true, text: title}, ...extra.y}},
      plugins: {legend: {display: datasets.length > 1}, tooltip: {callbacks: {title: (items) => x.ticks.callback(items[0].parsed.x)}}},
    },
  });
  return chart;
}

const dates = {ticks: {callback: (ms) => label(new Date(ms)), maxTicksLimit: 8, maxRotation: 0}};
// A mean holds over its interval: drawn from its beginning.
const series = (policy, name, by = 1) => (policy.timeline.means[name] ?? []).map((mean, i) => ({x: time(policy, i).getTime(), y: mean / by}));

// So many percent of the jobs took no longer.
function distribution(id, list, title) {
  const seconds = {type: "logarithmic", min: 1, title: {display: true, text: title}, ticks: {callback: (value) => (Number.isInteger(Math.log10(value)) ? span(value) : null)}};
  const taken = policies.map((policy, i) => ({label: policy.policy, borderColor: colour(i), backgroundColor: colour(i), stepped: true,
    data: policy[list].map((value, q, all) => ({x: Math.max(1, value), y: 100 * q / (all.length - 1)}))}));
  const chart = lines(id, "% of jobs", taken, seconds, {y: {max: 100}});
  chart.options.plugins.tooltip.callbacks.title = (items) => span(items[0].parsed.x);
}

function charts() {
  const first = Math.min(...policies.map((policy) => Date.parse(policy.begin)));
  const last = Math.max(...policies.map((policy) => Date.parse(policy.end)));
  const x = {...dates, min: first, max: last};
  const of = (name, by) => policies.map((policy, i) => ({label: policy.policy, data: series(policy, name, by), borderColor: colour(i), backgroundColor: colour(i)}));
  const capacity = {label: "there are", data: [{x: first, y: policies[0].gpus}, {x: last, y: policies[0].gpus}], borderColor: "#9ca3af", borderDash: [4, 4]};
  lines("gpus", "GPUs", [...of("gpus", 1000), capacity], x);
  lines("waiting", "jobs", of("waiting"), x);
  distribution("waits", "wait_quantiles", "waited");
  distribution("completions", "completion_quantiles", "from submission to the end");
  lines("scattered", "GPUs", of("scattered", 1000), x);
  lines("idle", "GPUs", of("idle while waiting", 1000), x);
  const queues = Object.keys(policies[0].timeline.means).filter((name) => name.startsWith("gpus "));
  const stacked = queues.map((name, i) => ({label: name.slice(5), data: series(policies[0], name, 1000), fill: i === 0 ? "origin" : "-1",
    borderColor: colour(i), backgroundColor: colour(i) + "55"}));
  if (policies.length > 1) document.getElementById("queues-title").textContent += `: ${policies[0].policy}`;
  lines("queues", "GPUs", stacked, x, {y: {stacked: true}});
}

document.getElementById("about").textContent =
  `${report.workload} (${report.format}): ${count(policies[0].submitted)} jobs on ${count(policies[0].gpus)} GPUs, ` +
  `${label(new Date(policies[0].begin))} to ${label(new Date(policies[0].end))} UTC.`;
figures();
charts();
kinds("By queue", "queues", "queue");
kinds("By priority", "priorities", "priority");
kinds("By size", "sizes", "gpus_up_to");
