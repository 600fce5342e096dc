/** The part of Trusted Types that we use. Browsers that lack them take plain strings. */
interface TrustedScriptURL {
  toString(): string;
}

declare var trustedTypes:
  | { createPolicy(name: 'worker', rules: { createScriptURL(): string }): { createScriptURL(): TrustedScriptURL } }
  | undefined;

interface ServiceWorkerContainer {
  register(address: TrustedScriptURL, options: RegistrationOptions): Promise<ServiceWorkerRegistration>;
}
