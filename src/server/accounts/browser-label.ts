import Bowser from 'bowser';

/** Longer than any browser's. Parsing takes time in proportion to the length. */
const USER_AGENT_MAX = 512;

/** `Chrome on Windows`; null for an API client or an unknown browser. */
export function browserLabel(userAgent: string | undefined): string | null {
  if (!userAgent) return null;
  const { browser, os } = Bowser.parse(userAgent.slice(0, USER_AGENT_MAX));
  if (!browser.name || !os.name) return null;
  return `${browser.name} on ${os.name}`;
}
