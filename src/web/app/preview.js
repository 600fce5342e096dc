// Publishes the draft that this page shows. Not part of the page's own code, which is that of the published page.
const banner = document.getElementById('draft-banner');
const button = banner?.querySelector('button');
const problem = banner?.querySelector('p[role]');
const { publish = '', failed = '' } = banner?.dataset ?? {};

/** What the server says against it; null once it is published. */
async function send() {
  const xsrf = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1];
  const headers = { 'content-type': 'application/json', ...(xsrf && { 'x-xsrf-token': decodeURIComponent(xsrf) }) };
  try {
    const reply = await fetch(publish, { method: 'POST', headers, body: '{}' });
    if (reply.ok) return null;
    /** @type {unknown} */
    const body = await reply.json();
    const hasMessage = typeof body === 'object' && body !== null && 'msg' in body && typeof body.msg === 'string';
    return hasMessage ? body.msg : failed;
  } catch {
    return failed;
  }
}

/**
 * @param {HTMLButtonElement} pressed
 * @param {Element} denial
 */
async function act(pressed, denial) {
  if (pressed.ariaBusy === 'true') return;
  pressed.ariaBusy = 'true';
  denial.textContent = '';
  const msg = await send();
  if (msg === null) return location.reload();
  pressed.ariaBusy = 'false';
  denial.textContent = String(msg);
}

if (button && problem) button.addEventListener('click', () => void act(button, problem));
