/** The command `handstamp`. */
import { CommanderError } from 'commander';
import { exitCodeOf, exitCodes, explain } from './exit-codes.ts';
import { ClosedPipeError, terminalOutput } from './output.ts';
import { handstampProgram } from './program.ts';

const output = terminalOutput(process.stdout, process.stderr);

const interrupted = new AbortController();

try {
  await handstampProgram({
    output,
    env: process.env,
    input: process.stdin,
    untilInterrupted() {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => interrupted.abort());
      return interrupted.signal;
    },
  }).parseAsync();
} catch (error) {
  // A reader such as `head` has all it wants. Commander prints what is wrong by itself.
  if (error instanceof ClosedPipeError) process.exitCode = exitCodes.done;
  else if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  else {
    process.exitCode = exitCodeOf(error);
    output.note(explain(error));
  }
}
