/** Second factors: authenticator apps, passkeys and recovery codes, and logging in with them. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { oneLine } from '#contract/forms/typed-text.ts';
import { messageReply } from '#contract/message-reply.ts';
import { FACTOR_NAME_MAX } from '#domain/accounts/factors.ts';

/** What WebAuthn exchanges. The library on either side of the call knows its shape, and checks it. */
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const passkeyOptions = z.custom<object>(isObject);
const passkeyResponse = z.looseObject({ id: z.string() });

const factorKind = z.enum(['totp', 'passkey']);
const sessionReply = z.object({ token: z.string() });

/** Longer than any code with its spaces and hyphens. */
const CODE_MAX = 50;
const code = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, because('factor-code.missing')),
    z.maxLength(CODE_MAX, because('factor-code.missing')),
  );

/** A login answers this where the password is not enough. */
export const factorRequired = z.object({
  factorRequired: z.literal(true),
  challengeId: z.string(),
  /** `email`: a code was sent to the account's address. */
  kinds: z.array(z.enum(['totp', 'passkey', 'email'])),
  passkeyOptions: z.nullable(passkeyOptions),
});

export const factorCodeForm = z.object({ code });

export const loginFactor = endpoint({
  method: 'POST',
  path: '/api/public/login-factor',
  access: 'public',
  input: z.object({
    challengeId: z.uuid(),
    code: z.optional(code),
    passkey: z.optional(passkeyResponse),
  }),
  reply: sessionReply,
});

/** As `reauthenticate`, with a code or with a passkey that signs the challenge of `start-passkey-login`. */
export const reauthenticateWithFactor = endpoint({
  method: 'POST',
  path: '/api/protected/reauthenticate-with-factor',
  access: 'organizer',
  input: z.object({
    challengeId: z.optional(z.uuid()),
    code: z.optional(code),
    passkey: z.optional(passkeyResponse),
  }),
  reply: z.object({}),
});

export const startPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/public/start-passkey-login',
  access: 'public',
  input: z.object({}),
  reply: z.object({ challengeId: z.string(), passkeyOptions }),
});

export const passkeyLogin = endpoint({
  method: 'POST',
  path: '/api/public/passkey-login',
  access: 'public',
  input: z.object({ challengeId: z.uuid(), passkey: passkeyResponse }),
  reply: sessionReply,
});

export const factors = endpoint({
  method: 'GET',
  path: '/api/protected/factors',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({
    factors: z.array(
      z.object({
        id: z.string(),
        kind: factorKind,
        name: z.string(),
        createdAt: z.string(),
        lastUsedAt: z.nullable(z.string()),
      }),
    ),
    recoveryCodesLeft: z.number(),
    /** Of this person, by the organization or as an operator. */
    isRequired: z.boolean(),
    /** Whether every member needs one, and whether this person may change that. */
    ofOrganization: z.object({ isRequired: z.boolean(), mayChange: z.boolean() }),
  }),
});

export const setUpApp = endpoint({
  method: 'POST',
  path: '/api/protected/set-up-app',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({ key: z.string(), uri: z.string() }),
});

/** `recoveryCodes` come with the first factor. */
const newFactor = z.object({ recoveryCodes: z.nullable(z.array(z.string())) });

export const confirmApp = endpoint({
  method: 'POST',
  path: '/api/protected/confirm-app',
  access: 'organizer',
  input: factorCodeForm,
  reply: newFactor,
});

export const setUpPasskey = endpoint({
  method: 'POST',
  path: '/api/protected/set-up-passkey',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({ challengeId: z.string(), options: passkeyOptions }),
});

export const passkeyNameForm = z.object({
  name: z
    .string()
    .check(
      oneLine(),
      z.minLength(1, because('factor-name.missing')),
      z.maxLength(FACTOR_NAME_MAX, because('factor-name.too-long')),
    ),
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/protected/add-passkey',
  access: 'organizer',
  input: z.extend(passkeyNameForm, { challengeId: z.uuid(), response: passkeyResponse }),
  reply: newFactor,
});

export const removeFactor = endpoint({
  method: 'POST',
  path: '/api/protected/remove-factor',
  access: 'organizer',
  input: z.object({ factorId: z.uuid() }),
  reply: messageReply,
});

/** The old ones stop working. */
export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/protected/renew-recovery-codes',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({ recoveryCodes: z.array(z.string()) }),
});

export const requireFactor = endpoint({
  method: 'POST',
  path: '/api/protected/require-factor',
  access: 'organizer',
  input: z.object({ isRequired: z.boolean() }),
  reply: messageReply,
});
