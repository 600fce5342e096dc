/** An authenticator app on a phone. */
import { Secret, TOTP } from 'otpauth';
import { confirmApp, setUpApp } from '#contract/app/factors.ts';
import { TOTP_SECONDS } from '#domain/accounts/factors.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';
import type { TestApp } from './test-app.ts';

/** What the phone shows, `steps` of 30 seconds from now. */
export const codeOf = (site: TestApp, key: string, steps = 0) =>
  TOTP.generate({
    secret: Secret.fromBase32(key),
    timestamp: site.now().getTime() + steps * TOTP_SECONDS * 1000,
  });

export async function addApp(site: TestApp, visitor: Visitor) {
  const { key, uri } = expectOk(await visitor.call(setUpApp, {}));
  const { recoveryCodes } = expectOk(await visitor.call(confirmApp, { code: codeOf(site, key) }));
  // Each code works once: the next one comes half a minute later.
  await site.advance({ seconds: TOTP_SECONDS });
  return { key, uri, recoveryCodes: recoveryCodes ?? [] };
}
