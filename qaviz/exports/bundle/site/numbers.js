// Writes numbers as the app does.

const missing = "–";

const count = (number) => number.toLocaleString("en-US");

const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

const score = (value) => (value === null ? missing : value.toFixed(2));

const percent = (share) => {
  if (share > 0 && share < 0.005) return "<1%";
  if (share >= 0.995 && share < 1) return ">99%";
  return `${(100 * share).toFixed(0)}%`;
};

const outOf = (hits, among) => (among ? `${count(hits)} of ${count(among)}` : missing);

const interval = (low, high) => `${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}%`;
