/** Formats what failed and why. Kept short, because CI logs are often cut off at either end. */
import { stripVTControlCharacters } from 'node:util';

const MAX_FAILURES = 20;
const MAX_LINES = 30;
/** Keeps the end of a long message too: a program's last output is there. */
const LAST_LINES = 10;
const MAX_CHARACTERS = 400;

/** @param {readonly { name: string, message: string }[]} failures */
export function formatFailures(failures) {
  const shown = failures
    .slice(0, MAX_FAILURES)
    .map(({ name, message }) => [name, ...shortened(message)].join('\n    '));
  const hidden = failures.length - shown.length;
  return ['Not passed:', ...shown, ...(hidden > 0 ? [`And ${hidden} more.`] : [])].join('\n\n');
}

function shortened(message) {
  const lines = stripVTControlCharacters(message)
    .trim()
    .split('\n')
    .map((line) => (line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)} ...` : line));
  if (lines.length <= MAX_LINES) return lines;
  const left = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES - LAST_LINES), `... ${left} more lines ...`, ...lines.slice(-LAST_LINES)];
}

/** Reads Playwright's JSON report. */
export function failedJourneys({ suites, errors }) {
  const outside = errors.map(({ stack, message }) => ({ name: 'Outside of any journey', message: stack ?? message }));
  const journeys = suites.flatMap((suite) => journeysIn(suite, []));
  const failed = journeys.filter(({ status }) => status !== 'expected' && status !== 'skipped');
  const skipped = journeys.filter(({ status }) => status === 'skipped');
  return [
    ...outside,
    ...failed.map(({ name, results }) => ({ name, message: whyFailed(results) })),
    ...skipped.map(({ name }) => ({ name, message: 'It was skipped.' })),
  ];
}

function journeysIn({ specs, suites = [] }, titles) {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests.map((test) => ({ ...test, name: [`${file}:${line}`, ...titles, title].join(' > ') })),
  );
  return [...own, ...suites.flatMap((suite) => journeysIn(suite, [...titles, suite.title]))];
}

function whyFailed(results) {
  const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message));
  return messages.length > 0 ? messages.join('\n') : results.map(({ status }) => status).join(', ');
}
