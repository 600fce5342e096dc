/** Prints the start messages to the terminal. */
import type { Config } from '#server/platform/config.ts';
import type { DemoGuide } from './demo/seed-demo.ts';

/** Programs wait for the first line: it means that requests are served. */
export function announce(config: Config): void {
  const lines = [`Handstamp listening on ${config.publicUrl}`];
  // Unless they are open, the sandbox's pages answer at a name of this machine only.
  const url = config.sandbox.isOpen || config.port === 0 ? config.publicUrl : `http://localhost:${config.port}`;
  if (!config.smtpUrl) lines.push(`Emails arrive here:   ${url}/sandbox/inbox`);
  if (!config.stripe) lines.push(`Payments are tests:   ${url}/sandbox/`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

export function announceDemo(guide: DemoGuide, publicUrl: string): void {
  const lines = [
    '',
    'A demo is ready:',
    `  An event on sale:   ${guide.eventUrl}`,
    `  Pay with the card   ${guide.testCard}, any future date, any CVC`,
    `  Log in:             ${publicUrl}/login`,
    `                      ${guide.email} / ${guide.password}`,
    `  At the door:        open the event, "I am an Attendant", code ${guide.attendantCode}`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
