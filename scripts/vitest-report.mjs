/**
 * Writes a vitest run's results for `npm run check` as JSON to the path in HANDSTAMP_REPORT. vitest's own JSON leaves
 * out diffs, failures in hooks of a `describe`, and errors outside of tests.
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
        ...unhandledErrors.map((error) => ({ name: `${error.type}, outside of any test`, message: textOf(error) })),
        ...tasks.flatMap((task) => errorsOf(task).map((error) => ({ name: nameOf(task), message: textOf(error) }))),
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

function textOf(error) {
  return [...messagesOf(error), ...(error.diff ? [error.diff] : []), ...framesIn(error)].join('\n');
}

/** vitest already marks a cause's name as a cause. */
const messagesOf = ({ name = 'Error', message, cause }) => [`${name}: ${message}`, ...(cause ? messagesOf(cause) : [])];

const MAX_FRAMES = 4;

/** Stack frames in this repository. */
function framesIn({ stacks, stack = '' }) {
  const frames = stacks?.map(({ file, line }) => `${file}:${line}`) ?? stack.match(/^ {4}at .*$/gm) ?? [];
  return frames
    .filter((frame) => !/node_modules|node:/.test(frame))
    .slice(0, MAX_FRAMES)
    .map((frame) => `at ${path.relative(root, frame.replace(/^ *at /, ''))}`);
}
