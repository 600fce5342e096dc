/** Codes of authenticator apps, as RFC 6238 defines them and every app shows them: SHA-1, six digits, 30 seconds. */
import { Secret, TOTP } from 'otpauth';
import { TOTP_DRIFT, TOTP_SECONDS } from '#domain/accounts/factors.ts';

const ISSUER = 'Handstamp';
const SECRET_BYTES = 20;

export interface NewApp {
  secret: Buffer;
  /** To type in when the phone can't scan. */
  key: string;
  /** Inside the QR code. */
  uri: string;
}

export function newApp(email: string): NewApp {
  const secret = new Secret({ size: SECRET_BYTES });
  const uri = new TOTP({ issuer: ISSUER, label: email, secret, period: TOTP_SECONDS }).toString();
  return { secret: Buffer.from(secret.bytes), key: secret.base32, uri };
}

/** The time step that the code belongs to; `null` if it is wrong or of another time. */
export function stepOf(secret: Buffer, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const drift = TOTP.validate({
    token: code.replace(/\s/g, ''),
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    period: TOTP_SECONDS,
    window: TOTP_DRIFT,
    timestamp,
  });
  return drift === null ? null : TOTP.counter({ period: TOTP_SECONDS, timestamp }) + drift;
}
