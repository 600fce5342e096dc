/** What the doctor examines, for the server and for its command. */
import type { Installation } from '#server/backoffice/doctor/run-checks.ts';
import { findMailServerProblem } from '#server/platform/adapters/smtp/smtp-mailer.ts';
import type { Config } from '#server/platform/config.ts';
import { keyCheck } from './open-integrations.ts';

type Opened = Pick<Installation, 'pool' | 'appSecret' | 'files'>;

export function installationOf(config: Config, opened: Opened): Installation {
  const { dataDir, databaseUrl, publicUrl, smtpUrl, smtpAllowsPlainText, trustedProxies } = config;
  const server = { url: smtpUrl ?? '', allowsPlainText: smtpAllowsPlainText };
  const mailServer = smtpUrl === null ? null : { ...server, findProblem: () => findMailServerProblem(server) };
  return { ...opened, dataDir, databaseUrl, publicUrl, mailServer, trustedProxies, findKeyProblem: keyCheck(config) };
}
