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
    /** What it returns is a `TrustedHTML`, which the library of the DOM declares as a string. */
    createPolicy(name: 'preview', rules: { createHTML(html: string): string }): { createHTML(html: string): string };
  };
}

interface ServiceWorkerContainer {
  register(address: TrustedScriptURL, options: RegistrationOptions): Promise<ServiceWorkerRegistration>;
}
