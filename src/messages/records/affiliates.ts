/** The codes in the affiliate dialog. */
import { CODE_MONTHS, type CodeState } from '#domain/accounts/affiliate.ts';

export const codeStateTexts: Record<CodeState, string> = {
  unused: 'Unused',
  waiting: 'Waiting for payout',
  rewarded: 'Rewarded',
  expired: 'Expired',
};

export const codeList = {
  title: 'Your codes',
  caption: 'Your codes, newest first',
  code: 'Code',
  generated: 'Generated',
  state: 'State',
  expiry: `A code that isn't used expires after ${CODE_MONTHS} months.`,
  notLoaded: "We couldn't load your codes.",
};
