/** Checks that what leaves this machine is encrypted: emails, and queries to a database on another host. */
import { findMailServerProblem, type MailServer } from '#server/platform/adapters/smtp/smtp-mailer.ts';
import type { CheckResult } from './run-checks.ts';

export async function checkMailServer(server: MailServer): Promise<CheckResult> {
  const problem = await findMailServerProblem(server);
  if (problem?.kind === 'no-tls')
    return {
      passed: false,
      message: `The mail server offers no TLS, so the server doesn't start: ${problem.reason}. Use smtps:// or a server with STARTTLS, or allow plain text with SMTP_PLAIN_TEXT=1.`,
    };
  if (problem) return { passed: false, message: `The mail server can't be used: ${problem.reason}.` };
  return {
    passed: true,
    message: server.allowsPlainText
      ? 'The mail server answers. SMTP_PLAIN_TEXT=1 allows sending emails unencrypted.'
      : 'The mail server answers and encrypts.',
  };
}

/** These verify the server's certificate, too. */
const ENCRYPTED = new Set(['require', 'verify-ca', 'verify-full']);
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;

export function checkDatabaseAddress(databaseUrl: string): CheckResult {
  const address = new URL(databaseUrl);
  const host = address.searchParams.get('host') ?? address.hostname;
  if (host === '' || host.startsWith('/') || LOOPBACK.test(host))
    return { passed: true, message: 'The database is on this machine.' };
  const mode = address.searchParams.get('sslmode');
  return mode !== null && ENCRYPTED.has(mode)
    ? { passed: true, message: `The connection to the database is encrypted (sslmode=${mode}).` }
    : {
        passed: false,
        message: `The connection to the database on ${host} may be unencrypted: add sslmode=verify-full to DATABASE_URL.`,
      };
}
