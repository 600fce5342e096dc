/** What did not pass, and why: short, because whoever reads a CI's log often sees its beginning or its end only. */
import { stripVTControlCharacters } from 'node:util';

const TOLD_MOST = 20;
const LINES_MOST = 30;
/** The end of a message counts too: there stands what a program said before it ended. */
const LINES_AT_END = 10;
const CHARACTERS_MOST = 400;

/** @param {readonly { name: string, message: string }[]} failures */
export function tellFailures(failures) {
  const told = failures.slice(0, TOLD_MOST).map(({ name, message }) => [name, ...shortened(message)].join('\n    '));
  const untold = failures.length - told.length;
  return ['Not passed:', ...told, ...(untold > 0 ? [`And ${untold} more.`] : [])].join('\n\n');
}

function shortened(message) {
  const lines = stripVTControlCharacters(message)
    .trim()
    .split('\n')
    .map((line) => (line.length > CHARACTERS_MOST ? `${line.slice(0, CHARACTERS_MOST)} ...` : line));
  if (lines.length <= LINES_MOST) return lines;
  const left = lines.length - LINES_MOST;
  return [...lines.slice(0, LINES_MOST - LINES_AT_END), `... ${left} more lines ...`, ...lines.slice(-LINES_AT_END)];
}

/** Of playwright's JSON report. */
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
