/** What an installation lacks before it can take real money: `npm run doctor -- --install`. */
import type { Config } from '#server/platform/config.ts';
import { openDatabase, type Pool } from '#server/platform/database.ts';
import { type CheckResult, fail, pass } from './check-result.ts';
import { type Furnishing, furnishingOf } from './checks.sql.ts';

const BACKUP_HOURS_MAX = 26;
const HOUR_SECONDS = 60 * 60;
const PLACEHOLDER = /\.example>?$/;

/** One result for each point, in the order in which an operator takes care of them. */
export async function checkReadiness(config: Config, pool: Pool): Promise<CheckResult[]> {
  const furnishing = await furnishingOf(openDatabase(pool));
  return [...checkSettings(config), ...checkFurnishing(furnishing)];
}

const asked = (isDone: boolean, done: string, missing: string): CheckResult => (isDone ? pass(done) : fail(missing));

function checkSettings(config: Config): CheckResult[] {
  const { publicUrl, stripe } = config;
  const host = new URL(publicUrl).hostname;
  return [
    asked(
      publicUrl.startsWith('https:') && !PLACEHOLDER.test(host),
      `People open ${publicUrl}.`,
      'PUBLIC_URL is not the https address that people open.',
    ),
    asked(
      config.trustedProxies > 0,
      'The proxy in front says who calls.',
      'TRUST_PROXY is 0: all buyers look like one network. Set the number of proxies that set X-Forwarded-For.',
    ),
    asked(
      config.databaseUrl !== null,
      'The database is your own.',
      'DATABASE_URL is missing. The embedded database is for evaluation: nothing backs it up.',
    ),
    asked(
      config.appSecret !== null,
      'APP_SECRET is set. Keep a copy apart from the backups.',
      'APP_SECRET is missing. The generated one is on this disk only.',
    ),
    asked(
      stripe?.isLive ?? false,
      "Stripe's keys are live.",
      stripe
        ? 'STRIPE_SECRET_KEY is a test key: no card is charged.'
        : 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are missing: sales go to the sandbox.',
    ),
    asked(config.smtpUrl !== null, 'Emails leave through your mail server.', 'SMTP_URL is missing: no email leaves.'),
    asked(
      !PLACEHOLDER.test(config.mailFrom),
      `Emails come from ${config.mailFrom}.`,
      'MAIL_FROM is a placeholder: buyers see it, and mail servers refuse it.',
    ),
    asked(
      config.alertEmail !== null,
      'Problems are emailed to ALERT_EMAIL.',
      'ALERT_EMAIL is missing: no one learns of problems.',
    ),
    asked(
      config.metricsToken !== null,
      'Prometheus can read /metrics.',
      'METRICS_TOKEN is missing: nothing outside of the server watches it.',
    ),
    asked(
      config.refundDelayMinutes > 0,
      `Refunds wait for ${config.refundDelayMinutes} minutes.`,
      'REFUND_DELAY_MINUTES is 0: a stranger who reads a ticket can refund it before its holder learns of it. 30 is recommended.',
    ),
  ];
}

function checkFurnishing({ operators, hasRole, backupSeconds, hasDemo }: Furnishing): CheckResult[] {
  return [
    asked(
      hasRole,
      'The server works as a role that cannot change the books.',
      'The role handstamp_app is missing (docs/running.md, "The database role").',
    ),
    asked(
      operators > 0,
      `Operators who can open /dashboard: ${operators}.`,
      'No account can open /dashboard: register, then run npm run admin -- grant EMAIL.',
    ),
    asked(
      backupSeconds !== null && backupSeconds <= BACKUP_HOURS_MAX * HOUR_SECONDS,
      `The last backup is ${Math.floor((backupSeconds ?? 0) / HOUR_SECONDS)} hours old.`,
      backupSeconds === null
        ? 'No backup has been recorded (docs/running.md, "Data and backups").'
        : `The last backup is ${Math.floor(backupSeconds / HOUR_SECONDS)} hours old.`,
    ),
    asked(
      !hasDemo,
      'The database has no demo in it.',
      'The database contains the demo. Start with an empty one: Stripe knows nothing of what was sold in the sandbox.',
    ),
  ];
}
