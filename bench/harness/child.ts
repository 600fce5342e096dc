/** Entry point of every other process of a benchmark: starts one part, and exits with its parent. */
import type { StartsPart } from './children.ts';

const { url, given } = JSON.parse(process.argv[2] ?? 'null') as { url: string; given: unknown };
const { start } = (await import(url)) as StartsPart;
const part = await start(given);

process.on('disconnect', () => {
  // Nothing waits for unfinished work any more.
  setTimeout(() => process.exit(0), 5_000).unref();
  part.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
// Ctrl-C reaches the whole process group; the benchmark decides the order of shutdown.
process.on('SIGINT', () => {});
process.send?.(part.ready);
