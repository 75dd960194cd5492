// Users: the caller's profile and the members of the workspace (spec: Endpoints, Users).
import { page } from '../../lists/page.ts';
import type { Handlers } from './handler.ts';
import { showMember, showProfile } from './show.ts';

export const users = {
  getMe: (view) => showProfile(view.caller.user),

  listMembers: (view, { query }) => {
    const within = view.choices['invited-members'] === 'listed' ? {} : { state: 'joined' };
    return page(view, 'users', showMember, query, within);
  },
} satisfies Partial<Handlers>;
