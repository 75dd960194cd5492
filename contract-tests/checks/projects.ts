// Projects: fields, defaults, rules, updates.

import type { Check } from '../engine/check.ts';
import { absent, idOf, resource, standsStill, succeeded } from '../engine/exchange.ts';
import { instant, isUtc } from '../engine/shapes.ts';
import type { Tools } from '../engine/tools.ts';
import { MARKUP } from '../engine/world.ts';

const pad = (name: string, length: number) => name.padEnd(length, 'n');

export const projectChecks: readonly Check[] = [
  {
    id: 'projects/create',
    says: 'A project is created as sent and read as created',
    covers: [
      ...['002', '004', '005', '006', '007', '024', '027'].map((n) => `WM-PROJ-${n}`),
      ...['WM-ENV-005', 'WM-GEN-004', 'WM-GEN-008', 'WM-GEN-009', 'WM-VER-001', 'WM-EP-002', 'WM-GEN-010', 'WM-PROJ-022'],
    ],
    profile: 'core',
    run: async (t: Tools) => {
      const { main, side, mainId } = await t.world();
      const at = `/projects/${encodeURIComponent(mainId)}`;
      t.must('WM-GEN-004', succeeded(main.answer), 'a JSON body is refused', main.answer);
      t.must('WM-EP-002', succeeded(main.answer), '', main.answer);
      t.must('WM-VER-001', true, '');
      t.must('WM-PROJ-002', main.got.name === main.sent.name, 'name is not as sent', main.answer);
      t.must('WM-PROJ-004', main.got.description === main.sent.description, 'description is not as sent', main.answer);
      t.must(
        'WM-PROJ-007',
        [undefined, main.sent.visibility].includes(main.got.visibility as string),
        `visibility is ${String(main.got.visibility)}`,
        main.answer,
      );
      t.must('WM-PROJ-005', side.ok, 'a project with a name alone is refused', side.answer);
      t.must(
        'WM-PROJ-006',
        [undefined, 'private'].includes(side.got.visibility as string),
        `visibility is ${String(side.got.visibility)} by default`,
        side.answer,
      );
      t.must('WM-PROJ-027', idOf(main.got) !== idOf(side.got), 'two projects have one id', main.answer, side.answer);
      t.note(
        'WM-PROJ-024',
        absent(side.got.description) ? `${side.got.description === null ? 'null' : 'left out'}` : 'another value',
        side.answer,
      );
      t.note('WM-PROJ-022', 'owner_id' in main.got ? 'owner_id' : 'no owner_id', main.answer);
      t.observe('owner-field', 'owner_id' in main.got ? 'owner_id' : 'absent');
      t.note('WM-GEN-010', mainId.startsWith('proj_') ? 'prefixed' : 'without prefix');
      t.observe('id-style', mainId.startsWith('proj_') ? 'prefixed' : 'opaque');
      const stamp = main.got.created_at;
      if (isUtc(stamp)) {
        const date = Date.parse(main.answer.headers.get('date') ?? '');
        const near = [main.answer.at, date].some((now) => Math.abs(now - instant(stamp)) < 300_000);
        t.must('WM-GEN-008', near, `created_at is ${stamp} at ${new Date(main.answer.at).toISOString()}`, main.answer);
        t.observe('datetime-format', stamp.endsWith('Z') ? (/\.\d/.test(stamp) ? 'milliseconds' : 'seconds') : 'offset');
      }
      const read = await t.get(at);
      t.must('WM-GEN-009', succeeded(read), `the id of the create answer is answered ${read.status}`, read);
      if (!succeeded(read)) return;
      const names = ['id', 'name', 'description', 'visibility', 'created_at'].filter(
        (name) => name in main.got && name in resource(read),
      );
      const same = names.every((name) => resource(read)[name] === main.got[name]);
      t.must('WM-ENV-005', same, 'the read answers another project than the create', main.answer, read);
    },
  },
  {
    id: 'projects/lengths',
    says: 'Names of 1 and 150 characters and descriptions of 1000 are accepted, longer ones refused',
    covers: [
      'WM-PROJ-013',
      'WM-PROJ-014',
      'WM-PROJ-015',
      'WM-PROJ-016',
      'WM-PROJ-017',
      'WM-PROJ-018',
      'WM-PROJ-030',
      'WM-ERR-013',
    ],
    profile: 'core',
    run: async (t: Tools) => {
      const { sideId } = await t.world();
      const longest = await t.post('/projects', {
        name: pad(t.name('long'), 150),
        description: 'd'.repeat(1000),
        visibility: 'public',
      });
      const id = idOf(resource(longest));
      if (succeeded(longest)) {
        t.must(
          'WM-PROJ-014',
          resource(longest).name === pad(t.name('long'), 150),
          'a name of 150 characters is not kept',
          longest,
        );
        t.must('WM-PROJ-017', resource(longest).description === 'd'.repeat(1000), 'a description of 1000 is not kept', longest);
      } else {
        const shorter = await t.post('/projects', { name: pad(t.name('long'), 150) });
        t.must('WM-PROJ-014', succeeded(shorter), 'a name of 150 characters is refused', shorter);
        if (succeeded(shorter)) t.must('WM-PROJ-017', false, 'a description of 1000 characters is refused', longest);
      }
      const one = await t.patch(`/projects/${encodeURIComponent(sideId)}`, { name: 'x' });
      t.must('WM-PROJ-013', succeeded(one), 'a name of one character is refused', one);
      const accented = await t.patch(`/projects/${encodeURIComponent(sideId)}`, {
        name: pad(t.name('é'), 150).replaceAll('n', 'é'),
      });
      t.must('WM-PROJ-030', succeeded(accented), '150 characters outside ASCII are refused', accented);
      await t.patch(`/projects/${encodeURIComponent(sideId)}`, { name: t.name('side') });
      t.need(id !== undefined, 'WM-PROJ-014');
      const over = await t.post('/projects', { name: pad(t.name('over'), 151) });
      if (t.refusal('WM-PROJ-015', over, [422, 400], 'name'))
        t.should('WM-ERR-013', over.status === 422, 'a name too long is 400', over);
      t.refusal('WM-PROJ-016', await t.post('/projects', { name: '' }), [422, 400], 'name');
      const wordy = await t.post('/projects', { name: t.name('wordy'), description: 'd'.repeat(1001) });
      t.refusal('WM-PROJ-018', wordy, [422, 400], 'description');
    },
  },
  {
    id: 'projects/body-rules',
    says: 'Missing, wrongly typed and unlisted values are refused on create',
    covers: [
      'WM-PROJ-003',
      'WM-PROJ-008',
      'WM-PROJ-019',
      'WM-PROJ-020',
      'WM-PROJ-021',
      'WM-ERR-004',
      'WM-ERR-006',
      'WM-ERR-009',
      'WM-ERR-021',
    ],
    profile: 'core',
    run: async (t: Tools) => {
      const { main } = await t.world();
      t.need(main.ok, 'WM-EP-002');
      const name = t.name('refused');
      t.refusal('WM-PROJ-003', await t.post('/projects', { description: 'no name' }), [400], 'name');
      t.refusal('WM-PROJ-019', await t.post('/projects', { name: 5 }), [400], 'name');
      t.refusal('WM-PROJ-020', await t.post('/projects', { name, description: 5 }), [400], 'description');
      t.refusal('WM-PROJ-021', await t.post('/projects', { name, visibility: 5 }), [400], 'visibility');
      const other = await t.post('/projects', { name, visibility: 'secret' });
      if (t.refusal('WM-PROJ-008', other, [422, 400], 'visibility')) {
        t.note('WM-ERR-021', String(other.status), other);
        t.observe('value-fault-status', String(other.status));
      }
    },
  },
  {
    id: 'projects/update',
    says: 'PATCH changes what is sent, leaves the rest, answers the updated project and keeps it',
    covers: [
      ...['004', '020', '023', '024', '025', '026', '027', '028'].map((n) => `WM-EP-${n}`),
      ...['WM-STATE-004', 'WM-PROJ-007', 'WM-PROJ-011', 'WM-PROJ-012', 'WM-PROJ-026', 'WM-ERR-018'],
    ],
    profile: 'core',
    run: async (t: Tools) => {
      const made = await t.post('/projects', { name: t.name('update'), description: 'before', visibility: 'team' });
      const id = idOf(resource(made));
      t.need(succeeded(made) && id !== undefined, 'WM-EP-002');
      const at = `/projects/${encodeURIComponent(id)}`;
      await t.time.sleep(1100);
      const named = await t.patch(at, { name: t.name('renamed') });
      t.must('WM-EP-004', succeeded(named), `PATCH answers ${named.status}`, named);
      if (!succeeded(named)) t.need(false, 'WM-EP-004');
      t.note('WM-EP-020', String(named.status), named);
      t.observe('patch-status', String(named.status));
      const read = await t.get(at);
      const kept = resource(read).name === t.name('renamed');
      const told = resource(named).name === t.name('renamed');
      t.must('WM-EP-023', kept || told, 'PATCH does not change name', named, read);
      if (kept && named.text !== '') t.must('WM-EP-026', told, 'PATCH answers the project as it was', named, read);
      if (told) t.must('WM-EP-027', kept, 'PATCH is answered and not kept', named, read);
      const now = resource(read);
      const stayed = now.description === 'before' && [undefined, 'team'].includes(now.visibility as string);
      t.must('WM-EP-025', stayed, 'PATCH of name changes other fields', named, read);
      t.must(
        'WM-PROJ-012',
        now.created_at === undefined || instant(now.created_at) === instant(resource(made).created_at),
        'created_at moved',
        made,
        read,
      );
      if (isUtc(now.updated_at) && isUtc(resource(made).updated_at)) {
        const later = instant(now.updated_at) > instant(resource(made).updated_at);
        if (later || !standsStill(made, read)) t.must('WM-PROJ-011', later, 'updated_at did not move', made, read);
        else {
          t.record.judged.add('WM-PROJ-011');
          t.record.skip('WM-PROJ-011', t.record.check, 'skipped', 'HIDDEN(the clock of the target stands still)');
        }
        const stale = later && instant(resource(named).updated_at) === instant(resource(made).updated_at);
        if (told) t.must('WM-EP-026', !stale, 'PATCH answers updated_at as it was', named, read);
      }
      const described = await t.patch(at, { description: MARKUP });
      const open = await t.patch(at, { visibility: 'public' });
      const after = await t.get(at);
      t.must('WM-EP-024', resource(after).description !== 'before', 'PATCH does not change description', described, after);
      if (resource(after).description !== 'before' && !absent(resource(after).description)) {
        t.must('WM-PROJ-026', resource(after).description === MARKUP, 'markup does not come back as sent', described, after);
      }
      t.must(
        'WM-STATE-004',
        [undefined, 'public'].includes(resource(after).visibility as string),
        'PATCH does not change visibility',
        open,
        after,
      );
      t.must('WM-PROJ-007', succeeded(open), 'visibility public is refused', open);
      const back = await t.patch(at, { visibility: 'private' });
      t.must('WM-STATE-004', succeeded(back) && resource(back).visibility !== 'public', 'PATCH to private does nothing', back);
      const long = await t.patch(at, { name: pad(t.name('over'), 151) });
      t.must('WM-EP-028', t.refused(long), `PATCH with a name too long is answered ${long.status}`, long);
      const half = await t.patch(at, { description: 'half', visibility: 'secret' });
      t.must('WM-EP-028', t.refused(half), `PATCH with an unlisted visibility is answered ${half.status}`, half);
      const last = await t.get(at);
      if (t.refused(half))
        t.should('WM-ERR-018', resource(last).description !== 'half', 'a refused PATCH changes a field', half, last);
      await t.delete(at);
    },
  },
  {
    id: 'projects/listed',
    says: 'A created project is in the list, once',
    covers: ['WM-EP-022'],
    profile: 'core',
    run: async (t: Tools) => {
      const { mainId } = await t.world();
      const { times, last } = await t.count('/projects', mainId);
      if (times === undefined) t.skip('QUOTA_SHORT(projects)');
      t.must('WM-EP-022', times === 1, `the project is in the list ${times} times`, last);
    },
  },
];
