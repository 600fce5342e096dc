/** The demo's organizer: an account like any other, but nobody's. */
export const DEMO_ADDRESS = 'demo@handstamp.example';
