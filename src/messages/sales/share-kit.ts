/** On the pictures and the flyer of an event, and next to them. */
import type { ShareKind } from '#contract/app/records/overview.ts';

export const shareKit = {
  title: 'Share kit',
  lead: 'Made from your title, date, venue and cover photo. They follow your changes.',
  firstSale: 'Share your event to get the first sales',
  firstSaleLead:
    'Post the pictures, put up the flyer, and send the link to your friends. Charts show up after five sales.',
  copy: 'Copy link',
  share: 'Share…',
  series: 'Series page',
  seriesLead: 'All coming dates on one page.',
  copySeries: 'Copy link to the series',
  names: {
    square: 'Square post',
    story: 'Story',
    flyer: 'Flyer',
  } satisfies Record<ShareKind, string>,
  notes: {
    square: '1080 × 1080, for feeds',
    story: '1080 × 1920, for stories',
    flyer: 'US Letter with a QR code, to print',
  } satisfies Record<ShareKind, string>,
  download: (kind: string) => `Download ${kind.toLowerCase()}`,
  /** The name of a file, without its ending. */
  file: (title: string, kind: ShareKind) => `${title}, ${kind}`,
  scan: 'Scan for tickets',
  by: (seller: string) => `Presented by ${seller}`,
};
