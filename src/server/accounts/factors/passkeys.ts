/** Passkeys, for the host of `PUBLIC_URL`: on another host they don't work. */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Deps } from '#server/platform/deps.ts';

type Site = Pick<Deps, 'publicUrl'>;

const NAME = 'Handstamp';

const hostOf = ({ publicUrl }: Site) => new URL(publicUrl).hostname;
const expectedOf = ({ publicUrl }: Site) => ({
  expectedOrigin: new URL(publicUrl).origin,
  expectedRPID: new URL(publicUrl).hostname,
});

interface Owner {
  userId: string;
  email: string;
  /** So that a device doesn't make a second passkey for the same account. */
  credentialIds: readonly string[];
}

/** Asks for a passkey that a login finds without an email address. */
export const registrationOptions = (site: Site, { userId, email, credentialIds }: Owner) =>
  generateRegistrationOptions({
    rpName: NAME,
    rpID: hostOf(site),
    userName: email,
    userID: new TextEncoder().encode(userId),
    attestationType: 'none',
    excludeCredentials: credentialIds.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });

export interface NewPasskey {
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
  host: string;
}

/** `null` if the response isn't an answer to the challenge. */
export async function readRegistration(
  site: Site,
  { challenge, response }: { challenge: string; response: { id: string } },
): Promise<NewPasskey | null> {
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    ...expectedOf(site),
    requireUserVerification: false,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) return null;
  const { id, publicKey, counter } = registrationInfo.credential;
  return { credentialId: id, publicKey: Buffer.from(publicKey), signCount: counter, host: hostOf(site) };
}

/** As the second step of a login; without credential IDs, as a login of its own, which the device must verify its user for. */
export const authenticationOptions = (site: Site, credentialIds: readonly string[]) =>
  generateAuthenticationOptions({
    rpID: hostOf(site),
    allowCredentials: credentialIds.map((id) => ({ id })),
    userVerification: credentialIds.length === 0 ? 'required' : 'preferred',
  });

interface SignedChallenge {
  challenge: string;
  /** As the browser answered; checked below. */
  response: { id: string };
  passkey: Omit<NewPasskey, 'host'>;
  isAlone: boolean;
}

/** The new sign count; `null` if the passkey didn't sign the challenge. */
export async function readAuthentication(
  site: Site,
  { challenge, response, passkey, isAlone }: SignedChallenge,
): Promise<number | null> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    ...expectedOf(site),
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.signCount,
    },
    requireUserVerification: isAlone,
  }).catch(() => ({ verified: false, authenticationInfo: null }));
  return verified && authenticationInfo ? authenticationInfo.newCounter : null;
}
