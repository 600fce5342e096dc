export function Cookies() {
  return (
    <>
      <p>
        We set only cookies that the service needs, and ask for no consent because there is nothing to consent to. All
        of them are our own; we set none for advertising or measurement.
      </p>
      <dl>
        <dt>
          <code>token</code>
        </dt>
        <dd>
          Set when an organizer logs in. It tells the page who is logged in and until when. It opens nothing by itself
          in another browser.
        </dd>

        <dt>Session cookie</dt>
        <dd>
          Set beside it, out of reach of scripts (HttpOnly). It binds the login to this browser and ends with the
          logout.
        </dd>

        <dt>Door cookie</dt>
        <dd>
          Set when an attendant enters an event's code, out of reach of scripts. It lets this device admit guests of
          that event for 12 hours.
        </dd>

        <dt>
          <code>XSRF-TOKEN</code>
        </dt>
        <dd>A random value that proves that a request comes from our own page.</dd>
      </dl>
      <p>
        Besides cookies, this browser may remember your choice of light or dark, an unfinished event draft, and the cart
        of an event. It also keeps tickets that you opened in it, until you press Remove next to them or visit such a
        page more than 30 days after the event, and the files of that page and of the scanner, so that both open without
        a network. All of it stays on your device.
      </p>
      <p>
        Map tiles come from tile.openstreetmap.org, and payment takes place on the pages of our card processor (Stripe),
        which sets cookies of its own there. You can delete or block cookies in your browser; without them logging in
        and the door do not work, buying tickets still does.
      </p>
    </>
  );
}
