/** The browser's passkey dialogs. The library loads with the first one. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { loadCode } from './load-code.ts';

/** What the server checks. */
export interface PasskeyResponse {
  [field: string]: unknown;
  id: string;
}

const loadLibrary = () => loadCode(() => import('@simplewebauthn/browser'));

export const supportsPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function';

/** `null` if the person closed the dialog, or the device has no passkey. */
export async function askForPasskey(options: object): Promise<PasskeyResponse | null> {
  const { startAuthentication } = await loadLibrary();
  const asked = startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
  return asked.then((answer) => ({ ...answer })).catch(() => null);
}

export type NewPasskey = { passkey: PasskeyResponse } | { refused: 'known' | 'other' };

export async function createPasskey(options: object): Promise<NewPasskey> {
  const { startRegistration, WebAuthnError } = await loadLibrary();
  try {
    const created = await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON });
    return { passkey: { ...created } };
  } catch (error) {
    const isKnown = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    return { refused: isKnown ? 'known' : 'other' };
  }
}
