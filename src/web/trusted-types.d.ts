/** The part of Trusted Types that we use. Browsers without it accept plain strings. */
interface TrustedScriptURL {
  toString(): string;
}

interface Window {
  trustedTypes?: {
    createPolicy(
      name: 'worker',
      rules: { createScriptURL(): string },
    ): { createScriptURL(address: string): TrustedScriptURL };
  };
}

interface ServiceWorkerContainer {
  register(address: TrustedScriptURL, options: RegistrationOptions): Promise<ServiceWorkerRegistration>;
}
