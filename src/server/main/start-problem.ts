/** Error messages for a product that cannot start. */
import { StartFailure } from '#server/platform/adapters/embedded-postgres/start-failure.ts';
import { OutdatedDatabase } from '#server/platform/migrate.ts';
import { LockedTables } from '#server/platform/migrations/short-locks.ts';
import { ConfigError } from '#server/platform/settings.ts';

/** From sysexits.h: configuration error, and a failure that another attempt may cure. */
const EX_CONFIG = 78;
const EX_TEMPFAIL = 75;

/** Carries the message of another process. */
export class CannotStart extends Error {
  override name = 'CannotStart';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function exitWith(error: unknown): never {
  const { message, code } = explain(error);
  process.stderr.write(`\nHandstamp cannot start.\n${message}\n`);
  process.exit(code);
}

export function explain(error: unknown): { message: string; code: number } {
  if (error instanceof ConfigError || error instanceof OutdatedDatabase)
    return { message: error.message, code: EX_CONFIG };
  if (error instanceof StartFailure || error instanceof CannotStart)
    return { message: error.message, code: error.exitCode };
  if (error instanceof LockedTables) return { message: error.message, code: EX_TEMPFAIL };
  if (isBusyPort(error))
    return {
      message: `Port ${error.port} is in use by another program. Stop it, or choose another with PORT (and SANDBOX_PORT, which is otherwise PORT + 1).`,
      code: EX_CONFIG,
    };
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 };
}

function isBusyPort(error: unknown): error is Error & { port: number } {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
}
