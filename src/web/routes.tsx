/** Every path and its screen. Routes are case-insensitive: /Legal is /legal. */
import type { ComponentType } from 'react';
import { loadCode } from './load-code.ts';

export interface ScreenRoute {
  path: string;
  lazy: () => Promise<{ Component: ComponentType }>;
}

/** Those of organizers, and those that few visit. Their code is named in a file of its own: a list of all files would weigh on public pages. */
const organizers = (
  [
    '/change-email',
    '/profile',
    '/organization/security',
    '/organization/team',
    '/organization/activity',
    '/organization/funds',
    '/organization/page',
    '/organization/api',
    '/organization/webhooks/:endpointId',
    '/events/:eventId',
    '/events/:eventId/sales',
    '/events/:eventId/links',
    '/events/:eventId/dates',
    '/events/new',
    '/events/:eventId/page',
    '/events/:eventId/tickets',
    '/events/:eventId/guests',
    '/events/:eventId/orders',
    '/events/:eventId/comps',
    '/door/:eventId',
    '/dashboard',
    '/dashboard/audit',
    '/dashboard/plans',
    '/events/:eventId/door',
    '/events/:eventId/money',
    '/money',
    '/payment/:eventId/changes',
    '/embed/:eventId/checkout',
    '/checked-in/:eventId/:token',
    '/trust',
    '/api/v1/docs',
  ] as const
).map((path) => ({
  path,
  lazy: async () => (await loadCode(() => import('./organizer-screens.ts'))).organizerScreens[path](),
}));

export const routes: readonly ScreenRoute[] = [
  { path: '/', lazy: () => import('./landing/LandingScreen.tsx') },
  { path: '/register', lazy: () => import('./account-access/RegisterScreen.tsx') },
  { path: '/login', lazy: () => import('./account-access/LoginScreen.tsx') },
  { path: '/forgot-password', lazy: () => import('./account-access/ForgotPasswordScreen.tsx') },
  { path: '/reset-password/:token', lazy: () => import('./account-access/ResetPasswordScreen.tsx') },
  { path: '/confirm-email-change', lazy: () => import('./account-access/EmailChangeScreen.tsx') },
  { path: '/undo-email-change', lazy: () => import('./account-access/EmailChangeScreen.tsx') },
  { path: '/invitation', lazy: () => import('./account-access/InvitationScreen.tsx') },
  { path: '/verify-email', lazy: () => import('./account-access/VerifyEmailScreen.tsx') },
  { path: '/payment/:eventId', lazy: () => import('./event-page/EventScreen.tsx') },
  { path: '/o/:slug', lazy: () => import('./organizer/OrganizerScreen.tsx') },
  { path: '/series/:slug', lazy: () => import('./organizer/OrganizerScreen.tsx') },
  { path: '/checkout/:handle', lazy: () => import('./checkout-page/CheckoutScreen.tsx') },
  { path: '/refund/:eventId', lazy: () => import('./refund/RefundScreen.tsx') },
  { path: '/refund/:eventId/:token', lazy: () => import('./refund/RefundStatusScreen.tsx') },
  { path: '/report/:eventId', lazy: () => import('./report/ReportScreen.tsx') },
  { path: '/contact/:about', lazy: () => import('./contact/ContactScreen.tsx') },
  { path: '/success', lazy: () => import('./order/OrderScreen.tsx') },
  { path: '/order/:token', lazy: () => import('./order/OrderScreen.tsx') },
  { path: '/ticket/:ticket', lazy: () => import('./order/OrderScreen.tsx') },
  { path: '/scanner', lazy: () => import('./scanner/ScannerScreen.tsx') },
  { path: '/legal', lazy: () => import('./legal/LegalScreen.tsx') },
  { path: '/find-tickets', lazy: () => import('./find-tickets/FindTicketsScreen.tsx') },
  { path: '/privacy', lazy: () => import('./privacy/PrivacyScreen.tsx') },
  { path: '/privacy/:token', lazy: () => import('./privacy/RecordsScreen.tsx') },
  { path: '/faq', lazy: () => import('./faq/FaqScreen.tsx') },
  ...organizers,
  { path: '*', lazy: () => import('./shell/NotFound.tsx') },
];
