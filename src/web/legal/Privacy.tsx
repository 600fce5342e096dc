import { Link } from 'react-router';
import { supportMailbox } from '#messages/contacts.ts';

export function Privacy() {
  return (
    <>
      <p>
        We keep only what we need for tickets, check-in and payouts. We never sell data, and our pages have no analytics
        or advertising.
      </p>

      <h3>What we keep</h3>
      <ul>
        <li>
          <strong>Buyers:</strong> the email address given at checkout, the tickets, their confirmation numbers, what
          was paid, and whether a ticket was scanned or refunded. Card numbers never reach us.
        </li>
        <li>
          <strong>Organizers:</strong> email, a hash of the password, name, date of birth, phone number, organization,
          events and photos, and a tax ID. The tax ID is encrypted; only its last 4 digits are ever shown, and we don't
          share it.
        </li>
        <li>
          <strong>Attendants:</strong> when and on which device a ticket was scanned.
        </li>
        <li>
          <strong>Everyone:</strong> server logs of what failed and when, without names or addresses, to keep the
          service running; and rate limits by hashes of network, account and email, to slow down people who guess codes.
        </li>
      </ul>
      <p>We remove hidden location and camera data from uploaded photos.</p>

      <h3>Who else sees it</h3>
      <ul>
        <li>The organizer of an event sees its guests' email addresses and confirmation numbers.</li>
        <li>Stripe, our card processor, takes payments, pays organizers, and gets the data it needs for that.</li>
        <li>
          The map on an event page loads its tiles from tile.openstreetmap.org, which sees your IP address like any
          website you open. The address of an event may be sent to a geocoding service to find it on the map.
        </li>
        <li>Authorities, where the law requires it.</li>
      </ul>

      <h3>How long</h3>
      <p>
        Only as long as we need it. <Link to="/privacy">Your data</Link> lists how long for each, and we clear expired
        data daily.
      </p>

      <h3>Children</h3>
      <p>
        We do not serve children under 13 and do not knowingly keep data about them. Organizers must be at least 18. If
        you believe a child gave us information, contact us and we'll delete it.
      </p>

      <h3>Your rights</h3>
      <p>
        <Link to="/privacy">See or delete your data</Link>: buyers with a link we email them, organizers in their
        profile. For anything else, email <a href={`mailto:${supportMailbox}`}>{supportMailbox}</a>. We answer within 30
        days.
      </p>
    </>
  );
}
