import { Link } from 'react-router';
import type { Offer } from '#contract/app/plans.ts';
import { MINIMUM_AGE } from '#domain/accounts/onboarding.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { supportMailbox } from '#messages/contacts.ts';
import { activeEvents, otherPlanMessage, planPrice, ticketFeesMessage } from '#messages/offer.ts';

export function Terms({ offer: { standard, others } }: { offer: Offer }) {
  return (
    <>
      <p>
        These terms are an agreement between you and Handstamp Software (“we”). Handstamp sells tickets for organizers,
        admits their guests, and pays the organizers. By registering, buying a ticket or using the scanner, you accept
        them.
      </p>

      <h3>1. Who does what</h3>
      <p>
        The organizer runs the event and is responsible for making sure it takes place, is lawful, and is as described.
        We provide the event page, ticket sales and check-in, and pass on the money. We are not the organizer of any
        event.
      </p>

      <h3>2. Accounts</h3>
      <p>
        Organizers must be at least {MINIMUM_AGE} years old, give accurate information, and keep their password private.
        Before an event can be created, the email must be verified, the account information complete, and a payout
        account connected. Buyers and attendants don't need an account. Anyone with an event's attendant code can admit
        its guests, so share it only with people you trust.
      </p>

      <h3>3. Plan and fees</h3>
      <p>
        On the {standard.name} plan an organizer has up to {activeEvents(standard.activeEventsMax)} and pays a
        processing fee of {planPrice(standard.terms.processingCents)} per event, taken from its payout, unless it is
        waived. {ticketFeesMessage(standard)} A paid ticket is one sold for more than $0. The reduced fee depends on
        paid tickets actually sold and not refunded, not on the number of participants entered. Each ticket's fee is
        rounded to the nearest cent, half a cent up. We cover card processing charges. An event keeps the fees that it
        was created with.
      </p>
      {others.map((plan) => (
        <p key={plan.name}>{otherPlanMessage(plan)}</p>
      ))}
      <p>
        An affiliate code entered when an event is created waives that event's processing fee, and nothing else. It
        works once, and not for the organizer who created it. Once the referred organizer is paid, the referrer's next
        event's processing fee is waived, too.
      </p>

      <h3>4. Buying</h3>
      <p>
        The price on the event page is the price you pay. Payment is by card, on Stripe's page. We hold your tickets
        while you check out; if you leave without paying, they go back on sale. A sale is complete when we confirm it
        with a confirmation number per ticket, on the page and by email. Each ticket admits one person once.
      </p>

      <h3 id="refunds">5. Refunds</h3>
      <p>
        A ticket can be refunded from its sale until {SETTLEMENT_HOLD_HOURS} hours after the event ends, unless it was
        scanned at the door or already refunded. The price paid goes back to the card it came from; please allow 3-7
        business days. If the organizer cancels the event, we automatically refund every ticket in full, even if it was
        scanned. While a payment is in dispute, its tickets can't be refunded here.
      </p>

      <h3>6. Payouts</h3>
      <p>
        Starting {SETTLEMENT_HOLD_HOURS} hours after the event ends, the organizer can request its payout: sales that
        were not refunded, less ticket fees and the processing fee. Each event is paid out once. There is no payout if
        no paid ticket was sold, if fees use up the sales, or if the event is cancelled. If a buyer's bank reverses a
        payment, the organizer owes us that amount.
      </p>

      <h3>7. Conduct</h3>
      <p>
        Don't sell tickets for anything unlawful, use another person's name or photos without the right to them, resell
        stolen tickets, probe or overload the service, or collect other people's information through it. We may take an
        event off sale or close an account that does; buyers then get their money back.
      </p>

      <h3>8. Your content</h3>
      <p>
        What you write and upload stays yours. You allow us to store it and to show it with your event for as long as
        the event is up.
      </p>

      <h3>9. Liability</h3>
      <p>
        We run the service with care but can't promise it will never be interrupted. As far as the law allows, our
        liability for any claim is limited to the fees we received for the event concerned. Nothing here limits your
        legal rights as a consumer.
      </p>

      <h3>10. Changes and contact</h3>
      <p>
        When these terms change, the date above changes, and we email organizers before the changes apply to them.
        Questions: <a href={`mailto:${supportMailbox}`}>{supportMailbox}</a>, or the <Link to="/FAQ">FAQ</Link>.
      </p>
    </>
  );
}
