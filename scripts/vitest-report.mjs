/**
 * What `npm run check` is told of a run of vitest, written as JSON to the file that HANDSTAMP_REPORT names. vitest's own JSON
 * leaves out the differences between values, what fails in a hook of a `describe`, and errors outside of any test.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

export default class VitestReport {
  onTestRunEnd(finished, unhandledErrors) {
    const modules = finished.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const tasks = modules.flatMap((module) => [module, ...module.children.allSuites(), ...module.children.allTests()]);
    const inState = (state) => tests.filter((test) => test.result().state === state);
    const passed = inState('passed').length;
    const failed = inState('failed').length;
    const report = {
      passed,
      failed,
      skipped: tests.length - passed - failed,
      failures: [
        ...unhandledErrors.map((error) => ({ name: `${error.type}, outside of any test`, message: wordsOf(error) })),
        ...tasks.flatMap((task) => errorsOf(task).map((error) => ({ name: nameOf(task), message: wordsOf(error) }))),
        ...inState('skipped').map((test) => ({ name: nameOf(test), message: 'It was skipped.' })),
      ],
      files: modules.map(timeOf),
    };
    writeFileSync(process.env.HANDSTAMP_REPORT, JSON.stringify(report));
  }
}

function timeOf(module) {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
  const inTests = [...module.children.allTests()].reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0);
  return {
    name: module.relativeModuleId,
    seconds: (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000,
    inTests: inTests / 1000,
  };
}

const errorsOf = (task) => (task.type === 'test' ? task.result().errors : task.errors()) ?? [];

const nameOf = (task) =>
  task.type === 'module' ? task.relativeModuleId : `${task.module.relativeModuleId} > ${task.fullName}`;

function wordsOf(error) {
  return [...messagesOf(error), ...(error.diff ? [error.diff] : []), ...placesIn(error)].join('\n');
}

/** vitest itself puts before a cause's name that it is one. */
const messagesOf = ({ name = 'Error', message, cause }) => [`${name}: ${message}`, ...(cause ? messagesOf(cause) : [])];

const PLACES_MOST = 4;

/** Where it came from, in files of ours. */
function placesIn({ stacks, stack = '' }) {
  const places = stacks?.map(({ file, line }) => `${file}:${line}`) ?? stack.match(/^ {4}at .*$/gm) ?? [];
  return places
    .filter((place) => !/node_modules|node:/.test(place))
    .slice(0, PLACES_MOST)
    .map((place) => `at ${path.relative(root, place.replace(/^ *at /, ''))}`);
}
