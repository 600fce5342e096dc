/** Summarizes where the time of a test run goes: its slowest files, and the share spent outside of test bodies. */

const LISTED = 10;

/** @typedef {{ name: string, seconds: number, inTests: number }} TimedFile `inTests`: seconds in test bodies, without the file's imports and hooks */

/** @param {readonly TimedFile[]} files */
export function formatSlowest(files) {
  const total = sum(files.map(({ seconds }) => seconds));
  const setUp = total - sum(files.map(({ inTests }) => inTests));
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, LISTED);
  return [
    `Slowest files, of ${files.length} (set-up takes ${Math.round((setUp / total) * 100)}% of ${total.toFixed(0)} s over all workers):`,
    ...slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`),
  ].join('\n');
}

/** Reads Playwright's JSON report. @returns {TimedFile[]} */
export function timedJourneys({ suites }) {
  return suites.map((suite) => {
    const seconds = sum(resultsIn(suite).map(({ duration }) => duration)) / 1000;
    return { name: suite.file, seconds, inTests: seconds };
  });
}

const resultsIn = ({ specs, suites = [] }) => [
  ...specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results)),
  ...suites.flatMap(resultsIn),
];

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
