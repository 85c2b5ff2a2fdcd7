// Writes numbers as the app does.

const missing = "–";

const count = (number) => number.toLocaleString("en-US");

const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

// Halves go to the even digit, as Python rounds; `toFixed` rounds them up. A half hundredth is an odd eighth.
const isHalf = (scaled) => Math.abs(scaled % 1) === 0.5;
const toEven = (scaled) => 2 * Math.round(scaled / 2);
const wholeNumber = (value) => (isHalf(value) ? toEven(value) : value).toFixed(0);
const hundredths = (value) => (isHalf(value * 4) ? toEven(value * 100) / 100 : value).toFixed(2);

const score = (value) => (value === null ? missing : hundredths(value));

const percent = (share) => {
  if (share > 0 && share <= 0.005) return "<1%";
  if (share >= 0.995 && share < 1) return ">99%";
  return `${wholeNumber(100 * share)}%`;
};

const outOf = (hits, among) => (among ? `${count(hits)} of ${count(among)}` : missing);

// Outwards to a tenth of a percent, without the last digits, which are arithmetic's.
const tenths = (share) => Math.round(share * 1e9) / 1e6;
const interval = (low, high) => `${(Math.floor(tenths(low)) / 10).toFixed(1)}–${(Math.ceil(tenths(high)) / 10).toFixed(1)}%`;
