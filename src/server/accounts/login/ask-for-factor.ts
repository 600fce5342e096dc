import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { CHALLENGE_MINUTES, EMAILED_CODE_MINUTES, type FactorQuestionKind } from '#domain/accounts/factors.ts';
import { addChallenge, factorsOf } from '#server/accounts/factors/factors.sql.ts';
import { authenticationOptions } from '#server/accounts/factors/passkeys.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { type EmailLimits, queueLimitedEmail } from '#server/platform/outbox/queue-limited-email.ts';

type ChallengeDeps = Pick<Deps, 'clock' | 'publicUrl'>;

export interface PasskeyChallenge {
  challengeId: string;
  /** For the browser's passkey dialog. */
  passkeyOptions: PublicKeyCredentialRequestOptionsJSON;
}

/** The second step of a login. */
export interface FactorRequired {
  factorRequired: true;
  challengeId: string;
  kinds: FactorQuestionKind[];
  /** Null without a passkey. */
  passkeyOptions: PublicKeyCredentialRequestOptionsJSON | null;
}

/** `null` if the person has set up no factor: the password is enough. */
export async function askForFactor(deps: ChallengeDeps, tx: Db, userId: string): Promise<FactorRequired | null> {
  const factors = await factorsOf(tx, userId);
  if (factors.length === 0) return null;
  const credentialIds = factors.flatMap(({ credentialId }) => credentialId ?? []);
  const passkeyOptions = credentialIds.length > 0 ? await authenticationOptions(deps, credentialIds) : null;
  const challengeId = newId();
  await addChallenge(tx, {
    id: challengeId,
    purpose: 'log-in',
    userId,
    challenge: passkeyOptions?.challenge ?? null,
    expiresAt: challengeEnd(deps),
  });
  const kinds: FactorQuestionKind[] = [...new Set(factors.map(({ kind }) => kind))];
  return { factorRequired: true, challengeId, kinds, passkeyOptions };
}

/** For a person without a factor whose password many have tried. */
export async function askForEmailedCode(
  { clock, ...limits }: Pick<Deps, 'clock'> & EmailLimits,
  tx: Db,
  user: { id: string; email: string },
): Promise<FactorRequired> {
  const challengeId = newId();
  const now = clock.now();
  await addChallenge(tx, {
    id: challengeId,
    purpose: 'log-in',
    userId: user.id,
    challenge: null,
    takesEmailedCode: true,
    expiresAt: new Date(now.getTime() + EMAILED_CODE_MINUTES * 60_000),
  });
  const email = { kind: 'login-code', subjectId: challengeId, accountId: user.id } as const;
  await queueLimitedEmail(tx, limits, { ...email, toAddress: user.email, now });
  return { factorRequired: true, challengeId, kinds: ['email'], passkeyOptions: null };
}

/** A login with a passkey alone, which says whose it is. */
export async function askForPasskey(deps: ChallengeDeps & Pick<Deps, 'db'>): Promise<PasskeyChallenge> {
  const passkeyOptions = await authenticationOptions(deps, []);
  const challengeId = newId();
  const purpose = 'log-in-with-passkey';
  const { challenge } = passkeyOptions;
  await addChallenge(deps.db, { id: challengeId, purpose, userId: null, challenge, expiresAt: challengeEnd(deps) });
  return { challengeId, passkeyOptions };
}

const challengeEnd = ({ clock }: Pick<Deps, 'clock'>) => new Date(clock.now().getTime() + CHALLENGE_MINUTES * 60_000);
