/** Links that say where buyers come from. */
import { LINKS_MAX } from '#domain/reports/tracking-links.ts';
import { formatCount } from '../format.ts';

export const linkErrors = {
  'link.slug-taken': 'Another link of this event ends in this. Choose another ending.',
  'link.too-many': `You have ${formatCount(LINKS_MAX)} links. Remove one first.`,
  'link.unknown': 'This link was already removed.',
};

export const linkAdded = 'Link added';
export const linkRemoved = 'Link removed. People who follow it still get to your event.';

export const linksPage = {
  title: 'Links',
  lead: 'Give each poster, post or partner its own link, and see which one sells.',
  overview: 'Back to the overview',
  /** On the overview, next to the event's address. */
  fromShareKit: 'Links that tell you which poster sells',
  add: 'New link',
  none: 'No links yet',
  noneHint: 'Make one for your poster, your newsletter or a partner. Its views and sales show up here.',
  caption: 'Tracking links, oldest first',
  name: 'Link',
  views: 'Views',
  orders: 'Orders',
  tickets: 'Tickets',
  gross: 'Gross',
  actions: 'Change',
  copyNamed: (name: string) => `Copy the link ${name}`,
  code: 'QR code',
  codeNamed: (name: string) => `QR code of ${name}`,
  codeHint: 'It opens your event, and counts each scan for this link.',
  downloadCode: 'Download QR code',
  downloadFlyer: 'Download flyer with this code',
  codeFile: (slug: string) => `${slug}.svg`,
  remove: 'Remove',
  removeNamed: (name: string) => `Remove ${name}`,
  removeTitle: 'Remove this link?',
  removeWhy: (name: string) =>
    `People who follow ${name} still get to your event, but are no longer counted. Its sales stay in your reports.`,
  keep: 'Keep it',
  notLoaded: "We couldn't load your links.",
  failed: "That didn't work. Please try again.",
  form: {
    title: 'New link',
    name: 'Name',
    nameHint: 'Only your team sees it, such as “Poster at the station”.',
    slug: 'Ending',
    slugHint: (address: string) => `Everyone sees it: ${address}`,
    send: 'Add link',
    cancel: 'Cancel',
  },
};
