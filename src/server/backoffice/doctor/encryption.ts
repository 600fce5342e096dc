/** Checks that what leaves this machine is encrypted: emails, and queries to a database on another host. */
import { parse } from 'pg-connection-string';
import type { MailServerProblem } from '#server/platform/ports/mailer.ts';
import { type CheckResult, fail, pass } from './check-result.ts';

export interface MailServerCheck {
  allowsPlainText: boolean;
  findProblem: () => Promise<MailServerProblem | null>;
}

export async function checkMailServer({ allowsPlainText, findProblem }: MailServerCheck): Promise<CheckResult> {
  const problem = await findProblem();
  if (problem?.kind === 'no-tls')
    return fail(
      `The mail server offers no TLS, so Handstamp doesn't start: ${problem.reason}. Use smtps:// or a server with STARTTLS, or allow plain text with SMTP_PLAIN_TEXT=1.`,
    );
  if (problem) return fail(`The mail server can't be used: ${problem.reason}.`);
  return pass(
    allowsPlainText
      ? 'The mail server answers. SMTP_PLAIN_TEXT=1 allows sending emails unencrypted.'
      : 'The mail server answers and encrypts.',
  );
}

/** These verify the server's certificate, too. */
const ENCRYPTED = new Set(['require', 'verify-ca', 'verify-full']);
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/;

export function checkDatabaseAddress(databaseUrl: string): CheckResult {
  const { host, sslmode: mode } = parse(databaseUrl);
  if (!host || host.startsWith('/') || LOOPBACK.test(host)) return pass('The database is on this machine.');
  return typeof mode === 'string' && ENCRYPTED.has(mode)
    ? pass(`The connection to the database is encrypted (sslmode=${mode}).`)
    : fail(`The connection to the database on ${host} may be unencrypted: add sslmode=verify-full to DATABASE_URL.`);
}
