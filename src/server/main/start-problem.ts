/** What a person is told when the product cannot start. */
import { StartFailure } from '#server/platform/adapters/embedded-postgres/start-failure.ts';
import { ConfigError } from '#server/platform/config.ts';
import { OutdatedDatabase } from '#server/platform/migrate.ts';

/** By sysexits.h: the configuration is wrong. */
const EX_CONFIG = 78;

/** Somebody else found the reason, and has put it into words. */
export class CannotStart extends Error {
  override name = 'CannotStart';
  readonly exitCode: number;

  constructor(words: string, exitCode: number) {
    super(words);
    this.exitCode = exitCode;
  }
}

export function exitWith(error: unknown): never {
  const { words, code } = explain(error);
  process.stderr.write(`\nHandstamp cannot start.\n${words}\n`);
  process.exit(code);
}

export function explain(error: unknown): { words: string; code: number } {
  if (error instanceof ConfigError || error instanceof OutdatedDatabase)
    return { words: error.message, code: EX_CONFIG };
  if (error instanceof StartFailure || error instanceof CannotStart)
    return { words: error.message, code: error.exitCode };
  if (isBusyPort(error))
    return {
      words: `Port ${error.port} is in use by another program. Stop it, or choose another with PORT (and SANDBOX_PORT, which is otherwise PORT + 1).`,
      code: EX_CONFIG,
    };
  return { words: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 };
}

function isBusyPort(error: unknown): error is Error & { port: number } {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
}
