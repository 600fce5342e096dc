import { recoveryCodeFrom } from '#domain/accounts/factors.ts';
import { hashSecret } from '#server/accounts/passwords.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import {
  countRecoveryCodes,
  factorsOf,
  findPasskey,
  markPasskeyUsed,
  useRecoveryCode,
  useStep,
} from './factors.sql.ts';
import { readAuthentication } from './passkeys.ts';
import { unsealApp } from './seal-app.ts';
import { stepOf } from './totp.ts';

type FactorDeps = Pick<Deps, 'clock' | 'appSecret' | 'publicUrl'>;

interface Shown {
  code?: string | undefined;
  passkey?: { id: string } | undefined;
  /** What the passkey has to have signed. */
  challenge: string | null;
}

/** Uses up what is shown: a code works once. The caller has locked the user. */
export async function checkFactor(
  deps: FactorDeps,
  tx: Db,
  user: { id: string; email: string },
  { code, passkey, challenge }: Shown,
): Promise<boolean> {
  if (passkey) {
    return challenge !== null && acceptPasskey(deps, tx, user.id, { challenge, response: passkey, isAlone: false });
  }
  if (code === undefined) return false;
  const recoveryCode = recoveryCodeFrom(code);
  return recoveryCode === null ? acceptCode(deps, tx, user.id, code) : acceptRecoveryCode(deps, tx, user, recoveryCode);
}

interface Signed {
  challenge: string;
  response: { id: string };
  isAlone: boolean;
}

export async function acceptPasskey(deps: FactorDeps, tx: Db, userId: string, signed: Signed): Promise<boolean> {
  const found = await findPasskey(tx, signed.response.id);
  if (!found || found.userId !== userId) return false;
  const { credentialId, publicKey, signCount } = found;
  if (credentialId === null || publicKey === null || signCount === null) return false;
  const passkey = { credentialId, publicKey, signCount: Number(signCount) };
  const newCount = await readAuthentication(deps, { ...signed, passkey });
  if (newCount === null) return false;
  await markPasskeyUsed(tx, found.id, {
    signCount: newCount,
    host: new URL(deps.publicUrl).hostname,
    at: deps.clock.now(),
  });
  return true;
}

async function acceptCode({ clock, appSecret }: FactorDeps, tx: Db, userId: string, code: string): Promise<boolean> {
  const app = (await factorsOf(tx, userId)).find(({ kind }) => kind === 'totp');
  const secret = app && unsealApp(appSecret, app);
  if (!secret) return false;
  const step = stepOf(secret, code, clock.now());
  return step !== null && useStep(tx, app.id, { step, at: clock.now() });
}

/** The owner learns of it: a thief of printed codes needs no phone. */
async function acceptRecoveryCode(
  { clock }: FactorDeps,
  tx: Db,
  user: { id: string; email: string },
  code: string,
): Promise<boolean> {
  if (!(await useRecoveryCode(tx, user.id, hashSecret(code)))) return false;
  const left = await countRecoveryCodes(tx, user.id);
  const email = {
    kind: 'recovery-code-used',
    subjectId: newId(),
    params: { left: String(left) },
    accountId: user.id,
  } as const;
  await queueEmail(tx, { ...email, toAddress: user.email, now: clock.now() });
  return true;
}
