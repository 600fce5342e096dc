/** Websites that may show an event's tickets, as origins: a browser compares them with those of the pages around a frame. */

/** Of an event. */
export const EMBED_SITES_MAX = 10;
export const EMBED_SITE_MAX = 300;

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const PORT = '(?::\\d{1,5})?';

/** A host in its ASCII form. The end of an IP address is no top-level domain. */
const WEBSITE = new RegExp(`^https://(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})${PORT}$`);

/** To try it out, where no sale is real. */
const OWN_MACHINE = new RegExp(`^http://(?:localhost|127\\.0\\.0\\.1)${PORT}$`);

/** Whether an origin may be listed. It becomes part of a header, so it has no character that means something there. */
export const isEmbedSite = (origin: string, { takesRealMoney }: { takesRealMoney: boolean }): boolean =>
  origin.length <= EMBED_SITE_MAX && (WEBSITE.test(origin) || (!takesRealMoney && OWN_MACHINE.test(origin)));
