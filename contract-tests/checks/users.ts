// A key of a user, made and revoked by a control API.

import type { Check } from '../engine/check.ts';
import { resource, succeeded } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';

export const userChecks: readonly Check[] = [
  {
    id: 'users/profile-of-the-key',
    says: 'A key made for a user shows the profile of that user, until it is revoked',
    covers: ['WM-USER-014', 'WM-AUTH-009'],
    needs: ['control'],
    profile: 'full',
    run: async (t: Tools) => {
      const control = t.parts.control!;
      const { members } = await t.world();
      const me = t.parts.oracle.workspace('own').profiles.get(t.main) ?? '';
      const home = (await control.keys()).find((key) => key.user_id === me);
      if (!home) t.skip('NO_FIXTURE(key of the profile)');
      const member = members.find((id) => id !== me);
      const key = await control.createKey(home.workspace_id, 'read', member ?? me);
      t.parts.redactor.know(key.value, '$KEY_OF_MEMBER');
      const works = await t.get('/users/me', { key: key.value });
      if (member) t.must('WM-USER-014', resource(works).id === member, 'the profile is that of another user', works);
      await control.revokeKey(key.id);
      t.need(succeeded(works), 'WM-EP-013');
      const x = await t.get('/users/me', { key: key.value });
      t.must('WM-AUTH-009', x.status === 401, `a request with a key revoked a moment ago returns ${x.status}`, works, x);
      if (!member) t.skip('NO_FIXTURE(second member)');
    },
  },
];
