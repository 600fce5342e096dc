/** Where links in texts may lead, and what they may claim. */

const EMAIL_LINK = /^mailto:[^?@\s]+@[^?@\s]+$/i;

/** The address as browsers read it; null if pages must not link to it. */
export function safeLink(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, username, password, href } = new URL(address);
  if (protocol === 'mailto:') return EMAIL_LINK.test(address) ? href : null;
  // A user name before the host makes one site look like another.
  return ['https:', 'http:'].includes(protocol) && !username && !password ? href : null;
}

/** Hosts that a text names, such as `www.example.com`. */
const HOSTS = /(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu;
const withoutWww = (host: string) => host.toLowerCase().replace(/^www\./, '');

/** A text that names another host than the link leads to would mislead. */
export function isMisleading(text: string, href: string): boolean {
  const named = text.match(HOSTS) ?? [];
  const target = href.startsWith('mailto:') ? href.slice(href.indexOf('@') + 1) : new URL(href).hostname;
  return named.some((host) => withoutWww(host) !== withoutWww(target));
}

/** As people read it. */
export const addressOf = (href: string): string => href.replace(/^mailto:/, '');
