import type { Logger } from 'pino';
import { findMailServerProblem } from '#server/platform/adapters/smtp/smtp-mailer.ts';
import type { Config } from '#server/platform/config.ts';
import { ConfigError } from '#server/platform/settings.ts';

/** Stops the start when the mail server offers no TLS. A server that is down doesn't: emails wait for it. */
export async function requireSmtpTls(
  url: string,
  { smtpAllowsPlainText: allowsPlainText }: Pick<Config, 'smtpAllowsPlainText'>,
  log: Logger,
): Promise<void> {
  const problem = await findMailServerProblem({ url, allowsPlainText });
  if (problem?.kind === 'no-tls')
    throw new ConfigError(
      'SMTP_URL names a mail server that offers no TLS, so everyone on the way could read tickets and links. Use smtps:// or a server with STARTTLS, or allow plain text with SMTP_PLAIN_TEXT=1',
    );
  if (problem) log.warn('the mail server could not be used at the start, emails wait for it');
}
