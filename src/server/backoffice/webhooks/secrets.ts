/** The secrets of an endpoint: what is sealed in its row. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ROTATION_HOURS } from '#domain/accounts/webhooks.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import type { AppSecret } from '#server/platform/secrets.ts';

const SECRET_BYTES = 32;
const ROTATION_MS = ROTATION_HOURS * 60 * 60 * 1000;

/** Newest first. */
const secretsSchema = z.array(z.object({ secret: z.string(), until: z.coerce.date().nullable() }));

type Secrets = z.infer<typeof secretsSchema>;

interface SealedFor {
  id: string;
  secretsSealed: Buffer;
}

/** As Standard Webhooks writes it. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

export const sealSecret = (appSecret: AppSecret, endpointId: string, secret: string): Buffer =>
  sealAll(appSecret, endpointId, [{ secret, until: null }]);

/** The new one first. The one before signs for a day more; a third one stops. */
export function sealRotated(
  appSecret: AppSecret,
  endpoint: SealedFor,
  { secret, now }: { secret: string; now: Date },
): Buffer {
  const [latest] = unsealAll(appSecret, endpoint);
  const before = latest ? [{ secret: latest.secret, until: new Date(now.getTime() + ROTATION_MS) }] : [];
  return sealAll(appSecret, endpoint.id, [{ secret, until: null }, ...before]);
}

/** Those that sign now. Empty if no app secret opens them. */
export const signingSecrets = (appSecret: AppSecret, endpoint: SealedFor, now: Date): string[] =>
  unsealAll(appSecret, endpoint)
    .filter(({ until }) => until === null || now < until)
    .map(({ secret }) => secret);

const sealAll = (appSecret: AppSecret, endpointId: string, secrets: Secrets) =>
  seal(appSecret, 'webhook secrets', endpointId, Buffer.from(JSON.stringify(secrets)));

function unsealAll(appSecret: AppSecret, { id, secretsSealed }: SealedFor): Secrets {
  const opened = unseal(appSecret, 'webhook secrets', id, secretsSealed);
  return opened === null ? [] : secretsSchema.parse(JSON.parse(opened.toString()));
}
