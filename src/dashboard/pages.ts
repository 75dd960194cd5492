// The table of pages: navigation, routes, tests, screenshots and the bench all come from it.
import { data } from './data/page.tsx';
import type { DashboardPage } from './page.ts';
import { choices } from './pages/choices.tsx';
import { clock } from './pages/clock.tsx';
import { compare } from './pages/compare.tsx';
import { deliveries } from './pages/deliveries.tsx';
import { delivery } from './pages/delivery-detail.tsx';
import { faults } from './pages/faults.tsx';
import { inbox } from './pages/inboxes.tsx';
import { overview } from './pages/overview.tsx';
import { panel } from './pages/panel.tsx';
import { request } from './pages/request-detail.tsx';
import { requests } from './pages/requests.tsx';
import { settings } from './pages/settings.tsx';
import { timeline } from './pages/timeline.tsx';
import { webhooks } from './pages/webhooks.tsx';
import { worlds } from './pages/world-list.tsx';

/** In the order of the navigation. */
export const PAGES: readonly DashboardPage[] = [
  overview,
  data,
  settings,
  worlds,
  requests,
  request,
  webhooks,
  deliveries,
  delivery,
  inbox,
  timeline,
  compare,
  clock,
  faults,
  choices,
  panel,
];
