/** An event's tickets on websites of its organizer: what organizers set up, and what visitors of those websites see. */
import { EMBED_SITES_MAX } from '#domain/embed/sites.ts';

export const embedErrors = {
  'embed.origin-invalid': 'Enter a site like https://www.example.com',
  'embed.too-many': `An event can be shown on ${EMBED_SITES_MAX} websites. Remove one first.`,
};

/** On *Overview*, and in the dialog behind it. */
export const embedSettings = {
  title: 'Your own website',
  lead: 'Show the tickets on your website. Visitors choose there, and pay here.',
  open: 'Embed tickets',
  dialog: 'Embed tickets',
  loading: 'Loading…',
  notLoaded: "We couldn't load the settings.",
  failed: "That didn't work. Please try again.",
  sites: 'Websites',
  sitesLead: 'Only pages of these websites can show the tickets. On all others, nothing appears.',
  noSites: 'No website yet.',
  site: 'Add a website',
  siteHint: 'With https://, without a page. www.example.com and example.com are two websites.',
  placeholder: 'https://www.example.com',
  add: 'Add',
  remove: 'Remove',
  removeLabel: (site: string) => `Remove ${site}`,
  added: (site: string) => `${site} can show the tickets now.`,
  removed: (site: string) => `${site} can't show the tickets anymore.`,
  snippet: 'Code for your website',
  snippetLead: "Paste it where the tickets belong. Where the code doesn't run, visitors see the link inside.",
  copy: 'Copy code',
  copied: 'Code copied to clipboard!',
  notCopied: 'Your browser blocked copying. Select the code instead.',
  preview: 'Preview',
  previewLead: 'As visitors of your website see it.',
  draft: 'The preview appears once the event is published.',
};

/** What an organizer pastes into a website. The link is for visitors without scripts, and for websites that aren't listed. */
export const embedSnippet = (event: { publicUrl: string; eventId: string; eventUrl: string }): string =>
  `<script async src="${event.publicUrl}/embed.js"></script>
<handstamp-tickets event="${event.eventId}"><a href="${event.eventUrl}">Tickets</a></handstamp-tickets>`;

/** In the frame on the website. */
export const embeddedTickets = {
  checkout: 'Checkout',
  promoCode: 'I have a promo code',
  toEvent: 'See the event page',
  waitingRoom: 'This sale has a waiting room',
  waitingRoomText: 'Tickets are sold on the event page, where you wait for your turn.',
  soldOut: 'Sold out',
  soldOutText: 'Tickets in other carts may come back. Look at the event page for them.',
  noneOnSale: 'No tickets on sale right now',
  noneOnSaleText: 'The event page says when they are.',
  details: 'About this event',
};

/** After *Checkout* on a website: the page that takes its cart over. */
export const takenOverCart = {
  title: 'Your order',
  loading: 'Loading your order…',
  empty: 'Your cart is empty.',
  total: 'Total',
  checkout: 'Checkout',
  opening: 'Opening secure checkout…',
  toEvent: 'See the event page',
  retry: 'Try again',
  /** Below what is wrong. */
  problem: 'Your cart is also on the event page, where you can change it.',
  /** Something else is for sale than the website showed. */
  differs: 'Prices or tickets have changed since you chose. Please check your order.',
  terms: 'By buying a ticket, you agree to the',
  termsLink: 'Terms and Conditions',
};
