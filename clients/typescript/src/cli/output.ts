/** Results go to standard output; everything said about them goes to standard error. */
import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';

export interface Output {
  /** A person reads the results. */
  readonly isTerminal: boolean;
  /** Resolves when there is room for more, so that a slow reader isn't flooded. */
  write(text: string): Promise<void>;
  /** A line on standard error. */
  note(line: string): void;
  /** Shows how far long work is: on a terminal in one line, elsewhere in a line for every thousandth. */
  progress(line: string, count: number): void;
  /** Bold on a terminal. */
  heading(text: string): string;
}

/** What reads the output has closed it, as `head` does. */
export class ClosedPipeError extends Error {}

const CLEAR_LINE = '\r\x1b[K';
const SHOW_EVERY = 25;
const LOG_EVERY = 1000;

export function terminalOutput(stdout: WriteStream, stderr: WriteStream): Output {
  let isProgressShown = false;
  // Each write has a callback for its error.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  return {
    isTerminal: stdout.isTTY,
    write: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => {
          if (!error) resolve();
          else reject('code' in error && error.code === 'EPIPE' ? new ClosedPipeError() : error);
        });
      }),
    note(line) {
      stderr.write(`${isProgressShown ? CLEAR_LINE : ''}${line}\n`);
      isProgressShown = false;
    },
    progress(line, count) {
      if (count % (stderr.isTTY ? SHOW_EVERY : LOG_EVERY) > 0) return;
      stderr.write(stderr.isTTY ? `${CLEAR_LINE}${line}` : `${line}\n`);
      isProgressShown = stderr.isTTY;
    },
    heading: (text) => styleText('bold', text, { stream: stdout }),
  };
}
