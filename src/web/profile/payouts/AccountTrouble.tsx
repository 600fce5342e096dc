import type { profile } from '#contract/app/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { accountBanner, seeAccount } from '#messages/operations/payout-account.ts';
import { payoutsAt } from '#web/shell/workspace/addresses.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';

type Trouble = NonNullable<ReplyOf<typeof profile>['accountTrouble']>;

/** Stripe reports that the payout account can't receive money. */
export function AccountTrouble({ trouble: { kind, stopAt } }: { trouble: Trouble }) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const { title, text } = accountBanner[kind];
  return (
    <Banner
      kind="warning"
      title={title}
      action={
        <ButtonLink kind="ghost" to={payoutsAt}>
          {seeAccount}
        </ButtonLink>
      }
    >
      {typeof text === 'string' ? text : text(formatShort(stopAt, timeZone))}
    </Banner>
  );
}
